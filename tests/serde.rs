//! The feature `serde`: names, tensors in JSON and in a binary format, and input that is wrong or made to exhaust memory.
#![allow(
    clippy::as_conversions,
    reason = "integers of known size as elements' bits"
)]

#[path = "exact/mod.rs"]
mod exact;

use core::marker::PhantomData;

use exact::{Kind, Tested, adversarial};
use serde::Serialize;
use serde::de::DeserializeOwned;
use supremum::dtype::{
    bf16, c64, c128, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16,
};
use supremum::prelude::*;
use supremum::{Element, JaxStrict, OpenVino, OperandType, Promotion, RuleSet, Rules, Verdict};

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("JSON")
}

fn refused<T: DeserializeOwned>(text: &str) -> String {
    match serde_json::from_str::<T>(text) {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error.to_string(),
    }
}

/// The value, written and read in both formats.
fn round_trips<T: Serialize + DeserializeOwned>(value: &T) -> [T; 2] {
    let bytes = postcard::to_allocvec(value).expect("bytes");
    [
        serde_json::from_str(&json(value)).expect("JSON"),
        postcard::from_bytes(&bytes).expect("bytes"),
    ]
}

/// A struct with a dtype as its parameter derives both traits. The derived impls state `D: Serialize` and `D: Deserialize`.
#[test]
fn markers_go_by_the_names_of_their_dtypes() {
    assert_eq!(json(&(BF16, C128)), r#"["bf16","c128"]"#);
    assert_eq!(round_trips(&F8E4M3FN), [F8E4M3FN; 2]);
    assert!(refused::<F32>(r#""f16""#).starts_with("expected f32, found f16"));
    assert!(refused::<F32>(r#""f33""#).starts_with("unknown dtype `f33`"));
}

/// The bound on a dtype is enough to write it, as the derived impl of a generic struct requires.
#[test]
fn a_dtype_is_serialized_without_another_bound() {
    fn written<D: StaticDType>() -> String {
        json(&D::default())
    }
    let answers = [
        written::<F8E5M2>(),
        written::<Weak<I64>>(),
        written::<supremum::ZeroDim<F16>>(),
        written::<supremum::Unranked<F16>>(),
    ];
    assert_eq!(
        answers,
        [r#""f8e5m2""#, r#""i64*""#, r#""f16""#, r#""f16""#]
    );
}

#[test]
fn dtypes_operands_and_verdicts_go_by_name() {
    for dtype in DType::ALL {
        assert_eq!(json(dtype), format!("\"{dtype}\""));
        assert_eq!(round_trips(dtype), [*dtype; 2]);
        for operand in [
            OperandType::dimensioned,
            OperandType::zero_dim,
            OperandType::weak,
        ]
        .map(|of| of(*dtype))
        {
            assert_eq!(json(&operand), format!("\"{operand}\""));
            assert_eq!(round_trips(&operand), [operand; 2]);
        }
    }
    let near = refused::<DType>("\"f31\"");
    assert!(
        near.starts_with("unknown dtype `f31`; did you mean `f32` or "),
        "{near}"
    );
    assert!(
        refused::<DType>("\"float\"").starts_with("unknown dtype `float`; the dtypes are bool")
    );
    assert!(refused::<OperandType>("\"zero-dim i65\"").contains("did you mean `i64`"));
    assert!(
        refused::<DType>("3")
            .starts_with("invalid type: integer `3`, expected the name of a dtype")
    );
}

#[test]
fn every_promotion_of_the_library_comes_back() {
    let operands: Vec<_> = DType::ALL
        .iter()
        .flat_map(|dtype| [OperandType::dimensioned(*dtype), OperandType::weak(*dtype)])
        .collect();
    let mut reasons = 0;
    for rules in RuleSet::builtin() {
        for lhs in &operands {
            for rhs in &operands {
                let Ok(promotion) = rules.promote(*lhs, *rhs) else {
                    continue;
                };
                reasons += usize::from(matches!(promotion.verdict, Verdict::Refused(_)));
                assert_eq!(round_trips(&promotion), [promotion; 2], "{promotion:?}");
            }
        }
    }
    assert!(reasons > 100, "refused promotions have reasons");
    let promotion = Promotion {
        dtype: DType::F32,
        weak: false,
        verdict: Verdict::LosesPrecision(DType::I64),
    };
    assert_eq!(
        json(&promotion),
        r#"{"dtype":"f32","weak":false,"verdict":"loses precision of i64"}"#
    );
    for wrong in ["fine", "refused: because", "loses range of i63"] {
        let text = json(&promotion).replace("loses precision of i64", wrong);
        assert!(
            refused::<Promotion>(&text).contains(wrong.split(' ').next_back().expect("a word")),
            "{wrong}"
        );
    }
    assert!(refused::<Promotion>(r#"{"dtype":"f32"}"#).starts_with("missing field `weak`"));
    assert!(refused::<Promotion>(r#"{"type":"f32"}"#).starts_with("unknown field `type`"));
}

#[test]
fn rule_sets_go_by_name() {
    for rules in RuleSet::builtin() {
        for rules in [**rules, rules.allowing_unsafe()] {
            assert_eq!(round_trips(&rules), [rules; 2]);
        }
    }
    let text = json(&RuleSet::named("jax").expect("known").allowing_unsafe());
    assert_eq!(text, "\"jax allowing unsafe\"");
    let found: &'static RuleSet = serde_json::from_str(&text).expect("known");
    assert!(found.allows_unsafe() && found.name() == "jax");
    let near = refused::<RuleSet>("\"jaks\"");
    assert!(
        near.starts_with("unknown rules `jaks`; did you mean `jax`"),
        "{near}"
    );
    // A rule set that could not be found by its name is not written.
    let of_bf16 = serde_json::to_string(<OpenVino<BF16>>::rule_set());
    assert!(
        of_bf16
            .expect_err("a rule set with a parameter")
            .to_string()
            .contains("is not one of the library")
    );
    assert_eq!(json(JaxStrict::rule_set()), "\"jax-strict\"");
}

/// Every value of 8 and 16 bits, and the extremes of the others.
fn values<E: Tested>() -> Vec<E> {
    let raws: Vec<u128> = match (E::KIND, size_of::<E>()) {
        (Kind::Bool, _) => vec![0, 1],
        (_, 1 | 2) => (0..1 << (8 * size_of::<E>())).collect(),
        _ => adversarial(PhantomData::<E>),
    };
    raws.into_iter().map(E::from_raw).collect()
}

fn elements_come_back<E: Tested + Element>()
where
    E::Marker: StaticDType<Element = E>,
{
    let elements = values::<E>();
    let tensor =
        Tensor::<E::Marker, Rank1>::from_vec(elements.clone(), [elements.len()]).expect("a vector");
    let [text, bytes] = round_trips(&tensor);
    let [dyn_text, dyn_bytes] = round_trips(&tensor.clone().into_dyn());
    let (dyn_text, dyn_bytes): (Tensor<E::Marker, Rank1>, Tensor<E::Marker, Rank1>) = (
        dyn_text.try_into().expect("its type"),
        dyn_bytes.try_into().expect("its type"),
    );
    let raws =
        |tensor: &Tensor<E::Marker, Rank1>| tensor.iter().map(Tested::raw).collect::<Vec<_>>();
    assert_eq!(raws(&bytes), raws(&tensor), "{} in bytes", E::NAME);
    assert_eq!(raws(&dyn_bytes), raws(&tensor), "{} in bytes", E::NAME);
    // Equal by value: NaN as NaN, and zeros with their signs. In JSON NaN has no sign or payload.
    for (before, after) in tensor
        .iter()
        .zip(text.iter())
        .chain(tensor.iter().zip(dyn_text.iter()))
    {
        let is_same = before.raw() == after.raw()
            || format!("{before:?}") == format!("{after:?}")
                && format!("{before:?}").contains("NaN");
        assert!(is_same, "{}: {before:?} became {after:?}", E::NAME);
    }
}

macro_rules! elements {
    ($($element:ident)*) => {$(elements_come_back::<$element>();)*};
}

#[test]
fn elements_of_all_dtypes_come_back() {
    elements!(bool u8 u16 u32 u64 i8 i16 i32 i64 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64 c64 c128);
}

#[test]
fn random_floats_come_back_from_json() {
    let mut rng = fastrand::Rng::with_seed(19);
    let elements: Vec<f32> = (0..100_000)
        .map(|_| f32::from_bits(rng.u32(..)))
        .filter(|x| x.is_finite())
        .collect();
    let len = elements.len();
    let t = Tensor::<F32, Rank1>::from_vec(elements, [len]).expect("a vector");
    assert_eq!(round_trips(&t), [t.clone(), t]);
}

#[test]
fn the_forms_are_those_of_the_documentation() {
    let elements = vec![c64::new(2.0, 1.5), c64::new(f32::NEG_INFINITY, 0.0)];
    let z = Tensor::<C64, Rank1>::from_vec(elements, [2]).expect("a vector");
    let text = r#"{"dtype":"c64","shape":[2],"elements":[[2.0,1.5],["-inf",0.0]]}"#;
    assert_eq!(json(&z), text);
    let t: Tensor<I16, Rank2> = tensor![[1, -2], [3, 4]];
    assert_eq!(
        json(&t.transpose()),
        r#"{"dtype":"i16","shape":[2,2],"elements":[1,3,-2,4]}"#
    );
    let bytes = postcard::to_allocvec(&t).expect("bytes");
    // The name, two sizes, and the length of the bytes before them.
    assert_eq!(
        bytes,
        [
            3, b'i', b'1', b'6', 2, 2, 2, 8, 1, 0, 0xfe, 0xff, 3, 0, 4, 0
        ]
    );
    // An unsorted map, or one that a program has sorted by name.
    let value = serde_json::to_value(&t).expect("JSON");
    assert_eq!(
        serde_json::from_value::<Tensor<I16, Rank2>>(value).expect("the same"),
        t
    );
    // Weak dtypes, rank zero, and nothing.
    let rate = Tensor::<Weak<F64>, Rank0>::scalar(0.5);
    assert_eq!(
        json(&rate),
        r#"{"dtype":"f64*","shape":[],"elements":[0.5]}"#
    );
    let [text, bytes] = round_trips(&rate.into_dyn());
    assert!(text.is_weak() && bytes.is_weak());
    let none = Tensor::<F32, Rank2>::zeros([0, 3]);
    assert_eq!(round_trips(&none), [none.clone(), none]);
    // Integers are floats in JSON as elsewhere, and floats round.
    let read: Tensor<BF16, Rank1> =
        serde_json::from_str(r#"{"dtype":"bf16","shape":[2],"elements":[1,0.1]}"#)
            .expect("numbers");
    assert_eq!(read, tensor![BF16; 1.0, 0.1]);
}

#[test]
fn wrong_input_is_an_error() {
    type Vector = Tensor<F32, Rank1>;
    let cases = [
        (
            r#"{"dtype":"f32","shape":[3],"elements":[1,2]}"#,
            "deserialize: expected 3 elements, found 2",
        ),
        (
            r#"{"dtype":"f32","shape":[1],"elements":[1,2]}"#,
            "deserialize: expected 1 element, found 2",
        ),
        (r#"{"dtype":"f64","shape":[1],"elements":[1]}"#, "f32"),
        (r#"{"dtype":"f32*","shape":[1],"elements":[1]}"#, "f32*"),
        (
            r#"{"dtype":"zero-dim f32","shape":[],"elements":[1]}"#,
            "a tensor has a dtype, as `f32`",
        ),
        (r#"{"dtype":"f32","shape":[1,1],"elements":[1]}"#, "rank"),
        (
            r#"{"dtype":"f32","shape":[18446744073709551615,2],"elements":[]}"#,
            "has more elements than can be addressed",
        ),
        (
            r#"{"dtype":"f32","shape":[4611686018427387904],"elements":[]}"#,
            "has more elements than can be addressed",
        ),
        (
            r#"{"dtype":"f32","shape":[-1],"elements":[]}"#,
            "invalid value: integer `-1`",
        ),
        (
            r#"{"dtype":"f32","shape":[1],"elements":[1e39]}"#,
            "deserialize: the literal 1e39 is out of range for f32",
        ),
        (
            r#"{"dtype":"f32","shape":[1],"elements":["nan"]}"#,
            r#"expected an element of f32, or "NaN", "inf" or "-inf""#,
        ),
        (
            r#"{"dtype":"f32","shape":[1],"elements":[true]}"#,
            "invalid type: boolean `true`",
        ),
        (
            r#"{"dtype":"f32","shape":[1],"elements":[[1,2]]}"#,
            "invalid type: sequence",
        ),
        (
            r#"{"dtype":"f32","shape":[1],"elements":[null]}"#,
            "invalid type: null",
        ),
        (
            r#"{"elements":[1],"dtype":"f32","shape":[1]}"#,
            "`dtype` has to stand before `elements`",
        ),
        (
            r#"{"dtype":"f32","dtype":"f32"}"#,
            "duplicate field `dtype`",
        ),
        (r#"{"dtype":"f32","elements":[1]}"#, "missing field `shape`"),
        (
            r#"{"dtype":"f32","shape":[1],"elements":[1],"rules":"jax"}"#,
            "unknown field `rules`",
        ),
        (
            r#"{"dtype":"f33","shape":[1],"elements":[1]}"#,
            "did you mean `f32`",
        ),
        ("[]", "invalid length 0"),
        ("7", "expected a tensor: `dtype`, `shape` and `elements`"),
    ];
    for (text, message) in cases {
        let found = refused::<Vector>(text);
        assert!(found.contains(message), "{text}: {found}");
    }
    for (dtype, element, message) in [
        ("u8", "256", "out of range for u8"),
        ("u8", "-1", "out of range for u8"),
        ("i8", "1.0", "out of range for i8"),
        ("bool", "1", "is not a truth value"),
        ("i8", "\"NaN\"", "invalid value: string \"NaN\""),
        ("f8e4m3fn", "\"inf\"", "invalid value: string \"inf\""),
        ("c64", "[1]", "invalid length 1"),
        ("c64", "[1,2,3]", "trailing characters"),
        ("c64", "[1,true]", "invalid type: boolean"),
    ] {
        let text = format!(r#"{{"dtype":"{dtype}","shape":[1],"elements":[{element}]}}"#);
        let found = refused::<DynTensor>(&text);
        assert!(found.contains(message), "{text}: {found}");
    }
}

/// Bytes that claim more than they have, and bytes that are no elements.
#[test]
fn wrong_bytes_are_errors() {
    let t: Tensor<Bool, Rank1> = tensor![true, false, true];
    let right = postcard::to_allocvec(&t).expect("bytes");
    assert_eq!(right, [4, b'b', b'o', b'o', b'l', 1, 3, 3, 1, 0, 1]);
    let refused = |bytes: &[u8]| postcard::from_bytes::<DynTensor>(bytes).expect_err("wrong bytes");
    for len in 0..right.len() {
        refused(&right[..len]);
    }
    for (place, byte) in [(8, 2), (6, 4), (7, 2), (5, 0), (1, b'B')] {
        let mut wrong = right.clone();
        wrong[place] = byte;
        refused(&wrong);
    }
    // A shape of 2^60 sizes, and one of 2^63 elements.
    let claim = [
        4, b'b', b'o', b'o', b'l', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 3,
    ];
    refused(&claim);
    let claim = [
        4, b'b', b'o', b'o', b'l', 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 3, 1,
        0, 1,
    ];
    refused(&claim);
}
