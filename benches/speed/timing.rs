//! Times several ways of doing the same, in turns.

use std::time::{Duration, Instant};

use rayon_core::ThreadPool;

/// One way to do it.
pub(crate) struct Way<'a> {
    pub(crate) name: &'static str,
    run: Box<dyn FnMut() + Send + 'a>,
}

impl<'a> Way<'a> {
    pub(crate) fn new<T>(name: &'static str, mut run: impl FnMut() -> T + Send + 'a) -> Self {
        let run = Box::new(move || drop(std::hint::black_box(run())));
        Self { name, run }
    }
}

/// The times of all runs of a way, in nanoseconds.
pub(crate) struct Times {
    pub(crate) least: f64,
    pub(crate) median: f64,
}

/// The duration of the measurement.
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

/// The place where ways run: on the calling thread, or within a pool.
pub(crate) type Place = Option<ThreadPool>;

/// Times each way in each place, round after round, so that a slow moment of the machine affects all of them.
pub(crate) fn measure(effort: Effort, ways: &mut [Way], places: &[Place]) -> Vec<Vec<Times>> {
    let repeats: Vec<u32> = ways.iter_mut().map(|way| repeats(&mut way.run)).collect();
    let mut samples = vec![vec![Vec::new(); places.len()]; ways.len()];
    let start = Instant::now();
    while samples[0][0].len() < effort.rounds || start.elapsed() < effort.budget {
        for ((way, &repeats), samples) in ways.iter_mut().zip(&repeats).zip(&mut samples) {
            for (place, samples) in places.iter().zip(samples) {
                let time = time(&mut way.run, repeats, place);
                samples.push(time.as_secs_f64() * 1e9 / f64::from(repeats));
            }
        }
    }
    let summary = |mut samples: Vec<f64>| {
        samples.sort_by(f64::total_cmp);
        Times {
            least: samples[0],
            median: samples[samples.len() / 2],
        }
    };
    let of_way = |samples: Vec<Vec<f64>>| samples.into_iter().map(summary).collect();
    samples.into_iter().map(of_way).collect()
}

/// The number of runs for one sample. Measuring it also warms the caches.
fn repeats(run: &mut (dyn FnMut() + Send)) -> u32 {
    let mut repeats = 1;
    while time(run, repeats, &None) < SAMPLE {
        repeats *= 2;
    }
    repeats
}

/// A sample. To enter a pool takes microseconds, its thread may find the caches of its processor cold, and threads that
/// have just become idle look for work for a while: none of that is part of it.
fn time(run: &mut (dyn FnMut() + Send), repeats: u32, place: &Place) -> Duration {
    let mut sample = || {
        if repeats > 1 {
            (0..repeats).for_each(|_| run());
        }
        let start = Instant::now();
        for _ in 0..repeats {
            run();
        }
        start.elapsed()
    };
    match place {
        Some(pool) => pool.install(sample),
        None => sample(),
    }
}
