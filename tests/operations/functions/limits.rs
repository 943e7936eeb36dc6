//! Functions of two operands at their limits, and of small floats.

use supremum::operations::{Activation, MinMax, UnaryFloat};
use supremum::{
    BF16, DynTensor, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, F32, F64, Jax,
    Rank1, StaticDType, Tensor, fuse,
};

use crate::exact::Tested;
use crate::naive::{self, Typed, convert, edges, same};
use crate::vector;

/// Every pair of 8-bit floats, and every 16-bit float with some others, beside the list of all numbers in order. Numbers
/// beside zero keep their sign when they step to it, as in C.
///
/// NumPy and ml_dtypes give what the list gives, but for the step of an `f16` from a zero to the other: NumPy stays.
#[test]
fn the_next_number_is_the_next_in_the_list() {
    fn check<D: Typed + StaticDType>(towards: &[D::Element])
    where
        Tensor<D, Rank1>: NextAfter<D>,
    {
        let size = size_of::<D::Element>();
        let all: Vec<D::Element> = (0..1_u128 << (8 * size))
            .map(D::Element::from_raw)
            .collect();
        let mut numbers: Vec<f64> = all
            .iter()
            .map(|x| convert(*x))
            .filter(|x: &f64| !x.is_nan())
            .collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup_by(|a, b| a == b);
        // Of each number its value, and the numbers below and above it.
        let beside = |x: &D::Element| {
            let value: f64 = convert(*x);
            let at = numbers.partition_point(|number| *number < value);
            let element = |next: &f64| -> D::Element {
                convert(if *next == 0.0 {
                    next.copysign(value)
                } else {
                    *next
                })
            };
            let below = at.checked_sub(1).map(|below| element(&numbers[below]));
            (value, below, numbers.get(at + 1).map(element))
        };
        let steps: Vec<_> = all.iter().map(beside).collect();
        let nan = convert::<f64, D::Element>(f64::NAN);
        let x = vector::<D>(&all);
        for to in towards {
            let goal = vector::<D>(&vec![*to; all.len()]);
            let to_value: f64 = convert(*to);
            for ((value, below, above), found) in steps.iter().zip(x.next(&goal).to_vec()) {
                let expected = if value.is_nan() || to_value.is_nan() {
                    nan
                } else if *value == to_value {
                    *to
                } else if to_value > *value {
                    above.expect("a number above")
                } else {
                    below.expect("a number below")
                };
                assert!(
                    same(found, expected),
                    "{value:?} towards {to:?} is {found:?}, not {expected:?}"
                );
            }
        }
    }
    trait NextAfter<D: StaticDType> {
        fn next(&self, towards: &Self) -> Self;
    }
    macro_rules! check_all {
        ($($D:ident)*) => {$(
            impl NextAfter<$D> for Tensor<$D, Rank1> {
                fn next(&self, towards: &Self) -> Self {
                    let found = self.next_after(towards);
                    let x = self;
                    naive::assert_same(&fuse!(x.next_after(towards)).to_vec(), &found.to_vec(), stringify!($D));
                    found
                }
            }
            let all: Vec<_> = (0..256_u128).map(Tested::from_raw).collect();
            let some = edges::<<$D as StaticDType>::Element>();
            check::<$D>(if size_of::<<$D as StaticDType>::Element>() == 1 { &all } else { &some });
        )*};
    }
    check_all!(F8E4M3FN F8E5M2 F8E4M3FNUZ F8E5M2FNUZ F8E4M3B11FNUZ BF16 F16);
}

#[test]
fn functions_of_two_operands_at_their_limits() {
    let inf = f32::INFINITY;
    let of = |a: f32, b: f32| (vector::<F32>(&[a]), vector::<F32>(&[b]));
    for (a, b, hypot, sum) in [
        (inf, f32::NAN, inf, f32::NAN),
        (f32::NAN, -inf, inf, f32::NAN),
        (inf, -inf, inf, inf),
        (-inf, -inf, inf, -inf),
        (inf, inf, inf, inf),
        (-inf, 1.0, inf, 1.0),
        (f32::NAN, 1.0, f32::NAN, f32::NAN),
        (3e38, 3e38, inf, 3e38),
        (
            f32::from_bits(3),
            f32::from_bits(4),
            f32::from_bits(5),
            std::f32::consts::LN_2,
        ),
        (0.0, -0.0, 0.0, std::f32::consts::LN_2),
    ] {
        let (x, y) = of(a, b);
        let found = x.hypot(&y).to_vec()[0];
        assert!(same(found, hypot), "hypot({a}, {b}) is {found}");
        let found = x.log_add_exp(&y).to_vec()[0];
        assert!(same(found, sum), "log_add_exp({a}, {b}) is {found}");
        let (x, y) = (x.cast::<F64>(), y.cast::<F64>());
        let found = x.log_add_exp(&y).to_vec()[0];
        assert!(
            found as f32 == sum || found.is_nan() == sum.is_nan(),
            "log_add_exp({a}, {b}) of f64 is {found}"
        );
        let sign = vector::<F32>(&[-0.0]).copysign(1.0).to_vec()[0].is_sign_negative();
        assert!(!sign);
    }
    let nan = vector::<F32>(&[f32::NAN]).copysign(-1.0).to_vec()[0];
    assert!(nan.is_nan() && nan.is_sign_negative());
}

/// Every value of 16 bits, against functions of `f64` rounded once.
#[test]
fn functions_of_small_floats_are_rounded_once() {
    fn check<
        D: Typed
            + UnaryFloat<Jax, Output = D>
            + Activation<Jax, Output = D>
            + MinMax<Jax, Output = D>
            + supremum::RealDType,
    >(
        bytes: &[u8],
    ) {
        let x = DynTensor::from_bytes(D::DTYPE, [1 << 16], bytes).expect("as many bytes");
        let x: Tensor<D, Rank1> = x.typed().expect("that dtype");
        let functions: [(&str, Tensor<D, Rank1>, fn(f64) -> f64); 9] = [
            ("relu", x.relu(), |x| if x <= 0.0 { 0.0 } else { x }),
            ("gelu", x.gelu(), |x| {
                if x < -40.0 {
                    -0.0
                } else {
                    0.5 * x * libm::erfc(-x / std::f64::consts::SQRT_2)
                }
            }),
            ("gelu_tanh", x.gelu_tanh(), |x| {
                let inner = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x * x * x);
                if x < -40.0 {
                    -0.0
                } else {
                    x / (1.0 + (-2.0 * inner).exp())
                }
            }),
            ("silu", x.silu(), |x| {
                if x < -800.0 {
                    -0.0
                } else {
                    x / (1.0 + (-x).exp())
                }
            }),
            ("softplus", x.softplus(), |x| {
                if x.is_nan() {
                    x
                } else {
                    x.max(0.0) + (-x.abs()).exp().ln_1p()
                }
            }),
            ("erf", x.erf(), libm::erf),
            ("erfc", x.erfc(), libm::erfc),
            ("rsqrt", x.rsqrt(), |x| 1.0 / x.sqrt()),
            ("cbrt", x.cbrt(), f64::cbrt),
        ];
        for (name, found, exact) in functions {
            for (x, found) in x.to_vec().into_iter().zip(found.to_vec()) {
                let exact = exact(convert(x)) as f32;
                let near = [exact, exact.next_up(), exact.next_down()];
                let holds = near.iter().any(|near| same(found, convert(*near)));
                assert!(
                    holds,
                    "{name} of {} {x:?} is {found:?}, not {exact}",
                    D::DTYPE
                );
            }
        }
    }
    let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    check::<F16>(&bytes);
    check::<BF16>(&bytes);
}
