//! The syntax tree of `promotion_rules!`, unchecked: names are not resolved here.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, LitStr, Path, Token, Visibility};

use crate::path::{path_from, same};

/// `[$crate] base Path { rules... } rules...`
pub(crate) struct MacroInput {
    /// The library's path, as the caller can write it.
    pub(crate) library: TokenStream,
    /// The rules of other invocations that these rules are `like`, as the macros of those rules passed them.
    pub(crate) bases: Vec<Base>,
    pub(crate) rule_sets: Vec<RuleSet>,
}

/// Rules of another invocation, and the path that names them in this one.
pub(crate) struct Base {
    pub(crate) path: Path,
    /// The rule sets of that invocation, up to and including the named ones.
    pub(crate) rule_sets: Vec<RuleSet>,
}

/// One `struct` and the parts that follow it.
pub(crate) struct RuleSet {
    /// Documentation and other attributes of the struct.
    pub(crate) attributes: Vec<Attribute>,
    /// `#[law(..)]`
    pub(crate) laws: Vec<Ident>,
    /// `#[asymmetric]`
    pub(crate) asymmetric: bool,
    /// `#[extensible]`
    pub(crate) extensible: bool,
    /// `#[part_of(Numpy)]`: the rules for some of whose operations these promote, and which messages name in their place.
    pub(crate) part_of: Option<Path>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// `<Name = F32>`: a dtype that cells can name as their result.
    pub(crate) parameter: Option<Parameter>,
    pub(crate) title: LitStr,
    pub(crate) parts: Parts,
    /// The tokens, from the attributes to the end of the parts.
    pub(crate) tokens: TokenStream,
}

/// A type parameter of rules, and its default.
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) default: Name,
}

/// The parts after the name, each at most once.
#[derive(Default)]
pub(crate) struct Parts {
    /// `source "JAX 0.10.2" "https://..";`
    pub(crate) source: Option<Source>,
    /// `like Other;`, or `extend Other { .. }`
    pub(crate) like: Option<Path>,
    pub(crate) form: Option<Form>,
    /// `cells { .. }`, or those of `extend`
    pub(crate) cells: Option<Vec<Pair>>,
    pub(crate) zero_dim: Option<Form>,
    pub(crate) weak: Option<Vec<Entry>>,
    pub(crate) weak_pairs: Option<WeakPairs>,
    pub(crate) literals: Option<Vec<Literal>>,
    pub(crate) narrow: Option<Vec<Entry>>,
    pub(crate) only: Option<Vec<Name>>,
    pub(crate) safety: Option<Safety>,
    pub(crate) deny: Option<Ident>,
    pub(crate) marks: Option<Vec<Mark>>,
    pub(crate) common: Option<CommonTypeRule>,
    pub(crate) operations: Option<Operations>,
}

/// The publication of the promotions: its version and its address.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) version: LitStr,
    pub(crate) url: LitStr,
}

/// `common: ..;`: the rule for more than two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommonTypeRule {
    Folded,
    AroundHighest,
    ByClass,
}

impl Base {
    /// Returns whether these rules have that name.
    pub(crate) fn is(&self, path: &Path) -> bool {
        same(&self.path, path)
    }

    /// The path by which the expansion names the rules.
    pub(crate) fn path_from(&self, library: &TokenStream) -> Path {
        path_from(library, &self.path)
    }
}

/// `Lhs Rhs => cell`
pub(crate) struct Pair {
    pub(crate) lhs: Name,
    pub(crate) rhs: Name,
    pub(crate) cell: Cell,
}

/// `Int: Weak<I32> wraps`
pub(crate) struct Literal {
    pub(crate) kind: Ident,
    pub(crate) operand: Name,
    /// The word for out-of-range literals: `wraps` or `overflows`.
    pub(crate) beyond: Option<Ident>,
}

/// `w: path::WidensBits`
pub(crate) struct Mark {
    pub(crate) name: Ident,
    pub(crate) reason: Path,
}

/// `safety: ..;`: the property that makes a promotion unsafe.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Safety {
    /// A loss of values, or a mark.
    Values,
    /// A mark only.
    Marks,
}

/// The two ways to state which dtypes promote to which.
pub(crate) enum Form {
    Lattice(Vec<Edges>),
    Table { header: Vec<Name>, rows: Vec<Row> },
}

/// `From -> To, To;`, or `Alone;`
pub(crate) struct Edges {
    pub(crate) from: Name,
    pub(crate) to: Vec<Name>,
}

/// `Operand => [cell, cell],`
pub(crate) struct Row {
    pub(crate) operand: Name,
    pub(crate) cells: Vec<Cell>,
}

/// `Key Key: value;`
pub(crate) struct Entry {
    pub(crate) keys: Vec<Name>,
    pub(crate) value: Cell,
}

/// `weak_pairs: ..;`: the promotion of two weak operands that have no cell of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WeakPairs {
    /// They promote as strong ones do, and the result is weak.
    Strong,
    /// They are replaced through `weak`, as beside a strong operand.
    Replaced,
}

pub(crate) enum Operations {
    /// `operations Path;`
    Of(Path),
    /// `operations { .. }`
    Lines { keyword: Ident, lines: Vec<Line> },
}

/// `strong Name under Rules { Key: value }`, or `Name = Other`
pub(crate) struct Line {
    pub(crate) strong: bool,
    pub(crate) name: Ident,
    /// The rules that promote the operands, if not these.
    pub(crate) under: Option<Path>,
    pub(crate) map: Map,
}

pub(crate) enum Map {
    Entries(Vec<Entry>),
    SameAs(Ident),
}

/// `F32` or `Weak<F32>`, resolved later.
#[derive(Clone)]
pub(crate) struct Name {
    pub(crate) weak: Option<(Ident, Token![<], Token![>])>,
    pub(crate) dtype: Ident,
}

impl Name {
    pub(crate) fn is_weak(&self) -> bool {
        self.weak.is_some()
    }
}

pub(crate) enum Cell {
    Undefined(Token![_]),
    Defined { result: Name, safety: CellSafety },
}

/// The mark of a cell on its safety.
pub(crate) enum CellSafety {
    /// No mark: the rules' `safety` decides.
    Unsaid,
    /// `unsafe F32`
    Unsafe,
    /// `safe F32`
    Safe,
    /// `F32^w`
    Marked(Ident),
}

impl ToTokens for Name {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if let Some((weak, open, close)) = &self.weak {
            weak.to_tokens(tokens);
            open.to_tokens(tokens);
            self.dtype.to_tokens(tokens);
            close.to_tokens(tokens);
        } else {
            self.dtype.to_tokens(tokens);
        }
    }
}

impl ToTokens for Cell {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Undefined(underscore) => underscore.to_tokens(tokens),
            Self::Defined { result, .. } => result.to_tokens(tokens),
        }
    }
}

impl ToTokens for Row {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.operand.to_tokens(tokens);
        for cell in &self.cells {
            cell.to_tokens(tokens);
        }
    }
}
