//! Instructions of single operations on 8 elements: what an operation costs beside its loop.
//!
//! Counts do not depend on how busy a machine is, so that they can have limits: a benchmark fails when it takes a tenth more
//! than what is pinned here. valgrind runs AVX2 at best, and so does the library then.

use std::hint::black_box;

use gungraun::{
    Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};
use supremum::{DynTensor, F16, F32, Rank1, Tensor, fuse, tensor};

type Vector<D> = Tensor<D, Rank1>;

/// Fails above these instructions and a tenth.
fn pinned(instructions: u64) -> LibraryBenchmarkConfig {
    let limit = instructions + instructions / 10;
    let mut config = LibraryBenchmarkConfig::default();
    config.tool(Callgrind::default().hard_limits([(EventKind::Ir, limit)]));
    config
}

fn singles() -> Vector<F32> {
    tensor![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
}

fn halves() -> Vector<F16> {
    tensor![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
}

/// What `run` has seen before: the first operation finds out about the processor.
fn warm<T>(inputs: T, run: impl Fn(&T)) -> T {
    run(&inputs);
    inputs
}

fn add(x: &Vector<F32>) {
    black_box(x + x);
}

fn add_mixed((a, b): &(Vector<F16>, Vector<F32>)) {
    black_box(a + b);
}

fn add_literal(x: &Vector<F32>) {
    black_box(x + 1.5);
}

fn add_dynamic(x: &DynTensor) {
    black_box(x + x);
}

fn fuse_three((a, b): &(Vector<F16>, Vector<F32>)) {
    black_box(fuse!(a * b + 1.5));
}

fn dynamic() -> DynTensor {
    singles().into_dyn()
}

fn pair() -> (Vector<F16>, Vector<F32>) {
    (halves(), singles())
}

#[library_benchmark(config = pinned(1))]
#[bench::f32(warm(singles(), add))]
fn eager(x: Vector<F32>) -> Vector<F32> {
    add(&x);
    x
}

#[library_benchmark(config = pinned(1))]
#[bench::f16_f32(warm(pair(), add_mixed))]
fn mixed(x: (Vector<F16>, Vector<F32>)) -> (Vector<F16>, Vector<F32>) {
    add_mixed(&x);
    x
}

#[library_benchmark(config = pinned(1))]
#[bench::f32(warm(singles(), add_literal))]
fn literal(x: Vector<F32>) -> Vector<F32> {
    add_literal(&x);
    x
}

#[library_benchmark(config = pinned(1))]
#[bench::f32(warm(dynamic(), add_dynamic))]
fn run_time(x: DynTensor) -> DynTensor {
    add_dynamic(&x);
    x
}

#[library_benchmark(config = pinned(1))]
#[bench::f16_f32(warm(pair(), fuse_three))]
fn fused(x: (Vector<F16>, Vector<F32>)) -> (Vector<F16>, Vector<F32>) {
    fuse_three(&x);
    x
}

library_benchmark_group!(
    name = overhead,
    benchmarks = [eager, mixed, literal, run_time, fused]
);
main!(library_benchmark_groups = overhead);
