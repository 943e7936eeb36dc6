//! Measures the speed of the library, beside loops by hand and beside other libraries.
//!
//! ```sh
//! cargo bench --features gemm --bench speed                 # measures, and writes the report
//! cargo bench --features gemm --bench speed -- --quick      # the same in a tenth of the time
//! cargo bench --features gemm --bench speed -- --only W1,W8 # only measures these workloads and prints the times
//! cargo bench --features gemm --bench speed -- --report     # writes the report from earlier measurements
//! benches/run                               # measures the other libraries and compiling too
//! ```
//!
//! Each instruction set and number of threads is measured in a process of its own. There all ways of doing the same
//! take turns; with two threads each way also takes turns with itself on one thread. Times are the minimum of many
//! runs, because the machine is shared and other programs only add time. `benches/results/` keeps the measurements.
//! `benches/RESULTS.md` and `docs/speed.svg` are written from them.

#[cfg(target_arch = "x86_64")]
mod hand;
#[cfg(target_arch = "x86_64")]
mod measure;
#[cfg(target_arch = "x86_64")]
mod plot;
#[cfg(target_arch = "x86_64")]
mod report;
#[cfg(target_arch = "x86_64")]
mod results;
#[cfg(target_arch = "x86_64")]
mod timing;
#[cfg(target_arch = "x86_64")]
mod workloads;

#[cfg(target_arch = "x86_64")]
fn main() {
    measure::main();
}

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    println!("the loops by hand are for x86-64");
}
