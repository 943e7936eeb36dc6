//! The feature `rand`: values that are promised, distributions, ends of ranges, and wrong parameters.
#![allow(clippy::as_conversions, reason = "counts and small numbers as floats")]

use rand_pcg::Pcg64;
use supremum::prelude::*;
use supremum::rand::distr::{Distribution, StandardUniform};
use supremum::rand::{Rng, SeedableRng, rand_core};
use supremum::{Sampled, f16};

fn seeded() -> Pcg64 {
    Pcg64::seed_from_u64(42)
}

/// A generator of given numbers, one after the other.
struct Given(Vec<u64>);

impl rand_core::TryRng for Given {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("draws have 64 bits")
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0.remove(0))
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        unreachable!("draws have 64 bits")
    }
}

/// The numbers of a seed. Changing them is a breaking change.
#[test]
fn values_of_a_seed_are_promised() {
    let mut rng = seeded();
    let uniform = Tensor::<F64, Rank1>::uniform([3], 0.0..1.0, &mut rng).to_vec();
    let normal = Tensor::<F64, Rank1>::normal([4], 0.0, 1.0, &mut rng).to_vec();
    let integers = Tensor::<I32, Rank1>::integers([6], -100..100, &mut rng).to_vec();
    let truth = Tensor::<Bool, Rank1>::bernoulli([6], 0.5, &mut rng).to_vec();
    let order = Tensor::<U8, Rank1>::permutation(8, &mut rng).to_vec();
    assert_eq!(uniform, PINNED_UNIFORM);
    assert_eq!(normal, PINNED_NORMAL);
    assert_eq!(integers, PINNED_INTEGERS);
    assert_eq!(truth, PINNED_TRUTH);
    assert_eq!(order, PINNED_ORDER);
}

const PINNED_UNIFORM: [f64; 3] = [0.2265125179283135, 0.23910669031859955, 0.760833410686741];
const PINNED_NORMAL: [f64; 4] = [
    0.0698404073287793,
    1.8878405132243343,
    -0.3174194340779694,
    -0.8856306256593094,
];
const PINNED_INTEGERS: [i32; 6] = [4, 60, -26, -53, 85, -8];
const PINNED_TRUTH: [bool; 6] = [true, true, true, false, true, false];
const PINNED_ORDER: [u8; 8] = [7, 2, 4, 0, 5, 1, 6, 3];

macro_rules! each_float {
    ($callback:ident $($more:tt)*) => {
        $callback!(F8E4M3FN $($more)*);
        $callback!(F8E5M2 $($more)*);
        $callback!(F8E4M3FNUZ $($more)*);
        $callback!(F8E5M2FNUZ $($more)*);
        $callback!(F8E4M3B11FNUZ $($more)*);
        $callback!(F16 $($more)*);
        $callback!(BF16 $($more)*);
        $callback!(F32 $($more)*);
        $callback!(F64 $($more)*);
    };
}

/// The largest and the smallest draw, in ranges whose ends are values of the dtype and others that are not.
#[test]
fn uniform_numbers_reach_the_start_and_never_the_end() -> Result<(), Error> {
    macro_rules! ends {
        ($dtype:ident) => {
            for (start, end) in [
                (0.0, 1.0),
                (-1.0, 1.0),
                (-3.0, -1.0),
                (0.1, 0.9),
                (1.0, 16.0),
            ] {
                let mut extremes = Given(vec![0, u64::MAX]);
                let x = Tensor::<$dtype, Rank1>::try_uniform([2], start..end, &mut extremes)?
                    .cast::<F64>()
                    .to_vec();
                assert!(
                    start <= x[0] && x[0] < x[1] && x[1] < end,
                    "{} {start}..{end}: {x:?}",
                    $dtype::DTYPE
                );
                // The first is the start rounded up, the last the greatest below the end.
                let next = |x: f64, to: f64| {
                    let [x, to] = [x, to].map(|x| Tensor::<F64, Rank0>::scalar(x).cast::<$dtype>());
                    x.next_after(&to).cast::<F64>().item()
                };
                // (In `f64` the 53 random bits are fewer than it has values.)
                let last = next(x[1], 30.0)?;
                assert!(
                    last >= end || $dtype::DTYPE == DType::F64,
                    "{} {start}..{end}: {x:?}",
                    $dtype::DTYPE
                );
                assert!(
                    next(x[0], -30.0)? < start,
                    "{} {start}..{end}: {x:?}",
                    $dtype::DTYPE
                );
            }
        };
    }
    each_float!(ends);
    // Half of the way down from the end of bf16's grid rounds up to 1 elsewhere.
    let draw = u64::MAX - (u64::MAX >> 12);
    let x = Tensor::<BF16, Rank1>::uniform([1], 0.0..1.0, &mut Given(vec![draw]));
    assert_eq!(x.cast::<F64>().to_vec(), [0.99609375]);
    // The generic form rounds to nearest, as documented.
    struct Almost;
    impl Distribution<f32> for Almost {
        fn sample<R: Rng + ?Sized>(&self, _: &mut R) -> f32 {
            0.999_999
        }
    }
    let x = Tensor::<F16, Rank1>::random([1], &Almost, &mut seeded());
    assert_eq!(x.to_vec(), [f16::ONE]);
    Ok(())
}

/// Each element is the `f64` of the same draw, rounded down; but not below the first element in the range. Also subnormal elements.
#[test]
fn uniform_numbers_are_those_of_f64_rounded_down() -> Result<(), Error> {
    macro_rules! rounded_down {
        ($dtype:ident) => {
            for (start, end) in [
                (-1.0, 1.0),
                (0.1, 0.9),
                (-3.0, -0.3),
                (-30.0, 30.0),
                (-0.02, 0.02),
                (-1e-4, 1e-4),
                (-1e-38, 3e-38),
            ] {
                let Ok(found) =
                    Tensor::<$dtype, Rank1>::try_uniform([2000], start..end, &mut seeded())
                else {
                    assert!($dtype::DTYPE.size() < 4, "{start}..{end}");
                    continue;
                };
                let x = Tensor::<F64, Rank1>::uniform([2000], start..end, &mut seeded());
                let nearest = x.cast::<$dtype>();
                let below = nearest.next_after(-30.0);
                let down = select(&nearest.cast::<F64>().gt(&x), &below, &nearest);
                let first = Tensor::<F64, Rank0>::scalar(start).cast::<$dtype>();
                let above = first.next_after(30.0);
                let first = if first.cast::<F64>().item()? < start {
                    above
                } else {
                    first
                };
                let expected = select(&down.cast::<F64>().lt(&first.cast::<F64>()), &first, &down);
                for (found, expected) in found.iter().zip(expected.iter()) {
                    assert_eq!(
                        found.to_bits(),
                        expected.to_bits(),
                        "{} {start}..{end}",
                        $dtype::DTYPE
                    );
                }
            }
        };
    }
    each_float!(rounded_down);
    Ok(())
}

/// Means, deviations and counts of a hundred thousand samples, within six standard errors.
#[test]
fn samples_have_their_distribution() -> Result<(), Error> {
    const COUNT: usize = 100_000;
    let mut rng = seeded();
    let close = |found: f64, expected: f64, error: f64| {
        assert!((found - expected).abs() < 6.0 * error, "{found} {expected}")
    };
    let root = (COUNT as f64).sqrt();
    for dtype in [DType::F64, DType::F32] {
        let x: Tensor<F64, Rank1> = DynTensor::try_uniform(dtype, [COUNT], -2.0..4.0, &mut rng)?
            .cast(DType::F64)
            .try_into()?;
        close(x.mean().item()?, 1.0, 6.0 / 12_f64.sqrt() / root);
        close(x.var().item()?, 3.0, 3.0 * 0.9 / root);
        let x: Tensor<F64, Rank1> = DynTensor::try_normal(dtype, [COUNT], 5.0, 2.0, &mut rng)?
            .cast(DType::F64)
            .try_into()?;
        close(x.mean().item()?, 5.0, 2.0 / root);
        close(x.var().item()?, 4.0, 4.0 * 2_f64.sqrt() / root);
        let within = x.iter().filter(|x| (*x - 5.0).abs() < 2.0).count() as f64 / COUNT as f64;
        close(within, 0.682_689, 0.47 / root);
        let beyond = x.iter().filter(|x| (*x - 5.0).abs() > 6.0).count() as f64 / COUNT as f64;
        close(beyond, 0.002_700, 0.052 / root);
    }
    // Each value of an 8-bit float as often as the width up to the next one.
    let x = Tensor::<F8E4M3FN, Rank1>::uniform([COUNT], 0.0..1.0, &mut rng).cast::<F64>();
    for (value, width) in [(0.5, 0.0625), (0.9375, 0.0625), (0.25, 0.03125)] {
        let share = x.iter().filter(|x| *x == value).count() as f64 / COUNT as f64;
        close(share, width, (width * (1.0 - width)).sqrt() / root);
    }
    let dice = Tensor::<I8, Rank1>::integers([COUNT], -3..4, &mut rng);
    for face in -3..4_i8 {
        let share = dice.iter().filter(|x| *x == face).count() as f64 / COUNT as f64;
        close(share, 1.0 / 7.0, 0.35 / root);
    }
    let kept = Tensor::<Bool, Rank1>::bernoulli([COUNT], 0.1, &mut rng);
    close(
        kept.iter().filter(|kept| *kept).count() as f64 / COUNT as f64,
        0.1,
        0.3 / root,
    );
    // All six orders of three.
    let mut counts = [0; 9];
    for _ in 0..6_000 {
        let order = Tensor::<I64, Rank1>::permutation(3, &mut rng).to_vec();
        counts[(order[0] * 3 + order[1]) as usize] += 1;
    }
    let seen: Vec<_> = counts.into_iter().filter(|count| *count > 0).collect();
    assert!(
        seen.len() == 6 && seen.iter().all(|count| (800..1200).contains(count)),
        "{counts:?}"
    );
    Ok(())
}

#[test]
fn whole_ranges_of_integers() -> Result<(), Error> {
    let mut rng = seeded();
    let range = i128::from(i64::MIN)..i128::from(i64::MAX) + 1;
    let x = Tensor::<I64, Rank1>::integers([1000], range, &mut rng);
    assert!(x.min().item()? < i64::MIN / 2 && x.max().item()? > i64::MAX / 2);
    let x = Tensor::<U64, Rank1>::integers([1000], 0..1_i128 << 64, &mut rng);
    assert!(x.max().item()? > u64::MAX / 2);
    let x = Tensor::<U8, Rank1>::integers([1000], 254..256, &mut rng);
    assert_eq!((x.min().item()?, x.max().item()?), (254, 255));
    // Bounds of any integer type.
    let count = 7_usize;
    let x = Tensor::<I64, Rank1>::integers([100], 0..count, &mut rng);
    let y = Tensor::<I64, Rank1>::integers([100], -3_i64..0, &mut rng);
    assert!(x.max().item()? < 7 && y.max().item()? < 0);
    assert!(Tensor::<U64, Rank1>::try_integers([1], 0..u128::MAX, &mut rng).is_err());
    // With the last integer.
    let x = Tensor::<U8, Rank1>::integers([10_000], 0..=u8::MAX, &mut rng);
    assert_eq!((x.min().item()?, x.max().item()?), (0, 255));
    let inclusive = Tensor::<U64, Rank1>::integers([9], 5..=u64::MAX, &mut seeded());
    let exclusive = Tensor::<U64, Rank1>::integers([9], 5..1_i128 << 64, &mut seeded());
    assert_eq!(inclusive.to_vec(), exclusive.to_vec());
    for range in [200..=256, -1..=3, 0..=i32::MAX] {
        assert!(Tensor::<U8, Rank1>::try_integers([1], range, &mut rng).is_err());
    }
    assert!(Tensor::<U64, Rank1>::try_integers([1], 0..=u128::MAX, &mut rng).is_err());
    // The certain and the impossible.
    assert!(
        Tensor::<Bool, Rank1>::bernoulli([2], 1.0, &mut Given(vec![u64::MAX, 0]))
            .iter()
            .all(|kept| kept)
    );
    assert!(
        !Tensor::<Bool, Rank1>::bernoulli([2], 0.0, &mut Given(vec![u64::MAX, 0]))
            .iter()
            .any(|kept| kept)
    );
    Ok(())
}

/// Dynamic tensors have the elements of typed ones; a distribution of `rand_distr` those that it gives alone.
#[test]
fn forms_agree() -> Result<(), Error> {
    macro_rules! agree {
        ($dtype:ident) => {
            let typed =
                Tensor::<$dtype, Rank2>::uniform([3, 5], -1.0..1.0, &mut seeded()).into_dyn();
            assert_eq!(
                typed,
                DynTensor::uniform($dtype::DTYPE, [3, 5], -1.0..1.0, &mut seeded())
            );
            let typed =
                Tensor::<$dtype, Rank2>::normal([3, 5], 0.5, 0.25, &mut seeded()).into_dyn();
            assert_eq!(
                typed,
                DynTensor::normal($dtype::DTYPE, [3, 5], 0.5, 0.25, &mut seeded())
            );
            let typed =
                Tensor::<$dtype, Rank2>::random([3, 5], &StandardUniform, &mut seeded()).into_dyn();
            let sampled = DynTensor::try_random::<
                <<$dtype as StaticDType>::Element as Sampled>::Sample,
                _,
            >($dtype::DTYPE, [3, 5], &StandardUniform, &mut seeded())?;
            assert_eq!(typed, sampled);
        };
    }
    each_float!(agree);
    let distribution = rand_distr::Gamma::new(2.0, 0.5).expect("positive parameters");
    let gamma = Tensor::<F64, Rank1>::random([10], distribution, &mut seeded());
    let alone: Vec<f64> = distribution.sample_iter(seeded()).take(10).collect();
    assert_eq!(gamma.to_vec(), alone);
    let bytes = Tensor::<U8, Rank1>::random([10], StandardUniform, &mut seeded());
    assert_eq!(
        bytes.to_vec(),
        StandardUniform
            .sample_iter(seeded())
            .take(10)
            .collect::<Vec<u8>>()
    );
    let integers = Tensor::<U16, Rank1>::integers([9], 5..500, &mut seeded()).into_dyn();
    assert_eq!(
        integers,
        DynTensor::integers(DType::U16, [9], 5..500, &mut seeded())
    );
    let rows = Tensor::<F32, Rank2>::from_fn([7, 3], |at| (at[0] * 10 + at[1]) as f32);
    let shuffled = rows.shuffle(-2, &mut seeded());
    assert_eq!(
        shuffled.clone().into_dyn(),
        rows.clone().into_dyn().shuffle(0, &mut seeded())
    );
    assert_ne!(shuffled, rows);
    assert_eq!(
        shuffled,
        rows.take(&Tensor::<I64, Rank1>::permutation(7, &mut seeded()), 0)
    );
    // Any generator, also one behind a reference without its type.
    let erased: &mut dyn Rng = &mut seeded();
    assert_eq!(
        Tensor::<U16, Rank1>::integers([9], 5..500, erased).into_dyn(),
        integers
    );
    // Nothing, and a single element.
    assert_eq!(Tensor::<I64, Rank1>::permutation(0, &mut seeded()).len(), 0);
    assert_eq!(
        Tensor::<F32, Rank0>::uniform([], 2.0..2.5, &mut seeded()).ndim(),
        0
    );
    Ok(())
}

#[test]
fn wrong_parameters_are_errors() {
    let mut rng = seeded();
    let text = |error: Error| error.to_string();
    for (range, expected) in [
        (
            1.0..1.0,
            "uniform: 1.0..1.0 is not a range of values of bf16",
        ),
        (
            2.0..1.0,
            "uniform: 2.0..1.0 is not a range of values of bf16",
        ),
        (
            f64::NAN..1.0,
            "uniform: NaN..1.0 is not a range of values of bf16",
        ),
        (
            0.0..f64::INFINITY,
            "uniform: 0.0..inf is not a range of values of bf16",
        ),
        (
            0.0..1e300,
            "uniform: 0.0..1e300 is not a range of values of bf16",
        ),
        // Between two neighbours of bf16.
        (
            1.001..1.002,
            "uniform: 1.001..1.002 is not a range of values of bf16",
        ),
    ] {
        assert_eq!(
            text(Tensor::<BF16, Rank1>::try_uniform([2], range, &mut rng).unwrap_err()),
            expected
        );
    }
    let wide = Tensor::<F64, Rank1>::try_uniform([2], f64::MIN..f64::MAX, &mut rng);
    assert!(matches!(
        wide,
        Err(Error::RandomRange {
            dtype: DType::F64,
            ..
        })
    ));
    assert!(Tensor::<F8E4M3FN, Rank1>::try_uniform([2], -448.0..448.0, &mut rng).is_ok());
    for (mean, std, expected) in [
        (f64::NAN, 1.0, "normal: the mean NaN is not a finite number"),
        (
            0.0,
            -1.0,
            "normal: the standard deviation -1.0 is not a finite number from 0 up",
        ),
        (
            0.0,
            f64::INFINITY,
            "normal: the standard deviation inf is not a finite number from 0 up",
        ),
    ] {
        assert_eq!(
            text(Tensor::<F32, Rank1>::try_normal([2], mean, std, &mut rng).unwrap_err()),
            expected
        );
    }
    for probability in [-0.1, 1.1, f64::NAN] {
        let error = DynTensor::try_bernoulli([2], probability, &mut rng).unwrap_err();
        assert_eq!(
            text(error),
            format!("bernoulli: the probability {probability:?} is not from 0 to 1")
        );
    }
    for (range, expected) in [
        (0..0, "integers: 0..0 is not a range of values of u8"),
        (-1..3, "integers: -1..3 is not a range of values of u8"),
        (0..257, "integers: 0..257 is not a range of values of u8"),
        (
            i128::MIN..i128::MAX,
            "integers: -170141183460469231731687303715884105728..170141183460469231731687303715884105727 is not a range of values of u8",
        ),
    ] {
        assert_eq!(
            text(DynTensor::try_integers(DType::U8, [2], range, &mut rng).unwrap_err()),
            expected
        );
    }
    let long = Tensor::<I8, Rank1>::try_permutation(129, &mut rng).unwrap_err();
    assert!(
        matches!(
            long,
            Error::TooManyPositions {
                count: 129,
                dtype: DType::I8,
                ..
            }
        ),
        "{long:?}"
    );
    assert!(Tensor::<I8, Rank1>::try_permutation(128, &mut rng).is_ok());
    let x = DynTensor::ones(DType::F32, [2]).expect("two");
    assert!(matches!(
        x.try_shuffle(1, &mut rng),
        Err(Error::AxisOutOfRange { .. })
    ));
    assert!(matches!(
        DynTensor::try_normal(DType::C64, [2], 0.0, 1.0, &mut rng),
        Err(Error::UnsupportedDType { .. })
    ));
    assert!(matches!(
        DynTensor::try_permutation(DType::F32, 2, &mut rng),
        Err(Error::UnsupportedDType { .. })
    ));
    assert!(matches!(
        Tensor::<F32>::try_uniform([usize::MAX, 2], 0.0..1.0, &mut rng),
        Err(Error::ShapeTooLarge { .. })
    ));
}
