//! Differences of neighbours along an axis.

use crate::naive::{self, Plain};
use crate::{along, laid_out, random_shape, refused, signed, tensor_of};
use supremum::prelude::*;
use supremum::{RuleSet, fuse};

#[test]
fn differences_of_each_dtype() {
    for seed in 0..100 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let shape = random_shape(rng, 4);
        if shape.is_empty() {
            continue;
        }
        let axis = rng.usize(..shape.len());
        let at = signed(rng, axis, shape.len());
        let highest = if rng.bool() { 2 } else { 8 };
        let numbers = naive::indices(&shape)
            .iter()
            .map(|_| rng.i64(0..highest))
            .collect();
        let plain = Plain::new(&shape, numbers);
        let differences = along(&plain, axis, |row| {
            row.windows(2).map(|pair| pair[1] - pair[0]).collect()
        });
        let changes = along(&plain, axis, |row| {
            row.windows(2)
                .map(|pair| i64::from((pair[1] != 0) != (pair[0] != 0)))
                .collect()
        });
        for dtype in DType::ALL {
            let x = laid_out::<I64>(rng, &plain).into_dyn().cast(*dtype);
            let mut expected = match dtype {
                DType::Bool => tensor_of::<I64>(&changes),
                _ => tensor_of::<I64>(&differences),
            };
            if plain.elements.is_empty() {
                let mut shape = shape.clone();
                shape[axis] = shape[axis].saturating_sub(1);
                expected = Tensor::zeros(&shape[..]);
            }
            let expected = expected.into_dyn().cast(*dtype);
            let found = x.diff(1, at);
            assert!(
                found == expected,
                "seed {seed}, {dtype}: {found} but {expected}"
            );
        }
    }
}

/// Where the rules define `-`, differences are those of slices.
#[test]
fn differences_are_those_of_slices() {
    let mut defined = 0;
    for rules in RuleSet::builtin() {
        for dtype in DType::ALL {
            let x = DynTensor::arange(DType::F32, 0.0, 4.0, 1.0).expect("memory");
            let x = x.cast(*dtype).flip(0).with_rules(rules);
            let Ok(expected) = x.slice(0, 1..).try_sub(x.slice(0, ..-1)) else {
                continue;
            };
            let found = x.diff(1, 0).cast(expected.dtype());
            assert!(
                found == expected,
                "{dtype} under {}: {found} but {expected}",
                rules.name()
            );
            defined += 1;
        }
    }
    assert!(defined > 100, "{defined}");
}

#[test]
fn forms_of_differences() {
    let x: Tensor<U8, Rank1> = tensor![3, 1, 2];
    let wrapped: Tensor<U8, Rank1> = x.diff(1, 0);
    assert_eq!(wrapped.to_vec(), [254, 1]);
    assert_eq!(x.diff(2, 0).to_vec(), [3]);
    assert_eq!(x.diff(0, 0), x);
    assert_eq!(x.diff(3, -1).shape(), [0]);
    assert_eq!(x.diff(usize::MAX, 0).shape(), [0]);
    assert_eq!(fuse!(x.diff(1, 0) + x.slice(0, 1..)).to_vec(), [255, 3]);
    let scalar = Tensor::<F32>::zeros([]);
    refused! {
        x.try_diff(1, 1), x.diff(1, 1) => "diff: axis 1 does not exist at rank 1";
        scalar.try_diff(0, -1), scalar.diff(1, -1) => "diff: axis -1 does not exist at rank 0";
    }
}
