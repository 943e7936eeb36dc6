//! Elements, moves, sorts, scatters, and constructors.

use supremum::{DType, DynTensor, Error, F32, F64, I32, I64, PadMode, Rank1, Tensor, U8};

use super::allocator::alone;
use super::attempts::{ROWS, fails, panics, with_operands};

#[test]
pub(super) fn elements() {
    with_operands(|x, _, _| {
        let any = x.clone().into_dyn();
        fails("set", || {
            let mut copy = x.clone();
            copy.try_set(&[0, 0], 7.0)?;
            Ok(copy.into_dyn())
        });
        panics("index", || {
            let mut copy = x.clone();
            copy[[0, 0]] = 7.0;
            copy.into_dyn()
        });
        fails("slice_mut", || {
            let mut copy = x.clone();
            copy.try_slice_mut(0, 1..)?.fill(7.0);
            Ok(copy.into_dyn())
        });
        fails("dynamic slice_mut", || {
            let mut copy = any.clone();
            copy.try_slice_mut(0, 1..)?.try_fill(7)?;
            Ok(copy)
        });
        fails("assign to a part", || {
            let mut sums = x.try_zeros_like()?;
            sums.slice_step_mut(0, .., -1).try_assign(x)?;
            Ok(sums.into_dyn())
        });
        panics("+= of a part", || {
            let mut copy = x.clone();
            let mut part = copy.slice_mut(0, 1..);
            part += 1;
            copy.into_dyn()
        });
        panics("map", || x.map(|x| x + 1.0).into_dyn());
        panics("collect", || {
            x.iter()
                .filter(|x| *x > 0.0)
                .collect::<Tensor<F32>>()
                .into_dyn()
        });
        panics("from", || Tensor::<F32>::from(x.to_vec()).into_dyn());
        panics("from_fn", || {
            Tensor::<F32>::from_fn([ROWS], |_| 1.0).into_dyn()
        });
    });
}

#[test]
fn moves() {
    with_operands(|x, _, _| {
        let any = x.clone().into_dyn();
        let order = Tensor::<I64, Rank1>::from_fn([ROWS], |index| {
            i64::try_from(ROWS - 1 - index[0]).unwrap_or_default()
        });
        let column = order.unsqueeze(1);
        let (dyn_order, dyn_column) = (order.clone().into_dyn(), column.clone().into_dyn());
        fails("take", || any.try_take(&dyn_order, 0));
        panics("typed take", || x.take(&order, 0).into_dyn());
        fails("take_along_axis", || {
            any.try_take_along_axis(&dyn_column, 0)
        });
        panics("typed take_along_axis", || {
            x.take_along_axis(&column.clone().into_any(), 0).into_dyn()
        });
        let mask = x.gt(0.5);
        let dyn_mask = mask.clone().into_dyn();
        fails("masked_select", || any.try_masked_select(&dyn_mask));
        panics("typed masked_select", || x.masked_select(&mask).into_dyn());
        let (dyn_rows, rows) = (dyn_mask.index_axis(1, 0), mask.index_axis(1, 0));
        fails("compress", || any.try_compress(&dyn_rows, 0));
        panics("typed compress", || x.compress(&rows, 0).into_dyn());
        fails("argwhere", || any.try_argwhere());
        fails("flatnonzero", || any.try_flatnonzero());
        fails("nonzero", || {
            any.try_nonzero().map(|mut found| found.remove(0))
        });
        panics("typed argwhere", || x.argwhere().into_dyn());
        panics("typed flatnonzero", || x.flatnonzero().into_dyn());
        panics("typed nonzero", || x.nonzero().remove(1).into_dyn());
        fails("pad_with", || {
            any.try_pad_with([[1, 0], [0, 1]], PadMode::Edge)
        });
        fails("repeat_each", || any.try_repeat_each([2; ROWS], 0));
        fails("pad", || any.try_pad([[1, 0], [0, 1]], 0.5));
        panics("typed pad", || x.pad([[1, 0], [0, 1]], 0.5).into_dyn());
        fails("tile", || any.try_tile([2, 3]));
        panics("typed tile", || x.tile([2, 1]).into_dyn());
        fails("repeat", || any.try_repeat(2, 0));
        panics("typed repeat", || x.repeat(2, 1).into_dyn());
        fails("roll", || any.try_roll(1, 0));
        panics("typed roll", || x.roll(-1, 1).into_dyn());
        fails("tril", || any.try_tril(0));
        panics("typed triu", || x.triu(0).into_dyn());
        fails("contiguous", || any.transpose().try_contiguous());
        panics("typed contiguous", || x.flip(0).contiguous().into_dyn());
        fails("full_like", || any.try_full_like(2));
        fails("zeros_like", || any.try_zeros_like());
        fails("ones_like", || any.try_ones_like());
        panics("typed full_like", || x.full_like(2.0).into_dyn());
        fails("linspace", || {
            DynTensor::try_linspace(DType::F16, 0.0, 1.0, 8 * ROWS)
        });
        panics("typed linspace", || {
            Tensor::<F32>::linspace(0.0, 1.0, 4 * ROWS).into_dyn()
        });
    });
}

#[test]
fn sorts_scatters_and_counts() {
    with_operands(|x, a, _| {
        let (any, ints) = (x.clone().into_dyn(), a.clone().into_dyn());
        for axis in [0, 1] {
            fails("sort", || any.try_sort(axis));
            panics("typed sort", || x.sort_descending(axis).into_dyn());
            fails("argsort", || any.try_argsort(axis));
            fails("top_k", || {
                any.try_top_k(3, axis).map(|(elements, _)| elements)
            });
            fails("positions of top_k", || {
                any.try_top_k(3, axis).map(|(_, positions)| positions)
            });
            fails("median", || any.try_median_axis(axis));
        }
        panics("typed median", || x.median().into_dyn());
        let flat = any.flatten();
        fails("searchsorted", || flat.try_searchsorted(&any));
        fails("unique", || any.try_unique());
        fails("unique_counts", || {
            any.try_unique_counts().map(|(_, counts)| counts)
        });
        fails("unique_inverse", || {
            any.try_unique_inverse().map(|(_, inverse)| inverse)
        });
        fails("scatter", || any.try_scatter(&ints, &any, 0));
        fails("scatter_max", || any.try_scatter_max(&ints, &any, 0));
        fails("scatter_add", || any.try_scatter_add(&ints, &any, 0));
        fails("one_hot", || ints.try_rem(4)?.try_one_hot(4, DType::F64));
        fails("bincount", || ints.flatten().try_bincount(ROWS));
        fails("histogram", || any.try_histogram(ROWS, 0.0..=1.0));
        fails("diag", || flat.try_slice(0, ..50)?.try_diag(1));
    });
}

#[test]
fn what_makes_tensors() {
    let _alone = alone();
    let elements: Vec<f32> = vec![1.5; 4 * ROWS];
    fails("from_slice", || {
        Tensor::<F32>::from_slice(&elements, [4 * ROWS]).map(Tensor::into_dyn)
    });
    fails("from_bytes", || {
        DynTensor::from_bytes(DType::F32, [4 * ROWS], bytemuck::cast_slice(&elements))
    });
    fails("try_full", || {
        Tensor::<I64>::try_full([ROWS], 7).map(Tensor::into_dyn)
    });
    panics("zeros", || Tensor::<F64>::zeros([ROWS]).into_dyn());
    panics("ones", || Tensor::<F64>::ones([ROWS]).into_dyn());
    panics("from_fn", || {
        Tensor::<I64>::from_fn([ROWS], |index| i64::try_from(index[0]).unwrap_or(0)).into_dyn()
    });
    panics("eye", || Tensor::<F32>::eye(80).into_dyn());
    fails("arange", || {
        Tensor::<I32>::try_arange(0.0, 2000.0, 1.0).map(Tensor::into_dyn)
    });
    panics("plain arange", || {
        Tensor::<I32>::arange(0.0, 2000.0, 1.0).into_dyn()
    });
    fails("dynamic arange", || {
        DynTensor::arange(DType::F16, 0.0, 3000.0, 1.0)
    });
    fails("dynamic zeros", || DynTensor::zeros(DType::C64, [ROWS]));
    fails("dynamic full", || DynTensor::full(DType::F64, [ROWS], 0.5));
    fails("dynamic eye", || DynTensor::eye(DType::Bool, 80));
    // More than can be addressed, and more than there is.
    let huge = Tensor::<U8>::ones([1]).broadcast_to([1 << 55]);
    assert!(matches!(huge.try_add(&huge), Err(Error::OutOfMemory { bytes }) if bytes == 1 << 55));
    assert!(matches!(
        Tensor::<F64>::try_full([1 << 60], 0.0),
        Err(Error::ShapeTooLarge { .. })
    ));
    assert!(matches!(
        DynTensor::arange(DType::I64, 0.0, 2e14, 1.0),
        Err(Error::OutOfMemory {
            bytes: 1_600_000_000_000_000
        })
    ));
}
