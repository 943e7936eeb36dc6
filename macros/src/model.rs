//! What the stages share: operands, the checked rule set, and the list of faults.

use std::fmt;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Path;

use crate::dtypes::{DTYPES, DTypeFacts, Loss};
use crate::operations::OPERATIONS;

/// A dtype, by its position in [`DTYPES`], strong or weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Operand {
    pub(crate) weak: bool,
    pub(crate) dtype: usize,
}

impl Operand {
    /// The number of operands: every dtype, and `Weak` of every dtype.
    pub(crate) const COUNT: usize = 2 * DTYPES.len();

    pub(crate) const fn strong(dtype: usize) -> Self {
        Self { weak: false, dtype }
    }

    pub(crate) const fn weak(dtype: usize) -> Self {
        Self { weak: true, dtype }
    }

    /// The row and column in tables: the dtypes, then the weak ones.
    pub(crate) const fn index(self) -> usize {
        self.dtype + if self.weak { DTYPES.len() } else { 0 }
    }

    /// All operands, in the order of their indices.
    pub(crate) fn all() -> impl Iterator<Item = Self> + Clone {
        let dtypes = 0..DTYPES.len();
        dtypes
            .clone()
            .map(Self::strong)
            .chain(dtypes.map(Self::weak))
    }

    pub(crate) fn facts(self) -> &'static DTypeFacts {
        &DTYPES[self.dtype]
    }
}

impl fmt::Display for Operand {
    /// As rules are written: `I64` or `Weak<I64>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marker = self.facts().marker;
        if self.weak {
            write!(f, "Weak<{marker}>")
        } else {
            f.write_str(marker)
        }
    }
}

/// For every operand, an operand or nothing.
pub(crate) type Row = [Option<Operand>; Operand::COUNT];
/// For every pair of operands, an operand or nothing.
pub(crate) type Table = Vec<Row>;

/// A table without a defined cell.
pub(crate) fn empty_table() -> Table {
    vec![[None; Operand::COUNT]; Operand::COUNT]
}

/// What a promotion does to values; the dtype is the operand's that loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Lossless,
    LosesPrecision(Operand),
    LosesRange(Operand),
}

impl Verdict {
    /// Judges the strong ones of two operands; range before precision, left before right.
    pub(crate) fn new(lhs: Operand, rhs: Operand, result: Operand) -> Self {
        let losing = |loss| {
            [lhs, rhs]
                .into_iter()
                .find(|operand| !operand.weak && operand.facts().loss(result.facts()) == loss)
        };
        match (losing(Loss::Range), losing(Loss::Precision)) {
            (Some(operand), _) => Self::LosesRange(operand),
            (None, Some(operand)) => Self::LosesPrecision(operand),
            (None, None) => Self::Lossless,
        }
    }
}

/// Whose table of operations a rule set follows.
#[derive(Clone)]
pub(crate) enum Operations {
    /// Another rule set's.
    Of(Path),
    /// Its own, in the order of [`OPERATIONS`].
    Own(Box<[Row; OPERATIONS.len()]>),
}

/// A rule set without faults.
pub(crate) struct Checked {
    /// The operands that the rules are written over, in the order of the source.
    pub(crate) written: Vec<Operand>,
    /// The promotion of every pair of operands.
    pub(crate) promotions: Table,
    pub(crate) operations: Operations,
    /// Where each operand's row comes from.
    pub(crate) spans: [Span; Operand::COUNT],
}

impl Checked {
    /// What two operands promote to.
    pub(crate) fn promotion(&self, lhs: Operand, rhs: Operand) -> Option<Operand> {
        self.promotions[lhs.index()][rhs.index()]
    }
}

/// Faults found so far; all of them are reported together.
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

    /// As `compile_error!` invocations.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.0
            .map_or_else(TokenStream::new, |faults| faults.into_compile_error())
    }

    /// The messages, in order.
    #[cfg(test)]
    pub(crate) fn messages(self) -> Vec<String> {
        let faults = self.0.into_iter().flatten();
        faults.map(|fault| fault.to_string()).collect()
    }
}
