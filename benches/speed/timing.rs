//! Times of several ways to do the same, in turns.

use std::time::{Duration, Instant};

/// One way to do it.
pub(crate) struct Way<'a> {
    pub(crate) name: &'static str,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Way<'a> {
    pub(crate) fn new<T>(name: &'static str, mut run: impl FnMut() -> T + 'a) -> Self {
        let run = Box::new(move || drop(std::hint::black_box(run())));
        Self { name, run }
    }
}

/// What all runs of a way took, in nanoseconds.
pub(crate) struct Times {
    pub(crate) least: f64,
    pub(crate) median: f64,
}

/// How long to measure.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    rounds: usize,
    budget: Duration,
}

impl Effort {
    pub(crate) const QUICK: Self = Self {
        rounds: 3,
        budget: Duration::from_millis(40),
    };
    pub(crate) const FULL: Self = Self {
        rounds: 9,
        budget: Duration::from_millis(500),
    };
}

/// The shortest time that the clock measures well.
const SAMPLE: Duration = Duration::from_micros(30);

/// Times each way, round after round, so that a slow moment of the machine falls on all.
pub(crate) fn measure(effort: Effort, ways: &mut [Way]) -> Vec<Times> {
    let repeats: Vec<u32> = ways.iter_mut().map(|way| repeats(&mut way.run)).collect();
    let mut samples = vec![Vec::new(); ways.len()];
    let start = Instant::now();
    while samples[0].len() < effort.rounds || start.elapsed() < effort.budget {
        for ((way, &repeats), samples) in ways.iter_mut().zip(&repeats).zip(&mut samples) {
            samples.push(time(&mut way.run, repeats).as_secs_f64() * 1e9 / f64::from(repeats));
        }
    }
    let summary = |mut samples: Vec<f64>| {
        samples.sort_by(f64::total_cmp);
        Times {
            least: samples[0],
            median: samples[samples.len() / 2],
        }
    };
    samples.into_iter().map(summary).collect()
}

/// How often to run for one sample; warms the caches too.
fn repeats(run: &mut dyn FnMut()) -> u32 {
    let mut repeats = 1;
    while time(run, repeats) < SAMPLE {
        repeats *= 2;
    }
    repeats
}

fn time(run: &mut dyn FnMut(), repeats: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..repeats {
        run();
    }
    start.elapsed()
}
