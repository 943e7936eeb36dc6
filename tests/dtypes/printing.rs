//! Tensors as text.

use crate::naive::{self, convert};

use supremum::{
    BF16, Bool, C64, C128, F8E4M3FN, F8E5M2, F16, F32, F64, I8, I16, I32, I64, Rank0, Rank1,
    Tensor, U8, U16, U32, U64, bf16, c64, c128, f8e4m3fn, f8e5m2, f16, tensor,
};

#[test]
fn printing_of_every_dtype() {
    let shown = |text: String, expected: &str| assert_eq!(text, expected);
    shown(
        tensor![Bool; true, false].to_string(),
        "[ true, false] bool [2]",
    );
    shown(tensor![U8; 0, 255].to_string(), "[  0, 255] u8 [2]");
    shown(tensor![U16; 1, 65535].to_string(), "[    1, 65535] u16 [2]");
    shown(tensor![U32; 4294967295].to_string(), "[4294967295] u32 [1]");
    shown(
        tensor![U64; 18446744073709551615].to_string(),
        "[18446744073709551615] u64 [1]",
    );
    shown(tensor![I8; -128, 5].to_string(), "[-128,    5] i8 [2]");
    shown(tensor![I16; -1].to_string(), "[-1] i16 [1]");
    shown(tensor![I32; 7].to_string(), "[7] i32 [1]");
    shown(
        tensor![I64; -9223372036854775808].to_string(),
        "[-9223372036854775808] i64 [1]",
    );
    shown(
        tensor![F8E4M3FN; 448.0, 0.1].to_string(),
        "[448.0,   0.1] f8e4m3fn [2]",
    );
    shown(
        tensor![F8E5M2; 57344.0, 1.5].to_string(),
        "[57344.0,     1.5] f8e5m2 [2]",
    );
    shown(
        tensor![BF16; 3.140625, -1.0].to_string(),
        "[ 3.14, -1.0 ] bf16 [2]",
    );
    shown(
        tensor![F16; 0.1, 65504.0].to_string(),
        "[    0.1, 65504.0] f16 [2]",
    );
    shown(
        tensor![F32; 0.1, 100.1, -2.5].to_string(),
        "[  0.1, 100.1,  -2.5] f32 [3]",
    );
    shown(
        tensor![F64; 0.1, 3.123456789012345].to_string(),
        "[0.1       , 3.12345679] f64 [2]",
    );
    shown(
        tensor![C64; c64::new(1.0, -0.1), c64::new(-2.5, 0.0)].to_string(),
        "[ 1.0-0.1i, -2.5+0.0i] c64 [2]",
    );
    shown(
        tensor![C128; c128::new(0.5, f64::NAN)].to_string(),
        "[0.5+NaNi] c128 [1]",
    );
    shown((tensor![Bool; true] + 1).to_string(), "[2] i64* [1]");
}

#[test]
fn printing_of_floats() {
    let shown = |x: f32| {
        let text = Tensor::<F32, Rank0>::scalar(x).to_string();
        text.strip_suffix(" f32 []")
            .expect("dtype and shape")
            .to_owned()
    };
    for (x, expected) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (0.3, "0.3"),
        (1.0 / 3.0, "0.33333334"),
        (16777216.0, "16777216.0"),
        (99999992.0, "99999992.0"),
        (1e8, "1e8"),
        (1.5e-5, "1.5e-5"),
        (1e-4, "0.0001"),
        (f32::MIN_POSITIVE, "1.1754944e-38"),
        (f32::MAX, "3.4028235e38"),
        (1e-45, "1e-45"),
        (f32::INFINITY, "inf"),
        (f32::NEG_INFINITY, "-inf"),
        (f32::NAN, "NaN"),
    ] {
        assert_eq!(shown(x), expected);
        let back: f32 = expected.parse().expect("a number");
        assert!(back == x || x.is_nan(), "{expected} is {x}");
    }
    // What is shown of a float of few digits is that float.
    let mut checked = 0;
    for bits in (0..=u16::MAX).step_by(7) {
        let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        let number = |text: String| {
            text.split(' ')
                .next()
                .expect("a number")
                .parse::<f64>()
                .expect("a number")
        };
        let shown = number(Tensor::<F16, Rank0>::scalar(half).to_string());
        assert!(
            naive::same(convert::<_, f16>(shown), half),
            "{half:?} shows as {shown}"
        );
        let shown = number(Tensor::<BF16, Rank0>::scalar(brain).to_string());
        assert!(
            naive::same(convert::<_, bf16>(shown), brain),
            "{brain:?} shows as {shown}"
        );
        checked += 2;
    }
    for bits in 0..=u8::MAX {
        let number = |text: String| {
            text.split(' ')
                .next()
                .expect("a number")
                .parse::<f64>()
                .expect("a number")
        };
        let x = f8e4m3fn::from_bits(bits);
        assert!(naive::same(
            convert::<f64, f8e4m3fn>(number(Tensor::<F8E4M3FN, Rank0>::scalar(x).to_string())),
            x
        ));
        let x = f8e5m2::from_bits(bits);
        assert!(naive::same(
            convert::<f64, f8e5m2>(number(Tensor::<F8E5M2, Rank0>::scalar(x).to_string())),
            x
        ));
        checked += 2;
    }
    println!("{checked} small floats print as themselves");
}

#[test]
fn printing_of_shapes() {
    let t: Tensor<F32> = tensor![[1.0, -2.5], [10.25, 0.0]];
    assert_eq!(
        t.to_string(),
        "[[ 1.0 , -2.5 ],\n [10.25,  0.0 ]] f32 [2, 2]"
    );
    assert_eq!(format!("{t:?}"), t.to_string());
    assert_eq!(
        format!("{t:.2}"),
        "[[ 1.00, -2.50],\n [10.25,  0.00]] f32 [2, 2]"
    );
    assert_eq!(format!("{t:.0}"), "[[ 1, -2],\n [10,  0]] f32 [2, 2]");
    assert_eq!(format!("{:.1}", tensor![I32; 5]), "[5] i32 [1]");
    assert_eq!(
        format!("{:.1}", tensor![C64; c64::new(1.25, -3.0)]),
        "[1.2-3.0i] c64 [1]"
    );
    assert_eq!(
        t.transpose().to_string(),
        "[[ 1.0 , 10.25],\n [-2.5 ,  0.0 ]] f32 [2, 2]"
    );
    assert_eq!(Tensor::<I32>::zeros([]).to_string(), "0 i32 []");
    assert_eq!(Tensor::<I32>::zeros([0]).to_string(), "[] i32 [0]");
    assert_eq!(Tensor::<I32>::zeros([2, 0]).to_string(), "[] i32 [2, 0]");
    assert_eq!(
        Tensor::<I32>::zeros([1 << 40, 0]).to_string(),
        "[] i32 [1099511627776, 0]"
    );
    assert_eq!(
        Tensor::<I8>::zeros([2, 2, 1]).to_string(),
        "[[[0],\n  [0]],\n\n [[0],\n  [0]]] i8 [2, 2, 1]"
    );
    let mixed = tensor![F32; 1.5, f32::NAN, f32::NEG_INFINITY];
    assert_eq!(mixed.to_string(), "[   1.5,  NaN  , -inf  ] f32 [3]");
    let thousand = Tensor::<I32>::zeros([1000]).to_string();
    assert!(!thousand.contains("..."), "a thousand are shown");
    let more = Tensor::<I32, Rank1>::arange(0.0, 1001.0, 1.0);
    assert_eq!(
        more.to_string(),
        "[   0,    1,    2, ...,  998,  999, 1000] i32 [1001]"
    );
    let square = Tensor::<U8>::zeros([2000, 2]).broadcast_to([1 << 30, 2000, 2]);
    let text = square.to_string();
    assert!(text.len() < 500 && text.contains("..."), "{text}");
    assert_eq!(
        Tensor::<U8>::zeros([1001, 1]).to_string(),
        "[[0],\n [0],\n [0],\n ...,\n [0],\n [0],\n [0]] u8 [1001, 1]"
    );
}
