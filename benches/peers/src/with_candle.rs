//! candle. It does not convert operands by itself, has no `i8`, and multiplies no matrices of `bf16`.

use candle_core::{DType, Device, Result, Tensor, WithDType};
use candle_nn::ops::{layer_norm, softmax_last_dim};

use crate::timing::Way;
use crate::{
    ATTENTION, Bench, GATHERED, LARGE, ROWS, SIDE, SIDES, SIZES, WIDTH, bf16s, bytes, f16s, floats,
    ints, place,
};

fn tensor<T: WithDType>(elements: Vec<T>, shape: impl Into<candle_core::Shape>) -> Tensor {
    Tensor::from_vec(elements, shape.into(), &Device::Cpu).expect("a tensor")
}

fn way<'a>(mut run: impl FnMut() -> Result<Tensor> + Send + 'a) -> Vec<Way<'a>> {
    vec![Way::new("candle", move || run().expect("a result"))]
}

pub(crate) fn run(bench: &mut Bench) {
    bench
        .results
        .about
        .push("candle-core and candle-nn 0.11".into());
    for size in SIZES {
        elementwise(bench, size);
    }
    for size in &SIZES[1..] {
        networks(bench, *size);
    }
    attention(bench);
    squares(bench);
    for side in SIDES {
        products(bench, side);
    }
    for (len, name) in ROWS {
        let rows = GATHERED / len;
        let table = tensor(floats(rows * len, 26), (rows, len));
        let indices = (0..rows).map(|number| i64::try_from(place(number, rows)).expect("a row"));
        let indices = tensor(indices.collect(), rows);
        bench.time(
            "W26",
            name,
            GATHERED,
            way(|| table.index_select(&indices, 0)),
        );
    }
    let sorted = tensor(floats(1 << 20, 20), ((1 << 20) / 512, 512));
    bench.time(
        "W22",
        "sort f32 rows",
        1 << 20,
        way(|| Ok(sorted.sort_last_dim(true)?.0)),
    );
}

fn elementwise(bench: &mut Bench, size: usize) {
    use DType::{BF16, F8E4M3, F16, F32, U8};

    let [a, b] = [1, 2].map(|seed| tensor(floats(size, seed), size));
    let [h, i, j] = [3, 4, 5].map(|seed| tensor(f16s(size, seed), size));
    let g = tensor(bf16s(size, 6), size);
    bench.time("W1", "f32 + f32", size, way(|| &a + &b));
    bench.time(
        "W2",
        "f16 + bf16",
        size,
        way(|| h.to_dtype(F32)? + g.to_dtype(F32)?),
    );
    bench.time(
        "W3",
        "f16 * bf16 + f32",
        size,
        way(|| (h.to_dtype(F32)? * g.to_dtype(F32)?)? + &a),
    );
    bench.time("W8", "gelu f32", size, way(|| a.gelu()));
    bench.time("W8", "gelu bf16", size, way(|| g.gelu()));
    bench.time(
        "W9",
        "sum f16",
        size,
        way(|| h.to_dtype(F32)?.sum_all()?.to_dtype(F16)),
    );
    bench.time("W12", "f32 to bf16", size, way(|| a.to_dtype(BF16)));
    bench.time("W12", "f32 to f16", size, way(|| a.to_dtype(F16)));
    bench.time("W12", "f16 to f32", size, way(|| h.to_dtype(F32)));
    bench.time("W12", "f32 to f8e4m3fn", size, way(|| a.to_dtype(F8E4M3)));
    bench.time(
        "W13",
        "where a > b",
        size,
        way(|| a.gt(&b)?.where_cond(&a, &a.zeros_like()?)),
    );
    bench.time(
        "W14",
        "six operations f16",
        size,
        way(|| (((((&h * &i)? + &j)? * &h)? - &i)? * &j)? + &h),
    );

    let (u, n) = (tensor(bytes(size, 7), size), tensor(ints(size, 8), size));
    bench.time(
        "W5",
        "normalise u8 to f32",
        size,
        way(|| (u.to_dtype(F32)? - 127.5)? / 58.0),
    );
    bench.time(
        "W5",
        "normalise u8 to bf16",
        size,
        way(|| (u.to_dtype(BF16)? - 127.5)? / 58.0),
    );
    bench.time("W6", "i32 + f32", size, way(|| n.to_dtype(F32)? + &a));
    bench.time("W12", "i32 to u8", size, way(|| n.to_dtype(U8)));
}

fn networks(bench: &mut Bench, size: usize) {
    let x = tensor(floats(size, 23), (size / WIDTH, WIDTH));
    let g = tensor(bf16s(size, 23), (size / WIDTH, WIDTH));
    let [gain, bias] = [5, 6].map(|seed| tensor(floats(WIDTH, seed), WIDTH));
    bench.time("W23", "softmax f32", size, way(|| softmax_last_dim(&x)));
    bench.time("W23", "softmax bf16", size, way(|| softmax_last_dim(&g)));
    bench.time(
        "W25",
        "layer norm f32",
        size,
        way(|| layer_norm(&x, &gain, &bias, 1e-5)),
    );
}

fn attention(bench: &mut Bench) {
    let count = ATTENTION.iter().product();
    let [heads, positions, width] = ATTENTION;
    let [q, k, v] = [1, 2, 3].map(|seed| tensor(bf16s(count, seed), (heads, positions, width)));
    bench.time(
        "W24",
        "attention bf16",
        count,
        way(|| {
            let [q, k, v] = [&q, &k, &v].map(|x| x.to_dtype(DType::F32));
            let scores = (q?.matmul(&k?.transpose(1, 2)?)? * 0.125)?;
            softmax_last_dim(&scores)?
                .matmul(&v?)?
                .to_dtype(DType::BF16)
        }),
    );
}

fn squares(bench: &mut Bench) {
    let [a, b] = [1, 2].map(|seed| tensor(floats(SIDE * SIDE, seed), (SIDE, SIDE)));
    let g = tensor(bf16s(SIDE * SIDE, 3), (SIDE, SIDE));
    let (row, column) = (
        tensor(floats(SIDE, 4), (1, SIDE)),
        tensor(floats(SIDE, 5), (SIDE, 1)),
    );
    bench.time(
        "W7",
        "bf16 * row + column",
        LARGE,
        way(|| {
            g.to_dtype(DType::F32)?
                .broadcast_mul(&row)?
                .broadcast_add(&column)
        }),
    );
    bench.time("W9", "sum f32 axis 0", LARGE, way(|| a.sum(0)));
    bench.time("W9", "sum f32 axis 1", LARGE, way(|| a.sum(1)));
    bench.time("W11", "transposed + f32", LARGE, way(|| a.t()? + &b));
}

fn products(bench: &mut Bench, side: usize) {
    let [a, b] = [1, 2].map(|seed| tensor(floats(side * side, seed), (side, side)));
    let [h, i] = [3, 4].map(|seed| tensor(f16s(side * side, seed), (side, side)));
    let g = tensor(bf16s(side * side, 5), (side, side));
    bench.time("W10", "matmul f32", side, way(|| a.matmul(&b)));
    bench.time("W10", "matmul f16", side, way(|| h.matmul(&i)));
    bench.time(
        "W10",
        "matmul bf16 by f32",
        side,
        way(|| g.to_dtype(DType::F32)?.matmul(&b)),
    );
}
