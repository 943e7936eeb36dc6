//! Slices of several axes at once.

use supremum::AxisSlices;
use supremum::prelude::*;

use crate::{Matrix, Selection, numbers, range};

#[test]
fn slices_of_several_axes_have_the_elements_of_slices_one_by_one() {
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let shape = [(); 3].map(|()| rng.usize(1..6));
        let memory = numbers(shape.iter().product());
        let t = Tensor::<I32, Rank3>::from_vec(memory.clone(), shape).expect("a shape");
        let (a, kept_a) = range(&mut rng, shape[0]);
        let (c, kept_c) = range(&mut rng, shape[2]);
        let at = rng.usize(..shape[1]);
        let counted = at.cast_signed()
            - if rng.bool() {
                shape[1].cast_signed()
            } else {
                0
            };
        let expected = Selection::all(&shape)
            .along(0, &kept_a)
            .along(1, &[at])
            .without(1)
            .along(1, &kept_c);
        let sliced: Matrix = t.slice_axes((a, counted, c));
        assert_eq!(
            (sliced.shape(), sliced.to_vec()),
            (&expected.shape[..], expected.read(&memory)),
            "{seed}"
        );
        let dynamic = t
            .clone()
            .into_dyn()
            .try_slice_axes((a, counted, c))
            .expect("a slice");
        assert_eq!(dynamic, sliced.into_dyn());
        let first: Tensor<I32, Rank3> = t.slice_axes((a,));
        assert_eq!(
            first.to_vec(),
            Selection::all(&shape).along(0, &kept_a).read(&memory)
        );
    }
    let t = Matrix::from([[1, 2, 3], [4, 5, 6]]);
    assert_eq!(t.slice_axes(s![.., 0..=1]).to_vec(), [1, 2, 4, 5]);
    assert_eq!(t.slice_axes(s![..;-1, 1..;2]).to_vec(), [5, 2]);
    assert_eq!(t.slice_axes(s![1_usize, -1]).item(), Ok(6));
    assert_eq!(t.slice_axes(s![-1,]).to_vec(), [4, 5, 6]);
    fn error<S: AxisSlices<AnyRank>>(slices: S) -> String {
        let t = Matrix::from([[1, 2, 3], [4, 5, 6]]).into_any();
        t.try_slice_axes(slices).map(drop).unwrap_err().to_string()
    }
    assert_eq!(
        error(s![.., -4]),
        "slice_axes: index -4 is outside axis 1 of size 3"
    );
    assert_eq!(
        error(s![.., 3_usize]),
        "slice_axes: index 3 is outside axis 1 of size 3"
    );
    assert_eq!(
        error(s![.., ..-4]),
        "slice_axes: ..-4 is not within axis 1 of size 3"
    );
    assert_eq!(
        error(s![0, 3]),
        "slice_axes: index 3 is outside axis 1 of size 3"
    );
    assert_eq!(error(s![..;0]), "slice_axes: the step along axis 0 is zero");
    assert_eq!(
        error(s![.., .., ..]),
        "slice_axes: axis 2 does not exist at rank 2"
    );
    assert_eq!(
        error(s![0, 0, 0]),
        "slice_axes: axis 2 does not exist at rank 2"
    );
}

/// Slices in a variable, for several tensors.
#[test]
fn slices_serve_several_tensors_by_reference() {
    let (a, b) = (
        tensor![I32; [1, 2, 3], [4, 5, 6]],
        tensor![I32; [10, 20, 30], [40, 50, 60]],
    );
    let part = s![1.., ..;2];
    let sum = a.slice_axes(&part) + b.slice_axes(&part);
    assert_eq!((sum.shape(), sum.to_vec()), (&[1, 2][..], vec![44, 66]));
    let mut c = a.clone();
    c.slice_axes_mut(&part).fill(0);
    assert_eq!(c.to_vec(), [1, 2, 3, 0, 5, 0]);
    let dynamic = DynTensor::from(&b).slice_axes(&part);
    assert_eq!(dynamic, DynTensor::from(b.slice_axes(part)));
}
