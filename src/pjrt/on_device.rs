//! Values that stay on devices.

use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use super::placement::{Placement, copy_region};
use super::raw::{Lifetime, RawBuffer, RawClient};
use crate::array::{Array, Dims};
use crate::dtype::{DType, StaticDType};
use crate::dynamic::{DynTensor, check_type};
use crate::error::Error;
use crate::exec;
use crate::rank::Rank;
use crate::rules::{Jax, RuleSet, Rules};
use crate::tensor::Tensor;

/// An array on devices: the dtype and shape of the whole, and a buffer for each part.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) dtype: DType,
    pub(super) shape: Dims,
    pub(super) placement: Arc<Placement>,
    pub(super) parts: Vec<Arc<RawBuffer>>,
}

impl Value {
    /// Puts an array on the devices of a placement.
    ///
    /// # Errors
    /// [`Error::Untraceable`] for a traced tensor, [`Error::OutOfMemory`] if elements that are not contiguous cannot be
    /// copied, and the errors of the plugin.
    pub(super) fn put(
        client: &Arc<RawClient>,
        array: Array,
        placement: &Arc<Placement>,
        lifetime: Lifetime,
    ) -> Result<Self, Error> {
        exec::require_concrete("put", &array)?;
        let array = match array.is_contiguous() {
            true => array,
            false => exec::row_major(&array)?.into_owned(),
        };
        let (dtype, shape) = (array.dtype(), *array.dims());
        let mut parts = Vec::with_capacity(placement.devices().len());
        let mut array = Some(array);
        for (part, device) in placement.devices().enumerate() {
            let is_last = part + 1 == placement.devices().len();
            // The last part takes the array, so that it has no other owner if it is the only one.
            let array = if is_last { array.take() } else { array.clone() };
            let array = array.expect("taken by the last part");
            let region = placement.region(&shape, part);
            let buffer = RawBuffer::put(client, array, &region, device, lifetime)?;
            parts.push(Arc::new(buffer));
        }
        Ok(Self {
            dtype,
            shape,
            placement: Arc::clone(placement),
            parts,
        })
    }

    /// Returns whether a program may overwrite the value: nobody else has it, nor a tensor over its memory.
    pub(super) fn may_be_donated(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.all(|part| Arc::strong_count(part) == 1 && part.may_be_donated())
    }

    /// Waits for the elements.
    pub(super) fn wait(&self) -> Result<(), Error> {
        self.parts.iter().try_for_each(|part| part.wait())
    }

    /// Waits, and gives the whole array.
    pub(super) fn array(&self) -> Result<Array, Error> {
        let region = |part| self.placement.region(&self.shape, part);
        if region(0).shape == self.shape {
            return self.parts[0].array(); // the only part, or one of equal ones
        }
        let size = self.dtype.size();
        Array::filled(self.dtype, &self.shape, |bytes| {
            let mut seen = Vec::new();
            for (number, part) in self.parts.iter().enumerate() {
                let region = region(number);
                if !seen.contains(&region.start) {
                    let elements = part.array()?;
                    let elements = elements.as_bytes().unwrap_or_default();
                    copy_region(elements, &region, bytes, &self.shape, size);
                    seen.push(region.start);
                }
            }
            Ok(())
        })
    }
}

/// A value on devices whose dtype `D`, rank `N` and rules `R` the compiler knows. Made by [`Client::put`](super::Client::put),
/// or a result of [`Function::run`](super::Function::run).
///
/// A clone shares the value. To give it up to a program, move it into [`Function::run`](super::Function::run); the memory is
/// overwritten if the program [donates](crate::stablehlo::Program::donate) the argument and nobody else has the value.
pub struct OnDevice<D, N, R = Jax> {
    pub(super) value: Value,
    types: PhantomData<fn() -> (D, N, R)>,
}

/// A value on devices whose dtype, rank and rules are known at run time only.
#[derive(Clone)]
pub struct DynOnDevice {
    pub(super) value: Value,
    pub(super) weak: bool,
    pub(super) rules: &'static RuleSet,
}

impl<D, N, R> Clone for OnDevice<D, N, R> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            types: PhantomData,
        }
    }
}

impl<D: StaticDType, N: Rank, R: Rules> OnDevice<D, N, R> {
    /// Wraps a value that has the dtype and rank of the type.
    pub(super) fn new(value: Value) -> Self {
        debug_assert_eq!(value.dtype, D::DTYPE);
        debug_assert!(N::RANK.is_none_or(|rank| rank == value.shape.len()));
        Self {
            value,
            types: PhantomData,
        }
    }

    /// Waits for the value and gives it as a tensor. It shares the device's memory if the host can read that, unless it is small
    /// or in several parts; else it is a copy.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`](super::DeviceError::Plugin): errors of the program that computes the value surface here.
    /// [`Error::OutOfMemory`] without memory for a copy.
    pub fn get(&self) -> Result<Tensor<D, N, R>, Error> {
        self.value.array().map(Tensor::from_array)
    }

    /// Forgets dtype, rank and rules; they are known at run time.
    pub fn into_dyn(self) -> DynOnDevice {
        DynOnDevice::new(self.value, D::WEAK, R::RULE_SET)
    }
}

impl DynOnDevice {
    pub(super) fn new(value: Value, weak: bool, rules: &'static RuleSet) -> Self {
        Self { value, weak, rules }
    }

    /// Copies the elements back, as [`OnDevice::get`] does.
    ///
    /// # Errors
    /// The errors of [`OnDevice::get`].
    pub fn get(&self) -> Result<DynTensor, Error> {
        let array = self.value.array()?;
        Ok(DynTensor::from_array(array, self.weak, self.rules))
    }

    /// States dtype, rank and rules, as [`DynTensor::typed`] does: the rules become those of the type.
    ///
    /// # Errors
    /// [`Error::UnexpectedOperand`] and [`Error::RankMismatch`].
    pub fn typed<D: StaticDType, N: Rank, R: Rules>(self) -> Result<OnDevice<D, N, R>, Error> {
        check_type::<D, N>(self.value.dtype, self.weak, &self.value.shape)?;
        Ok(OnDevice::new(self.value))
    }
}

macro_rules! described {
    ([$($parameters:tt)*] $of:ty) => {
        impl<$($parameters)*> $of {
            /// The dtype.
            pub fn dtype(&self) -> DType {
                self.value.dtype
            }

            /// The size of each axis, of the whole value.
            pub fn shape(&self) -> &[usize] {
                &self.value.shape
            }

            /// The positions of its devices in [`Client::devices`](super::Client::devices).
            pub fn devices(&self) -> core::ops::Range<usize> {
                self.value.placement.devices()
            }

            /// Waits until the value is computed.
            ///
            /// # Errors
            /// [`DeviceError::Plugin`](super::DeviceError::Plugin): the error of the program that computes it.
            pub fn wait(&self) -> Result<(), Error> {
                self.value.wait()
            }
        }

        impl<$($parameters)*> fmt::Debug for $of {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Value { dtype, shape, placement, .. } = &self.value;
                write!(f, "OnDevice({dtype} {:?}, {placement})", &shape[..])
            }
        }
    };
}

described!([D, N, R] OnDevice<D, N, R>);
described!([] DynOnDevice);
