//! `clamp` between two scalars, in one pass.

use std::borrow::Cow;

use super::cast::{chain_from_compute, chain_to_compute};
use super::elementwise::ElementwisePlan;
use crate::array::{Array, ScalarBits};
use crate::dtype::compute::ComputeType;
use crate::dtype::{DType, Kind, compute_dtype};
use crate::simd::{Baseline, Kernel, for_types, map3};

/// With fewer elements two operations take no longer.
const MIN_LEN: usize = if cfg!(test) { 1 << 10 } else { 1 << 14 };

/// The greater of each element and the first limit, and then the smaller of that and the second; both have the array's dtype. `None` if the
/// array is not contiguous, or has few elements; without limits; for dtypes without a loop; or without memory.
pub(crate) fn clamp(x: &Array, limits: impl FnOnce() -> Option<[ScalarBits; 2]>) -> Option<Array> {
    let dtype = x.dtype();
    if x.len() < MIN_LEN || !x.is_contiguous() {
        return None;
    }
    let [low, high] = limits()?;
    let plan = ElementwisePlan {
        kernel: kernel(dtype)?,
        chain: chain_from_compute(dtype),
        dtype,
        cost: 2,
    };
    let [low, high] = [low.to_array().ok()?, high.to_array().ok()?];
    let mut arrays = [Cow::Borrowed(x), Cow::Owned(low), Cow::Owned(high)];
    let chains = [chain_to_compute(dtype, dtype); 3];
    plan.run_in(x.dims(), &mut arrays, &chains).array().ok()
}

/// Returns the loop for elements of the compute type of a dtype.
fn kernel(dtype: DType) -> Option<Kernel> {
    if matches!(dtype.kind(), Kind::Bool | Kind::Complex) {
        return None;
    }
    Some(for_types!(compute_dtype(dtype), T in [
        DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
        DType::I8 => i8, DType::I16 => i16, DType::I32 => i32, DType::I64 => i64, DType::F64 => f64,
    ] => loop_of::<T>(), _ => loop_of::<f32>()))
}

fn loop_of<T: ComputeType>() -> Kernel {
    map3(|x: T, low: T, high: T| T::minimum::<Baseline>(T::maximum::<Baseline>(x, low), high))
}
