//! ndarray. Uses operators, `mapv` where there is no operator between two dtypes, and `Zip` for one pass. It has no sorts, and no matrix
//! products of three axes.

use half::{bf16, f16};
use ndarray::{Array1, Array2, Array3, Axis, Zip, stack};

use crate::timing::Way;
use crate::{
    ATTENTION, Bench, GATHERED, LARGE, ROWS, SIDE, SIDES, SIZES, WIDTH, bf16s, bytes, f16s, floats,
    ints, place,
};

const BY_OPERATORS: &str = "ndarray";
const BY_ZIP: &str = "ndarray Zip";

fn wide(x: impl Into<f32>) -> f32 {
    x.into()
}

fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh())
}

/// Of each row.
fn softmax(x: &Array2<f32>) -> Array2<f32> {
    let greatest = x.map_axis(Axis(1), |row| row.fold(f32::NEG_INFINITY, |a, b| a.max(*b)));
    let powers = (x - &greatest.insert_axis(Axis(1))).mapv_into(f32::exp);
    let sums = powers.sum_axis(Axis(1)).insert_axis(Axis(1));
    powers / sums
}

/// Of each row.
fn layer_norm(x: &Array2<f32>, gain: &Array1<f32>, bias: &Array1<f32>) -> Array2<f32> {
    let means = x.mean_axis(Axis(1)).expect("columns").insert_axis(Axis(1));
    let variances = x.var_axis(Axis(1), 0.0).insert_axis(Axis(1));
    (x - &means) * variances.mapv_into(|x| 1.0 / (x + 1e-5).sqrt()) * gain + bias
}

pub(crate) fn run(bench: &mut Bench) {
    bench.results.about.push("ndarray 0.17".into());
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
        let table = Array2::from_shape_vec((rows, len), floats(rows * len, 26)).expect("a table");
        let indices: Vec<usize> = (0..rows).map(|number| place(number, rows)).collect();
        bench.time(
            "W26",
            name,
            GATHERED,
            vec![Way::new(BY_OPERATORS, || table.select(Axis(0), &indices))],
        );
    }
}

fn elementwise(bench: &mut Bench, size: usize) {
    let [a, b] = [1, 2].map(|seed| Array1::from(floats(size, seed)));
    bench.time(
        "W1",
        "f32 + f32",
        size,
        vec![
            Way::new(BY_OPERATORS, || &a + &b),
            Way::new(BY_ZIP, || Zip::from(&a).and(&b).map_collect(|a, b| a + b)),
        ],
    );
    bench.time(
        "W13",
        "where a > b",
        size,
        vec![Way::new(BY_ZIP, || {
            Zip::from(&a)
                .and(&b)
                .map_collect(|&a, &b| if a > b { a } else { 0.0 })
        })],
    );
    bench.time(
        "W8",
        "gelu f32",
        size,
        vec![Way::new(BY_OPERATORS, || a.mapv(gelu))],
    );
    bench.time(
        "W12",
        "f32 to bf16",
        size,
        vec![Way::new(BY_OPERATORS, || a.mapv(bf16::from_f32))],
    );
    bench.time(
        "W12",
        "f32 to f16",
        size,
        vec![Way::new(BY_OPERATORS, || a.mapv(f16::from_f32))],
    );

    let (h, g) = (Array1::from(f16s(size, 3)), Array1::from(bf16s(size, 4)));
    bench.time(
        "W2",
        "f16 + bf16",
        size,
        vec![
            Way::new(BY_OPERATORS, || h.mapv(wide) + g.mapv(wide)),
            Way::new(BY_ZIP, || {
                Zip::from(&h)
                    .and(&g)
                    .map_collect(|&h, &g| wide(h) + wide(g))
            }),
        ],
    );
    bench.time(
        "W3",
        "f16 * bf16 + f32",
        size,
        vec![
            Way::new(BY_OPERATORS, || h.mapv(wide) * g.mapv(wide) + &a),
            Way::new(BY_ZIP, || {
                Zip::from(&h)
                    .and(&g)
                    .and(&a)
                    .map_collect(|&h, &g, &a| wide(h) * wide(g) + a)
            }),
        ],
    );
    bench.time(
        "W12",
        "f16 to f32",
        size,
        vec![Way::new(BY_OPERATORS, || h.mapv(wide))],
    );
    bench.time(
        "W9",
        "sum f16",
        size,
        vec![
            Way::new(BY_OPERATORS, || f16::from_f32(h.mapv(wide).sum())),
            Way::new(BY_ZIP, || {
                f16::from_f32(h.fold(0.0, |sum, &h| sum + wide(h)))
            }),
        ],
    );
    bench.time(
        "W8",
        "gelu bf16",
        size,
        vec![Way::new(BY_OPERATORS, || {
            g.mapv(|x| bf16::from_f32(gelu(wide(x))))
        })],
    );
    let [i, j] = [5, 6].map(|seed| Array1::from(f16s(size, seed)));
    bench.time(
        "W14",
        "six operations f16",
        size,
        vec![
            Way::new(BY_OPERATORS, || ((&h * &i + &j) * &h - &i) * &j + &h),
            Way::new(BY_ZIP, || {
                Zip::from(&h)
                    .and(&i)
                    .and(&j)
                    .map_collect(|&h, &i, &j| ((h * i + j) * h - i) * j + h)
            }),
        ],
    );

    let u = Array1::from(bytes(size, 7));
    let s = Array1::from_iter(bytes(size, 8).into_iter().map(u8::cast_signed));
    bench.time(
        "W4",
        "i8 + u8",
        size,
        vec![
            Way::new(BY_OPERATORS, || s.mapv(i16::from) + u.mapv(i16::from)),
            Way::new(BY_ZIP, || {
                Zip::from(&s)
                    .and(&u)
                    .map_collect(|&s, &u| i16::from(s) + i16::from(u))
            }),
        ],
    );
    bench.time(
        "W5",
        "normalise u8 to f32",
        size,
        vec![
            Way::new(BY_OPERATORS, || (u.mapv(f32::from) - 127.5) / 58.0),
            Way::new(BY_ZIP, || u.mapv(|u| (f32::from(u) - 127.5) / 58.0)),
        ],
    );
    bench.time(
        "W5",
        "normalise u8 to bf16",
        size,
        vec![
            Way::new(BY_OPERATORS, || {
                ((u.mapv(f32::from) - 127.5) / 58.0).mapv(bf16::from_f32)
            }),
            Way::new(BY_ZIP, || {
                u.mapv(|u| bf16::from_f32((f32::from(u) - 127.5) / 58.0))
            }),
        ],
    );
    let n = Array1::from(ints(size, 9));
    bench.time(
        "W6",
        "i32 + f32",
        size,
        vec![
            Way::new(BY_OPERATORS, || n.mapv(|n| n as f32) + &a),
            Way::new(BY_ZIP, || {
                Zip::from(&n).and(&a).map_collect(|&n, &a| n as f32 + a)
            }),
        ],
    );
    bench.time(
        "W12",
        "i32 to u8",
        size,
        vec![Way::new(BY_OPERATORS, || n.mapv(|n| n as u8))],
    );
}

fn networks(bench: &mut Bench, size: usize) {
    let shape = (size / WIDTH, WIDTH);
    let x = Array2::from_shape_vec(shape, floats(size, 23)).expect("a matrix");
    let g = Array2::from_shape_vec(shape, bf16s(size, 23)).expect("a matrix");
    let [gain, bias] = [5, 6].map(|seed| Array1::from(floats(WIDTH, seed)));
    bench.time(
        "W23",
        "softmax f32",
        size,
        vec![Way::new(BY_OPERATORS, || softmax(&x))],
    );
    bench.time(
        "W23",
        "softmax bf16",
        size,
        vec![Way::new(BY_OPERATORS, || {
            softmax(&g.mapv(wide)).mapv(bf16::from_f32)
        })],
    );
    bench.time(
        "W25",
        "layer norm f32",
        size,
        vec![Way::new(BY_OPERATORS, || layer_norm(&x, &gain, &bias))],
    );
}

fn attention(bench: &mut Bench) {
    let count = ATTENTION.iter().product();
    let [q, k, v] = [1, 2, 3]
        .map(|seed| Array3::from_shape_vec(ATTENTION, bf16s(count, seed)).expect("three axes"));
    let attend = || {
        let heads = q.outer_iter().zip(k.outer_iter()).zip(v.outer_iter());
        let heads = heads.map(|((q, k), v)| {
            let scores = q.mapv(wide).dot(&k.mapv(wide).t()) * 0.125;
            softmax(&scores).dot(&v.mapv(wide)).mapv(bf16::from_f32)
        });
        let heads: Vec<Array2<bf16>> = heads.collect();
        let views: Vec<_> = heads.iter().map(|head| head.view()).collect();
        stack(Axis(0), &views).expect("heads of one shape")
    };
    bench.time(
        "W24",
        "attention bf16",
        count,
        vec![Way::new(BY_OPERATORS, attend)],
    );
}

fn squares(bench: &mut Bench) {
    let square =
        |seed| Array2::from_shape_vec((SIDE, SIDE), floats(SIDE * SIDE, seed)).expect("a square");
    let [a, b] = [1, 2].map(square);
    bench.time(
        "W9",
        "sum f32 axis 0",
        LARGE,
        vec![Way::new(BY_OPERATORS, || a.sum_axis(Axis(0)))],
    );
    bench.time(
        "W9",
        "sum f32 axis 1",
        LARGE,
        vec![Way::new(BY_OPERATORS, || a.sum_axis(Axis(1)))],
    );
    bench.time(
        "W11",
        "transposed + f32",
        LARGE,
        vec![
            Way::new(BY_OPERATORS, || &a.t() + &b),
            Way::new(BY_ZIP, || {
                Zip::from(&a.t()).and(&b).map_collect(|a, b| a + b)
            }),
        ],
    );
    let g = Array2::from_shape_vec((SIDE, SIDE), bf16s(SIDE * SIDE, 3)).expect("a square");
    let row = Array1::from(floats(SIDE, 4));
    let column = Array2::from_shape_vec((SIDE, 1), floats(SIDE, 5)).expect("a column");
    bench.time(
        "W7",
        "bf16 * row + column",
        LARGE,
        vec![
            Way::new(BY_OPERATORS, || g.mapv(wide) * &row + &column),
            Way::new(BY_ZIP, || {
                let zip = Zip::from(&g).and_broadcast(&row).and_broadcast(&column);
                zip.map_collect(|&g, row, column| wide(g) * row + column)
            }),
        ],
    );
}

fn products(bench: &mut Bench, side: usize) {
    let square =
        |seed| Array2::from_shape_vec((side, side), floats(side * side, seed)).expect("a square");
    let [a, b] = [1, 2].map(square);
    let [h, i] = [&a, &b].map(|square| square.mapv(f16::from_f32));
    let g = a.mapv(bf16::from_f32);
    bench.time(
        "W10",
        "matmul f32",
        side,
        vec![Way::new(BY_OPERATORS, || a.dot(&b))],
    );
    bench.time(
        "W10",
        "matmul f16",
        side,
        vec![Way::new(BY_OPERATORS, || {
            h.mapv(wide).dot(&i.mapv(wide)).mapv(f16::from_f32)
        })],
    );
    bench.time(
        "W10",
        "matmul bf16 by f32",
        side,
        vec![Way::new(BY_OPERATORS, || g.mapv(wide).dot(&b))],
    );
}
