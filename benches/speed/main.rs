//! How fast the library is, beside loops by hand and beside other libraries.
//!
//! ```sh
//! cargo bench --features gemm --bench speed                 # measures, and writes the report
//! cargo bench --features gemm --bench speed -- --quick      # the same in a tenth of the time
//! cargo bench --features gemm --bench speed -- --only W1,W8 # measures these workloads and prints them, no more
//! cargo bench --features gemm --bench speed -- --report     # writes the report from what was measured before
//! benches/run                               # measures the other libraries and compiling too
//! ```
//!
//! Each instruction set and number of threads is measured in a process of its own, in which all ways to do a thing
//! take turns, and with two threads each way with itself on one. Times are the least of many runs: the machine is
//! shared, and what other programs take only adds.
//! `benches/results/` keeps what was measured, `benches/RESULTS.md` and `docs/speed.svg` are written from it.

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
