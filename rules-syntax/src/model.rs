//! The types that the stages share: operands, the checked rule set, and the list of faults.

use std::fmt;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Path;

use crate::ast::{CommonTypeRule, Source};
use crate::dtypes::{DTYPES, DTypeFacts, Loss};
use crate::operations::GROUPS;

/// The class of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    /// A tensor of rank one or more; of any rank, if the rules do not depend on rank.
    Strong,
    ZeroDim,
    Weak,
}

/// A dtype, by its position in [`DTYPES`], and its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Operand {
    pub(crate) class: Class,
    pub(crate) dtype: usize,
}

impl Operand {
    /// The number of operands: every dtype in every class.
    pub(crate) const COUNT: usize = 3 * DTYPES.len();

    pub(crate) const fn strong(dtype: usize) -> Self {
        Self {
            class: Class::Strong,
            dtype,
        }
    }

    pub(crate) const fn zero_dim(dtype: usize) -> Self {
        Self {
            class: Class::ZeroDim,
            dtype,
        }
    }

    pub(crate) const fn weak(dtype: usize) -> Self {
        Self {
            class: Class::Weak,
            dtype,
        }
    }

    pub(crate) fn is_weak(self) -> bool {
        self.class == Class::Weak
    }

    /// Returns the same operand for rules that do not depend on rank.
    pub(crate) fn without_rank(self) -> Self {
        match self.class {
            Class::ZeroDim => Self::strong(self.dtype),
            Class::Strong | Class::Weak => self,
        }
    }

    /// The row and column in tables: strong dtypes, then zero-dim ones, then weak ones.
    pub(crate) const fn index(self) -> usize {
        self.dtype
            + match self.class {
                Class::Strong => 0,
                Class::ZeroDim => DTYPES.len(),
                Class::Weak => 2 * DTYPES.len(),
            }
    }

    /// All operands, in the order of their indices.
    pub(crate) fn all() -> impl Iterator<Item = Self> + Clone {
        let dtypes = 0..DTYPES.len();
        dtypes
            .clone()
            .map(Self::strong)
            .chain(dtypes.clone().map(Self::zero_dim))
            .chain(dtypes.map(Self::weak))
    }

    /// All operands but the zero-dim ones.
    pub(crate) fn without_ranks() -> impl Iterator<Item = Self> + Clone {
        Self::all().filter(|operand| operand.class != Class::ZeroDim)
    }

    pub(crate) fn facts(self) -> &'static DTypeFacts {
        &DTYPES[self.dtype]
    }
}

impl fmt::Display for Operand {
    /// Prints the type: `I64`, `ZeroDim<I64>` or `Weak<I64>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marker = self.facts().marker;
        match self.class {
            Class::Strong => f.write_str(marker),
            Class::ZeroDim => write!(f, "ZeroDim<{marker}>"),
            Class::Weak => write!(f, "Weak<{marker}>"),
        }
    }
}

/// A result for every operand, or none.
pub(crate) type Row = [Option<Operand>; Operand::COUNT];
/// A cell for every pair of operands, or none.
pub(crate) type Table<Cell> = Vec<[Option<Cell>; Operand::COUNT]>;

/// Makes a table without a defined cell.
pub(crate) fn empty_table<Cell: Copy>() -> Table<Cell> {
    vec![[None; Operand::COUNT]; Operand::COUNT]
}

/// A cell as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stated {
    /// The result; the default of the type parameter if the cell is that parameter.
    pub(crate) result: Operand,
    /// `true` if the cell is the rules' type parameter.
    pub(crate) parameter: bool,
    pub(crate) safety: StatedSafety,
}

/// The mark of a cell on its safety.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatedSafety {
    Unsaid,
    Safe,
    Unsafe,
    /// Unsafe for the reason of this number.
    Marked(usize),
}

/// The promotion of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Promotion {
    pub(crate) result: Operand,
    /// `true` if the result is the rules' type parameter, of which `result` is the default.
    pub(crate) parameter: bool,
    pub(crate) verdict: Verdict,
}

/// The effect of a promotion on values; the operand is the one that loses values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Lossless,
    LosesPrecision(Operand),
    LosesRange(Operand),
    /// The promotion can lose values, and the rules accept it.
    Accepted,
    /// The promotion keeps all values, and the rules refuse it.
    Marked,
    /// The result is neither operand, which the rules deny.
    WidensBoth,
    /// The rules refuse the promotion, for the reason of this number.
    Reason(usize),
}

impl Verdict {
    /// Computes the verdict on the operands that are not weak: range before precision, left before right.
    pub(crate) fn of_values(lhs: Operand, rhs: Operand, result: Operand) -> Self {
        let losing = |loss| {
            [lhs, rhs]
                .into_iter()
                .find(|operand| !operand.is_weak() && operand.facts().loss(result.facts()) == loss)
        };
        match (losing(Loss::Range), losing(Loss::Precision)) {
            (Some(operand), _) => Self::LosesRange(operand),
            (None, Some(operand)) => Self::LosesPrecision(operand),
            (None, None) => Self::Lossless,
        }
    }

    pub(crate) fn is_safe(self) -> bool {
        matches!(self, Self::Lossless | Self::Accepted)
    }
}

/// The table of operations that a rule set uses.
#[derive(Clone)]
pub(crate) enum Operations {
    /// The table of another rule set.
    Of(Path),
    /// Its own table, in the order of [`GROUPS`].
    Own(Box<[Row; GROUPS.len()]>),
}

/// The rules that promote the operands of a group of operations.
#[derive(Clone)]
pub(crate) enum Under {
    /// These rules.
    These,
    /// These rules, except that a float or complex base keeps its dtype beside an integer exponent.
    PowKeepsBase,
    /// Other rules.
    Other(Path),
}

/// The operand types of literals, in the order bool, integer, float, complex.
pub(crate) type Literals = [Operand; 4];

/// The conversion of out-of-range literals where unsafe promotions are admitted; by default they are refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OverflowPolicy {
    /// Of integers in integer dtypes.
    pub(crate) ints_wrap: bool,
    /// `true` if numbers overflow to infinity in float dtypes.
    pub(crate) floats_overflow: bool,
}

/// A rule set without faults.
pub(crate) struct Checked {
    pub(crate) source: Option<Source>,
    /// The written operands, in the order of the source.
    pub(crate) written: Vec<Operand>,
    pub(crate) looks_at_rank: bool,
    /// The promotion of every pair of operands.
    pub(crate) promotions: Table<Promotion>,
    pub(crate) reasons: Vec<Path>,
    pub(crate) literals: Literals,
    pub(crate) overflow_policy: OverflowPolicy,
    pub(crate) common: CommonTypeRule,
    pub(crate) operations: Operations,
    /// The rules that promote the operands of each binary group.
    pub(crate) under: Vec<Under>,
    /// The span of each operand's row.
    pub(crate) spans: [Span; Operand::COUNT],
}

impl Checked {
    /// The promotion of two operands.
    pub(crate) fn promotion(&self, lhs: Operand, rhs: Operand) -> Option<Promotion> {
        self.promotions[lhs.index()][rhs.index()]
    }

    /// Iterates over the operands that have types of their own under these rules.
    pub(crate) fn operands(&self) -> impl Iterator<Item = Operand> + Clone {
        let looks_at_rank = self.looks_at_rank;
        Operand::all().filter(move |operand| looks_at_rank || operand.class != Class::ZeroDim)
    }
}

/// The faults found so far, which are reported together.
#[derive(Default)]
pub(crate) struct Faults(Option<syn::Error>);

impl Faults {
    /// Adds a fault on these tokens.
    pub(crate) fn at(&mut self, place: impl ToTokens, message: impl fmt::Display) {
        self.push(syn::Error::new_spanned(place, message));
    }

    pub(crate) fn push(&mut self, fault: syn::Error) {
        match &mut self.0 {
            Some(faults) => faults.combine(fault),
            none => *none = Some(fault),
        }
    }

    pub(crate) fn append(&mut self, others: Self) {
        others.0.into_iter().for_each(|fault| self.push(fault));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Converts the faults to `compile_error!` invocations.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.0
            .map_or_else(TokenStream::new, |faults| faults.into_compile_error())
    }

    /// Returns the faults, in order.
    #[cfg(feature = "files")]
    pub(crate) fn into_errors(self) -> impl Iterator<Item = syn::Error> {
        self.0.into_iter().flatten()
    }

    /// Returns the messages, in order.
    #[cfg(test)]
    pub(crate) fn messages(self) -> Vec<String> {
        let faults = self.0.into_iter().flatten();
        faults.map(|fault| fault.to_string()).collect()
    }
}
