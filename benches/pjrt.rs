//! Measures calls of functions on devices beside the plugin's own time and beside `fuse!`.
//!
//! ```sh
//! SUPREMUM_PJRT_PLUGIN=.../plugin.so cargo bench --features parallel,pjrt --bench pjrt
//! ```
//!
//! Fails if a call with tiny arguments takes more than 15 us, or more than twice as long as executing the same program on
//! arguments that are on the device; and if 16 M elements, shared in and donated out, take more than 1.3 times `fuse!`. Says
//! SKIPPED without a plugin.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use supremum::pjrt::{Client, ClientOptions, OnDevice, Plugin};
use supremum::prelude::*;
use supremum::stablehlo::{self, input};
use supremum::try_fuse;

type Vector<D> = Tensor<D, Rank1>;

fn layer(x: &Vector<BF16>, w: &Vector<F16>, b: &Vector<F32>) -> Result<Vector<F32>, Error> {
    try_fuse!(x * w + b)
}

fn numbers(size: usize) -> Result<Vector<F32>, Error> {
    let counted = Vector::<F32>::ones([size]).try_cumsum(0)?;
    counted.try_rem(1000.0)?.try_div(500.0)?.try_sub(1.0)
}

/// The least time of several runs: the machine may be shared.
fn least(runs: usize, mut work: impl FnMut() -> Result<(), Error>) -> Result<Duration, Error> {
    let mut least = Duration::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        work()?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// Prints the times for one size; returns the ratios of the bars.
fn measure(client: &Client, size: usize) -> Result<[(&'static str, f64, f64); 3], Error> {
    let (x, w, b) = (
        numbers(size)?.cast::<BF16>(),
        numbers(size)?.cast::<F16>(),
        numbers(size)?,
    );
    let inputs = (
        input::<BF16, _>([size]),
        input::<F16, _>([size]),
        input::<F32, _>([size]),
    );
    let program = stablehlo::trace(inputs, |(x, w, b)| layer(&x, &w, &b))?;
    let f = client.compile(&program)?;
    let donating = client.compile(&program.donate(&[2])?)?;
    assert_eq!(
        f.call((&x, &w, &b))?,
        layer(&x, &w, &b)?,
        "equal bit for bit"
    );

    let runs = (20_000_000 / (size + 1000)).clamp(15, 10_000);
    let fused = least(runs, || layer(&x, &w, &b).map(|y| drop(black_box(y))))?;
    let called = least(runs, || f.call((&x, &w, &b)).map(|y| drop(black_box(y))))?;
    let (there, weights, bias) = (client.put(&x)?, client.put(&w)?, client.put(&b)?);
    let executed = least(runs, || f.run((&there, &weights, &bias))?.wait())?;
    let got = least(runs, || f.run((&there, &weights, &bias))?.get().map(drop))?;
    let mut state: Option<OnDevice<F32, Rank1>> = Some(client.put_owned(numbers(size)?)?);
    let donated = least(runs, || {
        let Some(before) = state.take() else {
            return Ok(());
        };
        let after = donating.run((&x, &w, before))?;
        after.wait()?;
        state = Some(after);
        Ok(())
    })?;
    println!(
        "{size:>9} {:>10.2} {:>10.2} {:>10.2} {:>10.2} {:>10.2}",
        fused.as_secs_f64() * 1e6,
        called.as_secs_f64() * 1e6,
        executed.as_secs_f64() * 1e6,
        got.as_secs_f64() * 1e6,
        donated.as_secs_f64() * 1e6
    );
    Ok([
        (
            "a call, in units of 15 us",
            ratio(called, Duration::from_micros(15)),
            1.0,
        ),
        (
            "a call, in units of execute and wait",
            ratio(called, executed),
            2.0,
        ),
        (
            "shared in and donated out, in units of fuse!",
            ratio(donated, fused),
            1.3,
        ),
    ])
}

fn run(path: &std::ffi::OsStr) -> Result<bool, Error> {
    // SAFETY: the user of this program names a plugin to measure.
    #[allow(unsafe_code, reason = "loads a plugin")]
    let plugin = unsafe { Plugin::load(path)? };
    let client = Client::new(plugin, ClientOptions::new())?;
    println!("{plugin:?}; times are the least, in us");
    println!(" elements      fuse!       call    execute    and get    donated");
    let [tiny, executed, _] = measure(&client, 8)?;
    measure(&client, 8192)?;
    measure(&client, 1 << 20)?;
    let [_, _, donated] = measure(&client, 1 << 24)?;
    let mut is_within = true;
    for (what, ratio, bound) in [tiny, executed, donated] {
        println!("{what}: {ratio:.2}, at most {bound}");
        is_within &= ratio <= bound;
    }
    Ok(is_within)
}

fn main() -> ExitCode {
    let Some(path) = std::env::var_os("SUPREMUM_PJRT_PLUGIN") else {
        println!("SKIPPED: SUPREMUM_PJRT_PLUGIN names no plugin");
        return ExitCode::SUCCESS;
    };
    match run(&path) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
