//! Verdicts: the macro, the type system and the run-time tag agree about every conversion.

use supremum::{DType, Loss, OperandType, Rules, Verdict, promotion_rules};

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
// The expansion proves, for all cells, that the macro's verdict is the type system's.
supremum::__private::with_markers! { right_wins }

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
    let mut counts = [0; 3];
    for from in DType::ALL {
        for to in DType::ALL {
            let [lhs, rhs] = [*from, *to].map(OperandType::dimensioned);
            let promotion = rules.promote(lhs, rhs).expect("a full table");
            assert_eq!(promotion.dtype, *to);
            assert_eq!(promotion.verdict, expected(*from, *to), "{from} to {to}");
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
