//! Kinds of numbers.

/// The kind of a dtype's numbers. The order is that of promotion systems, from the lowest to the highest.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Truth values.
    Bool,
    /// Unsigned integers.
    Unsigned,
    /// Signed integers, in two's complement.
    Signed,
    /// Floats.
    Float,
    /// Complex numbers: pairs of floats.
    Complex,
}

impl Kind {
    /// Returns whether this is one of the two integer kinds; booleans are not integers.
    #[inline]
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::Unsigned | Self::Signed)
    }

    /// Returns whether this is a float or complex kind.
    #[inline]
    pub const fn is_inexact(self) -> bool {
        matches!(self, Self::Float | Self::Complex)
    }
}
