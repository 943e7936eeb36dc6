//! Kinds of numbers.

/// What kind of number a dtype holds, in the order in which promotion systems rank kinds.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Truth values.
    Bool,
    /// Integers from zero up.
    Unsigned,
    /// Integers in two's complement.
    Signed,
    /// Binary floating point.
    Float,
    /// Pairs of floats.
    Complex,
}

impl Kind {
    /// Whether this is one of the two integer kinds; booleans are not integers.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Unsigned | Self::Signed)
    }

    /// Whether this is a float or complex kind.
    pub const fn is_inexact(self) -> bool {
        matches!(self, Self::Float | Self::Complex)
    }
}
