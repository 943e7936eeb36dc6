//! The inputs of fused loops.

use super::{DTypes, MAX_INPUTS};
use crate::array::{Array, Dims};
use crate::dtype::DType;
use crate::kernel::drive::block::Operand;
use crate::kernel::drive::parallel::SendPtr;
use crate::kernel::elementwise::write_operand;
use crate::simd::LANES;

/// The address of each input's first element, by number.
pub(super) type Pointers = [*const u8; MAX_INPUTS];

/// The inputs of a fused loop, by number.
#[derive(Clone, Copy)]
pub struct LoopInputs<'a> {
    pub(super) arrays: [Option<&'a Array>; MAX_INPUTS],
    dtypes: DTypes,
    /// The address of each array's first element.
    inputs: SendPtr<Pointers>,
    /// One more than the highest number in use.
    pub(super) end: usize,
    /// An array among the inputs, if there is one.
    pub(super) first: Option<&'a Array>,
    /// `true` if all arrays have one shape and are row-major.
    pub(super) alike: bool,
    /// `true` if a whole pack of each array can be read, even if the array has fewer elements.
    pub(super) is_padded_to: bool,
    /// The sizes of an element of each input, added up, in bytes.
    pub(super) size: usize,
    /// The number of the input that is read from the output before it is overwritten.
    pub(super) output: Option<usize>,
    /// The number of elements of the result, if hoistable parts with fewer elements are computed before the loop.
    hoists: Option<usize>,
}

impl Default for LoopInputs<'_> {
    #[inline]
    fn default() -> Self {
        Self {
            arrays: [None; MAX_INPUTS],
            dtypes: DTypes::default(),
            inputs: SendPtr::new([core::ptr::null(); MAX_INPUTS]),
            end: 0,
            first: None,
            alike: true,
            is_padded_to: true,
            size: 0,
            output: None,
            hoists: None,
        }
    }
}

impl<'a> LoopInputs<'a> {
    /// Makes inputs for a loop whose result has this shape. Hoistable parts with fewer elements are computed before it.
    pub(crate) fn hoisting(shape: &[usize]) -> Self {
        Self {
            hoists: Some(shape.iter().product()),
            ..Self::default()
        }
    }

    /// Returns whether hoistable parts may be computed before the loop.
    #[inline]
    pub(crate) fn is_hoisting(&self) -> bool {
        self.hoists.is_some()
    }

    /// Returns whether a hoistable part of this shape is computed before the loop.
    pub(crate) fn hoists_part(&self, shape: &[usize]) -> bool {
        // Half as many elements are worth a store and a load of each.
        let elements = shape.iter().product::<usize>();
        self.hoists.is_some_and(|all| elements <= all / 2)
    }

    /// Returns the shape of a hoistable part that reads `inputs`, if it is computed before the loop.
    pub(crate) fn hoisted_shape(&self, inputs: &LoopInputs<'_>) -> Option<Dims> {
        let mut shape = Dims::default();
        match inputs.first.filter(|_| inputs.alike) {
            Some(array) => shape = *array.dims(),
            None => _ = inputs.broadcast(None, &mut shape)?,
        }
        self.hoists_part(&shape).then_some(shape)
    }

    /// Returns the inputs with copies in place of the arrays, at these addresses. The copies have one shape and are row-major.
    pub(super) fn copied_to(&self, addresses: &Pointers) -> Self {
        Self {
            inputs: SendPtr::new(*addresses),
            alike: true,
            is_padded_to: false,
            ..*self
        }
    }

    /// Sets an array as the input with this number.
    /// # Panics
    /// If the number is not below [`MAX_INPUTS`].
    #[inline]
    pub(crate) fn array(&mut self, number: usize, array: &'a Array) {
        self.arrays[number] = Some(array);
        self.inputs.get_mut()[number] = array.as_ptr();
        let dtype = array.dtype();
        self.is_padded_to &= array.is_padded_to(LANES * dtype.size());
        self.dtype(number, dtype);
        let first = *self.first.get_or_insert(array);
        self.alike &= array.is_contiguous() && first.dims() == array.dims();
    }

    /// Sets the output's former elements as the input with this number.
    /// # Panics
    /// If the number is not below [`MAX_INPUTS`].
    #[inline]
    pub(crate) fn output(&mut self, number: usize, dtype: DType) {
        self.output = Some(number);
        self.dtype(number, dtype);
    }

    /// The dtype of each input, by number.
    #[inline]
    pub(super) fn dtypes(&self) -> &DTypes {
        &self.dtypes
    }

    /// Returns whether an input is the output only if it has this dtype.
    #[inline]
    pub(super) fn output_fits(&self, dtype: DType) -> bool {
        match self.output {
            Some(number) => self.dtypes[number] == Some(dtype),
            None => true,
        }
    }

    /// Returns the address of each array's first element, by number.
    #[inline]
    pub(super) fn addresses(&self) -> &Pointers {
        self.inputs.get_ref()
    }

    /// Writes the arrays as operands along a shape, to which they broadcast, in the order of their numbers, and the number of each.
    /// Returns how many there are.
    #[inline]
    pub(super) fn write_operands(
        &self,
        shape: &Dims,
        to: &mut [Operand],
        numbers: &mut [usize; MAX_INPUTS],
    ) -> usize {
        let mut count = 0;
        for (number, array) in self.arrays.iter().enumerate() {
            if let Some(array) = array {
                numbers[count] = number;
                write_operand(&mut to[count], array, shape, &[]);
                count += 1;
            }
        }
        count
    }

    /// Counts each number once: an input may be set twice.
    #[inline]
    fn dtype(&mut self, number: usize, dtype: DType) {
        if self.dtypes[number].replace(dtype).is_none() {
            self.size += dtype.size();
        }
        self.end = self.end.max(number + 1);
    }
}
