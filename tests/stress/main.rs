//! Random operations on random tensors: shapes, layouts, dtypes, typed, dynamic and fused, several threads at once; all
//! judged by a naive reference that shares no code with the library.
//!
//! - `SUPREMUM_STRESS_SECONDS`: how long; three seconds from seed 0 if it is not set, else from a random seed.
//! - `SUPREMUM_STRESS_SEED`: the first seed. Without a number of seconds only its episode runs: a failure prints the
//!   seed of its episode, and that replays it.
//!   If the process ends before it can print, `target/tmp/stress-0` and `stress-1` hold the seeds that were running.
//! - `SUPREMUM_ISA`: the instruction set, as for all of the library.
mod element;
mod episode;
#[path = "../exact/mod.rs"]
mod exact;
mod forms;
#[path = "../naive/mod.rs"]
mod naive;
mod operations;
mod reference;
mod shapes;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use episode::Episode;

/// Steps of an episode: few, so that a failure is replayed soon.
const STEPS: u64 = 60;

fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    match text.parse() {
        Ok(value) => Some(value),
        Err(_) => panic!("{name} is not a number: {text}"),
    }
}

/// Runs the episode of a seed. Returns the number of steps, or what failed.
fn run(seed: u64) -> Result<u64, String> {
    // Elements of the largest tensors. Those that are split among threads and stored past the caches are rare, as they
    // take long, and without optimisation too long.
    let optimised = !cfg!(debug_assertions);
    let (limit, steps) = match seed % 200 {
        7 if optimised => (16 << 20, 1),
        number if optimised && number % 50 == 13 => (300_000, 4),
        number if optimised && number % 20 == 3 => (40_000, 10),
        _ if optimised => (4000, STEPS),
        _ => (1200, STEPS),
    };
    let rng = fastrand::Rng::with_seed(seed);
    let mut episode = Episode::new(rng, limit);
    for step in 0..steps {
        let large = limit > 1 << 20;
        let result = catch_unwind(AssertUnwindSafe(|| {
            if large {
                episode.large_step();
            } else {
                episode.step();
            }
        }));
        if let Err(panic) = result {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or(panic.downcast_ref::<&str>().map(|text| (*text).into()));
            return Err(format!(
                "seed {seed}, step {step}, rules {}: {}: {}",
                episode.rules.name(),
                episode.what,
                message.unwrap_or_default()
            ));
        }
    }
    Ok(steps)
}

#[test]
fn random_operations_agree_with_the_reference() {
    let seed = variable::<u64>("SUPREMUM_STRESS_SEED");
    let seconds = variable::<f64>("SUPREMUM_STRESS_SECONDS");
    let (first, episodes) = match (seed, seconds) {
        (Some(seed), None) => (seed, 1),
        (Some(seed), Some(_)) => (seed, u64::MAX),
        (None, Some(_)) => (fastrand::u64(..) >> 16, u64::MAX),
        (None, None) => (0, u64::MAX),
    };
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(seconds.unwrap_or(3.0));
    let threads = if episodes == 1 { 1 } else { 2 };
    let (next, steps) = (AtomicU64::new(0), AtomicU64::new(0));
    let (failed, failures) = (AtomicBool::new(false), Mutex::new(vec![]));
    // The test harness holds back output until the test ends. A process that aborts prints nothing, so the running seeds are also
    // kept in files.
    let running = |thread| format!("{}/stress-{thread}", env!("CARGO_TARGET_TMPDIR"));
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, steps, failed, failures) = (&next, &steps, &failed, &failures);
            scope.spawn(move || {
                while !failed.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= episodes || (episodes > 1 && Instant::now() > end) {
                        break;
                    }
                    let seed = first.wrapping_add(number);
                    std::fs::write(running(thread), seed.to_string()).expect("target/tmp");
                    match run(seed) {
                        Ok(count) => drop(steps.fetch_add(count, Ordering::Relaxed)),
                        Err(failure) => {
                            failed.store(true, Ordering::Relaxed);
                            failures.lock().expect("no panic").push(failure);
                        }
                    }
                }
            });
        }
    });
    println!(
        "stress: {} steps in {:.1} s, seeds from {first}",
        steps.load(Ordering::Relaxed),
        start.elapsed().as_secs_f64()
    );
    let failures = failures.into_inner().expect("no panic");
    for failure in &failures {
        let seed = failure.split([' ', ',']).nth(1).unwrap_or_default();
        println!("{failure}\nreplay it with SUPREMUM_STRESS_SEED={seed}");
    }
    assert!(
        failures.is_empty(),
        "{} of the steps failed",
        failures.len()
    );
    assert!(steps.load(Ordering::Relaxed) > 0);
}
