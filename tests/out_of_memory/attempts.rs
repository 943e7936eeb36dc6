//! Each operation is tried with its allocations refused, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use supremum::{DType, DynTensor, Error, F32, I32, Jax, Rules as _, Tensor};

use super::allocator::{alone, refusing};

/// The dtype, shape and elements of a tensor, in memory of their own.
struct Seen {
    dtype: DType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Seen {
    fn of(tensor: &DynTensor) -> Self {
        Self {
            dtype: tensor.dtype(),
            shape: tensor.shape().to_vec(),
            bytes: tensor.to_bytes().expect("there is memory"),
        }
    }

    /// Fails if a tensor is another one, except that NaN may have other bits.
    #[track_caller]
    fn assert_same(&self, tensor: &DynTensor, name: &str) {
        let found = Self::of(tensor);
        assert_eq!(found.dtype, self.dtype, "{name}");
        assert_eq!(found.shape, self.shape, "{name}");
        // Elements are written as text only if their bytes differ, because that takes long.
        if found.bytes != self.bytes {
            assert_eq!(found.elements(), self.elements(), "{name}");
        }
    }

    fn elements(&self) -> Vec<String> {
        let tensor = DynTensor::from_bytes(self.dtype, self.shape.clone(), &self.bytes);
        summary(&tensor.expect("there is memory"))
    }
}

/// Elements in a form in which NaN equals NaN.
fn summary(tensor: &DynTensor) -> Vec<String> {
    supremum::dispatch!(tensor.with_rules(Jax::rule_set()), |t| t
        .iter()
        .map(|element| element.to_string())
        .collect())
    .expect("any dtype enters")
}

/// Tries an operation with each of its large allocations refused, up to `most`. Returns how often it failed.
pub(super) fn try_up_to(
    most: usize,
    name: &str,
    run: &dyn Fn() -> Result<DynTensor, Error>,
) -> usize {
    let expected = run().unwrap_or_else(|error| panic!("{name} with memory: {error}"));
    let expected = Seen::of(&expected);
    let mut failed = 0;
    for one_only in [false, true] {
        for first in 0..most {
            let (result, refused) = refusing(first, one_only, run);
            match result {
                // No allocation was refused, or the operation does without it.
                Ok(found) => expected.assert_same(&found, &format!("{name}, {first}")),
                Err(Error::OutOfMemory { bytes }) => {
                    assert!(
                        0 < bytes && bytes <= refused,
                        "{name}: {bytes} bytes of {refused}"
                    );
                    failed += 1;
                }
                Err(error) => panic!("{name}: {error}"),
            }
            if refused == 0 {
                break;
            }
            assert!(first < 40, "{name} allocates again and again");
        }
    }
    failed
}

/// An operation that gives a large result.
pub(super) fn fails(name: &str, run: impl Fn() -> Result<DynTensor, Error>) {
    assert!(
        try_up_to(usize::MAX, name, &run) > 0,
        "{name} allocates nothing"
    );
}

/// The same, where there is no `Result`: it panics with the text of the error.
pub(super) fn panics(name: &str, run: impl Fn() -> DynTensor) {
    fails(name, || {
        let caught = catch_unwind(AssertUnwindSafe(&run));
        caught.map_err(|payload| {
            let text = payload
                .downcast_ref::<String>()
                .cloned()
                .unwrap_or_default();
            let bytes = text
                .strip_prefix("there is no memory for ")
                .and_then(|text| text.strip_suffix(" bytes"))
                .and_then(|bytes| bytes.parse().ok());
            match bytes {
                Some(bytes) => Error::OutOfMemory { bytes },
                None => panic!("{name} panics with another text: {text}"),
            }
        })
    });
}

pub(super) const ROWS: usize = 1100;

/// Numbers from one on, that integers can divide by and be raised to, in a matrix with few columns.
fn numbers() -> Tensor<F32> {
    Tensor::from_fn([ROWS, 4], |index| {
        [1.0, 2.0, 0.5, 3.0][(index[0] + index[1]) % 4]
    })
}

pub(super) fn integers() -> Tensor<I32> {
    Tensor::from_fn([ROWS, 4], |index| [1, 2, 5, 3][(index[0] + index[1]) % 4])
}

/// Runs with operands that are looked at before and after.
pub(super) fn with_operands(run: impl FnOnce(&Tensor<F32>, &Tensor<I32>, &Tensor<I32>)) {
    let _alone = alone();
    let (x, a) = (numbers(), integers());
    let b = a.flip(0);
    let all = [
        x.clone().into_dyn(),
        a.clone().into_dyn(),
        b.clone().into_dyn(),
    ];
    let before = all.each_ref().map(Seen::of);
    drop(all);
    run(&x, &a, &b);
    for (before, after) in before
        .iter()
        .zip([x.into_dyn(), a.into_dyn(), b.into_dyn()])
    {
        before.assert_same(&after, "operands are as they were");
    }
}
