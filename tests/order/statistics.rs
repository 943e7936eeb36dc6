//! Interpolation, nearness, membership, covariances, windows and quarter turns, beside NumPy's answers (`data/statistics`).

use std::collections::BTreeMap;

use crate::naive::Plain;
use crate::{laid_out, refused};
use supremum::prelude::*;

/// A shape and elements.
fn array(rng: &mut fastrand::Rng, text: &str) -> Tensor<F64> {
    let (shape, numbers) = text.split_once(':').expect("a shape");
    let sizes = shape.split('x').filter(|size| !size.is_empty());
    let shape: Vec<usize> = sizes.map(|size| size.parse().expect("a size")).collect();
    let words = numbers.split_whitespace();
    let elements = words.map(|word| word.parse().expect("a number")).collect();
    laid_out::<F64>(rng, &Plain::new(&shape, elements))
}

fn same(found: &DynTensor, expected: &Tensor<F64>, line: &str) {
    assert_eq!(found.shape(), expected.shape(), "{line}");
    let found = found.cast(DType::F64).to_vec::<F64>().expect("elements");
    let near = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan() || (a - b).abs() < 1e-13;
    assert!(
        found.iter().zip(&expected.to_vec()).all(near),
        "{line}: {found:?}"
    );
}

#[test]
fn answers_are_numpys() -> Result<(), Error> {
    let mut rows = BTreeMap::<&str, u64>::new();
    for line in include_str!("../data/statistics/answers.csv")
        .lines()
        .skip(1)
    {
        let [function, first, second, third, fourth, result] =
            line.split(',').collect::<Vec<_>>()[..]
        else {
            panic!("six columns: {line}")
        };
        let count = rows.entry(function).or_default();
        *count += 1;
        let rng = &mut fastrand::Rng::with_seed(*count);
        let (x, expected) = (array(rng, first), array(rng, result));
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let integer = |text: &str| text.parse::<isize>().expect("an integer");
        let (typed, dynamic) = match function {
            "interp" => {
                let (points, values) = (array(rng, second), array(rng, third));
                let typed = x.interp(&points, &values);
                let dynamic = x
                    .into_dyn()
                    .try_interp(&points.into_dyn(), &values.into_dyn())?;
                (typed.into_dyn(), dynamic)
            }
            "is_close" => {
                let (b, relative, absolute) = (array(rng, second), number(third), number(fourth));
                let typed = x.is_close(&b, relative, absolute);
                let dynamic = x
                    .into_dyn()
                    .try_is_close(&b.into_dyn(), relative, absolute)?;
                (typed.into_dyn(), dynamic)
            }
            "is_in" => {
                let values = array(rng, second);
                let typed = x.is_in(&values);
                (
                    typed.into_dyn(),
                    x.into_dyn().try_is_in(&values.into_dyn())?,
                )
            }
            "cov" => {
                let correction = integer(second).unsigned_abs();
                (
                    x.cov(correction).into_dyn(),
                    x.into_dyn().try_cov(correction)?,
                )
            }
            "corrcoef" => (x.corrcoef().into_dyn(), x.into_dyn().try_corrcoef()?),
            "unfold" => {
                let size = integer(third).unsigned_abs();
                let (axis, step) = (integer(second), integer(fourth).unsigned_abs());
                let typed = x.unfold(axis, size, step).into_dyn();
                (typed, x.into_dyn().try_unfold(axis, size, step)?)
            }
            "rot90" => {
                let (turns, a, b) = (integer(second), integer(third), integer(fourth));
                let typed = x.rot90(turns, a, b).into_dyn();
                (typed, x.into_dyn().try_rot90(turns, a, b)?)
            }
            other => panic!("no reading of {other}"),
        };
        same(&typed, &expected, line);
        same(&dynamic, &expected, line);
    }
    let expected = [
        ("corrcoef", 5),
        ("cov", 10),
        ("interp", 12),
        ("is_close", 4),
        ("is_in", 4),
        ("rot90", 18),
        ("unfold", 8),
    ];
    assert_eq!(rows.into_iter().collect::<Vec<_>>(), expected);
    Ok(())
}

/// The mean of equal elements can round to another number.
#[test]
fn rows_of_equal_elements_vary_with_nothing() {
    for len in 1..60_usize {
        for element in [-3.84486564, 0.1, 1.0 / 3.0, 1e300, 7e-310] {
            let x = Tensor::<F64, Rank2>::from_fn([2, len], |[row, column]| match row {
                0 => element,
                _ => f64::from(u8::try_from(column).unwrap()),
            });
            let cov = x.cov(0).to_vec();
            assert_eq!(cov[..3], [0.0; 3], "{len} of {element}");
            let correlations = x.corrcoef().to_vec();
            assert!(
                correlations[..3].iter().all(|number| number.is_nan()),
                "{len} of {element}: {correlations:?}"
            );
        }
    }
}

#[test]
fn other_dtypes_are_computed_wide() {
    let x: Tensor<I64, Rank1> = tensor![9007199254740993, -3, 7];
    let among: Tensor<I64, Rank1> = tensor![9007199254740992, 7];
    // Integers are compared as they are.
    assert_eq!(x.is_in(&among).to_vec(), [false, false, true]);
    let z: Tensor<C64, Rank1> = tensor![1.0i, 2.0];
    let near: Tensor<C64, Rank1> = tensor![1.0i, 2.5];
    assert_eq!(z.is_close(&near, 0.0, 0.1).to_vec(), [true, false]);
    let halves: Tensor<F16, Rank2> = tensor![[1.0, 2.0, 3.0], [2.0, 4.0, 9.0]];
    let cov: Tensor<F16, Rank2> = halves.cov(1);
    assert_eq!(cov.cast::<F32>().to_vec(), [1.0, 3.5, 3.5, 13.0]);
    let integers: Tensor<I32, Rank2> = tensor![[1, 2, 3], [6, 4, 2]];
    assert_eq!(
        integers.cov(0).cast::<F64>().to_vec()[1],
        f64::from(-4.0 / 3.0_f32)
    );
    let truths: Tensor<Bool, Rank1> = tensor![true, false];
    assert_eq!(truths.is_in(&truths.slice(0, ..1)).to_vec(), [true, false]);
    // Windows share the elements.
    let t = Tensor::<F32, Rank1>::arange(0.0, 1000.0, 1.0);
    assert_eq!(t.unfold(0, 500, 1).shape(), [501, 500]);
    assert_eq!(t.unfold(0, 500, 1)[[500, 499]], 999.0);
}

#[test]
fn operands_that_do_not_fit_are_errors() {
    let x = Tensor::<F32, Rank2>::ones([2, 3]);
    let (v, w) = (Tensor::<F32>::ones([3]), Tensor::<F32>::ones([2]));
    let none = Tensor::<F32>::ones([0]);
    let matrix = Tensor::<F32>::ones([2, 2]);
    refused! {
        x.try_is_close(&matrix, 0.0, 0.0), x.is_close(&matrix, 0.0, 0.0) => "is_close: shapes [2, 3] and [2, 2] do not fit together; axis 1 has sizes 3 and 2";
        x.try_interp(&v, &w), x.interp(&v, &w) => "interp: axis 0 of the points has size 3, axis 0 of the values has size 2 (shapes [3] and [2])";
        x.try_interp(&matrix, &v), x.interp(&matrix, &v) => "interp: rank 1 expected, found shape [2, 2]";
        x.try_interp(&none, &none), x.interp(&none, &none) => "interp: expected 1 point at least, found 0";
        v.try_cov(1), v.cov(1) => "cov: rank 2 expected, found shape [3]";
        v.try_corrcoef(), v.corrcoef() => "corrcoef: rank 2 expected, found shape [3]";
        x.try_unfold(1, 4, 1), x.unfold(1, 4, 1) => "unfold: a window of 4 does not fit axis 1, which has size 3";
        x.try_unfold(1, 0, 1), x.unfold(1, 0, 1) => "unfold: the size of the window along axis 1 is zero";
        x.try_unfold(-1, 1, 0), x.unfold(-1, 1, 0) => "unfold: the stride of the window along axis -1 is zero";
        x.try_unfold(2, 1, 1), x.unfold(2, 1, 1) => "unfold: axis 2 does not exist at rank 2";
        x.try_rot90(1, 0, -2), x.rot90(1, 0, -2) => "rot90: axis 0 is named twice, as 0 and -2";
        x.try_rot90(1, 0, 2), x.rot90(1, 0, 2) => "rot90: axis 2 does not exist at rank 2";
    }
    let text = |result: Result<DynTensor, Error>| result.expect_err("an error").to_string();
    let (x, z) = (x.into_dyn(), Tensor::<C64>::ones([2, 3]).into_dyn());
    assert_eq!(text(x.try_is_in(&z)), "is_in: expected f32, found c64");
    assert_eq!(text(z.try_is_in(&z)), "is_in: undefined on c64");
    assert_eq!(
        text(x.try_is_close(&z, 0.0, 0.0)),
        "is_close: expected f32, found c64"
    );
    assert_eq!(text(z.try_cov(1)), "cov: undefined on c64");
    assert_eq!(
        text(z.try_interp(&v.clone().into_dyn(), &v.into_dyn())),
        "interp: undefined on c64"
    );
}
