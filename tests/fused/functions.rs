//! Functions, powers and chains of operations at all lengths have the bits of those of tensors.

use supremum::{
    BF16, C64, C128, Error, F8E4M3FN, F16, F32, F64, I8, I16, I32, I64, Jax, Rank0, Rank1,
    StaticDType, Tensor, U8, U64, bf16, c128, concat, f16, fuse, select, tensor, try_fuse,
};

use crate::naive::sample;
use crate::raw;

/// Literals and integers as exponents, with which powers of small floats are computed in `F64`.
#[test]
fn powers_are_those_of_tensors() {
    macro_rules! check {
        ($($D:ident)*) => {$({
            let x = Tensor::<F64, Rank1>::from_vec((0..45).map(|at| f64::from(at) * 0.75 - 9.0).collect(), [45]);
            let x = x.expect("45 elements").cast::<$D>();
            let n: Tensor<I8, Rank1> = Tensor::from_vec((0..45).map(|at| at % 7 - 3).collect(), [45]).expect("45 elements");
            assert_eq!(raw(&fuse!(x.pow(2) + 1.0)), raw(&(x.pow(2) + 1.0)));
            assert_eq!(raw(&fuse!(x.pow(0.5) * 2)), raw(&(x.pow(0.5) * 2)));
            assert_eq!(raw(&x.pow(Tensor::<$D, Rank1>::full([45], 0.5))), raw(&x.pow(0.5)));
            assert_eq!(raw(&fuse!(x.pow(17) * 2)), raw(&(x.pow(17) * 2)));
            assert_eq!(raw(&fuse!(x.pow(n))), raw(&x.pow(&n)));
            assert_eq!(raw(&fuse!(x.pow(x))), raw(&x.pow(&x)));
        })*};
    }
    check!(F8E4M3FN F16 BF16 F32 F64 C64 C128);
    let n: Tensor<I16, Rank1> = tensor![-3, 0, 2, 300];
    assert_eq!(raw(&fuse!(n.pow(0.5))), raw(&n.pow(0.5)));
    assert_eq!(raw(&n.pow(0.5)), raw(&n.cast::<F64>().sqrt()));
    assert_eq!(fuse!(n.pow(3)), n.pow(3));
    assert_eq!(fuse!(n.pow(0) + n), n.pow(0) + &n);
    assert_eq!(try_fuse!(n.pow(-1)), n.try_pow(-1));
    assert_eq!(try_fuse!(n.pow(40_000)), n.try_pow(40_000));
    let count: Tensor<U8, Rank1> = tensor![0, 1, 7];
    assert_eq!(fuse!(2.pow(count) + 1).to_vec(), [2, 3, 129]);
}

/// A literal exponent is computed as products or quotients, that of a tensor in a loop of packs; of integers, some packs have short
/// exponents only. (An expression for each dtype and literal would double the time that the compiler takes for this file.)
#[test]
fn a_literal_exponent_has_the_bits_of_a_tensor_of_it() {
    macro_rules! check {
        ($($D:ident by $E:ident: $($power:literal)*, fused $($fused:literal)*;)*) => {$(
            let x = Tensor::<F64, Rank1>::from_vec((0..70).map(|at| f64::from(at) * 1.37 - 40.0).collect(), [70]);
            let x = x.expect("70 elements").cast::<$D>();
            let name = stringify!($D);
            let fused_power = |exponents: &Tensor<$E, Rank1>| fuse!(x.pow(exponents) * 1);
            $(
                let expected = x.pow($power);
                let exponents = Tensor::<$E, Rank1>::zeros([70]) + $power;
                let mixed: Tensor<$E, Rank1> = concat([&exponents, &(Tensor::<$E, Rank1>::zeros([70]) + 5)], 0);
                let twice: Tensor<$D, Rank1> = concat([&x, &x], 0);
                let power = $power;
                assert_eq!(raw(&x.pow(&exponents)), raw(&expected), "{name} by {power}");
                assert_eq!(raw(&twice.pow(&mixed).slice(0, ..70)), raw(&expected), "{name} by {power}");
                assert_eq!(raw(&fused_power(&exponents)), raw(&expected), "{name} by {power}");
                let dynamic = x.clone().into_dyn().try_pow($power).expect("a power");
                assert_eq!(dynamic, expected.into_dyn(), "{name} by {power}");
            )*
            $(assert_eq!(raw(&fuse!(x.pow($fused) * 1)), raw(&x.pow($fused)), "{name} by {}", $fused);)*
        )*};
    }
    check! {
        F64 by F64: -2 -1 0 1 2 3 4 5 15 16, fused -2 -1 2 3 4 5;
        F32 by I32: -2 -1 0 1 2 3 4 5 15 16, fused -1 2 3 16;
        I8 by I8: 0 1 2 3 4 5 15 16 17 100, fused 3;
        I16 by I16: 0 1 2 3 4 5 15 16 17 100, fused 3;
        I32 by I32: 0 1 2 3 4 5 15 16 17 100, fused 0 2 3 15 16 100;
        I64 by I64: 0 1 2 3 4 5 15 16 17 100, fused 3;
        U8 by U8: 0 1 2 3 4 5 15 16 17 100, fused 2 17;
        U64 by U64: 0 1 2 3 4 5 15 16 17 100, fused 3;
    }
}

/// Numbers of which packs of 32 have small ones, large ones or both.
fn of_several_sizes(len: usize) -> Tensor<F64, Rank1> {
    Tensor::from_fn([len], |[at]| {
        let number = f64::from(u32::try_from(at).expect("small"));
        match at {
            64..96 => 1e30 + number * 1e28,
            _ if at >= 128 && at % 7 == 0 => number * -1e9,
            _ => number * 0.37 - 9.0,
        }
    })
}

/// Remainders and quotients of floats have a shorter loop for packs of short quotients.
#[test]
fn remainders_are_those_of_tensors() {
    macro_rules! check {
        ($($D:ident)*) => {$(
            for len in [1, 31, 32, 33, 300] {
                let x = of_several_sizes(len).cast::<$D>();
                let y = x.clone().flip(0);
                let name = stringify!($D);
                assert_eq!(raw(&fuse!((x % y) * 1)), raw(&(&x % &y)), "{name} {len}");
                assert_eq!(raw(&fuse!(x.floor_div(y) * 1)), raw(&x.floor_div(&y)), "{name} {len}");
                assert_eq!(raw(&fuse!((x % 0.7) * 1)), raw(&(&x % 0.7)), "{name} {len}");
                let each = x.iter().map(|x| Tensor::<$D, Rank0>::scalar(x) % -3.0);
                let each: Vec<_> = each.map(|x| x.item().expect("one")).collect();
                let each = Tensor::<$D, Rank1>::from(each);
                assert_eq!(raw(&(&x % -3.0)), raw(&each), "{name} {len}");
            }
        )*};
    }
    check!(F8E4M3FN BF16 F16 F32 F64);
}

/// Functions with a loop by case: packs of small numbers, of large ones and of both.
#[test]
fn long_functions_are_those_of_tensors() {
    macro_rules! check {
        ($($D:ident: $($name:ident)*;)*) => {$(
            for len in [1, 31, 32, 33, 300] {
                let x = of_several_sizes(len).cast::<$D>();
                let y = x.clone().flip(0);
                $(
                    let name = stringify!($name);
                    let expected = x.$name();
                    assert_eq!(raw(&fuse!(x.$name() * 1)), raw(&expected), "{name} {len}");
                    let dynamic = x.clone().into_dyn().$name().expect("a float");
                    let dynamic = dynamic.typed::<$D, Rank1, Jax>().expect("the same type");
                    assert_eq!(raw(&dynamic), raw(&expected), "{name} {len}");
                )*
                assert_eq!(raw(&fuse!(x.hypot(y) * 1)), raw(&x.hypot(&y)), "{len}");
            }
        )*};
    }
    check! {
        F32: sin cos tan erf erfc gelu exp sigmoid silu gelu_tanh ln log2 log10;
        F64: sin cos tan erf erfc gelu exp sigmoid silu gelu_tanh ln log2 log10;
    }
}

/// Functions and powers of complex numbers, and powers of floats.
#[test]
fn complex_functions_are_those_of_tensors() {
    macro_rules! check {
        ($($D:ident $float:ident;)*) => {$(
            for len in [1, 8, 31, 32, 33, 300] {
                let [x, y] = [3, 4].map(|seed| {
                    let elements = sample::<<$D as StaticDType>::Element>(len, seed);
                    Tensor::<$D, Rank1>::from_slice(&elements, [len]).expect("as many elements")
                });
                let expected = (x.exp() / &y + y.tanh().sqrt()) * (&y * &y).ln() - x.pow(&y);
                let found = fuse!((x.exp() / y + y.tanh().sqrt()) * (y * y).ln() - x.pow(y));
                assert_eq!(raw(&found), raw(&expected), "{len}");
                let expected = (&x + &y).sigmoid().sin() + x.sign();
                let mut out = x.clone();
                fuse!(out = (out + y).sigmoid().sin() + out.sign());
                assert_eq!(raw(&out), raw(&expected), "{len}");
                assert_eq!(raw(&fuse!(x.exp().sum())), raw(&x.exp().sum()), "{len}");
                let size: Tensor<$float, Rank1> = fuse!((x.cosh() - y).abs());
                assert_eq!(raw(&size), raw(&(x.cosh() - &y).abs()), "{len}");
            }
        )*};
    }
    check!(C64 F32; C128 F64; F32 F32; F64 F64;);
}

/// Functions are computed some chunks ahead of what is made of them.
#[test]
fn functions_at_all_lengths_are_those_of_tensors() {
    macro_rules! check {
        ($x:ident) => {{
            let half = (&$x * 0.5).tanh();
            let expected = half.exp() * &$x + $x.sigmoid();
            assert!(fuse!(($x * 0.5).tanh().exp() * $x + $x.sigmoid()) == expected);
            let mut out = $x.clone();
            fuse!(out = (out * 0.5).tanh().exp() * out + out.sigmoid());
            assert!(out == expected);
            let found = fuse!(
                let half = ($x * 0.5).tanh();
                let power = half.exp();
                power * half - $x
            );
            assert!(found == half.exp() * &half - &$x);
        }};
    }
    for len in (1..40).chain([255, 256, 257, 288, 511, 513, 1_000]) {
        let elements = sample::<f32>(len, 7);
        let x = Tensor::<F32, Rank1>::from_slice(&elements, [len]).expect("as many elements");
        let x = x.minimum(50.0).maximum(-50.0);
        let x = select(&x.is_nan(), 1.0, &x);
        check!(x);
        let x = x.cast::<BF16>();
        check!(x);
    }
}

/// Operands that wait for results to be rounded are computed ahead too, in short chains and on either side.
#[test]
fn chains_at_all_lengths_are_those_of_tensors() {
    macro_rules! check {
        ($x:ident) => {{
            let two = (&$x + 1.5) * 0.75;
            let mut out = $x.clone();
            fuse!(out = (out + 1.5) * 0.75);
            assert!(out == two && fuse!(($x + 1.5) * 0.75) == two);
            let right = 2.0 - &$x * (&two * 0.5 - &$x);
            assert!(fuse!(2.0 - $x * (two * 0.5 - $x)) == right);
            let both = (&two * 3.0 + &$x) * (&right * 0.25 - 1.0);
            assert!(fuse!((two * 3.0 + $x) * (right * 0.25 - 1.0)) == both);
            fuse!(out = (two * 3.0 + $x) * (right * 0.25 - 1.0) - out);
            assert!(out == &both - &two);
            let found = fuse!(
                let two = ($x + 1.5) * 0.75;
                let right = 2.0 - $x * (two * 0.5 - $x);
                (two * 3.0 + $x) * (right * 0.25 - 1.0)
            );
            assert!(found == both);
        }};
    }
    for len in (1..40)
        .chain((1..20).map(|chunks| 32 * chunks))
        .chain([255, 257, 1_000])
    {
        let elements = sample::<f16>(len, 11);
        let x = Tensor::<F16, Rank1>::from_slice(&elements, [len]).expect("as many elements");
        let x = x.minimum(20.0).maximum(-20.0);
        let x = select(&x.is_nan(), 1.0, &x);
        check!(x);
        let x = x.cast::<BF16>();
        check!(x);
    }
}

/// Arithmetic of bf16 rounds without a question about NaN.
#[test]
fn nan_becomes_bf16_as_that_of_tensors() {
    let bits = [
        0x7f80_0001,
        0x7f80_8000,
        0x7f81_0000,
        0x7fc0_0000,
        0x7fff_7fff,
        0x7fff_8000,
        0x7fff_ffff,
        0xff80_0001,
        0xffc0_0000,
        0xffff_8000,
        0xffff_ffff_u32,
    ];
    let elements: Vec<f32> = bits
        .iter()
        .cycle()
        .take(100)
        .map(|bits| f32::from_bits(*bits))
        .collect();
    let x = Tensor::<F32, Rank1>::from_vec(elements, [100]).expect("as many elements");
    let to_bits = |x: &Tensor<BF16, Rank1>| -> Vec<u16> {
        x.to_vec().into_iter().map(bf16::to_bits).collect()
    };
    assert_eq!(
        to_bits(&fuse!(x.cast::<BF16>())),
        to_bits(&x.cast::<BF16>())
    );
    let computed = fuse!((x.cast::<BF16>() * 2 - x.cast::<BF16>()).cast::<F32>() + x);
    assert!(computed.to_vec().into_iter().all(f32::is_nan));
    let rounded = fuse!((x.cast::<BF16>() * 2 - 1).tanh());
    assert!(rounded.to_vec().into_iter().all(bf16::is_nan));
}

/// A loop that starts with `1 + 0i` would make NaN of an infinity, and change signs of zeros.
#[test]
fn products_of_complex_numbers_are_those_of_tensors() {
    let special = [f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 2.0, -3.0];
    for re in special {
        for im in special {
            for len in [1, 2, 33, 600] {
                let z = Tensor::<C128, Rank1>::from_fn([len], |at| match at[0] {
                    0 => c128::new(re, im),
                    _ => c128::new(1.0, 0.0),
                });
                let context = format!("{re} {im} {len}");
                assert_eq!(raw(&fuse!((-z).prod())), raw(&(-&z).prod()), "{context}");
                assert_eq!(raw(&fuse!((-z).sum())), raw(&(-&z).sum()), "{context}");
                let rows = z.reshape([1, len]);
                let products: Tensor<C128, Rank1> = fuse!((-rows).prod_axis(0));
                assert_eq!(raw(&products), raw(&(-&rows).prod_axis(0)), "{context}");
            }
        }
    }
}

/// A square is the product, in every form, also where other exponents stand beside it in a pack.
#[test]
fn squares_are_products() -> Result<(), Error> {
    macro_rules! squares {
        ($($dtype:ident)*) => {$({
            let bits = (0..=u16::MAX).map(f16::from_bits);
            let x: Tensor<$dtype, Rank1> = Tensor::<F16, Rank1>::from_vec(bits.collect(), [1 << 16])?.cast();
            let product = &x * &x;
            let two = Tensor::<$dtype, Rank0>::ones([]) * 2.0;
            let twos = Tensor::<$dtype, Rank1>::ones([1 << 16]) * 2.0;
            let mixed = Tensor::<I64, Rank1>::arange(0.0, 65_536.0, 1.0) % 3;
            let every_third = |power: &Tensor<$dtype, Rank1>| power.slice_step(0, 2.., 3);
            let same = |found: &Tensor<$dtype, Rank1>, expected: &Tensor<$dtype, Rank1>| {
                let pairs = found.iter().zip(expected.iter());
                pairs.for_each(|(found, expected)| {
                    assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan());
                });
            };
            same(&x.pow(2), &product);
            same(&x.pow(2.0), &product);
            same(&x.pow(&two), &product);
            same(&x.pow(&twos), &product);
            same(&fuse!(x.pow(2)), &product);
            same(&fuse!(x.pow(two)), &product);
            same(&fuse!(x.pow(twos)), &product);
            same(&every_third(&x.pow(&mixed.cast::<$dtype>())), &every_third(&product));
            let in_loop: Tensor<$dtype, Rank1> = fuse!(let of = mixed.cast::<$dtype>(); x.pow(of));
            same(&every_third(&in_loop), &every_third(&product));
            // Rows of fewer elements than a pack are reduced by the interpreter.
            for columns in [2, 8, 32] {
                let x = x.reshape([(1 << 16) / columns, columns]);
                same(&fuse!(x.pow(2).max_axis(-1)), &fuse!((x * x).max_axis(-1)));
            }
            let dynamic = x.clone().into_dyn().try_pow(2)?.typed::<$dtype, Rank1, Jax>()?;
            same(&dynamic, &product);
        })*};
    }
    squares!(F16 BF16 F32 F64);
    Ok(())
}
