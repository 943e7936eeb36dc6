//! Verdicts: the macro, the type system and the run-time tag agree about every conversion.

use crate::rows::{self, TableRow};
use supremum::*;

/// Rules under which the right operand always wins, so that each cell judges one conversion.
macro_rules! right_wins {
    ([$($marker:ident)*]) => { right_wins! { @ [$($marker),*] $($marker)* } };
    (@ $all:tt $($marker:ident)*) => {
        promotion_rules! {
            /// Every operand becomes the right one.
            #[asymmetric]
            #[law(associative)]
            pub struct RightWins = "right-wins";
            table { _ => $all, $($marker => $all),* }
        }
    };
}
supremum::__private::with_markers! { right_wins }

/// The rows of all dtypes in the type system.
macro_rules! right_wins_rows {
    ([$($marker:ident)*]) => {
        [$(TableRow::<$marker, RightWins>::CELLS),*]
    };
}

fn expected(from: DType, to: DType) -> Verdict {
    match from.loss_to(to) {
        Loss::None => Verdict::Lossless,
        Loss::Precision => Verdict::LosesPrecision(from),
        Loss::Range => Verdict::LosesRange(from),
    }
}

#[test]
fn macro_and_type_system_agree_about_every_conversion() {
    // `loss_to` is the constant that the type system computes.
    let rules = RightWins::rule_set();
    let in_the_type_system = supremum::__private::with_markers!(right_wins_rows);
    let mut counts = [0; 3];
    for (from, cells) in DType::ALL.iter().zip(in_the_type_system) {
        for (to, found) in rows::of_class(cells, Class::Dimensioned) {
            let lhs = OperandType::dimensioned(*from);
            let promotion = rules.promote(lhs, to).expect("a full table");
            assert_eq!(promotion.operand(), to);
            assert_eq!(
                promotion.verdict,
                expected(*from, to.dtype),
                "{from} to {to}"
            );
            assert_eq!(found, Some((to, promotion.verdict)), "{from} to {to}");
            counts[match promotion.verdict {
                Verdict::Lossless => 0,
                Verdict::LosesPrecision(_) => 1,
                _ => 2,
            }] += 1;
        }
    }
    println!("conversions that are lossless, lose precision, lose range: {counts:?}");
    assert_eq!(counts.iter().sum::<usize>(), DType::ALL.len().pow(2));
}
