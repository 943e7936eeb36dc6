//! Functions, operations on two tensors, choices and conversions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use supremum::{
    C64, ConvertPromoteTypes, DType, DynTensor, F16, F32, F64, I16, I64, Jax, Tensor, U8, concat,
    convert_promote_types, promote, select, stack, try_concat, try_select, try_stack,
};

use super::allocator::unrefused;
use super::attempts::{ROWS, fails, panics, with_operands};
use crate::op::{each_binary, each_comparison, each_scan, each_unary};

#[test]
fn functions_of_one_tensor() {
    with_operands(|x, a, _| {
        let (any, ints) = (x.clone().into_dyn(), a.clone().into_dyn());
        macro_rules! functions {
            ($($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, $compute:ident { $(#[doc = $example:literal])* })*) => {$(
                // The real part of a real number is itself.
                if stringify!($name) != "real" {
                    panics(concat!("typed ", stringify!($name)), || x.$name().into_dyn());
                    fails(stringify!($name), || any.$name());
                }
            )*};
        }
        each_unary!(methods functions!);
        macro_rules! prefixes {
            ($($(#[doc = $doc:literal])+ $trait:ident::$method:ident $try_name:ident: $kernel:ident, $group:ident {})*) => {$(
                panics(concat!("typed ", stringify!($method)), || core::ops::$trait::$method(a).into_dyn());
                panics(concat!("dynamic ", stringify!($method)), || core::ops::$trait::$method(&ints));
                fails(stringify!($try_name), || ints.$try_name());
            )*};
        }
        each_unary!(operators prefixes!);
        let z = x.cast::<C64>();
        let complex = z.clone().into_dyn();
        panics("typed real", || z.real().into_dyn());
        fails("real", || complex.real());
        panics("conj", || z.conj().into_dyn());
        panics("dynamic conj", || complex.conj());
        // These dtypes are cast before or after the operation, into memory that is allocated for it.
        let halves = x.cast::<F16>();
        panics("exp of f16", || halves.exp().into_dyn());
        panics("recip of i32", || a.recip().into_dyn());
        macro_rules! scans {
            ($($(#[doc = $doc:literal])+ $what:literal $name:ident $try_name:ident: $kernel:ident $group:ident { $(#[doc = $example:literal])* })*) => {$(
                fails(stringify!($try_name), || any.$try_name(0));
                fails(concat!(stringify!($name), " of f16"), || halves.$try_name(1).map(Tensor::into_dyn));
                panics(concat!(stringify!($name), " of i32"), || a.$name(0).into_dyn());
            )*};
        }
        each_scan!(methods scans!);
    });
}

#[test]
fn operations_on_two_tensors() {
    with_operands(|x, a, b| {
        let (any, other) = (a.clone().into_dyn(), b.clone().into_dyn());
        macro_rules! plain {
            (operator $method:ident $trait:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal) => {
                panics(stringify!($method), || {
                    core::ops::$trait::$method(a, b).into_dyn()
                });
                panics(stringify!($method), || {
                    core::ops::$trait::$method(a.clone(), b.clone()).into_dyn()
                });
                panics(stringify!($method), || {
                    core::ops::$trait::$method(&any, &other)
                });
            };
            (method $method:ident) => {
                panics(stringify!($method), || a.$method(b).into_dyn());
            };
        }
        macro_rules! binaries {
            ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] $example:tt)*) => {$(
                fails(concat!("typed ", stringify!($try_name)), || a.$try_name(b).map(Tensor::into_dyn));
                fails(concat!("literal ", stringify!($try_name)), || b.$try_name(2).map(Tensor::into_dyn));
                fails(stringify!($try_name), || any.$try_name(&other));
                fails(stringify!($try_name), || other.$try_name(2));
                plain!($form $name $($operator)*);
            )*};
        }
        each_binary!(methods binaries!);
        macro_rules! comparisons {
            ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; $example:tt)*) => {$(
                fails(concat!("typed ", stringify!($try_name)), || a.$try_name(b).map(Tensor::into_dyn));
                fails(stringify!($try_name), || any.$try_name(&other));
                panics(stringify!($name), || a.$name(2).into_dyn());
            )*};
        }
        each_comparison!(comparisons!);
        let shorts = a.cast::<I16>();
        fails("mixed dtypes", || x.try_mul(&shorts).map(Tensor::into_dyn));
        fails("broadcast", || {
            x.try_add(&x.index_axis(0, 1)).map(Tensor::into_dyn)
        });
        // An assignment leaves the left side as it was.
        panics("add_assign", || {
            let mut sum = a.clone();
            let result = catch_unwind(AssertUnwindSafe(|| sum += b));
            if let Err(payload) = result {
                unrefused(|| assert_eq!(sum, *a));
                std::panic::resume_unwind(payload);
            }
            sum.into_dyn()
        });
    });
}

#[test]
fn choices_joins_and_conversions() {
    with_operands(|x, a, b| {
        let (a, b) = (&a.cast::<I16>(), &b.cast::<I16>());
        let condition = a.gt(b);
        let (any, ints, chosen) = (
            x.clone().into_dyn(),
            a.clone().into_dyn(),
            condition.clone().into_dyn(),
        );
        fails("select", || {
            try_select(&condition, x, a).map(Tensor::into_dyn)
        });
        fails("select of literals", || {
            try_select(&condition, b, 7).map(Tensor::into_dyn)
        });
        fails("dynamic select", || chosen.try_select(&any, &ints));
        panics("plain select", || select(&condition, x, x).into_dyn());
        fails("clamp", || x.try_clamp(0.5, 2.0).map(Tensor::into_dyn));
        fails("dynamic clamp", || any.try_clamp(0.5, a));
        panics("plain clamp", || b.clamp(1, 2).into_dyn());
        fails("concat", || try_concat(&[a, b], 1).map(Tensor::into_dyn));
        fails("stack", || try_stack(&[a, b], 0).map(Tensor::into_dyn));
        panics("concat", || concat(&[a, b], 1).into_dyn());
        panics("stack", || stack(&[a, b], 0).into_dyn());
        fails("typed concat", || x.try_concat(a, 0).map(Tensor::into_dyn));
        panics("plain concat", || x.concat(a, 0).into_dyn());
        fails("dynamic concat", || any.try_concat(&ints, 1));
        fails("dynamic concat of many", || try_concat(&[&any, &any], 0));
        fails("dynamic stack", || try_stack(&[&any, &any], -1));

        panics("cast", || x.cast::<I64>().into_dyn());
        panics("widen", || x.widen::<F64>().into_dyn());
        fails("try_cast", || a.try_cast::<U8>().map(Tensor::into_dyn));
        fails("try_cast of floats", || {
            x.try_cast::<F16>().map(Tensor::into_dyn)
        });
        panics("dynamic cast", || any.cast(DType::BF16));
        fails("dynamic try_cast", || any.try_cast(DType::F16));
        fails("dynamic widen", || any.widen(DType::C128));
        fails("ConvertPromoteTypes", || {
            Ok(ConvertPromoteTypes {
                promote_unsafe: true,
                ..ConvertPromoteTypes::default()
            }
            .convert(&ints, &any)?
            .0)
        });
        panics("convert_promote_types", || {
            let under = (a.with_rules::<Jax>(), x);
            convert_promote_types(&under.0, under.1).0.into_dyn()
        });
        panics("promote", || promote((a, x)).0.into_dyn());

        let turned = x.transpose();
        fails("reshape", || {
            turned.try_reshape([4 * ROWS]).map(Tensor::into_dyn)
        });
        panics("plain reshape", || turned.reshape([ROWS, 4]).into_dyn());
        panics("flatten", || turned.flatten().into_dyn());
        fails("dynamic reshape", || {
            any.transpose().try_reshape([4 * ROWS])
        });
        panics("to_vec", || {
            Tensor::<F32>::from_vec(turned.to_vec(), [4 * ROWS])
                .unwrap_or_else(|error| panic!("{error}"))
                .into_dyn()
        });
        fails("dynamic to_vec", || {
            let elements = any.transpose().to_vec::<F32>()?;
            Tensor::<F32>::from_vec(elements, [4 * ROWS]).map(Tensor::into_dyn)
        });
        panics("as_mut_slice", || {
            let mut copy = x.clone();
            copy.as_mut_slice()[0] = 7.0;
            copy.into_dyn()
        });
        fails("try_as_mut_slice", || {
            let mut copy = x.clone();
            copy.try_as_mut_slice()?[0] = 7.0;
            Ok(copy.into_dyn())
        });
        fails("try_to_vec", || {
            Tensor::<F32>::from_vec(turned.try_to_vec()?, [4 * ROWS]).map(Tensor::into_dyn)
        });
        fails("to_bytes", || {
            DynTensor::from_bytes(DType::F32, [4 * ROWS], &any.to_bytes()?)
        });
    });
}
