//! The list of dtypes. [`with_dtypes`] generates markers, run-time tags, names, sizes, element types, widths and the
//! run-time dispatch of the library from it.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;

/// The kind of numbers that a dtype holds, in the order in which promotion systems rank kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Bool,
    Unsigned,
    Signed,
    Float,
    Complex,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "Bool",
            Self::Unsigned => "Unsigned",
            Self::Signed => "Signed",
            Self::Float => "Float",
            Self::Complex => "Complex",
        }
    }
}

/// The values besides finite numbers that a float's bit patterns stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// The largest exponent holds infinities and NaNs, as in IEEE 754.
    Ieee,
    /// Finite numbers and one NaN for each sign, which is all ones.
    Fn,
    /// Finite numbers and a single NaN, which stands where negative zero would.
    Fnuz,
}

/// The way in which the bits of a float, or of each part of a complex number, make a number.
#[derive(Clone, Copy, Debug)]
pub struct FloatFormat {
    pub exponent_bits: u32,
    pub mantissa_bits: u32,
    pub bias: u32,
    pub specials: Specials,
}

/// The format of a dtype's elements, from which its widths follow.
#[derive(Clone, Copy, Debug)]
pub enum Format {
    /// An integer with this number of bits besides the sign.
    Integer(u32),
    Float(FloatFormat),
}

/// A float with IEEE 754's bias.
const fn ieee(exponent_bits: u32, mantissa_bits: u32) -> Format {
    let bias = (1 << (exponent_bits - 1)) - 1;
    float(exponent_bits, mantissa_bits, bias, Specials::Ieee)
}

const fn float(exponent_bits: u32, mantissa_bits: u32, bias: u32, specials: Specials) -> Format {
    Format::Float(FloatFormat {
        exponent_bits,
        mantissa_bits,
        bias,
        specials,
    })
}

/// One dtype and the widths from which every verdict is computed.
///
/// Each finite value of a real dtype (each part of a complex one) is an integer of at most
/// `digits` bits times a power of two; its magnitude is below `2^top` (for signed integers, at
/// most `2^top`) and a multiple of `2^-bottom`. The format gives all three.
#[derive(Debug)]
pub struct DTypeFacts {
    /// The name of the marker type and of the run-time variant.
    pub marker: &'static str,
    /// The name that is printed and parsed.
    pub name: &'static str,
    /// The element type, as the library names it in `dtype::element`.
    pub element: &'static str,
    pub kind: Kind,
    /// Size of an element in bytes.
    pub size: u32,
    pub format: Format,
}

macro_rules! list {
    ($($marker:ident $name:literal $element:ident $kind:ident $size:literal $format:expr;)*) => {
        /// Every dtype, in the order of the run-time tag.
        pub const DTYPES: &[DTypeFacts] = {
            use Format::Integer;
            use Specials::{Fn, Fnuz};
            &[$(DTypeFacts {
                marker: stringify!($marker),
                name: $name,
                element: stringify!($element),
                kind: Kind::$kind,
                size: $size,
                format: $format,
            }),*]
        };
    };
}

list! {
    // marker  name       element     kind     bytes  format
    Bool     "bool"     bool        Bool     1 Integer(1);
    U8       "u8"       u8          Unsigned 1 Integer(8);
    U16      "u16"      u16         Unsigned 2 Integer(16);
    U32      "u32"      u32         Unsigned 4 Integer(32);
    U64      "u64"      u64         Unsigned 8 Integer(64);
    I8       "i8"       i8          Signed   1 Integer(7);
    I16      "i16"      i16         Signed   2 Integer(15);
    I32      "i32"      i32         Signed   4 Integer(31);
    I64      "i64"      i64         Signed   8 Integer(63);
    // Exponent bits, mantissa bits, bias, special values. The floats that compute as `f32` stand side by side.
    F8E4M3FN "f8e4m3fn" f8e4m3fn    Float    1 float(4, 3, 7, Fn);
    F8E5M2   "f8e5m2"   f8e5m2      Float    1 ieee(5, 2);
    F8E4M3FNUZ "f8e4m3fnuz" f8e4m3fnuz Float 1 float(4, 3, 8, Fnuz);
    F8E5M2FNUZ "f8e5m2fnuz" f8e5m2fnuz Float 1 float(5, 2, 16, Fnuz);
    F8E4M3B11FNUZ "f8e4m3b11fnuz" f8e4m3b11fnuz Float 1 float(4, 3, 11, Fnuz);
    BF16     "bf16"     bf16        Float    2 ieee(8, 7);
    F16      "f16"      f16         Float    2 ieee(5, 10);
    F32      "f32"      f32         Float    4 ieee(8, 23);
    F64      "f64"      f64         Float    8 ieee(11, 52);
    C64      "c64"      c64         Complex  8 ieee(8, 23);
    C128     "c128"     c128        Complex  16 ieee(11, 52);
}

/// The effect of a conversion on the values of the source dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Lossless,
    Precision,
    Range,
}

impl DTypeFacts {
    /// Significant bits.
    pub fn digits(&self) -> u32 {
        match self.format {
            Format::Integer(bits) => bits,
            Format::Float(format) => format.mantissa_bits + 1,
        }
    }

    /// The exponent that bounds magnitudes from above.
    pub fn top(&self) -> u32 {
        match self.format {
            Format::Integer(bits) => bits,
            Format::Float(format) => {
                let reserved = u32::from(format.specials == Specials::Ieee);
                (1 << format.exponent_bits) - reserved - format.bias
            }
        }
    }

    /// The negated exponent of the smallest subnormal; zero for integers.
    pub fn bottom(&self) -> u32 {
        match self.format {
            Format::Integer(_) => 0,
            Format::Float(format) => format.bias - 1 + format.mantissa_bits,
        }
    }

    /// Returns whether zero has a sign.
    fn has_negative_zero(&self) -> bool {
        matches!(self.format, Format::Float(format) if format.specials != Specials::Fnuz)
    }

    fn is_signed(&self) -> bool {
        self.kind >= Kind::Signed
    }

    /// Returns the loss of converting from `self` to `to`; a loss of range is reported before a loss of precision.
    pub fn loss(&self, to: &Self) -> Loss {
        let sign_dropped = self.is_signed() && !to.is_signed();
        let part_dropped = self.kind == Kind::Complex && to.kind != Kind::Complex;
        // All digits of the largest value are set. In a dtype with fewer digits and the same top it rounds up to 2^top,
        // which is out of range (65,535 in f16).
        let overflows =
            self.top() > to.top() || (self.top() == to.top() && self.digits() > to.digits());
        if sign_dropped || part_dropped || overflows {
            Loss::Range
        } else if self.digits() > to.digits() || self.bottom() > to.bottom() {
            Loss::Precision
        } else if self.has_negative_zero() && !to.has_negative_zero() {
            // The infinities are lost too.
            Loss::Range
        } else {
            Loss::Lossless
        }
    }
}

/// `callback! { Marker index "name" element Kind size digits, top, bottom, index, negative zero; .. }` with the last five
/// as `typenum` types, whose path prefix is the input's second part.
///
/// Input: `callback, path::to::typenum`.
pub fn with_dtypes(callback: &TokenStream, typenum: &TokenStream) -> TokenStream {
    let rows = (0..).zip(DTYPES).map(|(position, dtype)| {
        let marker = Ident::new(dtype.marker, Span::call_site());
        let element = Ident::new(dtype.element, Span::call_site());
        let kind = Ident::new(dtype.kind.name(), Span::call_site());
        let name = dtype.name;
        let index = Literal::u32_unsuffixed(position);
        let size = Literal::u32_unsuffixed(dtype.size);
        let numbers = [dtype.digits(), dtype.top(), dtype.bottom(), position];
        let numbers = numbers.map(|n| unsigned(n, typenum));
        let negative_zero = bit(dtype.has_negative_zero());
        quote!(#marker #index #name #element #kind #size #(#numbers),*, #typenum::#negative_zero;)
    });
    quote!(#callback! { #(#rows)* })
}

/// Writes a number as a `typenum` type (`typenum` names only some of the numbers above 1,024).
pub fn with_markers(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let callback = input.next().map(|callback| match callback {
        TokenTree::Group(path) => path.stream(),
        name => name.into(),
    });
    let tokens: TokenStream = input.collect();
    let markers = DTYPES
        .iter()
        .map(|dtype| Ident::new(dtype.marker, Span::call_site()));
    quote!(#callback! { #tokens [#(#markers)*] })
}

/// The number as a `typenum` type (`typenum` itself names only some numbers above 1,024).
fn unsigned(number: u32, typenum: &TokenStream) -> TokenStream {
    (0..u32::BITS - number.leading_zeros())
        .rev()
        .fold(quote!(#typenum::UTerm), |high, bit| {
            let low = self::bit(number >> bit & 1 == 1);
            quote!(#typenum::UInt<#high, #typenum::#low>)
        })
}

/// A bit's name in `typenum`.
fn bit(is_set: bool) -> Ident {
    Ident::new(if is_set { "B1" } else { "B0" }, Span::call_site())
}

/// `callback! { /// documentation
/// Marker element { exponent bits, mantissa bits, bias, specials } .. }` with the 8-bit floats, whose element types are the
/// library's own.
///
/// Input: `callback`.
pub fn with_float8(callback: &TokenStream) -> TokenStream {
    let rows = DTYPES.iter().filter_map(|dtype| {
        let (1, Format::Float(format)) = (dtype.size, dtype.format) else {
            return None;
        };
        let FloatFormat {
            exponent_bits,
            mantissa_bits,
            bias,
            specials,
        } = format;
        let [marker, element, specials] = [dtype.marker, dtype.element, &format!("{specials:?}")]
            .map(|name| Ident::new(name, Span::call_site()));
        let numbers = [exponent_bits, mantissa_bits, bias].map(Literal::u32_unsuffixed);
        let documentation = dtype.float8_documentation(format);
        Some(quote!(#(#[doc = #documentation])* #marker #element { #(#numbers),*, #specials }))
    });
    quote!(#callback! { #(#rows)* })
}

/// `callback! { Marker Kind: other markers; .. }` with each dtype and the other dtypes that have all its values.
///
/// Input: `callback`.
pub fn with_widenings(callback: &TokenStream) -> TokenStream {
    let rows = DTYPES.iter().map(|from| {
        let name = |dtype: &DTypeFacts| Ident::new(dtype.marker, Span::call_site());
        let wider = DTYPES
            .iter()
            .filter(|to| to.marker != from.marker && from.loss(to) == Loss::Lossless)
            .map(name);
        let kind = Ident::new(from.kind.name(), Span::call_site());
        let from = name(from);
        quote!(#from #kind: #(#wider)*;)
    });
    quote!(#callback! { #(#rows)* })
}

/// Two to the power of an exponent.
fn power(exponent: u32) -> f64 {
    2_f64.powi(i32::try_from(exponent).expect("at most 1024"))
}

/// The range of floats.
impl DTypeFacts {
    /// The largest number of a float or complex dtype; infinite if `f64` has none as large.
    pub fn max(&self) -> f64 {
        let below = power(self.top() - 1);
        // The largest significand is all ones, which in formats with one NaN for each sign are NaN.
        let missing = if self.ends_below_nan() { 2.0 } else { 1.0 };
        below + (below - below / power(self.digits() - 1) * missing)
    }

    /// Returns whether NaN stands where the next number after the largest would, which makes the largest even.
    fn ends_below_nan(&self) -> bool {
        matches!(self.format, Format::Float(format) if format.specials == Specials::Fn)
    }

    /// The least magnitude that the dtype, a float or complex one, does not have: halfway between its largest number
    /// and what would come next, where ties go to the even neighbour. None if no `f64` is as large.
    pub fn overflow(&self) -> Option<f64> {
        let half_unit = power(self.top() - 1) / power(self.digits());
        let tie = self.max() + half_unit;
        let overflow = if self.ends_below_nan() {
            tie.next_up()
        } else {
            tie
        };
        overflow.is_finite().then_some(overflow)
    }
}

impl DTypeFacts {
    /// Returns the documentation of the element type of an 8-bit float.
    fn float8_documentation(&self, format: FloatFormat) -> Vec<String> {
        let FloatFormat {
            exponent_bits,
            mantissa_bits,
            bias,
            specials,
        } = format;
        let overflow = self.overflow().expect("every 8-bit float overflows");
        let (unit, max) = (power(self.top()) / power(self.digits()), self.max());
        let tie = max + unit / 2.0;
        let element = self.element;
        let patterns = match specials {
            Specials::Ieee => "infinities and NaNs as in IEEE 754",
            Specials::Fn => "no infinities, and one NaN for each sign",
            Specials::Fnuz => "no infinities, no negative zero, and a single NaN",
        };
        let beyond = match specials {
            Specials::Ieee => "what rounds above it is infinite",
            Specials::Fn | Specials::Fnuz => "what rounds above it, infinities included, is NaN",
        };
        let after_tie = match (specials, overflow == tie) {
            (Specials::Ieee, _) => {
                format!("assert_eq!({element}::from_f32({tie:?}), {element}::INFINITY);")
            }
            (_, true) => format!("assert!({element}::from_f32({tie:?}).is_nan());"),
            (_, false) => format!(
                "assert_eq!({element}::from_f32({tie:?}), {element}::MAX); // a tie, to the even number\n\
                 assert!({element}::from_f32({tie:?}_f32.next_up()).is_nan());"
            ),
        };
        let zero = match specials {
            Specials::Fnuz => format!("\nassert_eq!({element}::from_f32(-0.0).to_bits(), 0);"),
            Specials::Ieee | Specials::Fn => String::new(),
        };
        let text = format!(
            " An 8-bit float with {exponent_bits} exponent bits (bias {bias}) and {mantissa_bits} mantissa bits; it has \
             {patterns}.\n\n The largest number is {max}, and {beyond}, as in ml_dtypes; \
             [`from_f32_saturating`](Self::from_f32_saturating) stays finite instead.\n\n\
             ```\nuse supremum::dtype::{element};\n\
             assert_eq!({element}::MAX.to_f32(), {max:?});\n\
             {after_tie}{zero}\n\
             assert_eq!({element}::MIN_POSITIVE.to_f32(), 1.0 / {:?});\n\
             assert_eq!({element}::MIN_POSITIVE_SUBNORMAL.to_f32(), 1.0 / {:?});\n\
             assert_eq!({element}::EPSILON.to_f32(), {:?});\n```",
            power(bias - 1),
            power(self.bottom()),
            1.0 / power(mantissa_bits),
        );
        text.lines().map(str::to_owned).collect()
    }
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
