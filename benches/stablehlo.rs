//! Measures the time to trace a function of many operations and to print the program, and whether that time is linear.
//!
//! ```sh
//! cargo bench --features stablehlo --bench stablehlo
//! ```
//!
//! Fails if 10,000 operations take a second, or if 100,000 take more than five times the time per operation. The limit
//! is that high because only short runs are undisturbed on a shared machine. A quadratic algorithm would take ten times
//! the time.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use supremum::prelude::*;
use supremum::stablehlo::{self, input};

/// The minimum of several runs, because the machine is shared.
const RUNS: usize = 5;

/// A program of at least `operations` operations: eager ones, expressions, promotions, reductions and views.
fn export(operations: usize) -> Result<(usize, usize, Duration), Error> {
    let start = Instant::now();
    let inputs = (input::<F32, _>([64, 64]), input::<BF16, _>([64]));
    let program = stablehlo::trace(inputs, |(mut x, bias)| {
        // 22 in each round.
        for _ in 0..operations.div_ceil(22) {
            let shifted: Tensor<F32, Rank2> =
                fuse!(let y = x * 0.5 + bias; if y > 0.0 { y } else { y.exp() - 1 });
            let mean: Tensor<F32, Rank2> = shifted.mean_keepdims(1);
            let small: Tensor<BF16, Rank2> = (&shifted - &mean).cast();
            x = (small.transpose() * &bias).widen();
        }
        x
    })?;
    let text = program.to_string();
    Ok((program.operations(), text.len(), start.elapsed()))
}

fn main() -> ExitCode {
    println!("operations      bytes       ms   us per operation");
    let mut each = Vec::new();
    for size in [1_000, 10_000, 100_000] {
        let runs = (0..RUNS).map(|_| export(size));
        let runs: Vec<_> = match runs.collect::<Result<_, _>>() {
            Ok(runs) => runs,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        };
        let Some((operations, bytes, time)) = runs.into_iter().min_by_key(|(.., time)| *time)
        else {
            return ExitCode::FAILURE;
        };
        let per_operation = time.div_f64(f64::from(u32::try_from(operations).unwrap_or(u32::MAX)));
        println!(
            "{operations:>10} {bytes:>10} {:>8.1} {:>18.2}",
            time.as_secs_f64() * 1e3,
            per_operation.as_secs_f64() * 1e6
        );
        each.push((time, per_operation));
    }
    let (ten_thousand, per_operation) = each[1];
    let is_linear = each[2].1 < 5 * per_operation;
    if ten_thousand > Duration::from_secs(1) || !is_linear {
        eprintln!("too slow");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
