//! Operations on integers and booleans whose results are floats.

use supremum::Kind;
use supremum::prelude::*;

use super::{Table, Units, binary, exact, numbers_of, rows};

type Call<'a> = &'a dyn Fn(&DynTensor) -> Result<DynTensor, Error>;

/// Reductions that read integers without rounding them to the dtype of the result.
const UNROUNDED: &[&str] = &[
    "mean",
    "avg_pool1d",
    "avg_pool2d",
    "quantile",
    "norm",
    "var",
    "std",
    "var_corrected",
    "std_corrected",
];

/// Operations whose results are integers, or have the dtype that the call names.
const GIVE_INTEGERS: &str = "
    add sub mul pow rem floor_div sum cumsum scatter_add bincount_weighted histogram_weighted prod cumprod
    matmul matmul_in einsum tensordot dot conv1d conv2d conv_transpose1d conv_transpose2d
";

/// Twenty rows of all values, of which those of wide dtypes need not be `f32`.
fn operand(dtype: DType) -> Result<DynTensor, Error> {
    let mut bytes = vec![0; 20 * 64 * dtype.size()];
    fastrand::Rng::with_seed(24).fill(&mut bytes);
    if dtype == DType::Bool {
        for byte in &mut bytes {
            *byte &= 1;
        }
    }
    DynTensor::from_bytes(dtype, [20, 64], &bytes)
}

/// Checks that a float result is that of the operands as floats or, if they are not rounded, within the bound of `f32`.
fn check(name: &str, x: &DynTensor, bounds: &Table, call: Call) -> Result<(), Error> {
    let found = call(x)?;
    let dtype = found.dtype();
    assert_eq!(dtype.kind(), Kind::Float, "{name} of {}", x.dtype());
    if dtype == DType::F64 || !UNROUNDED.contains(&name) {
        let of_floats = call(&x.cast(dtype))?;
        let is_same = found.to_bytes() == of_floats.to_bytes();
        assert!(is_same, "{name} of {}", x.dtype());
        return Ok(());
    }
    let exact = numbers_of(&call(&x.cast(DType::F64))?)?;
    for (found, exact) in numbers_of(&found)?.into_iter().zip(exact) {
        let error = Units::of(dtype).error(found, exact, 0.0);
        let bound = bounds.bounds[name][3];
        assert!(
            error <= bound,
            "{name} of {}: {found}, not {exact}",
            x.dtype()
        );
    }
    Ok(())
}

#[test]
fn operations_on_integers_are_as_accurate_as_on_floats() -> Result<(), Error> {
    use DType::{Bool, I8, I16, I32, I64, U8, U16, U32, U64};
    let bounds = Table::of("Operations along rows");
    let give_floats = |name: &&str| !GIVE_INTEGERS.split_whitespace().any(|other| other == *name);
    for dtype in [Bool, I8, I16, I32, I64, U8, U16, U32, U64] {
        let x = operand(dtype)?;
        let along_rows = rows::ALONG_ROWS.iter();
        let along_rows = along_rows.map(|operation| (operation.name, operation.call));
        let functions = super::functions().map(|function| (function.name, function.call));
        for (name, call) in along_rows.chain(functions) {
            if give_floats(&name) {
                check(name, &x, &bounds, &call)?;
            }
        }
        let binary = binary::BINARY.iter().map(|(name, call, _)| (*name, *call));
        let once = exact::ROUND_ONCE.iter();
        for (name, call) in binary.chain(once.map(|(name, call, _)| (*name, *call))) {
            if give_floats(&name) {
                check(name, &x, &bounds, &|x| call(x, &x.try_flip(0)?))?;
            }
        }
    }
    Ok(())
}
