//! Counts the instructions of single operations. With 8 elements that is the cost of an operation around its loop, with
//! 8,192 the cost of the loop.
//!
//! Times differ from run to run, but counts do not, so they can have limits. An operation that takes a tenth more than
//! the count that is pinned here fails. If you make an operation cheaper, pin the new count. The counts are for x86-64
//! with AVX2, the newest instruction set that valgrind supports. They include the allocation of the result and its
//! release.

use std::hint::black_box;

use gungraun::{
    Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};
use supremum::{F16, F32, Rank1, StaticDType, Tensor, fuse};

type Operation = Box<dyn Fn()>;

fn vector<D: StaticDType>(len: usize) -> Tensor<D, Rank1> {
    Tensor::ones([len])
}

/// Runs an operation once before it is counted: the first run detects the processor, and makes the allocator request
/// memory.
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
#[bench::eager(args = (eager(8)), config = pinned(428))]
#[bench::eager_8192(args = (eager(8_192)), config = pinned(5_112))]
#[bench::mixed(args = (mixed()), config = pinned(458))]
#[bench::literal(args = (literal()), config = pinned(688))]
#[bench::cast(args = (cast()), config = pinned(346))]
#[bench::dynamic(args = (dynamic()), config = pinned(774))]
// The loops of expressions mask positions, so that they serve operands that broadcast too: an instruction for each operand of a
// pack, in 1.00 to 1.04 of the time.
#[bench::fused(args = (fused(8)), config = pinned(508))]
#[bench::fused_8192(args = (fused(8_192)), config = pinned(5_591))]
fn operation(run: Operation) -> Operation {
    run();
    run
}

library_benchmark_group!(name = operations, benchmarks = [operation]);
main!(library_benchmark_groups = operations);
