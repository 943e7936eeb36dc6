//! The bytes of the tables at run time: what the macros write, and `with_bytecode!` hands to the library, which reads them.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use crate::dtypes::DTYPES;
use crate::model::{Operand, Promotion, Verdict};

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:expr;)*) => {
        $($(#[doc = $doc])+ pub(crate) const $name: u8 = $code;)*

        /// `callback! { /// documentation
        /// NAME code; .. }`
        ///
        /// Input: `callback`.
        pub fn with_bytecode(callback: &TokenStream) -> TokenStream {
            let codes = [$((stringify!($name), $name, &[$($doc),+][..])),*];
            let codes = codes.into_iter().map(|(name, code, documentation)| {
                let name = Ident::new(name, Span::call_site());
                let code = Literal::u8_unsuffixed(code);
                quote!(#(#[doc = #documentation])* #name #code;)
            });
            quote!(#callback! { #(#codes)* })
        }
    };
}

codes! {
    /// The operand number of an undefined cell.
    UNDEFINED = u8::MAX;
    /// The operand number of the rules' type parameter.
    PARAMETER = UNDEFINED - 1;
    /// The verdict that the promotion is lossless.
    LOSSLESS = 0;
    /// The verdict that the left operand loses precision.
    LHS_LOSES_PRECISION = 1;
    /// The verdict that the right operand loses precision.
    RHS_LOSES_PRECISION = 2;
    /// The verdict that the left operand loses range.
    LHS_LOSES_RANGE = 3;
    /// The verdict that the right operand loses range.
    RHS_LOSES_RANGE = 4;
    /// The verdict that the rules accept a loss.
    ACCEPTED = 5;
    /// The verdict that a cell is marked as unsafe.
    MARKED = 6;
    /// The verdict that the result is neither operand.
    WIDENS_BOTH = 7;
    /// The first of the reasons of a rule set.
    REASONS = 8;
}

/// Encodes the result of an operation.
pub(crate) fn operation(result: Option<Operand>) -> u8 {
    result.map_or(UNDEFINED, operand)
}

/// Encodes a strong or weak operand as a number: strong dtypes first, then weak ones.
fn operand(operand: Operand) -> u8 {
    let weak = if operand.is_weak() { DTYPES.len() } else { 0 };
    u8::try_from(weak + operand.dtype).expect("there are less than 127 dtypes")
}

/// Encodes a cell as two bytes: the number of the result, and the number of the verdict.
pub(crate) fn cell(cell: Option<Promotion>, lhs: Operand) -> [u8; 2] {
    let Some(promotion) = cell else {
        return [UNDEFINED, LOSSLESS];
    };
    let result = if promotion.parameter {
        PARAMETER
    } else {
        operand(promotion.result)
    };
    let verdict = match promotion.verdict {
        Verdict::Lossless => LOSSLESS,
        Verdict::LosesPrecision(loser) if loser == lhs => LHS_LOSES_PRECISION,
        Verdict::LosesPrecision(_) => RHS_LOSES_PRECISION,
        Verdict::LosesRange(loser) if loser == lhs => LHS_LOSES_RANGE,
        Verdict::LosesRange(_) => RHS_LOSES_RANGE,
        Verdict::Accepted => ACCEPTED,
        Verdict::Marked => MARKED,
        Verdict::WidensBoth => WIDENS_BOTH,
        Verdict::Reason(reason) => {
            REASONS + u8::try_from(reason).expect("there are less than 247 reasons")
        }
    };
    [result, verdict]
}
