//! The list of dtypes. [`with_dtypes`] generates markers, run-time tags, names, sizes, element types, widths and the
//! run-time dispatch of the library from it.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// The kind of numbers that a dtype holds, in the order in which promotion systems rank kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Bool,
    Unsigned,
    Signed,
    Float,
    Complex,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bool => "Bool",
            Self::Unsigned => "Unsigned",
            Self::Signed => "Signed",
            Self::Float => "Float",
            Self::Complex => "Complex",
        }
    }
}

/// One dtype and the widths from which every verdict is computed.
///
/// Each finite value of a real dtype (each part of a complex one) is an integer of at most
/// `digits` bits times a power of two; its magnitude is below `2^top` (for signed integers, at
/// most `2^top`) and a multiple of `2^-bottom`.
#[derive(Debug)]
pub(crate) struct DTypeFacts {
    /// The name of the marker type and of the run-time variant.
    pub(crate) marker: &'static str,
    /// The name that is printed and parsed.
    pub(crate) name: &'static str,
    /// The element type, as the library names it in `dtype::element`.
    pub(crate) element: &'static str,
    pub(crate) kind: Kind,
    /// Size of an element in bytes.
    pub(crate) size: u32,
    pub(crate) digits: u32,
    pub(crate) top: u32,
    pub(crate) bottom: u32,
}

macro_rules! list {
    ($($marker:ident $name:literal $element:ident $kind:ident $size:literal $digits:literal $top:literal $bottom:literal;)*) => {
        /// Every dtype, in the order of the run-time tag.
        pub(crate) const DTYPES: &[DTypeFacts] = &[$(DTypeFacts {
            marker: stringify!($marker),
            name: $name,
            element: stringify!($element),
            kind: Kind::$kind,
            size: $size,
            digits: $digits,
            top: $top,
            bottom: $bottom,
        }),*];
    };
}

list! {
    // marker  name       element     kind     bytes digits  top  bottom
    Bool     "bool"     bool        Bool     1     1       1    0;
    U8       "u8"       u8          Unsigned 1     8       8    0;
    U16      "u16"      u16         Unsigned 2     16      16   0;
    U32      "u32"      u32         Unsigned 4     32      32   0;
    U64      "u64"      u64         Unsigned 8     64      64   0;
    I8       "i8"       i8          Signed   1     7       7    0;
    I16      "i16"      i16         Signed   2     15      15   0;
    I32      "i32"      i32         Signed   4     31      31   0;
    I64      "i64"      i64         Signed   8     63      63   0;
    F8E4M3FN "f8e4m3fn" f8e4m3fn    Float    1     4       9    9;
    F8E5M2   "f8e5m2"   f8e5m2      Float    1     3       16   16;
    BF16     "bf16"     bf16        Float    2     8       128  133;
    F16      "f16"      f16         Float    2     11      16   24;
    F32      "f32"      f32         Float    4     24      128  149;
    F64      "f64"      f64         Float    8     53      1024 1074;
    C64      "c64"      c64         Complex  8     24      128  149;
    C128     "c128"     c128        Complex  16    53      1024 1074;
}

/// The effect of a conversion on the values of the source dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    Lossless,
    Precision,
    Range,
}

impl DTypeFacts {
    fn is_signed(&self) -> bool {
        self.kind >= Kind::Signed
    }

    /// Returns the loss of converting from `self` to `to`; a loss of range is reported before a loss of precision.
    pub(crate) fn loss(&self, to: &Self) -> Loss {
        let sign_dropped = self.is_signed() && !to.is_signed();
        let part_dropped = self.kind == Kind::Complex && to.kind != Kind::Complex;
        // All digits of the largest value are set. In a dtype with fewer digits and the same top it rounds up to 2^top,
        // which is out of range (65,535 in f16).
        let overflows = self.top > to.top || (self.top == to.top && self.digits > to.digits);
        if sign_dropped || part_dropped || overflows {
            Loss::Range
        } else if self.digits > to.digits || self.bottom > to.bottom {
            Loss::Precision
        } else {
            Loss::Lossless
        }
    }
}

/// `callback! { Marker index "name" element Kind size digits, top, bottom, index; .. }` with the last four as
/// `typenum` types, whose path prefix is the input's second part.
///
/// Input: `callback, path::to::typenum`.
pub(crate) fn with_dtypes(callback: &TokenStream, typenum: &TokenStream) -> TokenStream {
    let rows = (0..).zip(DTYPES).map(|(position, dtype)| {
        let marker = Ident::new(dtype.marker, Span::call_site());
        let element = Ident::new(dtype.element, Span::call_site());
        let kind = Ident::new(dtype.kind.name(), Span::call_site());
        let name = dtype.name;
        let index = Literal::u32_unsuffixed(position);
        let size = Literal::u32_unsuffixed(dtype.size);
        let widths = [dtype.digits, dtype.top, dtype.bottom].map(|n| unsigned(n, typenum));
        let position = unsigned(position, typenum);
        quote!(#marker #index #name #element #kind #size #(#widths),*, #position;)
    });
    quote!(#callback! { #(#rows)* })
}

/// Writes a number as a `typenum` type (`typenum` names only some of the numbers above 1,024).
fn unsigned(number: u32, typenum: &TokenStream) -> TokenStream {
    (0..u32::BITS - number.leading_zeros())
        .rev()
        .fold(quote!(#typenum::UTerm), |high, bit| {
            let low = Ident::new(
                if number >> bit & 1 == 1 { "B1" } else { "B0" },
                Span::call_site(),
            );
            quote!(#typenum::UInt<#high, #typenum::#low>)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(from: &str, to: &str) -> Loss {
        let find = |name| {
            DTYPES
                .iter()
                .find(|d| d.name == name)
                .expect("a dtype's name")
        };
        find(from).loss(find(to))
    }

    #[test]
    fn losses_follow_the_definitions() {
        assert_eq!(loss("f16", "f32"), Loss::Lossless);
        assert_eq!(loss("i64", "f32"), Loss::Precision);
        assert_eq!(loss("u16", "f16"), Loss::Range); // 65,535 rounds to infinity
        assert_eq!(loss("i16", "f16"), Loss::Precision);
        assert_eq!(loss("f16", "bf16"), Loss::Precision);
        assert_eq!(loss("bf16", "f16"), Loss::Range);
        assert_eq!(loss("i8", "u64"), Loss::Range);
        assert_eq!(loss("c64", "f64"), Loss::Range);
        assert_eq!(loss("u8", "f8e4m3fn"), Loss::Precision);
        assert_eq!(loss("f8e5m2", "f16"), Loss::Lossless);
        assert_eq!(loss("f8e4m3fn", "f8e5m2"), Loss::Precision);
    }
}
