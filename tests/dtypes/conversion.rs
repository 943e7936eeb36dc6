//! From one dtype, rank or rule set to another; literals; equality.

use crate::exact::{Number, Tally, Tested, Value};
use crate::naive::{Plain, Typed, assert_same, convert, converted, each_dtype, edges};
use supremum::{
    AnyRank, BF16, Bool, C64, C128, DType, DynTensor, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ,
    F8E5M2, F8E5M2FNUZ, F16, F32, F64, FitsLiteral, I8, I16, I32, I64, Jax, JaxStrict, Rank0,
    Rank1, Rank2, Rank3, Scalar, StaticDType, Tensor, U8, U16, U32, U64, Weak, WidensTo, bf16, c64,
    c128, f8e4m3fn, f16, literal, tensor,
};

/// A dtype to convert to, without its type: the compiler takes its time for pairs of types.
struct Target {
    dtype: DType,
    /// The conversion of a value.
    becomes: fn(Value) -> Value,
    /// Compares a tensor with values that are converted by the oracle.
    assert_converted: fn(&DynTensor, &[Value], &str),
}

impl Target {
    fn new<D: Typed>() -> Self {
        fn convert<E: Tested>(value: Value) -> E {
            E::from_raw(converted(value, E::KIND))
        }
        Self {
            dtype: D::DTYPE,
            becomes: |value| Value::of(convert::<D::Element>(value)),
            assert_converted: |found, values, what| {
                let expected: Vec<D::Element> = values.iter().copied().map(convert).collect();
                let found = found.to_vec::<D>().expect("the dtype that was asked for");
                assert_same(&found, &expected, what);
            },
        }
    }

    fn all() -> Vec<Self> {
        macro_rules! targets {
            ([] $($dtype:ident)*) => { vec![$(Self::new::<$dtype>()),*] };
        }
        each_dtype!(targets [])
    }

    /// Compares a tensor with values that are converted, all of which are values of the dtype.
    fn assert_widened(&self, found: &DynTensor, values: &[Value]) {
        (self.assert_converted)(found, values, "widened");
        let same = values.iter().all(|value| self.has(*value));
        assert!(same, "values widen to {}", self.dtype);
    }

    /// Returns whether a value is exactly one of the dtype: it is the same as a complex number or an integer.
    fn has(&self, before: Value) -> bool {
        let after = (self.becomes)(before);
        let same = |x: Number, y: Number| match (x, y) {
            (Number::Finite(x), Number::Finite(y)) => x.same_number(y),
            (Number::Infinite { negative: x }, Number::Infinite { negative: y }) => x == y,
            (Number::NaN { .. }, Number::NaN { .. }) => true,
            _ => false,
        };
        same(before.re, after.re) && same(before.im, after.im)
    }
}

fn values<E: Tested>(elements: &[E]) -> Vec<Value> {
    elements.iter().map(|element| Value::of(*element)).collect()
}

/// Casts to every dtype, by dynamic tensors; typed ones are cast by the same function.
fn casts<A: Typed>(tally: &mut Tally) {
    let elements = edges::<A::Element>();
    let values = values(&elements);
    let t = Tensor::<A, Rank1>::from_slice(&elements, [elements.len()]).expect("a vector");
    let (dynamic, backwards) = (t.clone().into_dyn(), t.flip(0).into_dyn());
    for target in Target::all() {
        let to = target.dtype;
        let what = format!("{} to {to}", A::DTYPE);
        let assert_converted = target.assert_converted;
        assert_converted(&dynamic.cast(to), &values, &what);
        let turned: Vec<Value> = values.iter().rev().copied().collect();
        assert_converted(&backwards.cast(to), &turned, &what);
        assert_same(
            &t.to_vec(),
            &elements,
            &format!("{what}: the operand afterwards"),
        );

        match (
            dynamic.try_cast(to),
            values.iter().position(|value| !target.has(*value)),
        ) {
            (Ok(converted), None) => assert_converted(&converted, &values, &what),
            (
                Err(Error::InexactCast {
                    index, to: named, ..
                }),
                Some(position),
            ) => {
                assert_eq!((index, named), (vec![position], to), "{what}");
            }
            (found, expected) => {
                panic!("{what}: {found:?}, expected the first loss at {expected:?}")
            }
        }
        let kept: Vec<usize> = (0..values.len())
            .filter(|at| target.has(values[*at]))
            .collect();
        let survivors: Vec<A::Element> = kept.iter().map(|at| elements[*at]).collect();
        let t = Tensor::<A, Rank1>::from_slice(&survivors, [kept.len()]).expect("a vector");
        let converted = t.into_dyn().try_cast(to).expect("values that survive");
        let kept: Vec<Value> = kept.iter().map(|at| values[*at]).collect();
        assert_converted(&converted, &kept, &what);
        for _ in 0..2 * elements.len() {
            tally.record(true, String::new);
        }
    }
}

macro_rules! casts_of {
    ([$tally:ident] $($dtype:ident)*) => { $(casts::<$dtype>(&mut $tally);)* };
}

#[test]
fn every_pair_of_dtypes_casts() {
    let mut tally = Tally::default();
    each_dtype!(casts_of[tally]);
    tally.finish("cast and try_cast");
}

/// Widening, where it compiles.
struct Widening<A, B>(core::marker::PhantomData<(A, B)>);
trait Narrowing {
    fn check() -> bool {
        false
    }
}
impl<A, B> Narrowing for Widening<A, B> {}
impl<A: Typed + WidensTo<B>, B: Typed> Widening<A, B> {
    fn check() -> bool {
        let elements = edges::<A::Element>();
        let t = Tensor::<A, Rank1>::from_slice(&elements, [elements.len()]).expect("a vector");
        Target::new::<B>().assert_widened(&t.widen::<B>().into_dyn(), &values(&elements));
        true
    }
}

macro_rules! widenings_of {
    ([$count:ident] $($dtype:ident)*) => { $(each_dtype!(widenings_from [$count $dtype]);)* };
}
macro_rules! widenings_from {
    ([$count:ident $from:ident] $($to:ident)*) => { $($count += usize::from(Widening::<$from, $to>::check());)* };
}

#[test]
fn widening_loses_nothing() {
    let mut count = 0;
    each_dtype!(widenings_of[count]);
    println!("{count} of 289 pairs widen");
    assert!(count > 17);
}

#[test]
fn inexact_casts_name_the_value_and_where_it_is() {
    let t: Tensor<F64, Rank2> = tensor![[1.0, 2.0], [0.1, 3.0]];
    let text = |result: Result<(), Error>| result.expect_err("a value that is lost").to_string();
    assert_eq!(
        text(t.try_cast::<F32>().map(|_| ())),
        "inexact cast: 0.1 at index [1, 0] is not a value of f32"
    );
    assert_eq!(
        text(t.transpose().try_cast::<I8>().map(|_| ())),
        "inexact cast: 0.1 at index [0, 1] is not a value of i8"
    );
    let big: Tensor<I64> = tensor![9007199254740993];
    assert_eq!(
        text(big.try_cast::<F64>().map(|_| ())),
        "inexact cast: 9007199254740993 at index [0] is not a value of f64"
    );
    let z: Tensor<C64> = tensor![c64::new(1.0, 0.5)];
    assert_eq!(
        text(z.try_cast::<F32>().map(|_| ())),
        "inexact cast: 1+0.5i at index [0] is not a value of f32"
    );
    let scalar = Tensor::<F32, Rank0>::scalar(f32::NAN);
    assert_eq!(
        text(scalar.try_cast::<I32>().map(|_| ())),
        "inexact cast: NaN at index [] is not a value of i32"
    );
    assert!(
        scalar
            .try_cast::<F16>()
            .expect("NaN stays")
            .item()
            .expect("one")
            .is_nan()
    );
    let negative: Tensor<I8> = tensor![-1];
    assert_eq!(
        text(negative.try_cast::<U64>().map(|_| ())),
        "inexact cast: -1 at index [0] is not a value of u64"
    );
    let two: Tensor<U8> = tensor![1, 2];
    assert_eq!(
        text(two.try_cast::<Bool>().map(|_| ())),
        "inexact cast: 2 at index [1] is not a value of bool"
    );
}

#[test]
fn ranks_rules_and_weakness() {
    let t: Tensor<F32> = tensor![[1.0, 2.0]];
    assert_eq!(
        t.clone()
            .rank::<Rank3>()
            .map(|_| ())
            .expect_err("rank 2")
            .to_string(),
        "rank: rank 3 expected, found shape [1, 2]"
    );
    let known: Tensor<F32, Rank2> = t.rank().expect("a matrix");
    let forgotten: Tensor<F32, AnyRank> = known.clone().into_any();
    assert_eq!(forgotten, known);
    let strict = known.with_rules::<JaxStrict>();
    assert_eq!((strict + 1).with_rules::<Jax>().to_vec(), [2.0, 3.0]);
    let weak = tensor![Bool; true, false] + 1;
    assert_eq!(weak.dtype(), I64::DTYPE);
    let strong: Tensor<I64, Rank1> = weak.strong();
    assert_eq!(strong.to_vec(), [2, 1]);
    assert_eq!(strong.clone().strong().to_vec(), [2, 1]);
}

#[test]
fn tensors_from_literals() {
    let t: Tensor<I8, Rank2> = tensor![[-128, 127], [-0, 1]];
    assert_eq!(t.to_vec(), [-128, 127, 0, 1]);
    let t: Tensor<Bool, Rank1> = tensor![true, false, 1 < 2];
    assert_eq!(t.to_vec(), [true, false, true]);
    let t: Tensor<F8E4M3FN> = tensor![448.0, -0.0, 0.3, 1];
    assert_same(
        &t.to_vec(),
        &[448.0, -0.0, 0.3, 1.0].map(|x: f64| convert::<f64, f8e4m3fn>(x)),
        "f8",
    );
    let t: Tensor<BF16> = tensor![[[1.0]], [[-3.140625]]];
    assert_eq!(
        (t.shape(), t.get(&[1, 0, 0])),
        (&[2, 1, 1][..], Some(bf16::from_f32(-3.140625)))
    );
    let t: Tensor<U64, Rank1> = tensor![18446744073709551615, 0x10, 1_000, 0b11];
    assert_eq!(t.to_vec(), [u64::MAX, 16, 1000, 3]);
    let t: Tensor<I64, Rank1> = tensor![-9223372036854775808];
    assert_eq!(t.to_vec(), [i64::MIN]);
    let t: Tensor<C128, Rank1> = tensor![1, -2.5, c128::new(0.0, 1.0)];
    assert_eq!(
        t.to_vec(),
        [
            c128::new(1.0, 0.0),
            c128::new(-2.5, 0.0),
            c128::new(0.0, 1.0)
        ]
    );
    let x = 2.0_f32;
    let t: Tensor<F32, Rank1> = tensor![x, -x, x * x, f32::INFINITY, 1e-3];
    assert_eq!(t.to_vec(), [2.0, -2.0, 4.0, f32::INFINITY, 0.001]);
    let t = tensor![F32;];
    assert_eq!(t.shape(), [0]);
    let t: Tensor<F32> = tensor![[], []];
    assert_eq!(t.shape(), [2, 0]);
    let t: Tensor<F64, Rank0> = Tensor::scalar(1.5);
    assert_eq!(t.item(), Ok(1.5));
    // Rounded once, from the decimal: 1 + 2^-11 is halfway between two f16, a little more is above.
    let t: Tensor<F16> = tensor![1.00048828125, 1.000488281250001];
    assert_eq!(t.to_vec(), [0x3c00, 0x3c01].map(f16::from_bits));
    let t = Tensor::<F32, Rank1>::from_slice(&[1.0, 2.0], [2]).expect("a vector");
    assert_eq!(t, tensor![F32; 1.0, 2.0]);
}

#[test]
fn literals_in_generic_code() {
    fn bytes<D: StaticDType + FitsLiteral<literal!(300)>>() -> Tensor<D> {
        tensor![2, 300, 1]
    }
    assert_eq!(bytes::<U16>().to_vec(), [2, 300, 1]);
    assert_eq!(bytes::<Weak<F16>>().shape(), [3]);
    fn floats<D: StaticDType + FitsLiteral<literal!(-1.5e5)>>() -> Tensor<D> {
        tensor![1.5, -1.5e5]
    }
    assert_eq!(floats::<F32>().to_vec(), [1.5, -1.5e5]);
    // A bound on one dtype says nothing of another, of which the compiler hears later.
    fn both<D: StaticDType + FitsLiteral<literal!(300)>>() -> (Tensor<D>, Tensor<F64>) {
        (tensor![300], tensor![300])
    }
    assert_eq!(both::<I16>().1.to_vec(), [300.0]);
    // Every dtype has these.
    fn truths<D: StaticDType>() -> Tensor<D> {
        tensor![0, 1, true, false]
    }
    assert_eq!(truths::<Bool>().to_vec(), [false, true, true, false]);
    assert_eq!(
        truths::<F8E4M3FN>().to_vec(),
        [0.0, 1.0, 1.0, 0.0].map(f8e4m3fn::from_f32)
    );
}

#[test]
fn ranges_of_numbers() {
    type Vector<D> = Tensor<D, Rank1>;
    assert_eq!(Vector::<I32>::arange(0.0, 0.0, 1.0).to_vec(), [0_i32; 0]);
    assert_eq!(Vector::<I32>::arange(3.0, 0.0, 1.0).to_vec(), [0_i32; 0]);
    assert_eq!(Vector::<I8>::arange(-2.0, 3.0, 2.0).to_vec(), [-2, 0, 2]);
    assert_eq!(
        Vector::<F32>::arange(0.0, 1.0, 0.3).to_vec(),
        [0.0, 0.3, 0.6, 0.9]
    );
    let (end, step) = (5_usize, 2_i64);
    let counted = Vector::<I64>::arange(1_u8, end, step);
    assert_eq!(counted.to_vec(), [1, 3]);
    let dynamic = DynTensor::arange(DType::I64, 1_u8, end, step).expect("two");
    assert_eq!(dynamic, counted.into_dyn());
    let longest = Tensor::<F32, Rank0>::scalar(3.0);
    assert_eq!(Vector::<F32>::arange(2, longest, 1)[0], 2.0);
    // Integers are counted, in each dtype, as the numbers of `f64` are converted.
    let unsigned = [DType::U8, DType::U16, DType::U32, DType::U64];
    let signed = [DType::I8, DType::I16, DType::I32, DType::I64];
    for dtype in unsigned.into_iter().chain(signed) {
        let last = 4_503_599_627_370_495.0; // 2^52 - 1
        for (start, end, step) in [
            (0.0, 100.0, 3.0),
            (-100.0, 28.0, 1.0),
            (255.0, 0.0, -15.0),
            (-30_000.0, 30_000.0, 7.0),
            (40_000.0, -1.0, -9.0),
            (last - 999.0, last, 10.0),
            (3.0 - last, -last, -1.0),
            (-last, last, last / 8.0),
            // Sums and products that `f64` rounds.
            (2.0 * last, 2.0 * last + 24.0, 1.0),
            (0.0, 8.0 * last, last),
        ] {
            for part in [0.0, 0.5] {
                let step = step + part;
                let numbers = DynTensor::arange(DType::F64, start, end, step).expect("finite");
                // Those that the dtype does not have are errors (`bad_input`).
                if let Ok(found) = DynTensor::arange(dtype, start, end, step) {
                    assert_eq!(found, numbers.cast(dtype), "{dtype} {start} {end} {step}");
                }
            }
        }
    }
    // Integers above 2^53, of which an `f64` has some.
    let large = 1_u64 << 60;
    let start = Vector::<U64>::arange(large, large + 256, 256_isize);
    assert_eq!(start.to_vec(), [large]);
    let least = Vector::<I64>::arange(i64::MIN, i64::MIN + 2048, 2048);
    assert_eq!(least.to_vec(), [i64::MIN]);
    for rounded in [(1 << 53) + 1, i64::MAX, -i64::MAX] {
        let refused = |result: Result<DynTensor, Error>| match result {
            Err(Error::InexactNumber { operation, number }) => (operation, number),
            other => panic!("{rounded}: {other:?}"),
        };
        let typed = |result: Result<Vector<F64>, Error>| refused(result.map(Tensor::into_dyn));
        let number = Scalar::Int(rounded.into());
        assert_eq!(typed(Vector::try_arange(0, rounded, 1)), ("arange", number));
        assert_eq!(typed(Vector::try_arange(rounded, 0, 1)), ("arange", number));
        assert_eq!(typed(Vector::try_arange(0, 1, rounded)), ("arange", number));
        assert_eq!(
            typed(Vector::try_linspace(rounded, 0, 3)),
            ("linspace", number)
        );
        assert_eq!(
            typed(Vector::try_logspace(0, rounded, 3)),
            ("logspace", number)
        );
        let dynamic = DynTensor::arange(DType::F64, 0, rounded, 1);
        assert_eq!(refused(dynamic), ("arange", number));
    }
    let nan = f64::NAN;
    for (start, end, step) in [
        (0.0, 1.0, 0.0),
        (0.0, 0.0, 0.0),
        (nan, 1.0, 1.0),
        (0.0, nan, 1.0),
        (0.0, 1.0, nan),
        (0.0, f64::INFINITY, 1.0),
        (0.0, f64::NEG_INFINITY, 1.0),
        (f64::INFINITY, 0.0, -1.0),
        (0.0, 1.0, f64::INFINITY),
        (0.0, 1e300, 1.0),
        (-1e308, 1e308, 1e308),
    ] {
        let result = Vector::<F32>::try_arange(start, end, step);
        assert!(
            matches!(result, Err(Error::Arange { .. })),
            "{start} {end} {step}: {result:?}"
        );
    }
    assert_eq!(Tensor::<F16, Rank2>::eye(0).shape(), [0, 0]);
    assert_eq!(
        Tensor::<Bool, Rank2>::eye(2).to_vec(),
        [true, false, false, true]
    );
    let table = Tensor::<I32, Rank3>::from_fn([2, 0, 3], |_| unreachable!("no elements"));
    assert_eq!(table.shape(), [2, 0, 3]);
    let plain = Plain::new(&[2, 1, 3], (0..6).collect());
    let table = Tensor::<I32, Rank3>::from_fn([2, 1, 3], |index| plain.at(&index));
    assert_eq!(table.to_vec(), plain.elements);
}

#[test]
fn equality() {
    let t: Tensor<F32, Rank1> = tensor![0.0, 1.0];
    let any: Tensor<F32> = tensor![-0.0, 1.0];
    assert_eq!(
        t, any,
        "zeros of either sign are equal, ranks in types are not compared"
    );
    assert_ne!(any, t.reshape([2, 1]).into_any());
    let nan: Tensor<F32> = tensor![f32::NAN];
    assert_ne!(nan, nan.clone());
    assert!(
        !nan.approx_eq(&nan, 1.0, f64::INFINITY),
        "NaN is close to nothing"
    );
    let inf: Tensor<F32> = tensor![f32::INFINITY];
    assert!(inf.approx_eq(&inf, 0.0, 0.0));
    assert!(!inf.approx_eq(&-&inf, 1.0, 0.0) && !inf.approx_eq(&tensor![F32; f32::MAX], 1.0, 0.0));
    assert!(!tensor![F32; f32::MAX].approx_eq(&inf.rank::<Rank1>().expect("a vector"), 1.0, 0.0));
    let a: Tensor<U8> = tensor![0, 255];
    assert!(
        a.approx_eq(&tensor![U8; 1, 254], 0.0, 1.0) && !a.approx_eq(&tensor![U8; 1, 253], 0.0, 1.0)
    );
    assert!(
        !a.approx_eq(&tensor![U8; [0, 255]], 1.0, 1.0),
        "another shape"
    );
    let z: Tensor<C64> = tensor![c64::new(3.0, 4.0)];
    assert!(
        z.approx_eq(&tensor![C64; c64::new(3.0, 4.1)], 0.0, 0.11)
            && !z.approx_eq(&tensor![C64; c64::new(3.0, 4.1)], 0.0, 0.09)
    );
    assert_eq!(
        tensor![I32; 1, 2, 3].flip(0).slice(0, 1..),
        tensor![I32; 2, 1]
    );
}

/// The distance of complex numbers is that of `abs`, bit for bit, and not the system's.
#[test]
fn complex_numbers_are_as_close_as_their_absolute_difference() {
    let mut rng = fastrand::Rng::with_seed(19);
    let zero: Tensor<C128> = tensor![c128::new(0.0, 0.0)];
    for _ in 0..20_000 {
        let z: Tensor<C128> = tensor![c128::new(rng.f64() - 0.5, rng.f64() - 0.5)];
        let distance = z.abs().to_vec()[0];
        assert!(z.approx_eq(&zero, 0.0, distance), "{z}");
        assert!(!z.approx_eq(&zero, 0.0, distance.next_down()), "{z}");
        assert!(zero.approx_eq(&z, 1.0, 0.0), "{z}");
    }
}

#[test]
fn reading() {
    let t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
    assert_eq!(t.get(&[1, 1]), Some(4));
    for outside in [
        &[2, 0][..],
        &[0, 2],
        &[0],
        &[0, 0, 0],
        &[],
        &[usize::MAX, usize::MAX],
    ] {
        assert_eq!(t.get(outside), None, "{outside:?}");
    }
    assert_eq!(t.iter().sum::<i32>(), 10);
    assert_eq!(t.index_axis(0, 1).index_axis(0, 0).item(), Ok(3));
    assert_eq!(t.slice(0, 1..).slice(1, 1..).item(), Ok(4));
    assert!(matches!(t.item(), Err(Error::NotOneElement { shape }) if shape == [2, 2]));
    let scalar = Tensor::<C128, Rank0>::scalar(c128::new(1.0, 2.0));
    assert_eq!(
        (scalar.get(&[]), scalar.item()),
        (Some(c128::new(1.0, 2.0)), Ok(c128::new(1.0, 2.0)))
    );
}
