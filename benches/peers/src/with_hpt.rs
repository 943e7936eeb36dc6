//! hpt. Its own table promotes f16 and bf16 to one of the two, so the workloads convert operands explicitly.

use hpt::Tensor;
use hpt::error::TensorError;
use hpt::ops::{FloatUnaryOps, Matmul, NormalReduce, ShapeManipulate, TensorCmp, TensorWhere};

use half::{bf16, f16};

use crate::timing::Way;
use crate::{Bench, LARGE, SIDE, SIDES, SIZES, bytes, f16s, floats, ints};

fn way<'a, T>(mut run: impl FnMut() -> Result<T, TensorError> + Send + 'a) -> Vec<Way<'a>> {
    vec![Way::new("hpt", move || run().expect("a result"))]
}

pub(crate) fn run(bench: &mut Bench) {
    bench
        .results
        .about
        .push("hpt 0.1 (it does not build for AVX-512)".into());
    hpt::utils::set_num_threads(usize::try_from(bench.threads).expect("a few"));
    for size in SIZES {
        elementwise(bench, size);
    }
    squares(bench);
    for side in SIDES {
        products(bench, side);
    }
}

fn elementwise(bench: &mut Bench, size: usize) {
    let [a, b] = [1, 2].map(|seed| Tensor::<f32>::from(floats(size, seed)));
    let [h, i, j] = [3, 4, 5].map(|seed| Tensor::<f16>::from(f16s(size, seed)));
    let g = Tensor::<f32>::from(floats(size, 6))
        .astype::<bf16>()
        .expect("a cast");
    bench.time("W1", "f32 + f32", size, way(|| Ok(&a + &b)));
    bench.time(
        "W2",
        "f16 + bf16",
        size,
        way(|| Ok(h.astype::<f32>()? + g.astype::<f32>()?)),
    );
    bench.time(
        "W3",
        "f16 * bf16 + f32",
        size,
        way(|| Ok(h.astype::<f32>()? * g.astype::<f32>()? + &a)),
    );
    bench.time("W8", "gelu f32", size, way(|| a.gelu()));
    bench.time("W8", "gelu bf16", size, way(|| g.gelu()));
    bench.time(
        "W9",
        "sum f16",
        size,
        way(|| h.astype::<f32>()?.sum(0, false)?.astype::<f16>()),
    );
    bench.time("W12", "f32 to bf16", size, way(|| a.astype::<bf16>()));
    bench.time("W12", "f32 to f16", size, way(|| a.astype::<f16>()));
    bench.time("W12", "f16 to f32", size, way(|| h.astype::<f32>()));
    let zero = Tensor::<f32>::from(vec![0.0; size]);
    bench.time(
        "W13",
        "where a > b",
        size,
        way(|| Tensor::tensor_where(&a.tensor_gt(&b)?, &a, &zero)),
    );
    bench.time(
        "W14",
        "six operations f16",
        size,
        way(|| Ok(((&h * &i + &j) * &h - &i) * &j + &h)),
    );

    let (u, n) = (
        Tensor::<u8>::from(bytes(size, 7)),
        Tensor::<i32>::from(ints(size, 8)),
    );
    let s = Tensor::<i8>::from(
        bytes(size, 9)
            .into_iter()
            .map(u8::cast_signed)
            .collect::<Vec<_>>(),
    );
    bench.time(
        "W4",
        "i8 + u8",
        size,
        way(|| Ok(s.astype::<i16>()? + u.astype::<i16>()?)),
    );
    bench.time(
        "W5",
        "normalise u8 to f32",
        size,
        way(|| Ok((u.astype::<f32>()? - 127.5_f32) / 58.0_f32)),
    );
    bench.time(
        "W5",
        "normalise u8 to bf16",
        size,
        way(|| Ok((u.astype::<bf16>()? - bf16::from_f32(127.5)) / bf16::from_f32(58.0))),
    );
    bench.time("W6", "i32 + f32", size, way(|| Ok(n.astype::<f32>()? + &a)));
    bench.time("W12", "i32 to u8", size, way(|| n.astype::<u8>()));
}

fn squares(bench: &mut Bench) {
    let side = i64::try_from(SIDE).expect("a side");
    let square = |seed| {
        Tensor::<f32>::from(floats(SIDE * SIDE, seed))
            .reshape([side, side])
            .expect("a square")
    };
    let [a, b] = [1, 2].map(square);
    let g = square(3).astype::<bf16>().expect("a cast");
    let row = Tensor::<f32>::from(floats(SIDE, 4));
    let column = Tensor::<f32>::from(floats(SIDE, 5))
        .reshape([side, 1])
        .expect("a column");
    bench.time(
        "W7",
        "bf16 * row + column",
        LARGE,
        way(|| Ok(g.astype::<f32>()? * &row + &column)),
    );
    bench.time("W9", "sum f32 axis 0", LARGE, way(|| a.sum(0, false)));
    bench.time("W9", "sum f32 axis 1", LARGE, way(|| a.sum(1, false)));
    bench.time("W11", "transposed + f32", LARGE, way(|| Ok(a.t()? + &b)));
}

fn products(bench: &mut Bench, side: usize) {
    let width = i64::try_from(side).expect("a side");
    let square = |seed| {
        Tensor::<f32>::from(floats(side * side, seed))
            .reshape([width, width])
            .expect("a square")
    };
    let [a, b] = [1, 2].map(square);
    let [h, i] = [&a, &b].map(|square| square.astype::<f16>().expect("a cast"));
    let g = a.astype::<bf16>().expect("a cast");
    bench.time("W10", "matmul f32", side, way(|| a.matmul(&b)));
    bench.time("W10", "matmul f16", side, way(|| h.matmul(&i)));
    bench.time(
        "W10",
        "matmul bf16 by f32",
        side,
        way(|| g.astype::<f32>()?.matmul(&b)),
    );
}
