//! Powers whose exponent is one number, for which they are products or quotients.

use std::borrow::Cow;

use super::op::BinaryOp;
use crate::array::{Array, OpResult};
use crate::dtype::DType;
use crate::dtype::compute::{ComputeType, ShortPower, is_narrow_base};
use crate::kernel::cast::{cast, chain_from_compute, chain_to_compute};
use crate::kernel::elementwise::ElementwisePlan;
use crate::simd::{Isa, Kernel, UnaryFunction, map_function};

/// About how long a short power takes, in additions.
pub(in crate::kernel) const COST: usize = 4;

/// Returns the short power that an operation on floats is, if its right operand is a number of rank zero, as literals are. The dtypes are
/// those of the left operand, of the computation and of the result.
pub(in crate::kernel) fn short_power(
    op: BinaryOp,
    [base, compute, out]: [DType; 3],
    exponent: &Array,
) -> Option<ShortPower> {
    if !op.is_real_power(compute) || exponent.rank() > 0 {
        return None;
    }
    let exponent = cast(Cow::Borrowed(exponent), DType::F64).ok()?;
    let exponent: f64 = exponent.get(&[])?;
    // `pow` of `f64` computes this power as a quotient too.
    let is_quotient = exponent == -1.0 && [base, compute, out] == [DType::F64; 3];
    match is_quotient {
        true => Some(ShortPower::Reciprocal),
        false => ShortPower::of(exponent, is_narrow_base(base, compute, out)),
    }
}

/// Computes a short power, other than the square, of each element of a narrow dtype, or the reciprocal of `f64`.
pub(super) fn powers(power: ShortPower, x: Cow<'_, Array>) -> OpResult {
    let dtype = x.dtype();
    let apply = ElementwisePlan {
        kernel: kernel(power, dtype),
        chain: chain_from_compute(dtype),
        dtype,
        cost: COST,
    };
    apply.run_alone(x, chain_to_compute(dtype, dtype))
}

/// The dtype in which the loop of a short power takes elements of a dtype and gives results.
pub(in crate::kernel) fn loop_dtype(dtype: DType) -> DType {
    match dtype {
        DType::F64 => DType::F64,
        _ => DType::F32,
    }
}

/// The loop of [`ShortPower::Reciprocal`] of `f64`.
struct Reciprocal;

impl UnaryFunction for Reciprocal {
    type Argument = f64;
    type Result = f64;
    #[inline(always)]
    fn apply<I: Isa>(x: f64) -> f64 {
        ShortPower::Reciprocal.apply(x)
    }
}

/// Returns the loop of a short power of elements of a narrow dtype, or of the reciprocal of `f64`. It takes and gives the
/// [`loop_dtype`]: results of `f32` are rounded to odd if they are to be rounded to a small float.
pub(in crate::kernel) fn kernel(power: ShortPower, dtype: DType) -> Kernel {
    macro_rules! loops {
        ($($Power:ident)*) => {
            match power {
                $(ShortPower::$Power => {
                    loops!(@function Single to_f32 $Power);
                    loops!(@function Small to_f32_odd $Power);
                    match dtype {
                        DType::F32 => map_function::<Single>(),
                        _ => map_function::<Small>(),
                    }
                })*
            }
        };
        (@function $Function:ident $round:ident $Power:ident) => {
            struct $Function;
            impl UnaryFunction for $Function {
                type Argument = f32;
                type Result = f32;
                #[inline(always)]
                fn apply<I: Isa>(x: f32) -> f32 {
                    ComputeType::$round(ShortPower::$Power.apply(f64::from(x)))
                }
            }
        };
    }
    if dtype == DType::F64 {
        debug_assert!(power == ShortPower::Reciprocal);
        return map_function::<Reciprocal>();
    }
    loops!(Square Cube Fourth Reciprocal ReciprocalSquare)
}
