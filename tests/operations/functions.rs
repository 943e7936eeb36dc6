//! Functions of one tensor, by element, on every dtype that has them: within a unit in the last place of
//! `f32`, rounded once for smaller floats; as Rust's own of `f64`.
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

use crate::exact::{Kind, Tally, Tested};
use crate::naive::{self, Typed, convert, each_dtype, each_number, each_real, edges, same};
use supremum::operations::{
    Absolute, FloatClass, Floor, MinMax, Negate, Reciprocal, Round, Sign, UnaryFloat,
};
use supremum::{
    ArrayApi, BF16, Bool, C64, C128, ConvOptions, DType, DynTensor, Error, F8E4M3B11FNUZ, F8E4M3FN,
    F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, F32, F64, I8, I16, I32, I64, Jax, Numpy, PoolOptions,
    Rank1, Rules, StaticDType, Tensor, TensorFlow, Torch, U8, U16, U32, U64, c64, c128, fuse,
    tensor,
};

fn vector<D: StaticDType>(elements: &[D::Element]) -> Tensor<D, Rank1> {
    Tensor::from_slice(elements, [elements.len()]).expect("a vector")
}

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
                same(*found, convert((function.double)(convert(*x))))
            }
            _ => {
                // Through the result's dtype, as the operand is cast to it first.
                let x: f64 = convert::<Out::Element, _>(convert(*x));
                let exact = (function.double)(x) as f32;
                let nearest = [exact, exact.next_up(), exact.next_down()];
                let exact_only = matches!(function.name, "sqrt" | "recip");
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

/// The functions of `data/functions`, by name. Whether promotions lose something is not the question.
fn by_name(function: &str, operands: &[DynTensor]) -> Result<DynTensor, Error> {
    match (function, operands) {
        ("erf", [x]) => x.erf(),
        ("erfc", [x]) => x.erfc(),
        ("rsqrt", [x]) => x.rsqrt(),
        ("cbrt", [x]) => x.cbrt(),
        ("nan_sum", [x]) => x.try_nan_sum(),
        ("nan_mean", [x]) => x.try_nan_mean(),
        ("nan_min", [x]) => x.try_nan_min(),
        ("nan_max", [x]) => x.try_nan_max(),
        ("cumprod", [x]) => x.try_cumprod(0),
        ("cummax", [x]) => x.try_cummax(0),
        ("cummin", [x]) => x.try_cummin(0),
        ("relu", [x]) => x.relu(),
        ("gelu", [x]) => x.gelu(),
        ("gelu_tanh", [x]) => x.gelu_tanh(),
        ("silu", [x]) => x.silu(),
        ("softplus", [x]) => x.softplus(),
        ("softmax", [x]) => x.try_softmax(0),
        ("log_softmax", [x]) => x.try_log_softmax(0),
        ("log_sum_exp", [x]) => x.try_log_sum_exp(0),
        ("norm", [x]) => x.try_norm(2.0, ..),
        ("norm_1", [x]) => x.try_norm(1.0, ..),
        ("norm_inf", [x]) => x.try_norm(f64::INFINITY, ..),
        ("conv1d", [x]) => {
            let x = x.try_reshape([1, 1, 2])?;
            x.try_conv1d(&x, ConvOptions::new())
        }
        ("max_pool1d", [x]) => x
            .try_reshape([1, 1, 2])?
            .try_max_pool1d(PoolOptions::new([2])),
        ("avg_pool1d", [x]) => x
            .try_reshape([1, 1, 2])?
            .try_avg_pool1d(PoolOptions::new([2])),
        ("hypot", [a, b]) => a.try_hypot(b.promote_unsafe()),
        ("log_add_exp", [a, b]) => a.try_log_add_exp(b.promote_unsafe()),
        ("copysign", [a, b]) => a.try_copysign(b.promote_unsafe()),
        ("next_after", [a, b]) => a.try_next_after(b.promote_unsafe()),
        other => panic!("no reading of {other:?}"),
    }
}

/// Why an answer differs from the system's, if that is on purpose.
fn reason(
    system: &str,
    function: &str,
    operands: &[DType],
    answer: &str,
    found: &str,
) -> Option<&'static str> {
    let any = |kind: fn(&DType) -> bool| operands.iter().any(kind);
    let float8 = any(|dtype| dtype.size() == 1 && dtype.kind() == supremum::Kind::Float);
    let complex = any(|dtype| dtype.kind() == supremum::Kind::Complex);
    let integer = operands.iter().all(|dtype| !dtype.kind().is_inexact());
    let refused = answer == "error";
    Some(match (system, function) {
        ("jax", "rsqrt") if refused && found.starts_with('f') => {
            "`jax.lax.rsqrt` converts no integers"
        }
        ("jax", "erfc" | "copysign") if refused && float8 => "no 8-bit floats in JAX",
        ("jax" | "torch", "log_add_exp") if complex && found == "error" => {
            "complex logarithms are not here"
        }
        ("torch", "hypot" | "log_add_exp" | "next_after")
            if refused
                && found == "f32"
                && operands.iter().all(|dtype| !dtype.kind().is_inexact()) =>
        {
            "integers promote as for `copysign` and `atan2` of PyTorch"
        }
        ("array_api", _) if refused && any(|dtype| *dtype == DType::F16) => {
            "the standard has no 16-bit floats, the rules have"
        }
        ("jax" | "numpy", "nan_min" | "nan_max" | "cummax" | "cummin")
            if complex && found == "error" =>
        {
            "complex numbers have no order here"
        }
        ("torch", "nan_sum" | "nan_mean") if complex && refused => {
            "PyTorch adds complex numbers, but not those that are not NaN"
        }
        ("jax", "relu") if answer == "i64" => "a boolean beside JAX's literal 0 is a weak integer",
        ("jax", "relu") if complex => "complex numbers have no order here",
        (
            "jax" | "torch" | "tensorflow",
            "gelu_tanh" | "silu" | "softplus" | "softmax" | "log_softmax" | "log_sum_exp",
        ) if complex && found == "error" => "the function is of real numbers here",
        ("jax", "gelu") if refused && float8 => "no 8-bit floats in JAX",
        ("jax", "silu" | "softmax" | "log_softmax") if refused && integer => {
            "`jax.nn` refuses booleans, and integers in `silu`"
        }
        ("jax", "softplus") if answer == "f64" => {
            "a boolean beside JAX's literal 0 is a weak integer"
        }
        ("torch", "relu") if refused && operands == [DType::Bool] => "PyTorch refuses booleans",
        ("torch", "gelu" | "gelu_tanh" | "silu" | "softplus" | "softmax" | "log_softmax")
            if refused && found == "f32" =>
        {
            "PyTorch's activations convert no integers"
        }
        ("tensorflow", "norm" | "norm_1" | "norm_inf") => {
            "TensorFlow's norms have the operand's dtype"
        }
        ("numpy", "norm" | "norm_1" | "norm_inf") if answer == "f64" => {
            "NumPy computes norms of ml_dtypes' floats in f64"
        }
        ("array_api", "norm" | "norm_1" | "norm_inf") if complex => {
            "variances of the standard are of real numbers"
        }
        ("torch", "conv1d" | "max_pool1d" | "avg_pool1d") if refused || found == "error" => {
            "PyTorch's kernels of convolution and pooling have fewer dtypes, or others"
        }
        ("tensorflow", "conv1d" | "max_pool1d" | "avg_pool1d") if refused => {
            "TensorFlow's kernels of convolution and pooling have fewer dtypes"
        }
        ("tensorflow", "next_after") if refused => "TensorFlow has it of f32 and f64 only",
        _ => return None,
    })
}

#[test]
fn result_dtypes_are_those_of_the_systems() {
    let mut equal = 0;
    let mut reasons = std::collections::BTreeMap::<_, usize>::new();
    let mut others = Vec::new();
    for line in include_str!("../data/functions/answers.csv")
        .lines()
        .skip(1)
    {
        let [system, function, operands, answer] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}");
        };
        let rules = match system {
            "jax" => <Jax as Rules>::RULE_SET,
            "numpy" => <Numpy as Rules>::RULE_SET,
            "array_api" => <ArrayApi as Rules>::RULE_SET,
            "torch" => <Torch as Rules>::RULE_SET,
            "tensorflow" => <TensorFlow as Rules>::RULE_SET,
            other => panic!("no reading of {other}"),
        };
        let dtypes: Vec<DType> = operands
            .split('+')
            .map(|name| name.parse().expect("a dtype"))
            .collect();
        let x: Vec<_> = dtypes
            .iter()
            .map(|dtype| {
                DynTensor::zeros(*dtype, [2])
                    .expect("memory")
                    .with_rules(rules)
            })
            .collect();
        let found = by_name(function, &x);
        let found = found.map_or("error", |result| result.dtype().name());
        if found == answer {
            equal += 1;
        } else if let Some(reason) = reason(system, function, &dtypes, answer, found) {
            *reasons.entry(reason).or_default() += 1;
        } else {
            others.push(format!("{line}, here {found}"));
        }
    }
    assert!(
        others.is_empty(),
        "{} more than {equal}: {others:#?}",
        others.len()
    );
    let expected = [
        ("NumPy computes norms of ml_dtypes' floats in f64", 9),
        (
            "PyTorch adds complex numbers, but not those that are not NaN",
            4,
        ),
        ("PyTorch refuses booleans", 1),
        ("PyTorch's activations convert no integers", 54),
        (
            "PyTorch's kernels of convolution and pooling have fewer dtypes, or others",
            11,
        ),
        ("TensorFlow has it of f32 and f64 only", 2),
        (
            "TensorFlow's kernels of convolution and pooling have fewer dtypes",
            15,
        ),
        ("TensorFlow's norms have the operand's dtype", 10),
        ("`jax.lax.rsqrt` converts no integers", 9),
        ("`jax.nn` refuses booleans, and integers in `silu`", 11),
        ("a boolean beside JAX's literal 0 is a weak integer", 2),
        ("complex logarithms are not here", 100),
        ("complex numbers have no order here", 18),
        (
            "integers promote as for `copysign` and `atan2` of PyTorch",
            117,
        ),
        ("no 8-bit floats in JAX", 42),
        ("the function is of real numbers here", 18),
        ("the standard has no 16-bit floats, the rules have", 20),
        ("variances of the standard are of real numbers", 6),
    ];
    assert_eq!(
        (equal, reasons.into_iter().collect()),
        (5_744, expected.to_vec())
    );
}

/// Typed, dynamic and fused, of all values of small floats among others.
#[test]
fn each_form_of_a_function_gives_the_same() {
    macro_rules! same_results {
        ([$($function:ident)*] $D:ident $Out:ident) => {{
            let mut elements = edges::<<$D as StaticDType>::Element>();
            elements.extend(naive::sample::<<$D as StaticDType>::Element>(600, 5));
            let x = vector::<$D>(&elements);
            $(
                let expected: Tensor<$Out, Rank1> = x.$function();
                let what = concat!(stringify!($function), " of ", stringify!($D));
                let dynamic = x.clone().into_dyn().$function().expect("it has the function");
                let dynamic: Tensor<$Out, Rank1> = dynamic.typed().expect("the same dtype");
                naive::assert_same(&dynamic.to_vec(), &expected.to_vec(), what);
                naive::assert_same(&fuse!(x.$function()).to_vec(), &expected.to_vec(), what);
                let sum = &expected + &expected;
                naive::assert_same(&fuse!(x.$function() + x.$function()).to_vec(), &sum.to_vec(), what);
            )*
        }};
    }
    macro_rules! of_reals {
        ($($D:ident $Out:ident;)*) => { $(same_results!([erf erfc rsqrt cbrt gelu gelu_tanh silu softplus] $D $Out);)* };
    }
    of_reals! { Bool F32; U8 F32; I64 F64; F8E4M3FN F8E4M3FN; F8E5M2 F8E5M2; BF16 BF16; F16 F16; F32 F32; F64 F64; }
    same_results!([relu] U8 U8);
    same_results!([relu] I16 I16);
    same_results!([relu] F8E4M3FN F8E4M3FN);
    same_results!([relu] BF16 BF16);
    same_results!([relu] F32 F32);
    same_results!([rsqrt] C64 C64);
    same_results!([rsqrt] C128 C128);
}

/// Of two operands: typed, dynamic and fused, beside one another and in a larger expression.
#[test]
fn each_form_of_a_function_of_two_operands_gives_the_same() {
    macro_rules! same_results {
        ($($D:ident $E:ident $Out:ident;)*) => {$({
            let mut left = edges::<<$D as StaticDType>::Element>();
            left.extend(naive::sample::<<$D as StaticDType>::Element>(600, 5));
            let mut right = naive::sample::<<$E as StaticDType>::Element>(left.len(), 7);
            for (at, edge) in edges::<<$E as StaticDType>::Element>().into_iter().enumerate() {
                let last = right.len() - 1;
                right[(at * 7).min(last)] = edge;
            }
            let (a, b) = (vector::<$D>(&left), vector::<$E>(&right));
            same_results!([hypot try_hypot, log_add_exp try_log_add_exp, copysign try_copysign, next_after try_next_after] a b $D $E $Out);
        })*};
        ([$($name:ident $try_name:ident),*] $a:ident $b:ident $D:ident $E:ident $Out:ident) => {$(
            let expected: Tensor<$Out, Rank1> = $a.$name(&$b);
            let what = concat!(stringify!($name), " of ", stringify!($D), " and ", stringify!($E));
            let dynamic = $a.clone().into_dyn().$try_name(&$b.clone().into_dyn()).expect("it has the function");
            let dynamic: Tensor<$Out, Rank1> = dynamic.typed().expect("the same dtype");
            naive::assert_same(&dynamic.to_vec(), &expected.to_vec(), what);
            naive::assert_same(&fuse!($a.$name($b)).to_vec(), &expected.to_vec(), what);
            let size = expected.abs();
            naive::assert_same(&fuse!($a.$name($b).abs()).to_vec(), &size.to_vec(), what);
        )*};
    }
    same_results! {
        U8 U8 F32; F8E4M3FN F8E4M3FN F8E4M3FN; F8E5M2 F8E5M2 F8E5M2; F8E4M3FNUZ F8E4M3FNUZ F8E4M3FNUZ;
        BF16 BF16 BF16; F16 F16 F16; BF16 F16 F32; F32 F32 F32; F32 F64 F64; I8 F16 F16;
    }
}

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
        let x = vector::<D>(&all);
        for to in towards {
            let goal = vector::<D>(&vec![*to; all.len()]);
            let to_value: f64 = convert(*to);
            for (x, found) in all.iter().zip(x.next(&goal).to_vec()) {
                let value: f64 = convert(*x);
                let expected = if value.is_nan() || to_value.is_nan() {
                    f64::NAN
                } else if value == to_value {
                    to_value
                } else {
                    let at = numbers.partition_point(|number| *number < value);
                    let next = if to_value > value {
                        numbers[at + 1]
                    } else {
                        numbers[at - 1]
                    };
                    if next == 0.0 {
                        next.copysign(value)
                    } else {
                        next
                    }
                };
                assert!(
                    same(found, convert::<f64, D::Element>(expected)),
                    "{:?} towards {to:?} is {found:?}, not {expected}",
                    x
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
        D: Typed + UnaryFloat<Jax, Output = D> + MinMax<Jax, Output = D> + supremum::RealDType,
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
