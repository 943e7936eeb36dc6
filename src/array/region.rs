//! Regions: the elements that a view has, as positions along the axes of an array, without the array.

use super::{Array, Buffer, Dims, Strides};
use crate::dtype::DType;
use crate::error::Error;

/// The elements of an array that a view has. Several views with a region each may be parts of one array, which may be replaced
/// meanwhile.
///
/// A view moves by a fixed number of positions along each axis of the whole for a step along one of its own axes. So the
/// region has an array of the view's shape for each axis of the whole, whose offset and strides are these numbers. Functions that make
/// views of arrays make regions from regions. Nobody reads the arrays' elements.
#[derive(Clone)]
pub(crate) struct Region {
    /// The shape of the whole.
    whole: Dims,
    /// A single element, repeated: it has the region's shape also if the whole has no axes.
    repeated: Array,
    /// For each axis of the whole, an array with one byte for each position.
    positions: Vec<Array>,
}

impl Region {
    /// Makes the region that has all elements.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn new(whole: Dims) -> Result<Self, Error> {
        let bytes = |len: usize| -> Result<Array, Error> {
            let shape = Dims::new(&[len])?;
            Ok(Array::from_buffer(Buffer::zeroed(len)?, DType::U8, shape))
        };
        let still = whole.map(|_| 0);
        let along = |axis: usize| {
            let mut strides: Strides = still;
            strides[axis] = 1;
            Ok(bytes(whole[axis])?.view(whole, strides))
        };
        Ok(Self {
            whole,
            repeated: bytes(1)?.view(whole, still),
            positions: (0..whole.len()).map(along).collect::<Result<_, Error>>()?,
        })
    }

    /// Keeps the elements of a view, made by a function.
    ///
    /// # Errors
    /// The errors of the function.
    ///
    /// # Panics
    /// If the function copied elements.
    pub(crate) fn narrowed(
        &self,
        view: impl Fn(&Array) -> Result<Array, Error>,
    ) -> Result<Self, Error> {
        let narrowed = |positions: &Array| {
            let view = view(positions)?;
            assert!(view.shares_buffer(positions), "a view of the same buffer");
            Ok(view)
        };
        let positions = self.positions.iter().map(narrowed);
        Ok(Self {
            whole: self.whole,
            repeated: narrowed(&self.repeated)?,
            positions: positions.collect::<Result<_, Error>>()?,
        })
    }

    /// The shape of the whole.
    pub(crate) fn whole(&self) -> &Dims {
        &self.whole
    }

    /// The shape of the region.
    pub(crate) fn shape(&self) -> &Dims {
        self.repeated.dims()
    }

    /// The position of the first element along an axis of the whole, and the distance of neighbours along each axis of the region.
    pub(crate) fn along(&self, axis: usize) -> (usize, &[isize]) {
        let layout = self.positions[axis].layout();
        (layout.offset, &layout.strides)
    }

    /// The index in the whole of the element at an index of the region.
    ///
    /// # Errors
    /// The errors of [`Array::index_error`].
    pub(crate) fn index(&self, operation: &'static str, index: &[usize]) -> Result<Dims, Error> {
        if self.repeated.offset_of(index).is_none() {
            return Err(self.repeated.index_error(operation, index));
        }
        let mut whole = self.whole;
        for (axis, position) in whole.iter_mut().enumerate() {
            let (start, steps) = self.along(axis);
            let steps = index.iter().zip(steps);
            let moved: isize = steps.map(|(index, step)| index.cast_signed() * step).sum();
            *position = start.wrapping_add_signed(moved);
        }
        Ok(whole)
    }

    /// The view of an array that has the elements of the region.
    ///
    /// # Panics
    /// If the array has another shape than the whole.
    pub(crate) fn of(&self, array: &Array) -> Array {
        assert_eq!(array.dims(), &self.whole, "the whole");
        let shape = *self.shape();
        let mut strides = shape.map(|_| 0_isize);
        let mut first = 0;
        for (axis, stride) in array.strides().iter().enumerate() {
            let (start, steps) = self.along(axis);
            first += start.cast_signed() * stride;
            for (sum, step) in strides.iter_mut().zip(steps) {
                *sum += step * stride;
            }
        }
        // An empty array has no element to start at.
        let first = if array.is_empty() { 0 } else { first };
        array.view_from(first, shape, strides)
    }

    /// The axes of the region that have several positions.
    pub(crate) fn wide_axes(&self) -> impl Iterator<Item = usize> {
        let shape = *self.shape();
        (0..shape.len()).filter(move |axis| shape[*axis] > 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The views that can be written, one of another.
    fn views() -> Vec<fn(&Array) -> Result<Array, Error>> {
        vec![
            |x| x.slice(0, 1, 3, 1),
            |x| x.slice(0, 3, 0, -2),
            |x| x.slice(1, 0, 4, 2)?.slice(1, 1, -1, -1),
            |x| x.slice(1, 2, 2, 1),
            |x| x.index_axis(1, 3),
            |x| x.index_axis(0, 2)?.index_axis(0, 1),
            |x| x.unsqueeze(1)?.slice(0, 0, 4, 3),
            |x| x.diagonal(1, [1, 0]),
            |x| x.diagonal(-1, [0, 1])?.slice(0, 2, -1, -2),
        ]
    }

    #[test]
    fn a_region_has_the_elements_of_the_view() {
        let whole = Array::from_positions(&[4, 5], |at| i64::try_from(at).unwrap()).unwrap();
        let region = Region::new(*whole.dims()).unwrap();
        for view in views() {
            let (part, region) = (view(&whole).unwrap(), region.narrowed(view).unwrap());
            assert_eq!(region.shape(), part.dims());
            assert_eq!(region.of(&whole).to_vec::<i64>(), part.to_vec::<i64>());
            let columns = whole
                .permute(&[1, 0])
                .unwrap()
                .row_major()
                .unwrap()
                .into_owned();
            let columns = columns.permute(&[1, 0]).unwrap();
            assert_eq!(region.of(&columns).to_vec::<i64>(), part.to_vec::<i64>());
            let strides = crate::array::row_major(part.dims());
            for (at, element) in part.to_vec::<i64>().into_iter().enumerate() {
                let position = |axis: usize| at / strides[axis].unsigned_abs() % part.shape()[axis];
                let index: Vec<usize> = (0..part.rank()).map(position).collect();
                assert_eq!(
                    whole.get::<i64>(&region.index("set", &index).unwrap()),
                    Some(element)
                );
            }
        }
    }

    #[test]
    fn regions_of_no_axes_and_of_no_elements() {
        let single = Region::new(Dims::default()).unwrap();
        let single = single.narrowed(|x| x.unsqueeze(0)).unwrap();
        assert_eq!(
            (&single.shape()[..], single.wide_axes().count()),
            (&[1][..], 0)
        );
        let empty = Region::new(Dims::new(&[3, 0]).unwrap()).unwrap();
        let row = empty.narrowed(|x| x.index_axis(0, 2)).unwrap();
        assert_eq!(&row.shape()[..], [0]);
        let array = Array::full(0_i64, &[3, 0]).unwrap();
        assert!(row.of(&array).is_empty());
    }
}
