//! Tokens to a plain model, which is still free to be wrong: names are not looked up here.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Path, Token, Visibility, braced, bracketed, token};

/// `[$crate] rules...`
pub(crate) struct Invocation {
    /// The library's path as the caller can write it.
    pub(crate) library: TokenStream,
    pub(crate) rule_sets: Vec<RuleSet>,
}

/// One `struct` and the parts that follow it.
pub(crate) struct RuleSet {
    /// Documentation and whatever else belongs on the struct.
    pub(crate) attributes: Vec<Attribute>,
    /// `#[law(..)]`
    pub(crate) laws: Vec<Ident>,
    /// `#[asymmetric]`
    pub(crate) asymmetric: bool,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) title: LitStr,
    /// `like Other;`
    pub(crate) like: Option<Ident>,
    pub(crate) form: Option<Form>,
    pub(crate) weak: Option<Vec<Entry>>,
    pub(crate) weak_pairs: Option<WeakPairs>,
    pub(crate) narrow: Option<Vec<Entry>>,
    pub(crate) operations: Option<Operations>,
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

/// `weak_pairs: ..;`: what two weak operands do that have no cell of their own.
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

/// `strong Name { Key: value }`, or `Name = Other`
pub(crate) struct Line {
    pub(crate) strong: bool,
    pub(crate) name: Ident,
    pub(crate) map: Map,
}

pub(crate) enum Map {
    Entries(Vec<Entry>),
    SameAs(Ident),
}

/// `F32` or `Weak<F32>`, looked up later.
#[derive(Clone)]
pub(crate) struct Name {
    weak: Option<(Ident, Token![<], Token![>])>,
    pub(crate) dtype: Ident,
}

impl Name {
    pub(crate) fn is_weak(&self) -> bool {
        self.weak.is_some()
    }
}

pub(crate) enum Cell {
    Undefined(Token![_]),
    Defined(Name),
}

impl Parse for Invocation {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let library;
        bracketed!(library in input);
        let library = library.parse()?;
        let mut rule_sets = Vec::new();
        while !input.is_empty() {
            rule_sets.push(input.parse()?);
        }
        Ok(Self { library, rule_sets })
    }
}

impl Parse for RuleSet {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut laws = Vec::new();
        let mut asymmetric = false;
        let mut attributes = Vec::new();
        for attribute in input.call(Attribute::parse_outer)? {
            if attribute.path().is_ident("law") {
                let list =
                    attribute.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated)?;
                laws.extend(list);
            } else if attribute.path().is_ident("asymmetric") {
                attribute.meta.require_path_only()?;
                asymmetric = true;
            } else {
                attributes.push(attribute);
            }
        }
        let visibility = input.parse()?;
        input.parse::<Token![struct]>()?;
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let title = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut set = Self {
            attributes,
            laws,
            asymmetric,
            visibility,
            name,
            title,
            like: None,
            form: None,
            weak: None,
            weak_pairs: None,
            narrow: None,
            operations: None,
        };
        while set.at_part(input) {
            set.parse_part(input)?;
        }
        Ok(set)
    }
}

impl RuleSet {
    /// Whether another part follows, and not the next rule set or the end.
    fn at_part(&self, input: ParseStream<'_>) -> bool {
        let next_set =
            input.peek(Token![#]) || input.peek(Token![pub]) || input.peek(Token![struct]);
        !input.is_empty() && !next_set
    }

    fn parse_part(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let keyword = input.call(Ident::parse_any)?;
        let given = match keyword.to_string().as_str() {
            "like" => {
                let like = input.parse()?;
                input.parse::<Token![;]>()?;
                self.like.replace(like).is_some()
            }
            "lattice" => {
                let lines = in_braces(input)?.call(|lines| {
                    let lines = Punctuated::<Edges, Token![;]>::parse_terminated(lines)?;
                    Ok(Form::Lattice(lines.into_iter().collect()))
                })?;
                self.form.replace(lines).is_some()
            }
            "table" => self.form.replace(in_braces(input)?.call(table)?).is_some(),
            "weak" => self
                .weak
                .replace(in_braces(input)?.call(entries)?)
                .is_some(),
            "narrow" => self
                .narrow
                .replace(in_braces(input)?.call(entries)?)
                .is_some(),
            "weak_pairs" => {
                input.parse::<Token![:]>()?;
                let how: Ident = input.parse()?;
                input.parse::<Token![;]>()?;
                let how = match how.to_string().as_str() {
                    "strong" => WeakPairs::Strong,
                    "replaced" => WeakPairs::Replaced,
                    _ => {
                        return Err(syn::Error::new_spanned(how, "write `strong` or `replaced`"));
                    }
                };
                self.weak_pairs.replace(how).is_some()
            }
            "operations" => {
                let operations = if input.peek(token::Brace) {
                    let lines = in_braces(input)?.call(lines)?;
                    Operations::Lines {
                        keyword: keyword.clone(),
                        lines,
                    }
                } else {
                    let path = input.parse()?;
                    input.parse::<Token![;]>()?;
                    Operations::Of(path)
                };
                self.operations.replace(operations).is_some()
            }
            other => {
                let message = format!(
                    "`{other}` is no part of a rule set; the parts are `lattice`, `table`, `weak`, `weak_pairs`, \
                     `narrow`, `operations` and `like`"
                );
                return Err(syn::Error::new_spanned(keyword, message));
            }
        };
        if given {
            let message = match keyword.to_string().as_str() {
                "lattice" | "table" => {
                    "these rules have a table or lattice already; one form states them all"
                        .to_owned()
                }
                other => format!("these rules have `{other}` already"),
            };
            return Err(syn::Error::new_spanned(keyword, message));
        }
        Ok(())
    }
}

/// The input between braces, to be parsed to its end.
struct Inner<'a>(syn::parse::ParseBuffer<'a>);

fn in_braces<'a>(input: ParseStream<'a>) -> syn::Result<Inner<'a>> {
    let inner;
    braced!(inner in input);
    Ok(Inner(inner))
}

impl Inner<'_> {
    fn call<T>(&self, parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>) -> syn::Result<T> {
        parse(&self.0)
    }
}

/// `_ => [A, B], A => [..], B => [..]`
fn table(input: ParseStream<'_>) -> syn::Result<Form> {
    if !input.peek(Token![_]) {
        return Err(input.error("a table starts with its header: `_ => [Bool, I32, ..],`"));
    }
    input.parse::<Token![_]>()?;
    let header = cells(input)?;
    let mut rows = Vec::new();
    while input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        if !input.is_empty() {
            let operand = input.parse()?;
            let cells = cells(input)?;
            rows.push(Row { operand, cells });
        }
    }
    Ok(Form::Table { header, rows })
}

/// `=> [A, B]`
fn cells<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    input.parse::<Token![=>]>()?;
    let cells;
    bracketed!(cells in input);
    let cells = Punctuated::<T, Token![,]>::parse_terminated(&cells)?;
    Ok(cells.into_iter().collect())
}

/// `A B: C; D: _`
fn entries(input: ParseStream<'_>) -> syn::Result<Vec<Entry>> {
    let entries = Punctuated::<Entry, Token![;]>::parse_terminated(input)?;
    Ok(entries.into_iter().collect())
}

/// The inside of `operations { .. }`.
fn lines(input: ParseStream<'_>) -> syn::Result<Vec<Line>> {
    let mut lines = Vec::new();
    while !input.is_empty() {
        let first: Ident = input.parse()?;
        let strong = first == "strong";
        let name = if strong { input.parse()? } else { first };
        let map = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Map::SameAs(input.parse()?)
        } else {
            Map::Entries(in_braces(input)?.call(entries)?)
        };
        lines.push(Line { strong, name, map });
    }
    Ok(lines)
}

impl Parse for Edges {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let from = input.parse()?;
        let mut to = Vec::new();
        if input.peek(Token![->]) {
            input.parse::<Token![->]>()?;
            to = Punctuated::<Name, Token![,]>::parse_separated_nonempty(input)?
                .into_iter()
                .collect();
        }
        Ok(Self { from, to })
    }
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut keys = vec![input.parse()?];
        while !input.peek(Token![:]) {
            keys.push(input.parse()?);
        }
        input.parse::<Token![:]>()?;
        let value = input.parse()?;
        Ok(Self { keys, value })
    }
}

impl Parse for Cell {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![_]) {
            input.parse().map(Self::Undefined)
        } else {
            input.parse().map(Self::Defined)
        }
    }
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ident: Ident = input.parse()?;
        if ident != "Weak" {
            return Ok(Self {
                weak: None,
                dtype: ident,
            });
        }
        let open = input.parse()?;
        let dtype = input.parse()?;
        let close = input.parse()?;
        Ok(Self {
            weak: Some((ident, open, close)),
            dtype,
        })
    }
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
            Self::Defined(name) => name.to_tokens(tokens),
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

/// The library's path and the names after each `struct`, from tokens that do not parse, so that
/// stubs can stand in for the rule sets.
pub(crate) fn names(tokens: TokenStream) -> (TokenStream, Vec<Ident>) {
    let mut tokens = tokens.into_iter().peekable();
    let library = match tokens.next() {
        Some(TokenTree::Group(library)) => library.stream(),
        _ => TokenStream::new(),
    };
    let mut names = Vec::new();
    while let Some(token) = tokens.next() {
        if let (TokenTree::Ident(keyword), Some(TokenTree::Ident(name))) = (token, tokens.peek())
            && keyword == "struct"
        {
            names.push(name.clone());
        }
    }
    (library, names)
}
