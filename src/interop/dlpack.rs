//! Tensors out and in by DLPack, in the memory where they are; the crate `dlpark` has its structures.
#![allow(
    unsafe_code,
    reason = "DLPack is an agreement about raw memory: what it says has to be believed"
)]

use core::ptr::NonNull;

use dlpark::ffi::{DLDataType, DLDevice};
use dlpark::metadata::Dynamic;
use dlpark::tensor::TensorRef;
use dlpark::{DlpackFlags, Managed, ManagedTensorBase, legacy, versioned};

use crate::array::{Array, Dims, Span, require_concrete, row_major};
use crate::dtype::{DType, StaticDType};
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::kernel;
use crate::rank::Rank;
use crate::rules::{RuleSet, Rules};
use crate::tensor::{Tensor, or_panic};

/// Out and in by DLPack (feature `dlpack`).
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// The tensor for another library, which reads it where it is: nothing is copied. Whoever gets it drops it, or has
    /// its deleter called.
    ///
    /// Its flags say `READ_ONLY` unless nobody else shares the elements. Strides are as they are, zero and negative ones
    /// too, which not every library takes. Without elements the pointer is null, as the standard asks.
    ///
    /// ```
    /// use supremum::dlpark::DlpackFlags;
    /// use supremum::{BF16, Rank2, Tensor, tensor};
    /// let t: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let shared = t.clone().into_dlpack();
    /// assert_eq!(shared.flags(), DlpackFlags::READ_ONLY);
    /// assert_eq!(shared.validate()?.shape(), [2, 2]);
    /// drop(shared);
    /// assert_eq!(t.into_dlpack().flags(), DlpackFlags::empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_dlpack(self) -> versioned::Dlpack {
        out(self.into_array())
    }

    /// [`Self::into_dlpack`] for libraries that know DLPack before version 1 only. It has no flags, so that whoever gets
    /// it may write: the elements are copied if anybody shares them.
    ///
    /// # Panics
    /// Without memory for the copy, with the text of [`Error::OutOfMemory`].
    pub fn into_dlpack_legacy(self) -> legacy::Dlpack {
        out_writable(self.into_array())
    }

    /// The tensor that another library hands over, in its memory: nothing is copied, unless the elements are not aligned.
    /// Nothing is ever written there either, and when the last tensor over it is dropped, the deleter is called, on
    /// whatever thread that is. If there is an error it is called at once.
    ///
    /// Of the old structure ([`legacy::Dlpack`]) and the new one ([`versioned::Dlpack`]).
    ///
    /// # Safety
    /// What the structure says of the memory is true: from the lowest to the highest element, which the shape and strides
    /// lead to, it can be read, and it stays so until the deleter is called. While this tensor or one that shares its
    /// elements exists, nobody writes to it. (In Python: nobody writes to the array.)
    ///
    /// # Errors
    /// [`Error::NotATensor`] if it is not in the memory of the processor, of no dtype of ours, or says what cannot be;
    /// [`Error::DTypeMismatch`] and [`Error::RankMismatch`] if it has others than the type, [`Error::RankTooLarge`] above
    /// rank 8, [`Error::ShapeTooLarge`] beyond what a tensor can address, and [`Error::NotABool`] for truth values other
    /// than the bytes 0 and 1.
    ///
    /// ```
    /// use supremum::{Error, F16, F32, Rank1, Tensor, tensor};
    /// let t: Tensor<F16, Rank1> = tensor![1.0, 2.0];
    /// // SAFETY: it is a tensor of this library, and nobody else has it.
    /// let back = unsafe { Tensor::<F16, Rank1>::from_dlpack(t.into_dlpack())? };
    /// assert_eq!((&back + &back).to_string(), "[2.0, 4.0] f16 [2]");
    /// // SAFETY: as above.
    /// let wrong = unsafe { Tensor::<F32, Rank1>::from_dlpack(back.into_dlpack()) };
    /// assert_eq!(wrong.unwrap_err().to_string(), "from_dlpack: expected f32, found f16");
    /// # Ok::<(), Error>(())
    /// ```
    pub unsafe fn from_dlpack<M>(managed: Managed<M>) -> Result<Self, Error>
    where
        M: ManagedTensorBase + 'static,
    {
        // SAFETY: the caller's.
        let given = unsafe { Given::new(managed)? };
        if given.dtype != D::DTYPE {
            return Err(Error::DTypeMismatch {
                operation: "from_dlpack",
                expected: D::DTYPE,
                found: given.dtype,
            });
        }
        match N::RANK {
            Some(expected) if expected != given.shape.len() => Err(Error::RankMismatch {
                expected,
                shape: given.shape,
            }),
            _ => given.into_array().map(Self::from_array),
        }
    }
}

/// Out and in by DLPack (feature `dlpack`).
impl DynTensor {
    /// As [`Tensor::into_dlpack`].
    pub fn into_dlpack(self) -> versioned::Dlpack {
        out(self.into_array())
    }

    /// As [`Tensor::into_dlpack_legacy`].
    pub fn into_dlpack_legacy(self) -> legacy::Dlpack {
        out_writable(self.into_array())
    }

    /// As [`Tensor::from_dlpack`], of whatever dtype and rank it has.
    ///
    /// # Safety
    /// That of [`Tensor::from_dlpack`].
    ///
    /// # Errors
    /// Those of [`Tensor::from_dlpack`], but for [`Error::DTypeMismatch`] and [`Error::RankMismatch`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, Numpy, Rules};
    /// let t = DynTensor::full(DType::F8E5M2, &[2], 0.5)?;
    /// // SAFETY: it is a tensor of this library, and nobody else has it.
    /// let back = unsafe { DynTensor::from_dlpack(t.into_dlpack(), Numpy::rule_set())? };
    /// assert_eq!(back.to_string(), "[0.5, 0.5] f8e5m2 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub unsafe fn from_dlpack<M>(
        managed: Managed<M>,
        rules: &'static RuleSet,
    ) -> Result<Self, Error>
    where
        M: ManagedTensorBase + 'static,
    {
        // SAFETY: the caller's.
        let array = unsafe { Given::new(managed)? }.into_array()?;
        Ok(Self::from_array(array, false, rules))
    }
}

macro_rules! data_type {
    ($($(#[$doc:meta])* $float8:ident $element:ident { $($format:tt)* })*) => {
        /// How DLPack calls a dtype.
        const fn data_type(dtype: DType) -> DLDataType {
            match dtype {
                DType::Bool => DLDataType::BOOL,
                DType::U8 => DLDataType::U8,
                DType::U16 => DLDataType::U16,
                DType::U32 => DLDataType::U32,
                DType::U64 => DLDataType::U64,
                DType::I8 => DLDataType::I8,
                DType::I16 => DLDataType::I16,
                DType::I32 => DLDataType::I32,
                DType::I64 => DLDataType::I64,
                // All have the names of ours there.
                $(DType::$float8 => DLDataType::$float8,)*
                DType::BF16 => DLDataType::BF16,
                DType::F16 => DLDataType::F16,
                DType::F32 => DLDataType::F32,
                DType::F64 => DLDataType::F64,
                DType::C64 => DLDataType::C64,
                DType::C128 => DLDataType::C128,
            }
        }
    };
}

supremum_macros::with_float8!(data_type);

fn out<M: ManagedTensorBase>(mut array: Array) -> Managed<M> {
    require_concrete!("into_dlpack" always, &array);
    let (data, flags) = match array.unique_mut_ptr() {
        Some(data) => (data, DlpackFlags::empty()),
        None => (array.as_ptr().cast_mut(), DlpackFlags::READ_ONLY),
    };
    let shape = *array.dims();
    // Strides of axes that have one position can be anything; some libraries take these only.
    let strides = match array.is_contiguous() {
        true => row_major(&shape).to_vec(),
        false => array.strides().to_vec(),
    };
    let data = match array.is_empty() {
        true => core::ptr::null_mut(),
        false => data,
    };
    let dtype = data_type(array.dtype());
    let mut managed = Dynamic::new(&shape[..], &strides[..])
        .initialize_as::<M>(Box::new(array))
        .expect("ranks and sizes are small");
    managed
        .set_data(data.cast())
        .set_device(DLDevice::CPU)
        .set_dtype(dtype)
        .set_flags(flags)
        .expect("nothing is said to be a copy");
    // SAFETY: shape, strides and dtype are those of the array, which the structure owns: its elements stay where the
    // pointer says. That they may be written is said only if nobody else has them, and the pointer is one to write by.
    let managed = unsafe { managed.finish() };
    debug_assert!(managed.validate_export().is_ok());
    managed
}

/// Out into a structure that cannot say that nobody may write.
fn out_writable(mut array: Array) -> legacy::Dlpack {
    require_concrete!("into_dlpack_legacy" always, &array);
    if array.unique_mut_ptr().is_none() {
        array = or_panic(kernel::copied(&array));
    }
    out(array)
}

/// What another library hands over, once it is understood.
struct Given {
    dtype: DType,
    shape: Vec<usize>,
    strides: Vec<isize>,
    span: Span,
    owner: Owner,
}

impl Given {
    /// # Safety
    /// That of [`Tensor::from_dlpack`].
    unsafe fn new<M: ManagedTensorBase + 'static>(managed: Managed<M>) -> Result<Self, Error> {
        // SAFETY: the caller's: what the structure says can be read, and nobody changes it.
        let tensor = unsafe { TensorRef::from_raw(managed.tensor()) }.map_err(refused)?;
        let device = tensor.device();
        if device.device_type != DLDevice::CPU.device_type {
            let kind = device.device_type.0;
            return Err(refused(format_args!(
                "it is on a device of type {kind}, not in the memory of the processor (1)"
            )));
        }
        let found = tensor.dtype();
        let dtype = DType::ALL.iter().copied();
        let mut alike = dtype.filter(|dtype| data_type(*dtype).matches(found));
        let dtype = alike.next().ok_or_else(|| {
            refused(format_args!(
                "no dtype of ours: code {}, {} bits, {} lanes",
                found.code.0, found.bits, found.lanes
            ))
        })?;
        let sizes = tensor.shape().iter().map(|size| usize::try_from(*size));
        let shape = sizes.collect::<Result<Vec<_>, _>>().map_err(refused)?;
        let dims = Dims::new(&shape)?;
        let strides = match tensor.strides() {
            None => row_major(&dims).to_vec(),
            Some(strides) => {
                let strides = strides.iter().map(|stride| isize::try_from(*stride));
                strides.collect::<Result<_, _>>().map_err(refused)?
            }
        };
        let span = Span::new(&shape, &strides)?;
        let offset = usize::try_from(tensor.byte_offset()).map_err(refused)?;
        let data = tensor.data_ptr().cast_mut().cast::<u8>();
        let bytes = match NonNull::new(data) {
            _ if span.len == 0 => NonNull::from(&[]),
            None => return Err(refused("it has elements, but no memory")),
            // SAFETY: the caller's: the first element lies there, and the lowest that many before.
            Some(data) => unsafe {
                let lowest = data.add(offset).sub(span.before * dtype.size());
                NonNull::slice_from_raw_parts(lowest, span.len * dtype.size())
            },
        };
        Ok(Self {
            dtype,
            shape,
            strides,
            span,
            owner: Owner {
                bytes,
                _owner: Box::new(managed),
            },
        })
    }

    fn into_array(self) -> Result<Array, Error> {
        let Self {
            dtype,
            shape,
            strides,
            span,
            owner,
        } = self;
        Array::external_strided(dtype, &shape, &strides, span.before, owner)
    }
}

/// The memory of another library, and what keeps it. Made by [`Given::new`] alone.
struct Owner {
    bytes: NonNull<[u8]>,
    _owner: Box<dyn Send + Sync>,
}

// SAFETY: the bytes are only read, and nobody writes to them; the owner can be sent.
unsafe impl Send for Owner {}
// SAFETY: as above.
unsafe impl Sync for Owner {}

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: who called `Given::new` promised that these bytes can be read while the owner exists.
        unsafe { self.bytes.as_ref() }
    }
}

fn refused(reason: impl core::fmt::Display) -> Error {
    Error::NotATensor {
        interface: "DLPack",
        reason: reason.to_string(),
    }
}
