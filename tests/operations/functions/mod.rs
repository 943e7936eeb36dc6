//! Functions of one tensor, by element, on every dtype that has them: within a unit in the last place of
//! `f32`, rounded once for smaller floats; of `f64` within two units of Rust's own.
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

mod forms;
mod limits;
mod systems;

use supremum::operations::{
    Absolute, FloatClass, Floor, Negate, Reciprocal, Round, Sign, UnaryFloat,
};
use supremum::{
    BF16, Bool, C64, C128, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, F32, F64,
    I8, I16, I32, I64, Jax, Rank1, StaticDType, Tensor, U8, U16, U32, U64, c64, c128, tensor,
};

use crate::exact::{Kind, Tally, Tested};
use crate::naive::{self, Typed, convert, each_dtype, each_number, each_real, edges, same};
use crate::vector;

/// A function of floats and of complex numbers.
struct Function {
    name: &'static str,
    double: fn(f64) -> f64,
    complex: fn(c128) -> c128,
}

macro_rules! functions {
    ($($name:ident: $x:ident => $float:expr, $complex:expr;)*) => {
        &[$(Function { name: stringify!($name), double: |$x| $float, complex: |$x| $complex }),*]
    };
}

const FUNCTIONS: &[Function] = functions! {
    sqrt: x => x.sqrt(), x.sqrt();
    exp: x => x.exp(), x.exp();
    exp_m1: x => x.exp_m1(), x.exp() - 1.0;
    ln: x => x.ln(), x.ln();
    ln_1p: x => x.ln_1p(), (x + 1.0).ln();
    log2: x => x.log2(), x.ln() / std::f64::consts::LN_2;
    log10: x => x.log10(), x.ln() / std::f64::consts::LN_10;
    sin: x => x.sin(), x.sin();
    cos: x => x.cos(), x.cos();
    tan: x => x.tan(), x.tan();
    tanh: x => x.tanh(), x.tanh();
    sigmoid: x => 1.0 / (1.0 + (-x).exp()), 1.0 / ((-x).exp() + 1.0);
    recip: x => 1.0 / x, 1.0 / x;
};

/// Of edges exactly; of complex numbers only moderate ones, approximately.
fn judge<D: Typed, Out: Typed>(
    tally: &mut Tally,
    function: &Function,
    elements: &[D::Element],
    found: &[Out::Element],
) {
    let exact_only = matches!(function.name, "sqrt" | "recip");
    for (x, found) in elements.iter().zip(found) {
        let holds = match Out::Element::KIND {
            Kind::Complex(format) => {
                let z: c128 = convert(*x);
                if !(0.01..100.0).contains(&z.norm()) || z.re > 50.0 {
                    continue;
                }
                let (found, expected): (c128, c128) = (convert(*found), (function.complex)(z));
                let unit = 1.0 / format.hidden_bit() as f64;
                found == expected
                    || (found - expected).norm() <= 64.0 * unit * expected.norm().max(1.0)
            }
            Kind::Float(format) if format.bits() == 64 => {
                // Our own functions and the platform's are both within about a unit of the exact value.
                let exact: f64 = (function.double)(convert(*x));
                let (up, down) = (exact.next_up(), exact.next_down());
                let near = [exact, up, down, up.next_up(), down.next_down()];
                let allowed = if exact_only { &near[..1] } else { &near[..] };
                allowed.iter().any(|near| same(*found, convert(*near)))
            }
            _ => {
                // Through the result's dtype, as the operand is cast to it first.
                let x: f64 = convert::<Out::Element, _>(convert(*x));
                let exact = (function.double)(x) as f32;
                let nearest = [exact, exact.next_up(), exact.next_down()];
                let allowed = if exact_only {
                    &nearest[..1]
                } else {
                    &nearest[..]
                };
                allowed.iter().any(|near| same(*found, convert(*near)))
            }
        };
        tally.record(holds, || {
            format!("{} of {} {x:?} is {found:?}", function.name, D::DTYPE)
        });
    }
}

fn inexact<D>(tally: &mut Tally)
where
    D: Typed
        + UnaryFloat<Jax, Output: Typed>
        + Reciprocal<Jax, Output = <D as UnaryFloat<Jax>>::Output>,
{
    let mut elements = edges::<D::Element>();
    elements.extend(naive::sample::<D::Element>(600, 5));
    let t = vector::<D>(&elements);
    let results = [
        t.sqrt(),
        t.exp(),
        t.exp_m1(),
        t.ln(),
        t.ln_1p(),
        t.log2(),
        t.log10(),
        t.sin(),
        t.cos(),
        t.tan(),
        t.tanh(),
        t.sigmoid(),
        t.recip(),
    ];
    assert_eq!(results.len(), FUNCTIONS.len());
    for (function, result) in FUNCTIONS.iter().zip(&results) {
        judge::<D, <D as UnaryFloat<Jax>>::Output>(tally, function, &elements, &result.to_vec());
    }
    let backwards = t.flip(0).sin().flip(0);
    naive::assert_same(
        &backwards.to_vec(),
        &results[7].to_vec(),
        "a flipped operand",
    );
    naive::assert_same(&t.to_vec(), &elements, "the operand afterwards");
}

fn signs<D: Typed + Negate<Jax, Output = D> + Sign<Jax, Output = D> + Round<Jax, Output = D>>(
    tally: &mut Tally,
) {
    let elements = edges::<D::Element>();
    let t = vector::<D>(&elements);
    let is_complex = matches!(D::Element::KIND, Kind::Complex(_));
    // Complex numbers: see `complex_numbers_round`.
    let rounded = if is_complex {
        t.to_vec()
    } else {
        t.round().to_vec()
    };
    let signs = t.sign().to_vec();
    for ((x, rounded), sign) in elements.iter().zip(rounded).zip(signs) {
        let holds = match D::Element::KIND {
            Kind::Float(_) => {
                let wide: f64 = convert(*x);
                let expected = if wide == 0.0 || wide.is_nan() {
                    wide
                } else {
                    1_f64.copysign(wide)
                };
                same(rounded, convert(wide.round_ties_even())) && same(sign, convert(expected))
            }
            Kind::Complex(_) => {
                let z: c128 = convert(*x);
                let expected = if z == c128::default() {
                    z
                } else {
                    z / z.norm()
                };
                let sign: c128 = convert(sign);
                let moderate = (1e-3..1e3).contains(&z.norm());
                !moderate || (sign - expected).norm() < 1e-6
            }
            _ => {
                let wide: f64 = convert(*x);
                let expected = if wide == 0.0 { 0.0 } else { wide.signum() };
                same(rounded, *x) && same(sign, convert(expected))
            }
        };
        tally.record(holds, || {
            format!("round or sign of {} {x:?}: {rounded:?}, {sign:?}", D::DTYPE)
        });
    }
}

fn floors<D: Typed + Floor<Jax, Output = D>>(tally: &mut Tally) {
    let elements = edges::<D::Element>();
    let t = vector::<D>(&elements);
    for ((x, floor), ceil) in elements
        .iter()
        .zip(t.floor().to_vec())
        .zip(t.ceil().to_vec())
    {
        let holds = if matches!(D::Element::KIND, Kind::Float(_)) {
            let wide: f64 = convert(*x);
            same(floor, convert(wide.floor())) && same(ceil, convert(wide.ceil()))
        } else {
            same(floor, *x) && same(ceil, *x)
        };
        tally.record(holds, || {
            format!("floor or ceil of {} {x:?}: {floor:?}, {ceil:?}", D::DTYPE)
        });
    }
}

fn magnitudes<D: Typed + Absolute<Jax, Output: Typed>>(tally: &mut Tally) {
    let elements = edges::<D::Element>();
    for (x, found) in elements.iter().zip(vector::<D>(&elements).abs().to_vec()) {
        let holds = match D::Element::KIND {
            Kind::Float(_) => same(found, convert(convert::<_, f64>(*x).abs())),
            Kind::Complex(_) if size_of::<D::Element>() == 8 => {
                let z: c64 = convert(*x);
                same(found, convert(z.re.hypot(z.im)))
            }
            Kind::Complex(_) => {
                let z: c128 = convert(*x);
                same(found, convert(z.re.hypot(z.im)))
            }
            Kind::Signed(_) => same(found, convert(convert::<_, i64>(*x).wrapping_abs())),
            Kind::Unsigned(_) | Kind::Bool => same(found, convert(*x)),
        };
        tally.record(holds, || format!("abs of {} {x:?} is {found:?}", D::DTYPE));
    }
}

fn classes<D: Typed + FloatClass<Jax, Output: StaticDType<Element = bool>>>(tally: &mut Tally) {
    let elements = edges::<D::Element>();
    let t = vector::<D>(&elements);
    let (nan, infinite, finite) = (
        t.is_nan().to_vec(),
        t.is_infinite().to_vec(),
        t.is_finite().to_vec(),
    );
    for (at, x) in elements.iter().enumerate() {
        // Wide enough for the value; integers are finite in any case.
        let z: c128 = convert(*x);
        let expected = (
            z.re.is_nan() || z.im.is_nan(),
            z.re.is_infinite() || z.im.is_infinite(),
            z.is_finite(),
        );
        tally.record((nan[at], infinite[at], finite[at]) == expected, || {
            format!("class of {} {x:?}", D::DTYPE)
        });
    }
}

macro_rules! each {
    ([$check:ident $tally:ident] $($dtype:ident)*) => { $($check::<$dtype>(&mut $tally);)* };
}

#[test]
fn inexact_functions() {
    let mut tally = Tally::default();
    each_dtype!(each[inexact tally]);
    tally.finish("13 functions of every dtype");
}

#[test]
fn exact_functions() {
    let mut tally = Tally::default();
    each_number!(each[signs tally]);
    each_real!(each[floors tally]);
    each_dtype!(each[magnitudes tally]);
    each_dtype!(each[classes tally]);
    tally.finish("round, sign, floor, ceil, abs and classes");
}

#[test]
fn angles_of_complex_numbers() {
    let y: Tensor<C64, Rank1> = tensor![c64::new(1.0, 0.0)];
    let x: Tensor<C64, Rank1> = tensor![c64::new(1.0, 0.0)];
    let angle = y.try_atan2(&x).expect("what compiles runs").to_vec();
    assert!((angle[0].re - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
}

#[test]
fn complex_numbers_round() {
    let z: Tensor<C64, Rank1> = tensor![c64::new(0.5, -1.5)];
    assert_eq!(z.round().to_vec(), [c64::new(0.0, -2.0)]);
}
