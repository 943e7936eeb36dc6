//! Constants, and values that no result needs.

use supremum::prelude::*;
use supremum::stablehlo::input;

use super::traced;

#[test]
fn constants_are_bits_and_the_same_ones_are_one() {
    let weights: Tensor<F16, Rank1> = tensor![1.0, -2.0, 0.5];
    let truths: Tensor<Bool, Rank1> = tensor![true, false, true];
    let program = traced(input::<F16, _>([3]), |x| {
        let twice = &x * &weights + &weights;
        select(&truths, &twice, 0)
    });
    let text = program.to_string();
    assert!(
        text.contains(r#"dense<"0x003C00C00038"> : tensor<3xf16>"#),
        "{text}"
    );
    // Booleans as bytes, compared with zero.
    assert!(
        text.contains(r#"dense<"0x010001"> : tensor<3xui8>"#),
        "{text}"
    );
    assert_eq!(text.matches("tensor<3xf16>} : ()").count(), 2, "{text}"); // with the zeros
    // Memory that is used again is not a constant of before.
    let sum = traced(input::<I32, _>([3]), |x| {
        let mut sum = x;
        for number in 1..3 {
            let row = Tensor::<I32, Rank1>::from_fn([3], |index| {
                number * 10 + i32::try_from(index[0]).unwrap()
            });
            sum += row;
        }
        sum
    });
    let text = sum.to_string();
    assert!(text.contains(r#""0x0A0000000B0000000C000000""#), "{text}");
    assert!(text.contains(r#""0x140000001500000016000000""#), "{text}");
}

#[test]
fn constants_of_products_keep_their_dtype() {
    let weights: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let program = traced(input::<BF16, _>([3, 2]), |x| {
        x.matmul(&weights) + x.matmul(&weights)
    });
    let text = program.to_string();
    assert_eq!(text.matches("-> tensor<2x2xbf16>").count(), 1, "{text}");
    assert_eq!(text.matches("dot_general").count(), 2, "{text}");
}

#[test]
fn one_element_everywhere_is_printed_once_in_every_dtype() {
    fn splat<D: StrongDType>(element: D::Element) -> String {
        let full = Tensor::<D, Rank1>::full([2], element);
        let text = traced((), |()| full).to_string();
        let start = text.find("dense<").unwrap() + "dense<".len();
        let end = text[start..].find("> :").unwrap();
        text[start..start + end].into()
    }
    assert_eq!(splat::<Bool>(true), "true");
    assert_eq!(splat::<U64>(u64::MAX), "18446744073709551615");
    assert_eq!(splat::<I8>(-128), "-128");
    assert_eq!(splat::<I64>(i64::MIN), "-9223372036854775808");
    assert_eq!(splat::<F8E4M3FN>(f8e4m3fn::from_f32(-1.0)), "0xB8");
    assert_eq!(splat::<F8E5M2>(f8e5m2::from_f32(1.0)), "0x3C");
    assert_eq!(splat::<BF16>(bf16::from_f32(1.0)), "0x3F80");
    assert_eq!(splat::<F32>(-0.0), "0x80000000");
    assert_eq!(splat::<F64>(1.0), "0x3FF0000000000000");
    assert_eq!(
        splat::<C64>(c64::new(1.0, -0.0)),
        "(0x3F800000, 0x80000000)"
    );
}

#[test]
fn what_no_result_needs_is_dropped() {
    let program = traced(
        (input::<F32, _>([2]), input::<F32, _>([2])),
        |(x, _unused)| {
            let _dead = (&x * 2.0).exp().sum();
            x
        },
    );
    assert_eq!(program.operations(), 0);
    assert_eq!(program.inputs().len(), 2);
    assert!(program.to_string().contains("return %arg0 : tensor<2xf32>"));
    let nothing = traced((), |()| Vec::<DynTensor>::new());
    assert!(
        nothing
            .to_string()
            .contains("@main() -> () {\n    return\n")
    );
}
