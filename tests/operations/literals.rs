//! Literals that a dtype does not have: refused, or what each system makes of them.

use std::fs;

use supremum::__private::with_markers;
use supremum::prelude::*;
use supremum::{
    AllowUnsafe, Anvil, Arithmetic, ArrayApi, BF16, Bool, C64, C128, DType, ElementFrom, Error,
    F8E4M3FN, F8E5M2, F16, F32, F64, Floating, I8, I16, I32, I64, Jax, JaxStrict, JaxX32, Kind,
    Numpy, OpenVino, OperandType, Operation, OutOfRangeLiteral, Rank0, Rank1, RuleSet, Rules,
    Scalar, StaticDType, Tensor, TensorFlow, TensorFlowLegacy, Torch, U8, U16, U32, U64, bf16, c64,
    c128, f16, fuse, promote_unsafe, promotion_rules, select, tensor, try_fuse, try_promote_unsafe,
};

#[test]
fn scalars_hold_every_number_exactly() {
    assert_eq!(Scalar::from(true), Scalar::Bool(true));
    for (scalar, text) in [
        (Scalar::from(-128_i8), "-128"),
        (Scalar::from(255_u8), "255"),
        (Scalar::from(i16::MIN), "-32768"),
        (Scalar::from(u16::MAX), "65535"),
        (Scalar::from(i32::MIN), "-2147483648"),
        (Scalar::from(u32::MAX), "4294967295"),
        (Scalar::from(i64::MIN), "-9223372036854775808"),
        (Scalar::from(u64::MAX), "18446744073709551615"),
        (Scalar::from(7_usize), "7"),
        (Scalar::from(-7_isize), "-7"),
        (
            Scalar::from(i128::MIN),
            "-170141183460469231731687303715884105728",
        ),
        (Scalar::from(f16::from_f32(0.5)), "0.5"),
        (Scalar::from(bf16::from_f32(-2.0)), "-2.0"),
        (Scalar::from(0.1_f32), "0.10000000149011612"),
        (Scalar::from(1e300), "1e300"),
        (Scalar::from(c64::new(0.5, -1.0)), "0.5-1i"),
        (Scalar::from(c128::new(0.0, 1e300)), "0+1000000"),
    ] {
        assert!(scalar.to_string().starts_with(text), "{scalar} {text}");
    }
    assert_eq!(Scalar::try_from(5_u128), Ok(Scalar::Int(5)));
    assert!(Scalar::try_from(u128::MAX).is_err());
}

#[test]
fn integers_beyond_64_bits_round_once_in_floats() {
    let land =
        |value: i128| Tensor::<F32, Rank0, Numpy>::try_from(Scalar::from(value)).map(|t| t.item());
    for value in [
        1 << 100,
        -(1 << 100),
        // Halfway between two f32, and a little to either side.
        (1 << 100) + (1 << 76),
        (1 << 100) + (1 << 76) + 1,
        (1 << 100) + (1 << 76) - 1,
        (1 << 100) + (3 << 76),
        -((1 << 100) + (1 << 76) + 1),
        i128::MAX,
        i128::MIN,
    ] {
        #[expect(clippy::as_conversions, reason = "the oracle")]
        let expected = value as f32;
        assert_eq!(land(value).and_then(|item| item), Ok(expected), "{value}");
    }
    let wide = Tensor::<F64, Rank0, Numpy>::try_from(Scalar::from((1_i128 << 100) + 1));
    assert_eq!(wide.and_then(|t| t.item()), Ok(2_f64.powi(100)));
}

/// `tensor + literal` must fail because of the literal; returns the dtype that did not have it.
fn refused<T: core::fmt::Debug>(result: Result<T, Error>) -> DType {
    match result.expect_err("a literal out of range") {
        Error::LiteralOutOfRange { dtype, .. } => dtype,
        other => panic!("{other:?}"),
    }
}

#[test]
fn by_default_every_system_refuses() {
    fn check<R: Rules>() {
        assert_eq!(
            refused(Tensor::<U8, Rank0, R>::try_from(Scalar::from(300))),
            DType::U8
        );
        assert_eq!(
            refused(Tensor::<F16, Rank0, R>::try_from(Scalar::from(7e4))),
            DType::F16
        );
    }
    check::<Jax>();
    check::<Torch>();
    check::<Numpy>();
    check::<TensorFlow>();
    for rules in RuleSet::builtin() {
        for kind in [
            Kind::Bool,
            Kind::Unsigned,
            Kind::Signed,
            Kind::Float,
            Kind::Complex,
        ] {
            assert_eq!(rules.out_of_range_literal(kind), OutOfRangeLiteral::Refused);
        }
    }
}

#[test]
fn admitted_literals_do_what_the_system_does() {
    use OutOfRangeLiteral::{Overflows, Refused, Wraps};
    let beyond = |rules: &RuleSet| {
        let rules = rules.allowing_unsafe();
        [Kind::Unsigned, Kind::Float].map(|kind| rules.out_of_range_literal(kind))
    };
    for name in ["jax", "jax-x32", "jax-strict", "torch", "tensorflow"] {
        let rules = RuleSet::named(name).expect("a rule set");
        assert_eq!(beyond(rules), [Wraps, Overflows], "{name}");
    }
    assert_eq!(beyond(Numpy::rule_set()), [Refused, Overflows]);
    for rules in [
        ArrayApi::rule_set(),
        Anvil::rule_set(),
        <OpenVino>::rule_set(),
        TensorFlowLegacy::rule_set(),
    ] {
        assert_eq!(beyond(rules), [Refused, Refused], "{}", rules.name());
    }

    let bytes: Tensor<U8, Rank1> = tensor![1];
    let jax = bytes.with_rules::<AllowUnsafe<Jax>>();
    assert_eq!((&jax + 300).to_vec(), [45]);
    assert_eq!((&jax + -1).to_vec(), [0]);
    let torch = bytes.with_rules::<AllowUnsafe<Torch>>();
    assert_eq!((&torch + 300).to_vec(), [45]);
    let narrow: Tensor<I32, Rank1, AllowUnsafe<Torch>> = tensor![0];
    assert_eq!((&narrow + (1_i64 << 40)).to_vec(), [0]);
    let tensorflow = bytes.with_rules::<AllowUnsafe<TensorFlow>>();
    assert_eq!((&tensorflow + 300).to_vec(), [45]);
    let numpy = bytes.with_rules::<AllowUnsafe<Numpy>>();
    assert_eq!(refused(numpy.try_add(300)), DType::U8);

    let halves: Tensor<F16, Rank1, AllowUnsafe<Numpy>> = tensor![1];
    assert_eq!((&halves + 70_000).to_vec(), [f16::INFINITY]);
    assert_eq!((&halves - 1e5).to_vec(), [f16::NEG_INFINITY]);
    let tiny: Tensor<F8E4M3FN, Rank1, AllowUnsafe<Jax>> = tensor![1];
    assert!((&tiny * 500).to_vec()[0].is_nan());
}

#[test]
fn where_literals_are_admitted_the_dtype_of_literals_bounds_integers() {
    let large = 1_i64 << 40;
    // A literal that the dtype has lands.
    let wide: Tensor<I64, Rank1> = tensor![1];
    let sum = wide.with_rules::<TensorFlow>().try_add(large);
    assert_eq!(sum.map(|sum| sum.to_vec()), Ok(vec![large + 1]));
    let unsigned = Tensor::<U64, Rank0>::try_from(Scalar::from(u64::MAX));
    assert_eq!(unsigned.and_then(|t| t.item()), Ok(u64::MAX));
    // The system itself converts it to `i32` first, whatever it meets.
    let admitting = wide.with_rules::<AllowUnsafe<TensorFlow>>();
    assert_eq!(refused(admitting.try_add(large)), DType::I32);
    assert!((&wide + large).to_vec() == [large + 1]);
    let narrow: Tensor<I32, Rank1, AllowUnsafe<JaxX32>> = tensor![1];
    assert_eq!(refused(narrow.try_add(large)), DType::I32);
    let beyond = Scalar::from(1_i128 << 64);
    let landed = Tensor::<U8, Rank0, AllowUnsafe<Torch>>::try_from(beyond);
    assert_eq!(refused(landed), DType::I64);
    // NumPy converts it to the dtype itself.
    let landed = Tensor::<F16, Rank0, AllowUnsafe<Numpy>>::try_from(beyond);
    assert_eq!(landed.and_then(|t| t.item()), Ok(f16::INFINITY));
}

#[test]
fn one_operation_admits_its_literals() {
    let bytes: Tensor<U8, Rank1> = tensor![1, 200];
    let sum: Tensor<U8, Rank1> = bytes.promote_unsafe() + 300;
    assert_eq!(sum.to_vec(), [45, 244]);
    assert_eq!((-1 - bytes.promote_unsafe()).to_vec(), [254, 55]);
    assert!(sum.try_add(300).is_err(), "back under `Jax`");
    let numpy = bytes.with_rules::<Numpy>();
    let panic = std::panic::catch_unwind(|| numpy.promote_unsafe() + 300);
    assert!(panic.is_err());
    let condition = tensor![Bool; true, false];
    let either: Tensor<U8, Rank1> = select(&condition, bytes.promote_unsafe(), -1);
    assert_eq!(either.to_vec(), [1, 255]);
}

promotion_rules! {
    /// Integers wrap, floats do not overflow.
    pub struct Wrapping = "wrapping";
    literals { Int: Weak<I32> wraps; Float: Weak<F32> }
    lattice { Weak<I32> -> I8; I8 -> Weak<F32>; Weak<F32> -> F16; }

    pub struct Overflowing = "overflowing";
    like Wrapping;
    literals { Int: Weak<I32>; Float: Weak<F32> overflows }

    pub struct Inherits = "inherits";
    like Wrapping;
}

#[test]
fn rules_of_your_own_say_what_becomes_of_literals() {
    let small: Tensor<I8, Rank1> = tensor![1];
    let half: Tensor<F16, Rank1> = tensor![1];
    let wrapping = small.with_rules::<AllowUnsafe<Wrapping>>();
    assert_eq!((&wrapping + 200).to_vec(), [-55]);
    assert_eq!(refused(wrapping.try_add(1_i64 << 31)), DType::I32);
    assert_eq!(
        (small.with_rules::<AllowUnsafe<Inherits>>() + 200).to_vec(),
        [-55]
    );
    assert!(
        half.with_rules::<AllowUnsafe<Wrapping>>()
            .try_add(1e5)
            .is_err()
    );
    let overflowing = small.with_rules::<AllowUnsafe<Overflowing>>();
    assert_eq!(refused(overflowing.try_add(200)), DType::I8);
    let sum = half.with_rules::<AllowUnsafe<Overflowing>>() + 100_000;
    assert_eq!(sum.to_vec(), [f16::INFINITY]);
}

/// A literal as Python prints it.
fn python(text: &str) -> (Kind, Scalar) {
    let float = |text: &str| text.parse::<f64>().expect("a float");
    if let Some(imaginary) = text.strip_suffix('j') {
        let value = c128::new(0.0, float(imaginary));
        (Kind::Complex, value.into())
    } else if text == "True" {
        (Kind::Bool, true.into())
    } else if let Ok(value) = text.parse::<i128>() {
        (Kind::Signed, value.into())
    } else {
        (Kind::Float, float(text).into())
    }
}

/// The literal in a dtype, as both parts of a number.
fn landed(literal: Scalar, dtype: DType) -> Result<c128, Error> {
    macro_rules! each {
        ([$($dtype:ident)*]) => {
            match dtype {
                $(DType::$dtype => {
                    let landed = Tensor::<$dtype, Rank0, AllowUnsafe<Numpy>>::try_from(literal)?;
                    landed.cast::<C128>().item()
                })*
            }
        };
    }
    with_markers! { each }
}

/// Returns whether NumPy prints this value, to the few digits that it prints of small floats.
fn agrees(value: c128, dtype: DType, printed: &str) -> bool {
    let printed = printed.trim_start_matches('(').trim_end_matches(')');
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let expected = match printed.strip_suffix('j') {
        Some(both) => {
            let signs = both.rmatch_indices(['+', '-']).map(|(place, _)| place);
            let mut between = signs.filter(|place| *place > 0 && !both[..*place].ends_with('e'));
            let (real, imaginary) = both.split_at(between.next().unwrap_or(0));
            let real = if real.is_empty() { 0.0 } else { number(real) };
            c128::new(real, number(imaginary))
        }
        None if printed == "True" => c128::new(1.0, 0.0),
        None => c128::new(number(printed), 0.0),
    };
    let tolerance = if dtype.kind().is_inexact() { 1e-3 } else { 0.0 };
    let close = |found: f64, expected: f64| {
        found == expected
            || found.is_nan() && expected.is_nan()
            || (found - expected).abs() <= tolerance * expected.abs()
    };
    close(value.re, expected.re) && close(value.im, expected.im)
}

#[test]
fn numpy_does_the_same_with_literals() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/oracles/numpy_weak_values.csv"
    );
    let table = fs::read_to_string(path).expect("the table");
    let rules = <AllowUnsafe<Numpy>>::rule_set();
    let (mut agreeing, mut deviating) = (0, 0);
    for row in table.lines().skip(1) {
        let cells: Vec<_> = row.split(',').collect();
        let [dtype, literal, result_type, _, add, value, error, ..] = cells[..] else {
            panic!("{row}");
        };
        // Dtypes that are not here, on either side.
        let (Ok(dtype), Ok(result_type)) = (dtype.parse(), result_type.parse::<DType>()) else {
            continue;
        };
        let (kind, scalar) = python(literal);
        let (lhs, rhs) = (OperandType::dimensioned(dtype), rules.literal(kind));
        let promoted = rules.promote(lhs, rhs).map(|promotion| promotion.dtype);
        assert_eq!(promoted, Ok(result_type), "{row}");
        let sum = rules.binary(Operation::Add, lhs, rhs).expect(row).dtype;
        let found = landed(scalar, sum);
        match error {
            "" => {
                assert_eq!(sum.name(), add, "{row}");
                let found = found.unwrap_or_else(|error| panic!("{row}: {error}"));
                assert!(agrees(found, sum, value), "{row}: {found}");
                agreeing += 1;
            }
            "OverflowError" => {
                assert_eq!(refused(found), sum, "{row}");
                agreeing += 1;
            }
            // The floats of ml_dtypes take no integer beyond 64 bits, those of NumPy any; here all do.
            "TypeError" => {
                assert!(found.is_ok(), "{row}");
                deviating += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!((agreeing, deviating), (588, 12));
}

/// The elements of a result, or the dtype that did not have the literal.
fn landing<D: StaticDType, R: Rules>(result: Result<Tensor<D, Rank1, R>, Error>) -> String {
    dynamic_landing(result.map(Tensor::into_dyn))
}

/// [`landing`] without types: the compiler takes its time for the text of each.
fn dynamic_landing(result: Result<DynTensor, Error>) -> String {
    match result {
        Ok(tensor) => tensor.to_string(),
        Err(Error::LiteralOutOfRange { dtype, .. }) => format!("not in {dtype}"),
        Err(other) => panic!("{other:?}"),
    }
}

/// Compares what the ways give, with a tensor on the left and, in the last two, on the right.
fn assert_land_alike(dtype: DType, rules: &str, literal: &str, [typed, others @ ..]: [String; 6]) {
    let [fused, promoted, dynamic, fused_rhs, promoted_rhs] = others;
    for (way, landed) in [
        ("fuse!", fused),
        ("promote_unsafe!", promoted),
        ("dynamic", dynamic),
    ] {
        assert_eq!(landed, typed, "{way}, {dtype} under {rules}: - {literal}");
    }
    assert_eq!(
        fused_rhs, promoted_rhs,
        "{dtype} under {rules}: {literal} -"
    );
}

/// Compares the ways in which a literal meets a tensor with unsafe promotions admitted: operators and `fuse!` under
/// `AllowUnsafe<R>`, `DynTensor`s, and `promote_unsafe!` under `R`.
macro_rules! compare_ways {
    ($D:ident, $R:ident: $($literal:literal)*) => {$(
        let strict: Tensor<$D, Rank1, $R> = tensor![1, 0];
        let admitting = strict.with_rules::<AllowUnsafe<$R>>();
        let dynamic = admitting.clone().into_dyn();
        let ways = [
            landing::<$D, _>(admitting.try_sub($literal)),
            landing::<$D, _>(try_fuse!(admitting - $literal)),
            landing::<$D, _>(try_promote_unsafe!(strict - $literal)),
            dynamic_landing(dynamic.try_sub($literal)),
            landing::<$D, _>(try_fuse!($literal - admitting)),
            landing::<$D, _>(try_promote_unsafe!($literal - strict)),
        ];
        assert_land_alike($D::DTYPE, $R::NAME, stringify!($literal), ways);
    )*};
}

fn integers_land_alike<D: Arithmetic<AllowUnsafe<R>, Rank1>, R: Rules>() {
    compare_ways!(D, R: -1 70_000 5_000_000_000);
}

/// A literal that only dtypes of 8 bits do not have.
fn small_integers_land_alike<D: Arithmetic<AllowUnsafe<R>, Rank1>, R: Rules>() {
    compare_ways!(D, R: 300);
}

fn floats_land_alike<D: Floating<AllowUnsafe<R>, Rank1>, R: Rules>() {
    compare_ways!(D, R: 500.0 -70_000.0 1e39);
}

#[test]
fn where_they_are_admitted_literals_do_the_same_in_all_ways() {
    type OpenVinoRules = OpenVino;
    macro_rules! each {
        ($($rules:ident: [$($int:ident)*] [$($float:ident)*])*) => {$(
            $(integers_land_alike::<$int, $rules>();)*
            $(integers_land_alike::<$float, $rules>(); floats_land_alike::<$float, $rules>();)*
        )*};
    }
    // Every dtype once, and of the other systems some of each kind: each takes the compiler a third of a second.
    each! {
        Jax: [U8 U16 U32 U64 I8 I16 I32 I64 C64 C128] [F8E4M3FN F8E5M2 F8E4M3FNUZ F8E5M2FNUZ F8E4M3B11FNUZ BF16 F16 F32 F64]
        JaxX32: [U8 I32 C64] [BF16 F32]
        JaxStrict: [U32 I64] [F16]
        Torch: [U8 I64 C64] [BF16 F64]
        Numpy: [U8 U64 I32 C128] [F16 F32]
        TensorFlow: [I8 I64 C64] [F16]
        TensorFlowLegacy: [I32 C128] [F32]
        Anvil: [U16 I8] [F32]
        OpenVinoRules: [I8 I64] [BF16]
        ArrayApi: [U8 I16] [F64]
    }
    macro_rules! each_small {
        ($($rules:ident: $($dtype:ident)*;)*) => {$($(small_integers_land_alike::<$dtype, $rules>();)*)*};
    }
    each_small! {
        Jax: U8 I8 F8E4M3FNUZ F8E4M3B11FNUZ; JaxX32: U8; Torch: U8; Numpy: U8; TensorFlow: I8; Anvil: I8; OpenVinoRules: I8; ArrayApi: U8;
    }
}

#[test]
fn dtypes_without_all_of_arithmetic_take_literals_alike_too() {
    macro_rules! each {
        ($($rules:ident: [$($dtype:ident)*])*) => {$($({
            type D = $dtype;
            type R = $rules;
            compare_ways!(D, R: -1 300 70_000 5_000_000_000);
        })*)*};
    }
    each! {
        TensorFlow: [U8 U64]
        TensorFlowLegacy: [U32]
        OpenVino: [U16]
    }
}

#[test]
fn other_operations_land_them_alike() {
    let strict: Tensor<U32, Rank1> = tensor![1, 7];
    let admitting = strict.with_rules::<AllowUnsafe<Jax>>();
    let less: Tensor<U32, Rank1, _> = fuse!(admitting - -1);
    assert_eq!(less.to_vec(), [2, 8]);
    assert_eq!(less, &admitting - -1);
    let less: Tensor<U32, Rank1> = promote_unsafe!(strict - -1);
    assert_eq!(less.to_vec(), [2, 8]);
    let mut out = admitting.clone();
    fuse!(out -= -1);
    assert_eq!(out.to_vec(), [2, 8]);
    let compared: Tensor<Bool, Rank1, _> = fuse!(admitting < -1);
    assert_eq!(compared, admitting.lt(-1));
    assert_eq!(fuse!(admitting.maximum(-7)), admitting.maximum(-7));
    assert_eq!(fuse!(admitting.clamp(-9, -1)), admitting.clamp(-9, -1));
    let condition = admitting.gt(5);
    let chosen: Tensor<U32, Rank1, _> = fuse!(if condition { admitting } else { -1 });
    assert_eq!(chosen, select(&condition, &admitting, -1));
    assert_eq!(fuse!(admitting & -2), &admitting & -2);
    assert_eq!(fuse!(-1 / admitting), -1 / &admitting);
    // The rules of a part without tensors are inferred later.
    let factor = 2_u32;
    let product: Tensor<U32, Rank1, AllowUnsafe<Jax>> = fuse!((factor * -1 + admitting) * 8);
    assert_eq!(product.to_vec(), [u32::MAX - 7, 40]);
    let tiny: Tensor<U8, Rank1, AllowUnsafe<Jax>> = tensor![2];
    let fused = landing::<U8, _>(try_fuse!(tiny.pow(300)));
    assert_eq!(fused, landing::<U8, _>(tiny.try_pow(300)));
}

/// `full` takes an `f64` where Rust has no literals of the element's type, and converts it as a dynamic tensor does.
#[test]
fn full_takes_floats_where_rust_has_no_literals() {
    fn check<D: StaticDType<Element: ElementFrom<f64>>>() {
        for value in [0.5, 0.1, -2.0, f64::INFINITY, 65_520.0, 1e300] {
            let typed = Tensor::<D, Rank1>::try_full([2], value).map(Tensor::into_dyn);
            let dynamic = DynTensor::try_full(D::DTYPE, [2], value);
            assert_eq!(format!("{typed:?}"), format!("{dynamic:?}"), "{value}");
            let zeros = Tensor::<D, Rank1>::zeros([2]);
            let like = zeros.try_full_like(value).map(Tensor::into_dyn);
            let dynamic = zeros.clone().into_dyn().try_full_like(value);
            assert_eq!(format!("{like:?}"), format!("{dynamic:?}"), "{value}");
        }
    }
    check::<F16>();
    check::<BF16>();
    check::<F8E4M3FN>();
    check::<F8E5M2>();
    check::<F8E4M3FNUZ>();
    check::<F8E5M2FNUZ>();
    check::<F8E4M3B11FNUZ>();
    check::<C64>();
    check::<C128>();
    let allowed = Tensor::<F16, Rank1, AllowUnsafe<Jax>>::full([1], 1e6);
    assert_eq!(allowed.to_vec(), [f16::INFINITY]);
}
