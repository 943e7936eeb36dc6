//! Every elementwise operation, in every dtype that has it. Operations between operands of one dtype are decided at run
//! time, promotions between dtypes by the compiler.
//!
//! There are two programs. One has the functions of `f64` and of complex numbers: they are XLA's own, and may be some
//! units in the last place from Supremum's. The other has everything else.

use supremum::__private::{FUNCTIONS, Function};
use supremum::Kind;
supremum::prelude!();
use supremum::stablehlo::{self, dyn_input};

use crate::{Case, Split};

/// The shape of all operands: both dimensions can be split among the devices.
const SHAPE: [usize; 2] = [16, 8];

type Operation = fn(&DynTensor, &DynTensor) -> Result<DynTensor, Error>;

/// The operations between two operands of one dtype, and functions whose operands have bounds. [`of_function`] has the others.
const OPERATIONS: &[(&str, Operation)] = &[
    ("a + b", |a, b| a.try_add(b)),
    ("a - b", |a, b| a.try_sub(b)),
    ("a * b", |a, b| a.try_mul(b)),
    ("a * b + a", |a, b| a.try_mul(b)?.try_add(a)),
    ("a / b", |a, b| a.try_div(b)),
    ("a // 3", |a, _| a.try_floor_div(3)),
    ("a % 3", |a, _| a.try_rem(3)),
    ("a // b", |a, b| a.try_floor_div(&b.try_bitor(1)?)),
    ("a % b", |a, b| a.try_rem(&b.try_bitor(1)?)),
    ("a // b of floats", |a, b| a.try_div(1.0)?.try_floor_div(b)),
    ("a % b of floats", |a, b| a.try_div(1.0)?.try_rem(b)),
    ("a & b", |a, b| a.try_bitand(b)),
    ("a | b", |a, b| a.try_bitor(b)),
    ("a ^ b", |a, b| a.try_bitxor(b)),
    ("a << b", |a, b| a.try_shl(b)),
    ("a >> b", |a, b| a.try_shr(b)),
    ("minimum", |a, b| a.try_minimum(b)),
    ("maximum", |a, b| a.try_maximum(b)),
    ("a ** 3", |a, _| a.try_pow(3)),
    ("a ** b", |a, b| a.abs()?.try_pow(&b.try_div(4.0)?)),
    ("atan2", |a, b| a.try_atan2(b)),
    ("hypot", |a, b| a.real()?.try_hypot(&b.real()?)),
    ("log_add_exp", |a, b| a.real()?.try_log_add_exp(&b.real()?)),
    // XLA does not keep the sign of a NaN when it converts it: here and below.
    ("copysign", |a, b| {
        let sign = b.real()?;
        let sign = sign.is_nan()?.try_select(1, &sign)?;
        a.real()?.try_copysign(&sign)
    }),
    ("next_after", |a, b| a.real()?.try_next_after(&b.real()?)),
    ("leaky_relu", |a, b| a.real()?.try_leaky_relu(&b.real()?)),
    ("elu", |a, b| a.real()?.try_elu(&b.real()?)),
    ("a == b", |a, b| a.try_equal(b)),
    ("a != b", |a, b| a.try_not_equal(b)),
    ("a < b", |a, b| a.try_lt(b)),
    ("a <= b", |a, b| a.try_le(b)),
    ("a > b", |a, b| a.try_gt(b)),
    ("a >= b", |a, b| a.try_ge(b)),
    ("a + 3", |a, _| a.try_add(3)),
    ("a * 1.5", |a, _| a.try_mul(1.5)),
    ("select", |a, b| a.try_not_equal(b)?.try_select(a, 1)),
    ("-a", |a, _| a.try_neg()),
    ("!a", |a, _| a.try_not()),
    ("abs", |a, _| a.abs()),
    ("sqrt", |a, _| a.abs()?.sqrt()),
    ("ln", |a, _| a.abs()?.ln()),
    ("ln_1p", |a, _| a.abs()?.ln_1p()),
    ("log2", |a, _| a.abs()?.log2()),
    ("log10", |a, _| a.abs()?.log10()),
    ("asin", |a, _| a.sin()?.asin()),
    ("acos", |a, _| a.sin()?.acos()),
    ("acosh", |a, _| a.cosh()?.acosh()),
    // A quotient between -1 and 1, because XLA may leave out the rounding of a function to `f32` before the next.
    ("atanh", |a, _| a.try_div(&a.abs()?.try_add(1)?)?.atanh()),
    ("is_sign_negative", |a, _| {
        let number = a.real()?;
        let number = number.is_nan()?.try_select(1, &number)?;
        number.is_sign_negative()
    }),
    ("rsqrt", |a, _| a.abs()?.rsqrt()),
    ("conj", |a, _| Ok(a.conj())),
];

/// A function of any operand; of the real part, if it is a function of real numbers.
fn of_function(function: &Function, a: &DynTensor) -> Result<DynTensor, Error> {
    if (function.is_defined)(DType::C128) {
        (function.call)(a)
    } else {
        (function.call)(&a.real()?)
    }
}

/// The operations that XLA rounds in its own way in `f64` and in complex numbers.
fn is_own(name: &str, dtype: DType) -> bool {
    let of_two = ["atan2", "a ** b", "hypot", "log_add_exp", "elu"];
    let is_transcendental = FUNCTIONS.iter().any(|function| {
        let groups = [
            supremum::Operation::UnaryFloat,
            supremum::Operation::Activation,
        ];
        function.name == name && groups.contains(&function.group)
    });
    let transcendental = of_two.contains(&name) || (is_transcendental && name != "sqrt");
    match dtype.kind() {
        Kind::Float => dtype == DType::F64 && transcendental,
        Kind::Complex => transcendental || ["sign", "a ** 3"].contains(&name),
        _ => false,
    }
}

/// The operations that a dtype has and XLA has of its own, or all others and conversions to all dtypes.
fn of_one_dtype(
    a: &DynTensor,
    b: &DynTensor,
    own: bool,
    to: &mut Vec<(String, DynTensor)>,
) -> Result<(), Error> {
    let dtype = a.dtype();
    let operations = OPERATIONS
        .iter()
        .map(|(name, operation)| (*name, operation(a, b)));
    let functions = FUNCTIONS
        .iter()
        .filter(|function| OPERATIONS.iter().all(|(name, _)| *name != function.name))
        .map(|function| (function.name, of_function(function, a)));
    for (name, result) in operations.chain(functions) {
        match result {
            Ok(result) if is_own(name, result.dtype()) != own => {}
            Ok(result) => to.push((format!("{dtype}: {name}"), result)),
            Err(
                Error::UndefinedOperation { .. }
                | Error::NoPromotion { .. }
                | Error::UnsafePromotion { .. },
            ) => {}
            Err(error) => return Err(error),
        }
    }
    let others = if own { &[][..] } else { DType::ALL };
    for other in others {
        to.push((format!("{dtype}: cast to {other}"), a.cast(*other)));
        if let Ok(saturated) = a.try_cast_saturating(*other) {
            to.push((format!("{dtype}: saturating cast to {other}"), saturated));
        }
    }
    Ok(())
}

/// Promotions of different dtypes, as `cargo check` decides them.
fn promotions(tensors: &[DynTensor], to: &mut Vec<(String, DynTensor)>) -> Result<(), Error> {
    fn typed<D: StaticDType>(tensors: &[DynTensor]) -> Result<Tensor<D, Rank2>, Error> {
        let found = tensors.iter().find(|tensor| tensor.dtype() == D::DTYPE);
        let missing = Error::NoTensors {
            operation: D::DTYPE.name(),
        };
        found.ok_or(missing)?.typed()
    }
    let small: Tensor<F16, Rank2> = typed(tensors)?;
    let brain: Tensor<BF16, Rank2> = typed(tensors)?;
    let bytes: Tensor<U8, Rank2> = typed(tensors)?;
    let shorts: Tensor<I16, Rank2> = typed(tensors)?;
    let single: Tensor<F32, Rank2> = typed(tensors)?;
    let truths: Tensor<Bool, Rank2> = typed(tensors)?;
    let complex: Tensor<C64, Rank2> = typed(tensors)?;

    let sum: Tensor<F32, Rank2> = &small + &brain;
    let wide: Tensor<I16, Rank2> = &bytes + &shorts;
    let scaled: Tensor<F32, Rank2> = fuse!(shorts * single + 0.5);
    let halved: Tensor<F16, Rank2> = fuse!(let p = small * 0.5; if truths { p } else { p.tanh() });
    let turned: Tensor<C64, Rank2> = &complex * &single;
    let counted: Tensor<I16, Rank2> = &truths + &shorts;
    to.extend([
        ("f16 + bf16".into(), sum.into_dyn()),
        ("u8 + i16".into(), wide.into_dyn()),
        ("i16 * f32 + 0.5".into(), scaled.into_dyn()),
        ("f16 * 0.5 or its tanh".into(), halved.into_dyn()),
        ("c64 * f32".into(), turned.into_dyn()),
        ("bool + i16".into(), counted.into_dyn()),
    ]);
    Ok(())
}

/// Comparisons of `u64` with `i64` under NumPy's rules, which compare the values. Elements with the same bits are equal
/// unless the `i64` is negative.
fn by_value(tensors: &[DynTensor], to: &mut Vec<(String, DynTensor)>) -> Result<(), Error> {
    let of = |dtype| tensors.iter().filter(move |tensor| tensor.dtype() == dtype);
    let comparisons = OPERATIONS.iter().filter(|(name, _)| {
        ["a == b", "a != b", "a < b", "a <= b", "a > b", "a >= b"].contains(name)
    });
    for (name, compare) in comparisons {
        for (unsigned, signed) in of(DType::U64).zip(of(DType::I64)) {
            for unsigned in [unsigned.clone(), signed.cast(DType::U64)] {
                let [a, b] = [&unsigned, signed].map(|x| x.with_rules(Numpy::rule_set()));
                to.push((format!("u64 with i64: {name}"), compare(&a, &b)?));
                to.push((format!("i64 with u64: {name}"), compare(&b, &a)?));
            }
        }
    }
    Ok(())
}

fn elementwise(tensors: &[DynTensor], own: bool) -> Result<Vec<(String, DynTensor)>, Error> {
    let mut results = Vec::new();
    for pair in tensors.chunks_exact(2) {
        of_one_dtype(&pair[0], &pair[1], own, &mut results)?;
    }
    if !own {
        promotions(tensors, &mut results)?;
        by_value(tensors, &mut results)?;
    }
    Ok(results)
}

/// Pseudo-random numbers, by the generator SplitMix64.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new() -> Self {
        Self(0)
    }

    /// Between minus and plus one, in steps of 2^-20.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let high = u32::try_from((mixed ^ (mixed >> 31)) >> 43).unwrap_or(0);
        f64::from(high) / f64::from(1 << 20) - 1.0
    }

    /// A tensor whose elements are made from a random number and their position.
    pub(crate) fn tensor(
        &mut self,
        dtype: DType,
        shape: &[usize],
        number: impl Fn(f64, usize) -> f64,
    ) -> Result<DynTensor, Error> {
        let count = shape.iter().product();
        let numbers = (0..count).map(|position| number(self.next(), position));
        let numbers = Tensor::<F64, Rank1>::from_vec(numbers.collect(), [count])?.into_dyn();
        if !matches!(dtype, DType::C64 | DType::C128) {
            return numbers.cast(dtype).try_reshape(shape);
        }
        let turned = Tensor::<C128, Rank0>::scalar(c128::new(0.8, 0.6)).into_dyn();
        numbers.try_mul(&turned)?.cast(dtype).try_reshape(shape)
    }
}

/// Numbers with the difficult cases: ends of ranges, ties, zeros of both signs, infinities, NaN.
const SPECIAL: [f64; 16] = [
    0.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    464.0,
    465.0,
    61_440.0,
    65_520.0,
    2_147_483_904.0,
    1.0 + 0.00390625,
    1.0 + 0.00390625 + 1e-12,
    1.0 + 0.00048828125 + 1e-12,
    0.5,
    2.5,
    -1.5,
];

pub(crate) fn cases() -> Result<[Case; 2], Error> {
    Ok([case("elementwise", false)?, case("functions", true)?])
}

fn case(name: &'static str, own: bool) -> Result<Case, Error> {
    let mut numbers = Numbers::new();
    let mut inputs = Vec::new();
    for dtype in DType::ALL {
        for shift in [0, 5] {
            let is_integer = !dtype.kind().is_inexact();
            inputs.push(numbers.tensor(*dtype, &SHAPE, |number, position| {
                match SPECIAL.get((position + shift) / 3) {
                    // Integers of any size, except for the last elements.
                    Some(_) if is_integer => {
                        number * 300.0_f64.powi(1 + i32::try_from(position % 4).unwrap_or(0))
                    }
                    Some(special)
                        if position % 3 == 0 && *dtype != DType::C64 && *dtype != DType::C128 =>
                    {
                        *special
                    }
                    _ => number * 8.0,
                }
            })?);
        }
    }
    let arguments = inputs.iter().map(|input| dyn_input(input.dtype(), &SHAPE));
    let unnamed = |results: Vec<(String, DynTensor)>| -> Vec<DynTensor> {
        results.into_iter().map(|(_, result)| result).collect()
    };
    let program = stablehlo::trace(arguments.collect::<Vec<_>>(), |tensors| {
        elementwise(&tensors, own).map(unnamed)
    })?;
    let expected = elementwise(&inputs, own)?;
    let split = |dimension| Split {
        inputs: vec![Some(dimension); inputs.len()],
        outputs: vec![Some(dimension); expected.len()],
    };
    Ok(Case {
        name,
        program: program.into_dyn(),
        data: split(0),
        features: split(1),
        inputs,
        expected,
    })
}
