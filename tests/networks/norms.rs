//! Norms, variances with a correction and sequences of equal ratios.

use supremum::{DType, DynTensor, F32, F64, Kind, Rank1, Rank2, Tensor, U8, tensor};

use super::{FLOATS, Random, assert_near, layouts, numbers, of, rows};

/// `sum(|x|^p)^(1/p)`
fn naive_norm(p: f64, row: &[f64]) -> f64 {
    let sizes = row.iter().map(|x| x.abs());
    match p {
        f64::INFINITY => sizes.fold(0.0, f64::max),
        f64::NEG_INFINITY => sizes.fold(f64::INFINITY, f64::min),
        0.0 => sizes.filter(|size| *size != 0.0).count() as f64,
        p => sizes.map(|size| size.powf(p)).sum::<f64>().powf(1.0 / p),
    }
}

#[test]
fn norms_are_near_the_exact_ones() {
    let mut random = Random(11);
    for shape in [vec![5], vec![3, 40], vec![2, 3, 700]] {
        for dtype in FLOATS
            .into_iter()
            .chain([DType::I8, DType::I64, DType::U16])
        {
            let count = shape.iter().product();
            let x = of(dtype, &shape, &random.numbers(count));
            let values = numbers(&x);
            for p in [1.0, 2.0, 3.0, 0.5, 0.0, f64::INFINITY, f64::NEG_INFINITY] {
                for axis in 0..shape.len() {
                    let exact: Vec<f64> = rows(&shape, axis)
                        .iter()
                        .map(|row| {
                            naive_norm(p, &row.iter().map(|at| values[*at]).collect::<Vec<_>>())
                        })
                        .collect();
                    let what = format!("norm {p} of {dtype} {shape:?} along {axis}");
                    for x in layouts(&x) {
                        let found = x.norm(p, axis as isize);
                        // An overflow of 8 bits is of the dtype, not of the norm.
                        if dtype.size() > 1 || dtype.kind() != Kind::Float {
                            assert_near(&found, &exact, |_| 24.0, &what);
                        }
                        assert_eq!(x.norm_keepdims(p, axis as isize).ndim(), shape.len());
                    }
                }
                if dtype.size() > 2 || dtype.kind() != Kind::Float {
                    assert_near(
                        &x.norm(p, ..),
                        &[naive_norm(p, &values)],
                        |_| 24.0,
                        "all axes",
                    );
                }
            }
        }
    }
    let z: Tensor<supremum::C64, Rank1> =
        tensor![supremum::c64::new(3.0, -4.0), supremum::c64::new(0.0, 12.0)];
    let length: Tensor<F32, _> = z.norm(2.0, ..);
    assert_eq!(length.item(), Ok(13.0));
    // The squares overflow in f32.
    let x: Tensor<F32, Rank1> = tensor![3e30, 4e30];
    assert_eq!(x.norm(2.0, 0).item(), Ok(5e30));
    let nothing = Tensor::<F32, Rank2>::zeros([2, 0]);
    assert_eq!(nothing.norm(2.0, 1).to_vec(), [0.0, 0.0]);
    assert_eq!(nothing.norm(f64::INFINITY, 1).to_vec(), [0.0, 0.0]);
    assert_eq!(nothing.norm_keepdims(f64::INFINITY, ..).to_vec(), [0.0]);
    assert_eq!(nothing.norm(f64::INFINITY, 0).shape(), [0]);
    let lowest = f64::NEG_INFINITY;
    let error = nothing.try_norm(lowest, 1).unwrap_err().to_string();
    assert!(error.starts_with("norm: "), "{error}");
    let error = nothing.try_norm(2.0, 2).unwrap_err().to_string();
    assert_eq!(error, "norm: axis 2 does not exist at rank 2");
}

#[test]
fn variances_have_corrections() {
    let mut random = Random(5);
    let shape = [3, 40];
    let values = random.numbers(120);
    for dtype in [DType::BF16, DType::F32, DType::F64, DType::I16] {
        let x = of(dtype, &shape, &values);
        let values = numbers(&x);
        for correction in [0, 1, 2, 40, 41] {
            let exact: Vec<f64> = rows(&shape, 1)
                .iter()
                .map(|row| {
                    let mean = row.iter().map(|at| values[*at]).sum::<f64>() / 40.0;
                    let squares: f64 = row.iter().map(|at| (values[*at] - mean).powi(2)).sum();
                    squares / 40_usize.saturating_sub(correction) as f64
                })
                .collect();
            assert_near(&x.var_corrected(correction, 1), &exact, |_| 4.0, "var");
            let roots: Vec<f64> = exact.iter().map(|x| x.sqrt()).collect();
            assert_near(&x.std_corrected(correction, [1]), &roots, |_| 4.0, "std");
            for (kept, removed) in [
                (
                    x.var_corrected_keepdims(correction, 1),
                    x.var_corrected(correction, 1),
                ),
                (
                    x.std_corrected_keepdims(correction, -1),
                    x.std_corrected(correction, 1),
                ),
                // Without NaN, the forms that skip them are the same.
                (
                    x.nan_var_corrected_keepdims(correction, 1),
                    x.var_corrected(correction, 1),
                ),
                (
                    x.nan_std_corrected_keepdims(correction, 1),
                    x.std_corrected(correction, 1),
                ),
            ] {
                assert_eq!(kept.shape(), [3, 1]);
                assert_near(&kept, &numbers(&removed), |_| 2.0, "keepdims");
            }
        }
        assert_eq!(numbers(&x.var_corrected(0, ..)), numbers(&x.var()));
    }
    let error = DynTensor::ones(DType::F32, [2])
        .and_then(|x| x.try_std_corrected(1, 1))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "std_corrected: axis 1 does not exist at rank 1"
    );
}

#[test]
fn logspace_has_equal_ratios() {
    assert_eq!(
        Tensor::<F64, Rank1>::logspace(-2.0, 2.0, 3).to_vec(),
        [0.01, 1.0, 100.0]
    );
    assert_eq!(
        Tensor::<U8, Rank1>::logspace(0.0, 2.0, 3).to_vec(),
        [1, 10, 100]
    );
    assert_eq!(
        Tensor::<F32, Rank1>::logspace(3.0, 9.0, 1).to_vec(),
        [1000.0]
    );
    assert!(Tensor::<F32, Rank1>::logspace(3.0, 9.0, 0).is_empty());
    let error = DynTensor::try_logspace(DType::F32, 0.0, f64::NAN, 2).unwrap_err();
    assert_eq!(error.to_string(), "logspace: no finite steps from 0 to NaN");
}
