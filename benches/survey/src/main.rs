//! Times the cases of `cases.txt` on one thread. `run` compares the times with those of NumPy and PyTorch.
//!
//! Arguments are the operations and groups to time; all without any. A line of the result is `group,case,dtype,library,
//! microseconds,elements,mean`: the least of many runs, and of the result the number of elements and the mean magnitude of those
//! that are finite, by which `run` sees whether all libraries computed the same.

mod cases;
mod operands;
mod operations;

use std::hint::black_box;
use std::time::{Duration, Instant};

use supremum::{DType, DynTensor, Error, F64};

use cases::Case;
use operations::{Run, operation};

/// How long each case is timed.
const BUDGET: Duration = Duration::from_millis(20);
/// Runs that are shorter than this are repeated and timed together.
const SHORTEST: Duration = Duration::from_micros(30);

fn main() -> Result<(), Error> {
    let only: Vec<String> = std::env::args().skip(1).collect();
    for case in cases::all() {
        if !only.is_empty()
            && !only
                .iter()
                .any(|name| name == case.operation || name == case.group)
        {
            continue;
        }
        let Some(run) = operation(case.operation) else {
            panic!("src/operations.rs has no `{}`", case.operation);
        };
        for &dtype in &case.dtypes {
            if let Err(error) = measure(&case, dtype, run) {
                eprintln!("{} of {dtype:?}: {error}", case.name());
            }
        }
    }
    Ok(())
}

/// Times a case and prints its line.
fn measure(case: &Case, dtype: DType, run: Run) -> Result<(), Error> {
    let operands = (0..)
        .zip(&case.operands)
        .map(|(seed, operand)| operands::make(operand, dtype, seed));
    let operands = operands.collect::<Result<Vec<_>, _>>()?;
    let result = run(&operands)?;
    let (elements, mean) = (result.len(), mean_magnitude(&result)?);
    drop(result);
    let microseconds = least(&operands, run).as_secs_f64() * 1e6;
    let (group, name) = (case.group, case.name());
    println!("{group},{name},{dtype:?},supremum,{microseconds:.3},{elements},{mean:.6e}");
    Ok(())
}

/// The least time of a run.
fn least(operands: &[DynTensor], run: Run) -> Duration {
    let sample = |repeats: u32| {
        let start = Instant::now();
        for _ in 0..repeats {
            let _ = black_box(run(black_box(operands)));
        }
        start.elapsed()
    };
    let mut repeats = 1;
    while sample(repeats) < SHORTEST {
        repeats *= 2;
    }
    let start = Instant::now();
    let mut least = sample(repeats);
    while start.elapsed() < BUDGET {
        least = least.min(sample(repeats));
    }
    least / repeats
}

fn mean_magnitude(result: &DynTensor) -> Result<f64, Error> {
    let real = if result.dtype() == DType::C64 {
        result.abs()?
    } else {
        result.clone()
    };
    let numbers = real.cast(DType::F64).try_contiguous()?;
    let finite: Vec<f64> = numbers
        .to_vec::<F64>()?
        .into_iter()
        .map(f64::abs)
        .filter(|x| x.is_finite())
        .collect();
    Ok(finite.iter().sum::<f64>()
        / f64::from(u32::try_from(finite.len().max(1)).unwrap_or(u32::MAX)))
}
