//! Instructions of single operations: of 8 elements, what an operation costs beside its loop; of 8,192, the loop.
//!
//! Times differ from run to run, counts do not, so that they can have limits: an operation that takes a tenth more than is
//! pinned here fails. Who makes one cheaper pins the new count. They are of x86-64 with AVX2, the best that
//! valgrind knows; the result's memory is counted, from its allocation until it is free again.

use std::hint::black_box;

use gungraun::{
    Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};
use supremum::{F16, F32, Rank1, StaticDType, Tensor, fuse};

type Operation = Box<dyn Fn()>;

fn vector<D: StaticDType>(len: usize) -> Tensor<D, Rank1> {
    Tensor::ones([len])
}

/// An operation that was run before: the first one asks what the processor is, and the allocator the system for memory.
fn warm<T>(run: impl Fn() -> T + 'static) -> Operation {
    let run = move || drop(black_box(run()));
    run();
    Box::new(run)
}

fn eager(len: usize) -> Operation {
    let (a, b) = (vector::<F32>(len), vector::<F32>(len));
    warm(move || &a + &b)
}

fn mixed() -> Operation {
    let (a, b) = (vector::<F16>(8), vector::<F32>(8));
    warm(move || &a + &b)
}

fn literal() -> Operation {
    let a = vector::<F32>(8);
    warm(move || &a + 1.5)
}

fn cast() -> Operation {
    let a = vector::<F32>(8);
    warm(move || a.cast::<F16>())
}

fn dynamic() -> Operation {
    let (a, b) = (vector::<F32>(8).into_dyn(), vector::<F32>(8).into_dyn());
    warm(move || &a + &b)
}

fn fused(len: usize) -> Operation {
    let (a, b) = (vector::<F32>(len), vector::<F32>(len));
    warm(move || fuse!(a + b))
}

fn pinned(instructions: u64) -> LibraryBenchmarkConfig {
    let limit = instructions + instructions / 10;
    let mut callgrind = Callgrind::default();
    callgrind.hard_limits([(EventKind::Ir, limit)]);
    let mut config = LibraryBenchmarkConfig::default();
    config.tool(callgrind);
    config
}

#[library_benchmark]
#[bench::eager(args = (eager(8)), config = pinned(437))]
#[bench::eager_8192(args = (eager(8_192)), config = pinned(5_122))]
#[bench::mixed(args = (mixed()), config = pinned(475))]
#[bench::literal(args = (literal()), config = pinned(704))]
#[bench::cast(args = (cast()), config = pinned(349))]
#[bench::dynamic(args = (dynamic()), config = pinned(774))]
#[bench::fused(args = (fused(8)), config = pinned(459))]
#[bench::fused_8192(args = (fused(8_192)), config = pinned(4_641))]
fn operation(run: Operation) -> Operation {
    run();
    run
}

library_benchmark_group!(name = operations, benchmarks = [operation]);
main!(library_benchmark_groups = operations);
