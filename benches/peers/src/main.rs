//! The workloads of `benches/speed` in other libraries, as their users write them, each with a new output.
//!
//! Prints the measurements as JSON. The arguments are `--quick` and the name of the build (`plain`, `native`, ..),
//! which the results repeat. `RAYON_NUM_THREADS` sets the number of threads.

#[path = "../../speed/results.rs"]
#[allow(dead_code, reason = "this program only writes")]
mod results;
#[path = "../../speed/timing.rs"]
mod timing;

#[cfg(feature = "candle")]
mod with_candle;
#[cfg(feature = "hpt")]
mod with_hpt;
#[cfg(feature = "ndarray")]
mod with_ndarray;

#[cfg(any(feature = "candle", feature = "ndarray"))]
use half::bf16;
use half::f16;
use results::{Results, Row};
use timing::{Effort, Way, measure};

const SIZES: [usize; 4] = [8, 8_192, 65_536, LARGE];
const LARGE: usize = 1 << 24;
const SIDE: usize = 4_096;
const SIDES: [usize; 2] = [512, 1_024];
/// Of what is gathered, in elements; the lengths of rows, with the names of the cases.
#[cfg(any(feature = "candle", feature = "ndarray"))]
const GATHERED: usize = 1 << 20;
#[cfg(any(feature = "candle", feature = "ndarray"))]
const ROWS: [(usize, &str); 3] = [
    (3, "take rows of 3 f32"),
    (64, "take rows of 64 f32"),
    (512, "take rows of 512 f32"),
];

/// Rows of matrices, in elements; heads, positions and the size of a head.
#[cfg(any(feature = "candle", feature = "ndarray"))]
const WIDTH: usize = 512;
#[cfg(any(feature = "candle", feature = "ndarray"))]
const ATTENTION: [usize; 3] = [8, 512, 64];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let threads = std::env::var("RAYON_NUM_THREADS")
        .ok()
        .and_then(|threads| threads.parse().ok());
    let is_quick = arguments.iter().any(|word| word == "--quick");
    let built_for = arguments.iter().find(|word| !word.starts_with("--"));
    let mut bench = Bench {
        effort: if is_quick {
            Effort::QUICK
        } else {
            Effort::FULL
        },
        built_for: built_for.map_or("plain", |word| word).into(),
        threads: threads.unwrap_or(1),
        results: Results::default(),
    };
    #[cfg(feature = "ndarray")]
    with_ndarray::run(&mut bench);
    #[cfg(feature = "candle")]
    with_candle::run(&mut bench);
    #[cfg(feature = "hpt")]
    with_hpt::run(&mut bench);
    print!("{}", bench.results.to_json());
}

struct Bench {
    effort: Effort,
    built_for: String,
    threads: u64,
    results: Results,
}

impl Bench {
    fn time(&mut self, workload: &str, case: &str, size: usize, mut ways: Vec<Way>) {
        eprintln!(
            "{} {} {workload} {case} {size}",
            ways[0].name, self.built_for
        );
        // Of each library the pool that it takes by itself.
        let times = measure(self.effort, &mut ways, &[None]);
        for (way, times) in ways.iter().zip(times.iter().flatten()) {
            self.results.rows.push(Row {
                workload: workload.into(),
                case: case.into(),
                size: u64::try_from(size).expect("a size"),
                who: way.name.into(),
                way: "fresh".into(),
                isa: self.built_for.clone(),
                threads: self.threads,
                least: times.least,
                median: times.median,
            });
        }
    }
}

/// Pseudo-random bits, the same in every run.
fn bits(count: usize, seed: u64) -> impl Iterator<Item = u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..count).map(move |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(state >> 32).expect("32 bits")
    })
}

/// A row for each number, as in benches/speed.
#[cfg(any(feature = "candle", feature = "ndarray"))]
fn place(number: usize, rows: usize) -> usize {
    number.wrapping_mul(2_654_435_761) % (1 << 32) % rows
}

/// Between -4 and 4.
fn floats(count: usize, seed: u64) -> Vec<f32> {
    bits(count, seed)
        .map(|bits| bits.cast_signed() as f32 * (4.0 / 2_147_483_648.0))
        .collect()
}

fn f16s(count: usize, seed: u64) -> Vec<f16> {
    floats(count, seed).into_iter().map(f16::from_f32).collect()
}

#[cfg(any(feature = "candle", feature = "ndarray"))]
fn bf16s(count: usize, seed: u64) -> Vec<bf16> {
    floats(count, seed)
        .into_iter()
        .map(bf16::from_f32)
        .collect()
}

fn bytes(count: usize, seed: u64) -> Vec<u8> {
    bits(count, seed)
        .map(|bits| bits.to_be_bytes()[0])
        .collect()
}

fn ints(count: usize, seed: u64) -> Vec<i32> {
    bits(count, seed).map(u32::cast_signed).collect()
}
