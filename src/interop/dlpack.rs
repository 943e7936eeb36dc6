//! Exchange of tensors with other libraries by DLPack, without copying; the crate `dlpark` defines the structures.
#![allow(
    unsafe_code,
    reason = "DLPack is an agreement about raw memory: what it says has to be believed"
)]

use core::ptr::NonNull;

use dlpark::ffi::{DLDataType, DLDevice};
use dlpark::metadata::Dynamic;
use dlpark::tensor::TensorRef;
use dlpark::{DlpackFlags, Managed, ManagedTensorBase, legacy, versioned};

use crate::array::{Array, Dims, Span, row_major};
use crate::dtype::{DType, StaticDType};
use crate::dynamic::DynTensor;
use crate::error::{Error, named};
use crate::exec;
use crate::rank::Rank;
use crate::rules::{IntoRuleSet, Rules};
use crate::tensor::{Tensor, or_panic};

/// # Arrays of other libraries, by DLPack
///
/// Feature `dlpack`.
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Exports the tensor to another library, which reads its memory in place; nothing is copied. The receiver drops
    /// the structure, or calls its deleter.
    ///
    /// The flag `READ_ONLY` is set if other tensors share the elements, or if they lie in external memory (of a mapped
    /// file or of another library). Strides are those of the tensor, also zero and negative ones, which not every
    /// library accepts; a contiguous tensor has row-major strides. The pointer is null if there are no elements, as the
    /// standard requires.
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

    /// [`Self::into_dlpack`] for libraries that support only DLPack before version 1. The structure has no flags, so
    /// the receiver may write: the elements are copied if other tensors share them, or if they lie in external memory.
    ///
    /// # Panics
    /// Without memory for the copy, with the text of [`Error::OutOfMemory`].
    pub fn into_dlpack_legacy(self) -> legacy::Dlpack {
        out_writable(self.into_array())
    }

    /// Imports a tensor of another library, in its memory. Nothing is copied, unless the elements are not aligned.
    ///
    /// No operation ever writes to that memory. The deleter is called when the last tensor over the memory is dropped,
    /// on the thread that drops it; on error it is called at once. Both the old structure ([`legacy::Dlpack`]) and the
    /// new one ([`versioned::Dlpack`]) are accepted.
    ///
    /// # Safety
    /// The structure describes its memory truthfully: all bytes from the lowest to the highest element that shape and
    /// strides reach lie in one allocation, are initialised and can be read, until the deleter is called. Nobody writes
    /// to them while this tensor or one that shares its elements exists. (In Python: nobody writes to the array.)
    ///
    /// # Errors
    /// [`Error::NotATensor`] if it is not in CPU memory, has no dtype of this library, or is malformed;
    /// [`Error::DTypeMismatch`] and [`Error::RankMismatch`] if its dtype or rank is not that of the type;
    /// [`Error::RankTooLarge`] above rank 8; [`Error::ShapeTooLarge`] beyond the addressable size; [`Error::NotABool`]
    /// for booleans other than the bytes 0 and 1.
    ///
    /// ```
    /// use supremum::{Error, F16, F32, Rank1, Tensor, tensor};
    /// let t: Tensor<F16, Rank1> = tensor![1.0, 2.0];
    /// // SAFETY: it is a tensor of this library, and nobody else has it.
    /// let back = unsafe { Tensor::<F16, Rank1>::from_dlpack(t.into_dlpack())? };
    /// assert_eq!((&back + &back).to_string(), "[2.0, 4.0] f16 [2]");
    /// // SAFETY: `back` is a tensor of this library, and nobody else has it.
    /// let wrong = unsafe { Tensor::<F32, Rank1>::from_dlpack(back.into_dlpack()) };
    /// assert_eq!(wrong.unwrap_err().to_string(), "from_dlpack: expected f32, found f16");
    /// # Ok::<(), Error>(())
    /// ```
    pub unsafe fn from_dlpack<M>(managed: Managed<M>) -> Result<Self, Error>
    where
        M: ManagedTensorBase + 'static,
    {
        // SAFETY: the caller guarantees what `Imported::new` requires: the structure describes its memory truthfully, and
        // nobody writes there (see # Safety).
        let given = unsafe { Imported::new(managed)? };
        if given.dtype != D::DTYPE {
            return Err(Error::DTypeMismatch {
                operation: "from_dlpack",
                expected: D::DTYPE,
                found: given.dtype,
            });
        }
        match N::RANK {
            Some(expected) if expected != given.shape.len() => Err(Error::RankMismatch {
                operation: "from_dlpack",
                expected,
                shape: given.shape,
            }),
            _ => given.into_array().map(Self::from_array),
        }
    }
}

/// # Arrays of other libraries, by DLPack
impl DynTensor {
    /// Hands over the elements as [`Tensor::into_dlpack`] does.
    pub fn into_dlpack(self) -> versioned::Dlpack {
        out(self.into_array())
    }

    /// Hands over the elements as [`Tensor::into_dlpack_legacy`] does.
    pub fn into_dlpack_legacy(self) -> legacy::Dlpack {
        out_writable(self.into_array())
    }

    /// [`Tensor::from_dlpack`] for any dtype and rank.
    ///
    /// # Safety
    /// The conditions of [`Tensor::from_dlpack`].
    ///
    /// # Errors
    /// The errors of [`Tensor::from_dlpack`], except [`Error::DTypeMismatch`] and [`Error::RankMismatch`].
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
        rules: impl IntoRuleSet,
    ) -> Result<Self, Error>
    where
        M: ManagedTensorBase + 'static,
    {
        // SAFETY: the caller guarantees what `Imported::new` requires: the structure describes its memory truthfully, and
        // nobody writes there (see # Safety).
        let array = unsafe { Imported::new(managed)? }.into_array()?;
        Ok(Self::from_array(array, false, rules.into_rule_set()))
    }
}

macro_rules! data_type {
    ($($(#[$doc:meta])* $float8:ident $element:ident { $($format:tt)* })*) => {
        /// Returns DLPack's name of a dtype.
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
    exec::expect_concrete("into_dlpack", &array);
    let (data, flags) = match array.unique_mut_ptr() {
        Some(data) => (data, DlpackFlags::empty()),
        None => (array.as_ptr().cast_mut(), DlpackFlags::READ_ONLY),
    };
    let shape = *array.dims();
    // The stride of an axis of size one is arbitrary; some libraries require the row-major value.
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
    // SAFETY: shape, strides (explicit, by `Dynamic::new`), dtype and data pointer are those of `array`, which the
    // structure owns, so its elements stay valid at that address until the deleter drops it. `READ_ONLY` is missing
    // only if `unique_mut_ptr` returned the pointer: then no other array shares the elements, and the pointer may be
    // written through.
    let managed = unsafe { managed.finish() };
    debug_assert!(managed.validate_export().is_ok());
    managed
}

/// Exports to the legacy structure, which has no read-only flag; copies the elements if they are shared.
fn out_writable(mut array: Array) -> legacy::Dlpack {
    exec::expect_concrete("into_dlpack_legacy", &array);
    if array.unique_mut_ptr().is_none() {
        array = or_panic(exec::copied(&array));
    }
    out(array)
}

/// An imported structure, validated and decoded.
struct Imported {
    dtype: DType,
    shape: Vec<usize>,
    strides: Vec<isize>,
    span: Span,
    owner: Owner,
}

impl Imported {
    /// Validates a structure.
    ///
    /// # Safety
    /// The conditions of [`Tensor::from_dlpack`].
    unsafe fn new<M: ManagedTensorBase + 'static>(managed: Managed<M>) -> Result<Self, Error> {
        // SAFETY: the caller guarantees that the structure is truthful (see # Safety), so its shape and strides can be
        // read. `managed` owns the structure and outlives `tensor`, and nothing modifies it meanwhile.
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
                "no dtype of Supremum: code {}, {} bits, {} lanes",
                found.code.0, found.bits, found.lanes
            ))
        })?;
        let sizes = tensor.shape().iter().map(|size| usize::try_from(*size));
        let shape = sizes.collect::<Result<Vec<_>, _>>().map_err(refused)?;
        let dims = named("from_dlpack", Dims::new(&shape))?;
        let strides = match tensor.strides() {
            None => row_major(&dims).to_vec(),
            Some(strides) => {
                let strides = strides.iter().map(|stride| isize::try_from(*stride));
                strides.collect::<Result<_, _>>().map_err(refused)?
            }
        };
        let span = named("from_dlpack", Span::new(&shape, &strides))?;
        let offset = usize::try_from(tensor.byte_offset()).map_err(refused)?;
        let data = tensor.data_ptr().cast_mut().cast::<u8>();
        let bytes = match NonNull::new(data) {
            _ if span.len == 0 => NonNull::from(&[]),
            None => return Err(refused("it has elements, but no memory")),
            // SAFETY: the caller guarantees that the first element lies `offset` bytes behind `data`, and that all
            // elements that shape and strides reach lie in one allocation (see # Safety). `Span::new` found the lowest
            // one `span.before` elements before the first, and checked that `span.len` elements of any dtype are
            // addressable, so that no product overflows.
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

/// The memory of another library and its owner. Only [`Imported::new`] makes one.
struct Owner {
    bytes: NonNull<[u8]>,
    _owner: Box<dyn Send + Sync>,
}

// SAFETY: `bytes` is only read, and the caller of `Imported::new` guarantees that nobody writes there while this exists,
// so threads may move and share the pointer. The other field, `_owner`, is `Send` and `Sync` itself.
unsafe impl Send for Owner {}
// SAFETY: `bytes` is only read, and the caller of `Imported::new` guarantees that nobody writes there while this exists, so threads may
// read it at the same time. The other field, `_owner`, is `Sync` itself.
unsafe impl Sync for Owner {}

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `bytes` is either empty or the span from the lowest to the highest element. The caller of
        // `Imported::new` guarantees that these bytes are initialised, readable and not written until the deleter is
        // called; `_owner` calls it when it is dropped, and outlives the borrow of `self`.
        unsafe { self.bytes.as_ref() }
    }
}

fn refused(reason: impl core::fmt::Display) -> Error {
    Error::NotATensor {
        interface: "DLPack",
        reason: reason.to_string(),
    }
}
