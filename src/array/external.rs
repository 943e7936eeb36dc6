//! Arrays over memory that another library owns, with any strides.

use super::elements::alignment;
use super::layout::Layout;
use super::{Array, Buffer, Dims, Strides, UNNAMED, element_count};
use crate::dtype::DType;
use crate::error::Error;

/// The memory from the lowest to the highest element of an array, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The number of elements of memory before the element at index zero.
    pub(crate) before: usize,
    /// The number of elements of memory. Zero if the array is empty.
    pub(crate) len: usize,
}

impl Span {
    /// Computes the span of an array with this shape and strides.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`] and [`Error::ShapeTooLarge`] of an invalid shape, [`Error::LengthMismatch`] unless
    /// there is a stride for each axis, and [`Error::ShapeTooLarge`] if strides reach beyond the address space.
    pub(crate) fn new(shape: &[usize], strides: &[isize]) -> Result<Self, Error> {
        if strides.len() != shape.len() {
            return Err(Error::LengthMismatch {
                operation: "external memory",
                what: "strides, one for each axis",
                expected: shape.len(),
                found: strides.len(),
            });
        }
        if element_count(UNNAMED, shape)? == 0 {
            return Ok(Self { before: 0, len: 0 });
        }
        Self::of_elements(shape, strides).ok_or_else(|| Error::ShapeTooLarge {
            operation: UNNAMED,
            shape: shape.to_vec(),
        })
    }

    /// Computes the span of an array that is not empty. `None` if it exceeds the address space.
    fn of_elements(shape: &[usize], strides: &[isize]) -> Option<Self> {
        let (mut before, mut len) = (0_usize, 1_usize);
        for (size, stride) in shape.iter().zip(strides) {
            let reach = (size - 1).checked_mul(stride.unsigned_abs())?;
            len = len.checked_add(reach)?;
            if *stride < 0 {
                before += reach; // less than `len`
            }
        }
        element_count(UNNAMED, &[len]).ok()?;
        Some(Self { before, len })
    }
}

impl Array {
    /// Makes an array over external memory, with strides in elements. The element at index zero is number `first` of
    /// the elements in the owner's memory. Nothing is copied if the memory is aligned for the elements, and it is
    /// never written. The owner is dropped with the last array over it.
    ///
    /// # Errors
    /// The errors of [`Dims::new`] and [`Span::new`]; [`Error::LengthMismatch`] if strides reach outside of the owner's
    /// memory, [`Error::NotABool`] for booleans other than the bytes 0 and 1, and [`Error::OutOfMemory`] if the
    /// memory has to be copied.
    pub(crate) fn external_strided(
        dtype: DType,
        shape: &[usize],
        strides: &[isize],
        first: usize,
        owner: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let dims = Dims::new(shape)?;
        let span = Span::new(shape, strides)?;
        if span.len == 0 {
            return Self::from_bytes(dtype, shape, &[]);
        }
        let mut strides = Strides::new(strides)?;
        for (stride, size) in strides.iter_mut().zip(shape) {
            // The stride of a single position is never used, so any value is allowed; zero cannot overflow.
            if *size < 2 {
                *stride = 0;
            }
        }
        let buffer = Buffer::external(Box::new(owner));
        let bytes = buffer.as_bytes();
        let count = bytes.len() / dtype.size();
        let lowest = first.checked_sub(span.before);
        if lowest.is_none_or(|lowest| lowest > count || span.len > count - lowest) {
            return Err(Error::LengthMismatch {
                operation: "external memory",
                what: "elements for the strides",
                expected: span.len,
                found: count,
            });
        }
        let aligned = bytes.as_ptr().addr().is_multiple_of(alignment(dtype));
        let buffer = if aligned {
            buffer
        } else {
            Buffer::copied(bytes)?
        };
        // Read as bytes until they are checked: not every byte is a boolean. Bytes between the elements are not
        // checked.
        let plain = match dtype {
            DType::Bool => DType::U8,
            _ => dtype,
        };
        let whole = first == 0 && span.len == count;
        let array = if whole && Layout::new(plain, dims, strides, 0).is_contiguous {
            Self::from_buffer(buffer, plain, dims)
        } else {
            let all = Self::from_buffer(buffer, plain, Dims::new(&[count])?);
            all.view_from(first.cast_signed(), dims, strides)
        };
        if dtype == DType::Bool
            && let Some((position, byte)) =
                array.iter::<u8>().enumerate().find(|(_, byte)| *byte > 1)
        {
            return Err(Error::NotABool { byte, position });
        }
        Ok(array.bitcast(dtype))
    }

    /// The memory from the lowest to the highest element.
    #[cfg(feature = "ndarray")]
    pub(crate) fn span(&self) -> Span {
        match self.is_empty() {
            true => Span { before: 0, len: 0 },
            false => Span::of_elements(self.shape(), self.strides())
                .expect("the elements lie in a buffer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::c64;

    #[test]
    fn spans_reach_from_the_lowest_to_the_highest_element() {
        let span = |shape: &[usize], strides: &[isize]| Span::new(shape, strides);
        assert_eq!(span(&[], &[]), Ok(Span { before: 0, len: 1 }));
        assert_eq!(span(&[2, 3], &[3, 1]), Ok(Span { before: 0, len: 6 }));
        assert_eq!(span(&[2, 3], &[-4, 1]), Ok(Span { before: 4, len: 7 }));
        assert_eq!(span(&[5], &[0]), Ok(Span { before: 0, len: 1 }));
        assert_eq!(
            span(&[0, 3], &[isize::MIN, 1]),
            Ok(Span { before: 0, len: 0 })
        );
        assert!(span(&[2], &[]).is_err());
        for stride in [isize::MAX, isize::MIN] {
            assert!(span(&[2], &[stride]).is_err());
            assert!(span(&[3, 3], &[stride, stride]).is_err());
        }
    }

    #[test]
    fn strides_do_not_lead_out_of_the_memory() {
        let external = |shape: &[usize], strides: &[isize], first| {
            Array::external_strided(DType::U8, shape, strides, first, vec![0_u8, 1, 2, 3, 4, 5])
        };
        let elements = |array: Array| array.to_vec::<u8>();
        assert_eq!(
            external(&[2, 3], &[3, 1], 0).map(elements),
            Ok(vec![0, 1, 2, 3, 4, 5])
        );
        assert_eq!(external(&[3], &[-2], 5).map(elements), Ok(vec![5, 3, 1]));
        assert_eq!(
            external(&[2, 2], &[0, 1], 4).map(elements),
            Ok(vec![4, 5, 4, 5])
        );
        assert_eq!(
            external(&[1, 2], &[isize::MAX, 1], 2).map(elements),
            Ok(vec![2, 3])
        );
        assert_eq!(external(&[0], &[9], 77).map(elements), Ok(vec![]));
        for (shape, stride, first) in [(3, 2, 2), (3, -2, 3), (1, 0, 6), (2, 1, usize::MAX)] {
            let refused = external(&[shape], &[stride], first);
            assert!(
                matches!(refused, Err(Error::LengthMismatch { .. })),
                "{refused:?}"
            );
        }
    }

    #[test]
    fn truth_values_are_looked_at_where_they_lie() {
        let bytes = vec![1_u8, 7, 0, 7, 1];
        let array = Array::external_strided(DType::Bool, &[3], &[2], 0, bytes.clone());
        assert_eq!(
            array.map(|array| array.to_vec::<bool>()),
            Ok(vec![true, false, true])
        );
        let refused = Array::external_strided(DType::Bool, &[2], &[-1], 2, bytes);
        assert_eq!(
            refused.unwrap_err(),
            Error::NotABool {
                byte: 7,
                position: 1
            }
        );
    }

    #[test]
    fn complex_elements_that_are_aligned_as_their_parts_are_copied() {
        /// Four floats, from the second one on: aligned to 4 bytes and not to 8.
        #[repr(align(8))]
        struct Odd([f32; 5]);
        impl AsRef<[u8]> for Odd {
            fn as_ref(&self) -> &[u8] {
                bytemuck::cast_slice(&self.0[1..])
            }
        }
        for strides in [[1_isize], [-1]] {
            let first = usize::from(strides[0] < 0);
            let owner = Box::new(Odd([0.0, 1.0, 2.0, 3.0, 4.0]));
            /// Keeps its address when the owner is moved.
            struct Boxed(Box<Odd>);
            impl AsRef<[u8]> for Boxed {
                fn as_ref(&self) -> &[u8] {
                    (*self.0).as_ref()
                }
            }
            assert_eq!((*owner).as_ref().as_ptr().addr() % 8, 4);
            let array = Array::external_strided(DType::C64, &[2], &strides, first, Boxed(owner));
            let array = array.expect("an array");
            assert!(array.as_ptr().addr().is_multiple_of(8));
            let mut expected = [c64::new(1.0, 2.0), c64::new(3.0, 4.0)];
            if strides[0] < 0 {
                expected.reverse();
            }
            assert_eq!(array.to_vec::<c64>(), expected);
        }
    }

    #[test]
    fn what_is_not_aligned_is_copied() {
        struct Shifted(Vec<u32>);
        impl AsRef<[u8]> for Shifted {
            fn as_ref(&self) -> &[u8] {
                &bytemuck::cast_slice(&self.0)[1..9]
            }
        }
        let owner = Shifted(vec![u32::from_ne_bytes([0, 1, 0, 0]); 3]);
        let array = Array::external_strided(DType::U32, &[2], &[1], 0, owner);
        let expected = u32::from_ne_bytes([1, 0, 0, 0]);
        assert_eq!(array.map(|array| array.to_vec()), Ok(vec![expected; 2]));
    }
}
