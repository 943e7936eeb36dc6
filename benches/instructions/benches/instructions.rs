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
use supremum::{BF16, F16, F32, Rank1, Rank2, StaticDType, Tensor, U8, fuse};

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

/// Elements of the expressions below: the loop takes nearly all instructions. A loop that LLVM does not vectorise takes several times
/// as many.
const LEN: usize = 8_192;
const ROWS: [usize; 2] = [16, LEN / 16];

fn normalise() -> Operation {
    let x = vector::<U8>(LEN);
    warm(move || fuse!((x.widen::<F32>() - 127.5) / 58.0))
}

fn gelu() -> Operation {
    let x = vector::<F32>(LEN);
    warm(move || fuse!(0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh())))
}

fn gelu_rounded() -> Operation {
    let x = vector::<BF16>(LEN);
    warm(move || fuse!(0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh())))
}

fn softmax() -> Operation {
    let x = Tensor::<F32, Rank2>::ones(ROWS);
    warm(move || {
        fuse!((x - x.max_keepdims(-1)).exp() / (x - x.max_keepdims(-1)).exp().sum_keepdims(-1))
    })
}

fn row_and_column() -> Operation {
    let x = Tensor::<BF16, Rank2>::ones(ROWS);
    let row = Tensor::<F32, Rank2>::ones([1, ROWS[1]]);
    let column = Tensor::<F32, Rank2>::ones([ROWS[0], 1]);
    warm(move || fuse!(x * row + column))
}

fn mean_of_squares(axis: isize) -> Operation {
    let x = Tensor::<F32, Rank2>::ones(ROWS);
    warm(move || fuse!((x * x).mean_axis(axis)))
}

fn variance() -> Operation {
    let x = Tensor::<F32, Rank2>::ones(ROWS);
    warm(move || fuse!(x.var_axis(1)))
}

fn sum_of_halves() -> Operation {
    let x = vector::<F16>(LEN);
    warm(move || fuse!(x.cast::<F32>().sum()))
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
#[bench::normalise(args = (normalise()), config = pinned(7_294))]
#[bench::gelu(args = (gelu()), config = pinned(63_520))]
#[bench::gelu_rounded(args = (gelu_rounded()), config = pinned(127_580))]
#[bench::softmax(args = (softmax()), config = pinned(72_090))]
#[bench::row_and_column(args = (row_and_column()), config = pinned(9_727))]
#[bench::mean_of_squares_of_columns(args = (mean_of_squares(0)), config = pinned(22_210))]
#[bench::mean_of_squares_of_rows(args = (mean_of_squares(1)), config = pinned(13_312))]
#[bench::variance(args = (variance()), config = pinned(21_869))]
#[bench::sum_of_halves(args = (sum_of_halves()), config = pinned(10_388))]
fn operation(run: Operation) -> Operation {
    run();
    run
}

library_benchmark_group!(name = operations, benchmarks = [operation]);
main!(library_benchmark_groups = operations);
