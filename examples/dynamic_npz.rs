//! Reads arrays of unknown dtypes from a file, promotes them at run time, and passes them to typed code.
//!
//! ```sh
//! cargo run --example dynamic_npz --features npz [-- path/to/arrays.npz]
//! ```

use std::env;

use supremum::operations::{FloatClass, Mean};
supremum::prelude!();

/// The mean over the first axis, as `f64`. This is typed code for any dtype with a mean.
fn means<D>(t: &Tensor<D, AnyRank, Numpy>) -> Vec<f64>
where
    D: StaticDType + Mean<Numpy>,
{
    t.mean_axis(0).cast::<F64>().to_vec()
}

/// The number of NaN elements.
fn missing<D>(t: &Tensor<D, AnyRank, Numpy>) -> usize
where
    D: StaticDType + FloatClass<Numpy, Output = Bool>,
{
    t.is_nan().iter().filter(|is_nan| *is_nan).count()
}

fn main() -> Result<(), Error> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/weather.npz");
    let given = env::args().nth(1);
    // The arrays come from NumPy, so they follow NumPy's rules.
    let arrays = DynTensor::read_npz(given.as_deref().unwrap_or(own), Numpy::rule_set())?;
    for (name, array) in &arrays {
        println!("{name}: {} {:?}", array.dtype(), array.shape());
    }

    // Typed code: each listed dtype meets the bounds of the code, so any of them may arrive.
    for (name, array) in &arrays {
        if array.ndim() == 0 {
            continue;
        }
        let found = dispatch!(array in [F16, F32, F64], |t: Tensor<_, AnyRank, Numpy>| missing(&t));
        match found {
            Ok(count) => println!("{name}: {count} missing"),
            Err(error) => println!("{name}: nothing can be missing ({error})"),
        }
        let means = dispatch!(array in [U8, U16, I32, I64, F16, F32, F64], |t: Tensor<_, AnyRank, Numpy>| means(&t))?;
        println!("{name}: means {means:?}");
    }
    if given.is_some() {
        return Ok(());
    }

    // At run time the error says the same as the compiler would.
    let (rain, scale, temperature) = (&arrays["rain"], &arrays["scale"], &arrays["temperature"]);
    let rain = rain * scale; // u16 and f64 meet in f64
    println!("rain in mm: {rain:.2}");
    assert_eq!(rain.dtype(), DType::F64);
    let jax = Jax::rule_set();
    let refused = arrays["rain"]
        .with_rules(jax)
        .try_mul(temperature.with_rules(jax));
    let error = refused.expect_err("f16 does not hold every u16");
    println!("{error}");
    assert!(matches!(error, Error::UnsafePromotion { .. }));
    let wet_and_warm = rain.try_gt(1.0)? & temperature.try_gt(8)?;
    assert_eq!(wet_and_warm.try_sum()?.item()?.to_string(), "3");
    Ok(())
}
