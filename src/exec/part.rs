//! Parts of arrays for writing: the one place where a write to a part is run or recorded.
//!
//! Outside of traces a part is a view of elements ([`ArrayMut`]). In a trace it is the borrowed array with a [`Region`]. If the array or
//! what is written to a part of it is a tracer, the write records a new value of the whole array, which takes the array's place.

#[cfg(feature = "stablehlo")]
use std::sync::OnceLock;

use crate::array::{Array, ArrayMut, Dims, Parts, ScalarBits};
#[cfg(feature = "stablehlo")]
use crate::array::{Region, SharedPart, SharedParts};
use crate::dtype::{DType, Element};
use crate::error::Error;
use crate::kernel;

/// A part of an array for writing.
pub(crate) struct PartMut<'a>(Place<'a>);

enum Place<'a> {
    Elements(ArrayMut<'a>),
    #[cfg(feature = "stablehlo")]
    Recorded(Box<Recorded<'a>>),
}

/// A part of an array in a trace.
#[cfg(feature = "stablehlo")]
struct Recorded<'a> {
    whole: Whole<'a>,
    dtype: DType,
    /// The part's present value. It is made when it is read, and dropped when the part is written.
    value: OnceLock<Array>,
}

/// The array that the part belongs to.
#[cfg(feature = "stablehlo")]
enum Whole<'a> {
    /// Of a single part.
    Single(&'a mut Array, Region),
    /// Of the parts along an axis.
    Shared(SharedPart<'a>),
}

impl<'a> PartMut<'a> {
    /// Borrows all elements of an array, or all of the value that a tracer stands for.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; `Error::OutsideTrace` of a tracer of another trace. The array is unchanged then.
    #[inline]
    pub(crate) fn new(operation: &'static str, array: &'a mut Array) -> Result<Self, Error> {
        super::require_current(operation, array)?;
        #[cfg(feature = "stablehlo")]
        if super::is_tracing() {
            let shape = *array.dims();
            return Self::in_trace(array, shape);
        }
        Ok(Self(Place::Elements(array.view_mut()?)))
    }

    /// [`Self::new`], seen with another shape of as many elements.
    ///
    /// # Errors
    /// The errors of [`Self::new`].
    pub(crate) fn reshaped(
        operation: &'static str,
        array: &'a mut Array,
        shape: Dims,
    ) -> Result<Self, Error> {
        super::require_current(operation, array)?;
        #[cfg(feature = "stablehlo")]
        if super::is_tracing() {
            return Self::in_trace(array, shape);
        }
        let view = array.view_mut()?.narrowed(|view| view.reshape(&shape))?;
        Ok(Self(Place::Elements(view)))
    }

    #[cfg(feature = "stablehlo")]
    fn in_trace(array: &'a mut Array, shape: Dims) -> Result<Self, Error> {
        Ok(Self(Place::Recorded(Box::new(Recorded {
            dtype: array.dtype(),
            whole: Whole::Single(array, Region::new(shape)?),
            value: OnceLock::new(),
        }))))
    }

    /// The dtype of the elements.
    #[inline]
    pub(crate) fn dtype(&self) -> DType {
        match &self.0 {
            Place::Elements(view) => view.as_array().dtype(),
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => part.dtype,
        }
    }

    /// The size of each axis.
    #[inline]
    pub(crate) fn dims(&self) -> &Dims {
        match &self.0 {
            Place::Elements(view) => view.as_array().dims(),
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => part.whole.region().shape(),
        }
    }

    /// The elements, or the part's present value, for reading. An array that shares elements must not be kept: it would see later
    /// writes. Of a part that has left its trace, a tracer that operations refuse.
    #[inline]
    pub(crate) fn as_array(&self) -> &Array {
        match &self.0 {
            Place::Elements(view) => view.as_array(),
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => part.value.get_or_init(|| match part.read() {
                Err(Error::OutsideTrace { .. }) => crate::trace::stray(part.dtype, *self.dims()),
                value => super::or_panic(value),
            }),
        }
    }

    /// Copies the elements. The copy of a tracer is a tracer.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn copied(&self) -> Result<Array, Error> {
        match &self.0 {
            Place::Elements(view) => kernel::copied(view.as_array()),
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => match part.read()? {
                tracer if tracer.has_handle() => Ok(tracer),
                elements => kernel::copied(&elements),
            },
        }
    }

    /// Borrows the part again, for a shorter time.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> PartMut<'_> {
        PartMut(match &mut self.0 {
            Place::Elements(view) => Place::Elements(view.reborrow()),
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => Place::Recorded(Box::new(part.reborrow())),
        })
    }

    /// Keeps the elements of a view, made by a function.
    ///
    /// # Errors
    /// The errors of the function.
    ///
    /// # Panics
    /// If the function copied elements, or repeats some of them.
    #[inline]
    pub(crate) fn narrowed(
        self,
        view: impl Fn(&Array) -> Result<Array, Error>,
    ) -> Result<Self, Error> {
        Ok(Self(match self.0 {
            Place::Elements(elements) => Place::Elements(elements.narrowed(view)?),
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => Place::Recorded(Box::new(Recorded {
                whole: part.whole.narrowed(view)?,
                dtype: part.dtype,
                value: OnceLock::new(),
            })),
        }))
    }

    /// Splits the part along an axis into those at its positions, without that axis.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`].
    pub(crate) fn parts(self, axis: usize) -> Result<PartsMut<'a>, Error> {
        Ok(PartsMut(match self.0 {
            Place::Elements(view) => Places::Elements(view.parts(axis)?),
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => {
                let rank = part.whole.region().shape().len();
                if axis >= rank {
                    return Err(Error::AxisOutOfRange {
                        operation: "axis_iter_mut",
                        axis: axis.cast_signed(),
                        rank,
                    });
                }
                let parts = match part.whole {
                    Whole::Single(array, region) => SharedParts::new(array, region, axis),
                    Whole::Shared(part) => part.parts(axis),
                };
                Places::Recorded(parts, part.dtype)
            }
        }))
    }

    /// Copies the elements of an array, which broadcasts, to the part; or records that. Errors name the operation.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`], [`Error::ShapeMismatch`], [`Error::OutOfMemory`]; `Error::Untraceable` of a tracer, if the part was
    /// borrowed outside of the trace, or if an element of one of the parts along an axis was. The part is unchanged then.
    #[inline]
    pub(crate) fn assign(&mut self, operation: &'static str, from: &Array) -> Result<(), Error> {
        match &mut self.0 {
            Place::Elements(view) => {
                super::require_concrete(operation, from)?;
                kernel::assign(operation, view, from)
            }
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => part.assign(operation, from),
        }
    }

    /// Writes one element at every index. Errors name the operation.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`]; [`Error::OutOfMemory`].
    pub(crate) fn fill(
        &mut self,
        operation: &'static str,
        element: ScalarBits,
    ) -> Result<(), Error> {
        match &mut self.0 {
            Place::Elements(view) => match kernel::fill_small(view, element) {
                true => Ok(()),
                false => kernel::assign(operation, view, &element.to_array()?),
            },
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => part.assign(operation, &element.to_array()?),
        }
    }

    /// The view of elements, outside of traces.
    #[inline]
    pub(crate) fn elements(&mut self) -> Option<&mut ArrayMut<'a>> {
        match &mut self.0 {
            Place::Elements(view) => Some(view),
            #[cfg(feature = "stablehlo")]
            Place::Recorded(_) => None,
        }
    }

    /// The element at an index, for writing.
    ///
    /// # Errors
    /// The errors of [`Array::index_error`], [`Error::OutOfMemory`]. In a trace `Error::Untraceable` of a tracer.
    ///
    /// # Panics
    /// If the dtype is not that of `E`.
    pub(crate) fn element_mut<E: Element>(
        &mut self,
        operation: &'static str,
        index: &[usize],
    ) -> Result<&mut E, Error> {
        match &mut self.0 {
            Place::Elements(view) => {
                if view.as_array().offset_of(index).is_none() {
                    return Err(view.as_array().index_error(operation, index));
                }
                Ok(view.get_mut(index).expect("an element of this dtype"))
            }
            #[cfg(feature = "stablehlo")]
            Place::Recorded(part) => part.element_mut(operation, index),
        }
    }
}

#[cfg(feature = "stablehlo")]
impl Recorded<'_> {
    fn reborrow(&mut self) -> Recorded<'_> {
        // The new part may be written.
        self.value = OnceLock::new();
        Recorded {
            whole: match &mut self.whole {
                Whole::Single(array, region) => Whole::Single(array, region.clone()),
                Whole::Shared(part) => Whole::Shared(part.reborrow()),
            },
            dtype: self.dtype,
            value: OnceLock::new(),
        }
    }

    /// Records the part's present value, or makes a view of elements.
    fn read(&self) -> Result<Array, Error> {
        let (whole, region) = (self.whole.array()?, self.whole.region());
        record_if_traced!([whole] => part(&whole, region));
        Ok(region.of(&whole.reshape(region.whole())?))
    }

    fn assign(&mut self, operation: &'static str, from: &Array) -> Result<(), Error> {
        // A view of the elements would be a second owner.
        self.value.take();
        let assign = |whole: &mut Array, region: &Region| {
            if whole.has_handle() || from.has_handle() {
                *whole = crate::trace::record::assign(operation, whole, region, from)?;
                return Ok(());
            }
            let whole = whole.view_mut()?;
            let whole = whole.narrowed(|whole| whole.reshape(region.whole()))?;
            let mut part = whole.narrowed(|whole| Ok(region.of(whole)))?;
            kernel::assign(operation, &mut part, from)
        };
        let outside = || super::outside_trace(operation);
        match &mut self.whole {
            Whole::Single(array, region) => assign(array, region),
            Whole::Shared(part) if part.has_views() => {
                super::require_concrete(operation, from)?;
                kernel::assign(operation, &mut part.view().ok_or_else(outside)??, from)
            }
            Whole::Shared(part) => part.replace(assign).ok_or_else(outside)?,
        }
    }

    fn element_mut<E: Element>(
        &mut self,
        operation: &'static str,
        index: &[usize],
    ) -> Result<&mut E, Error> {
        let whole_index = self.whole.region().index(operation, index)?;
        self.value.take();
        let outside = || super::outside_trace(operation);
        match &mut self.whole {
            Whole::Single(array, _) => {
                super::require_concrete(operation, array)?;
                array.element_mut(operation, &whole_index)
            }
            Whole::Shared(part) => {
                let concrete = part.read(|array| super::require_concrete(operation, array));
                concrete.ok_or_else(outside)??;
                if !part.has_views() {
                    let owned = part.replace(|array, _| array.view_mut().map(drop));
                    owned.ok_or_else(outside)??;
                }
                let view = part.view().ok_or_else(outside)??;
                Ok(view.into_mut(index).expect("an element of this dtype"))
            }
        }
    }
}

#[cfg(feature = "stablehlo")]
impl Whole<'_> {
    fn region(&self) -> &Region {
        match self {
            Self::Single(_, region) => region,
            Self::Shared(part) => part.region(),
        }
    }

    /// The whole array.
    ///
    /// # Errors
    /// `Error::OutsideTrace` on another thread.
    fn array(&self) -> Result<Array, Error> {
        match self {
            Self::Single(array, _) => Ok((*array).clone()),
            Self::Shared(part) => {
                let array = part.read(|array| array.clone());
                array.ok_or_else(|| super::outside_trace("view"))
            }
        }
    }

    fn narrowed(self, view: impl Fn(&Array) -> Result<Array, Error>) -> Result<Self, Error> {
        Ok(match self {
            Self::Single(array, region) => Self::Single(array, region.narrowed(view)?),
            Self::Shared(part) => Self::Shared(part.narrowed(view)?),
        })
    }
}

/// The parts at the positions of an axis, for writing; made by [`PartMut::parts`].
pub(crate) struct PartsMut<'a>(Places<'a>);

enum Places<'a> {
    Elements(Parts<'a>),
    #[cfg(feature = "stablehlo")]
    Recorded(SharedParts<'a>, DType),
}

#[cfg(feature = "stablehlo")]
impl<'a> PartMut<'a> {
    fn of_shared(part: SharedPart<'a>, dtype: DType) -> Self {
        Self(Place::Recorded(Box::new(Recorded {
            whole: Whole::Shared(part),
            dtype,
            value: OnceLock::new(),
        })))
    }
}

impl<'a> Iterator for PartsMut<'a> {
    type Item = PartMut<'a>;

    fn next(&mut self) -> Option<PartMut<'a>> {
        match &mut self.0 {
            Places::Elements(parts) => Some(PartMut(Place::Elements(parts.next()?))),
            #[cfg(feature = "stablehlo")]
            Places::Recorded(parts, dtype) => Some(PartMut::of_shared(parts.next()?, *dtype)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Places::Elements(parts) => parts.size_hint(),
            #[cfg(feature = "stablehlo")]
            Places::Recorded(parts, _) => parts.size_hint(),
        }
    }
}

impl DoubleEndedIterator for PartsMut<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Places::Elements(parts) => Some(PartMut(Place::Elements(parts.next_back()?))),
            #[cfg(feature = "stablehlo")]
            Places::Recorded(parts, dtype) => Some(PartMut::of_shared(parts.next_back()?, *dtype)),
        }
    }
}

impl ExactSizeIterator for PartsMut<'_> {}

/// Replaces the element at an index, or records that.
///
/// # Errors
/// The errors of [`Array::index_error`], [`Error::OutOfMemory`]. The array is unchanged then.
///
/// # Panics
/// If the dtype is not that of the element.
#[inline]
pub(crate) fn set<E: Element>(array: &mut Array, index: &[usize], value: E) -> Result<(), Error> {
    if array.has_handle() {
        return set_element(array, index, ScalarBits::new(value));
    }
    *array.element_mut("set", index)? = value;
    Ok(())
}

/// [`set`] by an element of the array's dtype.
///
/// # Errors
/// The errors of [`set`].
pub(crate) fn set_element(
    array: &mut Array,
    index: &[usize],
    element: ScalarBits,
) -> Result<(), Error> {
    if array.offset_of(index).is_none() {
        return Err(array.index_error("set", index));
    }
    let at = |view: &Array| {
        let mut left = index.iter();
        left.try_fold(view.clone(), |view, position| view.index_axis(0, *position))
    };
    let operation = "set";
    PartMut::new(operation, array)?
        .narrowed(at)?
        .fill(operation, element)
}
