//! The naive reference: elements in row-major order, one operation at a time, by index arithmetic and the
//! element functions of `naive`. Of the library it asks only which dtype an operation gives: the rule sets
//! have tests of their own.

use supremum::{Class, DType, DynTensor, Jax, OperandType, Rules, dispatch};

use crate::element::Element;

/// A tensor in row-major order.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) dtype: DType,
    pub(crate) weak: bool,
    pub(crate) shape: Vec<usize>,
    /// As in memory: little-endian, without gaps.
    pub(crate) bytes: Vec<u8>,
}

impl Reference {
    pub(crate) fn new(dtype: DType, shape: &[usize], elements: &[u128]) -> Self {
        assert_eq!(elements.len(), shape.iter().product::<usize>());
        let mut bytes = Vec::with_capacity(elements.len() * dtype.size());
        for element in elements {
            bytes.extend_from_slice(&element.to_le_bytes()[..dtype.size()]);
        }
        Self {
            dtype,
            weak: false,
            shape: shape.to_vec(),
            bytes,
        }
    }

    /// Reads a tensor.
    pub(crate) fn of(tensor: &DynTensor) -> Self {
        let bytes = dispatch!(tensor.with_rules(Jax::RULE_SET), |t| {
            bytemuck::cast_slice::<_, u8>(&t.to_vec()).to_vec()
        });
        Self {
            dtype: tensor.dtype(),
            weak: tensor.is_weak(),
            shape: tensor.shape().to_vec(),
            bytes: bytes.expect("every dtype"),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.dtype.size()
    }

    pub(crate) fn element(&self) -> &'static Element {
        Element::of(self.dtype)
    }

    pub(crate) fn operand(&self) -> OperandType {
        let class = match (self.weak, self.shape.len()) {
            (true, _) => Class::Weak,
            (false, 0) => Class::ZeroDim,
            (false, _) => Class::Dimensioned,
        };
        OperandType {
            dtype: self.dtype,
            class,
        }
    }

    /// The bits of an element, by its position.
    pub(crate) fn at(&self, position: usize) -> u128 {
        let size = self.dtype.size();
        let mut bits = [0; 16];
        bits[..size].copy_from_slice(&self.bytes[position * size..][..size]);
        u128::from_le_bytes(bits)
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = u128> + '_ {
        (0..self.len()).map(|position| self.at(position))
    }

    pub(crate) fn map(&self, to: DType, f: impl FnMut(u128) -> u128) -> Self {
        let elements: Vec<u128> = self.elements().map(f).collect();
        Self::new(to, &self.shape, &elements)
    }

    pub(crate) fn with_operand(self, operand: OperandType) -> Self {
        assert_eq!(self.dtype, operand.dtype);
        Self {
            weak: operand.class == Class::Weak,
            ..self
        }
    }

    /// The distance between neighbours along each axis, in elements.
    pub(crate) fn strides(&self) -> Vec<isize> {
        let mut strides = vec![1; self.shape.len()];
        for axis in (1..self.shape.len()).rev() {
            strides[axis - 1] = strides[axis] * self.shape[axis].cast_signed();
        }
        strides
    }

    /// The elements at `start + index * strides`, for every index of a shape.
    pub(crate) fn gather(&self, shape: &[usize], strides: &[isize], start: isize) -> Self {
        let size = self.dtype.size();
        let mut bytes = Vec::with_capacity(shape.iter().product::<usize>() * size);
        for position in positions(shape, strides, start) {
            bytes.extend_from_slice(&self.bytes[position * size..][..size]);
        }
        Self {
            shape: shape.to_vec(),
            bytes,
            ..*self
        }
    }

    /// Of each index of a shape the element at another index, or zero.
    pub(crate) fn mapped(
        &self,
        shape: &[usize],
        from: impl Fn(&[usize]) -> Option<Vec<usize>>,
    ) -> Self {
        let (strides, unit) = (self.strides(), Self::unit_strides(shape));
        let elements = (0..shape.iter().product()).map(|position: usize| {
            let sizes = shape.iter().zip(&unit);
            let index: Vec<usize> = sizes.map(|(size, unit)| position / unit % size).collect();
            from(&index).map_or(0, |from| {
                let places = from.iter().zip(&strides);
                self.at(places.map(|(at, stride)| at * stride.unsigned_abs()).sum())
            })
        });
        let weak = self.weak;
        Self {
            weak,
            ..Self::new(self.dtype, shape, &elements.collect::<Vec<_>>())
        }
    }

    fn unit_strides(shape: &[usize]) -> Vec<usize> {
        let inner = |axis: usize| shape[axis + 1..].iter().product::<usize>().max(1);
        (0..shape.len()).map(inner).collect()
    }

    /// The same elements in another shape.
    pub(crate) fn reshape(&self, shape: &[usize]) -> Self {
        assert_eq!(shape.iter().product::<usize>(), self.len());
        Self {
            shape: shape.to_vec(),
            ..self.clone()
        }
    }

    pub(crate) fn permute(&self, order: &[usize]) -> Self {
        let strides = self.strides();
        let shape: Vec<usize> = order.iter().map(|axis| self.shape[*axis]).collect();
        let strides: Vec<isize> = order.iter().map(|axis| strides[*axis]).collect();
        self.gather(&shape, &strides, 0)
    }

    /// `count` elements of an axis from `first` on, `step` apart.
    pub(crate) fn slice(&self, axis: usize, first: usize, count: usize, step: isize) -> Self {
        let (mut shape, mut strides) = (self.shape.clone(), self.strides());
        let start = strides[axis] * first.cast_signed();
        shape[axis] = count;
        strides[axis] *= step;
        self.gather(&shape, &strides, start)
    }

    pub(crate) fn broadcast_to(&self, shape: &[usize]) -> Self {
        let missing = shape.len() - self.shape.len();
        let own = self.strides();
        let strides: Vec<isize> = (0..shape.len())
            .map(|axis| {
                if axis < missing || self.shape[axis - missing] == 1 {
                    0
                } else {
                    own[axis - missing]
                }
            })
            .collect();
        self.gather(shape, &strides, 0)
    }
}

/// `start + index * strides` for every index of a shape, in row-major order.
pub(crate) fn positions(
    shape: &[usize],
    strides: &[isize],
    start: isize,
) -> impl Iterator<Item = usize> {
    let mut index = vec![0; shape.len()];
    let mut position = start;
    let mut left = shape.iter().product::<usize>();
    std::iter::from_fn(move || {
        left = left.checked_sub(1)?;
        let found = position;
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            position += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            position -= strides[axis] * shape[axis].cast_signed();
            index[axis] = 0;
        }
        Some(found.cast_unsigned())
    })
}
