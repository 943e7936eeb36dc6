//! Powers whose exponent is one number, for which they are products, quotients or roots.

use std::borrow::Cow;

use super::op::BinaryOp;
use crate::array::{Array, OpResult};
use crate::dtype::compute::{ComplexOperations, ComputeType, PowerBase, ShortPower};
use crate::dtype::{DType, c64, c128};
use crate::kernel::cast::{cast, chain_from_compute, chain_to_compute};
use crate::kernel::elementwise::ElementwisePlan;
use crate::simd::{Isa, Kernel, UnaryFunction, map_function};

/// About how long a short power takes, in additions.
pub(in crate::kernel) const COST: usize = 4;

/// Returns the short power that an operation on floats or complex numbers is, if its right operand is a number of rank zero, as literals are.
/// The dtypes are those of the left operand, of the computation and of the result.
pub(in crate::kernel) fn short_power(
    op: BinaryOp,
    dtypes: [DType; 3],
    exponent: &Array,
) -> Option<ShortPower> {
    let [_, compute, _] = dtypes;
    let base = PowerBase::of(dtypes);
    let is_power = op.is_real_power(compute) || (op == BinaryOp::Pow && base == PowerBase::Complex);
    if !is_power || exponent.rank() > 0 {
        return None;
    }
    let exponent = cast(Cow::Borrowed(exponent), DType::C128).ok()?;
    let exponent: c128 = exponent.get(&[])?;
    let power = ShortPower::of(exponent.re, base).filter(|_| exponent.im == 0.0)?;
    // The loop of the root computes in the dtype of the base. The others compute in `c128`, so their bits do not depend on `compute`.
    let is_wider = base == PowerBase::Complex && dtypes[0] != compute;
    (power != ShortPower::Root || !is_wider).then_some(power)
}

/// Computes a short power, other than the square of real numbers, of each element.
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
        DType::F64 | DType::C64 | DType::C128 => dtype,
        _ => DType::F32,
    }
}

/// Returns the loop of a short power of elements of a dtype. It takes and gives the [`loop_dtype`]: results of `f32` are rounded to odd if they
/// are to be rounded to a small float.
pub(in crate::kernel) fn kernel(power: ShortPower, dtype: DType) -> Kernel {
    macro_rules! loops {
        ($($Power:ident)*) => {
            match power {
                $(ShortPower::$Power => {
                    loops!(@function Wide f64 |x| ShortPower::$Power.of_wide(x));
                    loops!(@function Single f32 |x| ShortPower::$Power.of_single(x));
                    loops!(@function Small f32 |x| match ShortPower::$Power {
                        // The 24 digits of an `f32` are enough for the root of a number of 11 digits to be rounded twice.
                        ShortPower::Root => ShortPower::Root.of_single(x),
                        power => ComputeType::to_f32_odd(power.of_narrow(f64::from(x))),
                    });
                    loops!(@function SingleComplex c64 |z| z.short_power(ShortPower::$Power));
                    loops!(@function Complex c128 |z| z.short_power(ShortPower::$Power));
                    match dtype {
                        DType::C64 => map_function::<SingleComplex>(),
                        DType::C128 => map_function::<Complex>(),
                        DType::F64 => map_function::<Wide>(),
                        DType::F32 => map_function::<Single>(),
                        _ => map_function::<Small>(),
                    }
                })*
            }
        };
        (@function $Function:ident $T:ident |$x:ident| $power:expr) => {
            struct $Function;
            impl UnaryFunction for $Function {
                type Argument = $T;
                type Result = $T;
                #[inline(always)]
                fn apply<I: Isa>($x: $T) -> $T {
                    $power
                }
            }
        };
    }
    loops!(Square Root Cube Fourth Reciprocal ReciprocalSquare)
}
