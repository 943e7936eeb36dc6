//! Reductions, networks, matrix products and fused expressions.

use supremum::{
    C64, ConvOptions, DynTensor, Error, F16, F32, I16, I64, PoolOptions, Tensor, c64, fuse,
    try_fuse,
};

use super::allocator::unrefused;
use super::attempts::{ROWS, fails, panics, try_up_to, with_operands};
use crate::op::{each_position, each_reduction};

/// Reductions along the short axis, the results of which are large, and along others, which fold in scratch memory.
#[test]
fn reductions() {
    with_operands(|x, _, _| {
        let halves = x.cast::<F16>().transpose();
        let (any, turned) = (x.clone().into_dyn(), halves.clone().into_dyn());
        let all = [0, 1];
        macro_rules! reductions {
            ($(
                $(#[doc = $doc:literal])+
                $what:literal $table:ident $op:expr,
                $all:ident $try_all:ident $axis:ident $try_axis:ident
                $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
            )*) => {$(
                let is_flag = stringify!($table) == "AnyAll";
                // One byte for each row of truth values is not a large result.
                let check = |name: &str, run: &dyn Fn() -> Result<DynTensor, Error>| {
                    assert!(try_up_to(usize::MAX, name, run) > 0 || is_flag, "{name} allocates nothing");
                };
                check(stringify!($try_axis), &|| x.$try_axis(1).map(Tensor::into_dyn));
                check(stringify!($try_axis), &|| any.$try_axis(-1));
                check(stringify!($try_keepdims), &|| x.$try_keepdims(1).map(Tensor::into_dyn));
                check(stringify!($try_keepdims), &|| any.$try_keepdims(1));
                check(stringify!($try_axis), &|| x.$try_axis(&[1]).map(Tensor::into_dyn));
                check(stringify!($try_keepdims), &|| any.$try_keepdims([1]));
                let text = stringify!($axis);
                if !is_flag {
                    panics(text, || x.$axis(1).into_dyn());
                    panics(text, || x.$keepdims(&[1]).into_dyn());
                }
                // Scratch memory only.
                try_up_to(usize::MAX, text, &|| any.$try_all());
                try_up_to(usize::MAX, text, &|| turned.$try_axis(&all));
                try_up_to(usize::MAX, text, &|| turned.$try_axis(0));
                try_up_to(usize::MAX, text, &|| x.$try_axis(0).map(Tensor::into_dyn));
                try_up_to(usize::MAX, text, &|| halves.$try_axis(1).map(Tensor::into_dyn));
            )*};
        }
        each_reduction!(methods reductions!);
        macro_rules! positions {
            ($(
                $(#[doc = $doc:literal])+
                $what:literal $op:expr,
                $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
            )*) => {$(
                fails(stringify!($try_axis), || x.$try_axis(1).map(Tensor::into_dyn));
                fails(stringify!($try_axis), || turned.$try_axis(0));
                fails(stringify!($try_keepdims), || any.$try_keepdims(1));
                panics(stringify!($axis), || x.$axis(1).into_dyn());
                fails(stringify!($try_all), || turned.$try_all());
            )*};
        }
        each_position!(methods positions!);
    });
}

/// Convolutions are of integers, for the reason below.
#[test]
fn networks() {
    with_operands(|x, a, _| {
        let any = x.clone().into_dyn();
        fails("softmax", || any.try_softmax(1));
        fails("softmax of columns", || any.try_softmax(0));
        fails("log_sum_exp", || x.try_log_sum_exp(1).map(Tensor::into_dyn));
        panics("typed softmax", || x.softmax(1).into_dyn());
        fails("norm", || any.try_norm(2.0, 1));
        let image = a.clone().into_dyn();
        let image = image.reshape([&[1, 1], image.shape()].concat());
        let filters = DynTensor::ones(image.dtype(), [4, 1, 2, 2]).expect("memory");
        fails("conv2d", || {
            image.try_conv2d(&filters, ConvOptions::new().padding([1, 1]))
        });
        fails("max_pool2d", || {
            image.try_max_pool2d(PoolOptions::new([2, 1]))
        });
        fails("avg_pool2d", || {
            image.try_avg_pool2d(PoolOptions::new([2, 1]).padding([1, 0]))
        });
    });
}

/// Products: the libraries that multiply floats allocate packed copies by themselves, and end the process without memory
/// for these. So of such products the allocations before are refused.
#[test]
fn matrix_products() {
    with_operands(|x, a, b| {
        // Large enough to be refused; products of all rows take long.
        let (x, a, b) = (&x.slice(0, ..300), &a.slice(0, ..300), &b.slice(0, ..300));
        let (any, ints) = (x.clone().into_dyn(), a.clone().into_dyn());
        fails("matmul of integers", || {
            a.try_matmul(&b.transpose()).map(Tensor::into_dyn)
        });
        panics("plain matmul of integers", || {
            a.matmul(&b.transpose()).into_dyn()
        });
        fails("dynamic matmul of integers", || {
            ints.try_matmul(b.transpose())
        });
        let few = |name: &str, count: usize, run: &dyn Fn() -> Result<DynTensor, Error>| {
            assert!(try_up_to(count, name, run) > 0, "{name}");
        };
        few("matmul", 1, &|| {
            x.try_matmul(&x.transpose()).map(Tensor::into_dyn)
        });
        few("dynamic matmul", 1, &|| any.try_matmul(any.transpose()));
        let shorts = a.cast::<I16>();
        few("mixed matmul", 2, &|| {
            shorts.try_matmul(&x.transpose()).map(Tensor::into_dyn)
        });
        let pairs = Tensor::<C64>::full([ROWS, 2], c64::new(1.0, 2.0));
        few("complex matmul", 1, &|| {
            pairs.try_matmul(&pairs.transpose()).map(Tensor::into_dyn)
        });
        fails("empty matmul", || {
            x.slice(1, 0..0)
                .try_matmul(&x.transpose().slice(0, 0..0))
                .map(Tensor::into_dyn)
        });
        // Vectors whose elements are contiguous are read in place.
        let (row, column) = (a.flatten(), b.flatten().flip(0));
        fails("dot of a vector in the reverse order", || {
            row.try_dot(&column).map(Tensor::into_dyn)
        });
    });
}

#[test]
fn fused_expressions() {
    with_operands(|x, a, b| {
        let (a, b) = (&a.cast::<I16>(), &b.cast::<I16>());
        let turned = x.transpose().reshape([ROWS, 4]);
        let row = x.index_axis(0, 3);
        fails("fuse!", || {
            try_fuse!(x * a + 0.5).map(|t: Tensor<F32>| t.into_dyn())
        });
        panics("plain fuse!", || {
            let t: Tensor<F32> = fuse!((x - a).sqrt());
            t.into_dyn()
        });
        fails("fuse! of parts", || {
            try_fuse!(x * (&row * 2.0).exp() + &turned).map(|t: Tensor<F32>| t.into_dyn())
        });
        fails("fuse! that can fail", || {
            try_fuse!((a + 1) % b).map(|t: Tensor<I16>| t.into_dyn())
        });
        fails("fuse! of a choice", || {
            try_fuse!(if a > b { x } else { 0.0 }).map(|t: Tensor<F32>| t.into_dyn())
        });
        fails("fused sums", || {
            try_fuse!((x * a).sum_axis(1)).map(|t: Tensor<F32>| t.into_dyn())
        });
        fails("fused positions", || {
            try_fuse!((a + b).argmax_axis(1)).map(|t: Tensor<I64>| t.into_dyn())
        });
        fails("fused variances", || {
            try_fuse!((x * a).var_keepdims(1)).map(|t: Tensor<F32>| t.into_dyn())
        });
        fails("fuse! of what is given away", || {
            let given = unrefused(|| x * 1.0);
            try_fuse!(given * 2.0 + a).map(|t: Tensor<F32>| t.into_dyn())
        });
        // Into an output, which is as it was without memory.
        let into = |name: &str, run: &dyn Fn(Tensor<F32>) -> (Result<(), Error>, Tensor<F32>)| {
            let failed = try_up_to(usize::MAX, name, &|| {
                let out = unrefused(|| x * 1.0);
                let (result, out) = run(out);
                if result.is_err() {
                    unrefused(|| assert_eq!(out, *x, "{name}: the output is as it was"));
                }
                result.map(|()| out.into_dyn())
            });
            assert!(failed > 0, "{name} allocates nothing");
        };
        into("fuse! into an output", &|mut out| {
            (try_fuse!(out = out * (&row + 1.0) + &turned * x), out)
        });
        into("fuse! of what it holds", &|mut out| {
            (try_fuse!(out += (&turned * 2.0).exp()), out)
        });
        into("fuse! into what is shared", &|mut out| {
            let shared = out.clone();
            let result = try_fuse!(out = out * 2.0);
            drop(shared);
            (result, out)
        });
    });
}
