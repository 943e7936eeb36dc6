//! DLPack: out and in again, and what another library may hand over that cannot be.
#![allow(unsafe_code, reason = "what comes by DLPack has to be believed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use supremum::dlpark::ffi::{
    DLDataType, DLDataTypeCode, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned,
    DLTensor,
};
use supremum::dlpark::metadata::Dynamic;
use supremum::dlpark::{DlpackFlags, Managed, ManagedTensorBase, versioned};
use supremum::prelude::*;

/// Memory of another library that counts how often it is freed.
struct Foreign {
    memory: Vec<u64>,
    freed: Arc<AtomicUsize>,
}

impl Drop for Foreign {
    fn drop(&mut self) {
        self.freed.fetch_add(1, Ordering::SeqCst);
    }
}

/// An array that another library hands over: its memory has these bytes, and the other fields may be wrong.
struct Case {
    bytes: Vec<u8>,
    dtype: DLDataType,
    shape: Vec<i64>,
    strides: Vec<i64>,
    change: fn(&mut DLTensor),
}

impl Case {
    fn new(bytes: &[u8], dtype: DLDataType, shape: &[i64], strides: &[i64]) -> Self {
        Self {
            bytes: bytes.to_vec(),
            dtype,
            shape: shape.to_vec(),
            strides: strides.to_vec(),
            change: |_| {},
        }
    }

    fn changed(mut self, change: fn(&mut DLTensor)) -> Self {
        self.change = change;
        self
    }

    fn handed<M: ManagedTensorBase>(&self, freed: &Arc<AtomicUsize>) -> Managed<M> {
        let mut memory = vec![0_u64; self.bytes.len().div_ceil(8) + 1];
        bytes_mut(&mut memory)[..self.bytes.len()].copy_from_slice(&self.bytes);
        let data = memory.as_mut_ptr().cast();
        let foreign = Foreign {
            memory,
            freed: Arc::clone(freed),
        };
        assert!(!foreign.memory.is_empty());
        let mut managed = Dynamic::new(&self.shape[..], &self.strides[..])
            .initialize_as::<M>(Box::new(foreign))
            .unwrap();
        managed
            .set_data(data)
            .set_device(DLDevice::CPU)
            .set_dtype(self.dtype);
        (self.change)(managed.tensor_mut());
        // SAFETY: the memory is owned by the structure, and the shape leads to elements in it, unless it is refused.
        unsafe { managed.finish() }
    }

    /// Returns its text, or the reason why it is refused; the same of both structures.
    fn taken(&self) -> Result<String, String> {
        let taken = self.taken_as::<DLManagedTensorVersioned>();
        assert_eq!(taken, self.taken_as::<DLManagedTensor>());
        taken
    }

    /// The memory has to be freed once: at once if it is refused or copied, else with the last tensor over it.
    fn taken_as<M: ManagedTensorBase + 'static>(&self) -> Result<String, String> {
        let freed = Arc::new(AtomicUsize::new(0));
        let count = || freed.load(Ordering::SeqCst);
        let managed = self.handed::<M>(&freed);
        // SAFETY: it is as it says, or is refused; nobody writes.
        let taken = unsafe { DynTensor::from_dlpack(managed, Numpy::rule_set()) };
        let t = taken.map_err(|error| {
            assert_eq!(count(), 1, "refused");
            error.to_string()
        })?;
        let text = t.to_string();
        let before = count();
        let view = t.try_unsqueeze(0).unwrap();
        drop(t);
        assert_eq!(count(), before, "a view has it still");
        std::thread::spawn(move || drop(view)).join().unwrap();
        assert_eq!(count(), 1);
        Ok(text)
    }
}

fn bytes_mut(memory: &mut [u64]) -> &mut [u8] {
    let len = size_of_val(memory);
    // SAFETY: numbers are bytes, and these are borrowed mutably.
    unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr().cast(), len) }
}

fn refused(case: &Case, reason: &str) {
    let error = case.taken().expect_err(reason);
    assert!(error.contains(reason), "{error:?} does not say {reason:?}");
}

const SIX: [u8; 6] = [0, 1, 2, 3, 4, 5];

#[test]
fn what_another_library_laid_out_stays_where_it_is() {
    let case = |shape: &[i64], strides: &[i64]| Case::new(&SIX, DLDataType::U8, shape, strides);
    let text = |case: Case| case.taken().unwrap();
    assert_eq!(text(case(&[6], &[1])), "[0, 1, 2, 3, 4, 5] u8 [6]");
    assert_eq!(
        text(case(&[2, 3], &[1, 2])),
        "[[0, 2, 4],\n [1, 3, 5]] u8 [2, 3]"
    );
    assert_eq!(text(case(&[2, 2], &[0, 5])), "[[0, 5],\n [0, 5]] u8 [2, 2]");
    assert_eq!(text(case(&[], &[])), "0 u8 []");
    assert_eq!(text(case(&[1], &[i64::MAX])), "[0] u8 [1]");
    let row_major = case(&[2, 2], &[9, 9]).changed(|t| t.strides = core::ptr::null_mut());
    assert_eq!(text(row_major), "[[0, 1],\n [2, 3]] u8 [2, 2]");
    let moved = case(&[2], &[1]).changed(|t| t.byte_offset = 4);
    assert_eq!(text(moved), "[4, 5] u8 [2]");
    let down = case(&[3], &[-2]).changed(|t| t.byte_offset = 5);
    assert_eq!(text(down), "[5, 3, 1] u8 [3]");
    let nothing = case(&[0, 7], &[7, 1]).changed(|t| t.data = core::ptr::null_mut());
    assert_eq!(text(nothing), "[] u8 [0, 7]");
    // What is not aligned is copied.
    let shifted = Case::new(&[9, 1, 0, 2, 0], DLDataType::U16, &[2], &[1]);
    let little = shifted.changed(|t| t.byte_offset = 1).taken().unwrap();
    assert_eq!(
        little,
        if cfg!(target_endian = "little") {
            "[1, 2] u16 [2]"
        } else {
            "[256, 512] u16 [2]"
        }
    );
}

#[test]
fn what_cannot_be_is_an_error_and_freed() {
    let case = |shape: &[i64], strides: &[i64]| Case::new(&SIX, DLDataType::U8, shape, strides);
    let good = || case(&[6], &[1]);
    refused(
        &good().changed(|t| t.device.device_type = DLDeviceType::CUDA),
        "device of type 2",
    );
    refused(
        &good().changed(|t| t.dtype.lanes = 4),
        "code 1, 8 bits, 4 lanes",
    );
    refused(&good().changed(|t| t.dtype.bits = 0), "bit width");
    refused(
        &good().changed(|t| t.dtype.bits = 4),
        "no dtype of Supremum",
    );
    refused(
        &good().changed(|t| t.dtype.code = DLDataTypeCode(200)),
        "code 200",
    );
    refused(
        &good().changed(|t| t.data = core::ptr::null_mut()),
        "no memory",
    );
    refused(&good().changed(|t| t.ndim = -1), "ndim");
    refused(
        &good().changed(|t| t.shape = core::ptr::null_mut()),
        "shape",
    );
    refused(&case(&[-1], &[1]), "negative");
    refused(
        &case(&[1; 9], &[1; 9]),
        "from_dlpack: rank 9 is above the limit of 8",
    );
    refused(&case(&[i64::MAX, 2], &[0, 0]), "overflows");
    refused(&case(&[1 << 60], &[0]), "can be addressed");
    refused(&case(&[2], &[i64::MAX]), "can be addressed");
    refused(&case(&[2, 2], &[i64::MIN, i64::MIN]), "can be addressed");
    let truth = Case::new(&[1, 0, 2], DLDataType::BOOL, &[3], &[1]);
    refused(&truth, "found byte 2 at position 2");
    let looked_at = Case::new(&[1, 7, 0], DLDataType::BOOL, &[2], &[2]);
    assert_eq!(looked_at.taken(), Ok("[ true, false] bool [2]".into()));
}

#[test]
fn another_major_version_is_refused_before_it_is_read() {
    let freed = Arc::new(AtomicUsize::new(0));
    let managed = Case::new(&SIX, DLDataType::U8, &[6], &[1]).handed(&freed);
    let raw: *mut DLManagedTensorVersioned = Managed::into_raw(managed);
    // SAFETY: it is the structure of just now.
    let taken = unsafe {
        (*raw).version.major = 2;
        versioned::Dlpack::from_raw(raw)
    };
    assert!(taken.is_err());
    assert_eq!(freed.load(Ordering::SeqCst), 1);
}

/// Out and in of every dtype, in the same memory, as both structures.
fn round_trip(t: &DynTensor) {
    let rules = Numpy::rule_set();
    // SAFETY: these are tensors of this library, to which nobody writes.
    let (new, old) = unsafe {
        let new = DynTensor::from_dlpack(t.clone().into_dlpack(), rules);
        (
            new.unwrap(),
            DynTensor::from_dlpack(t.clone().into_dlpack_legacy(), rules).unwrap(),
        )
    };
    assert_eq!(new.to_string(), t.to_string());
    assert_eq!(old.to_string(), t.to_string());
    assert!(t.is_empty() || t.shape().contains(&1) || new.strides() == t.strides());
}

#[test]
fn every_dtype_and_layout_goes_out_and_in() {
    for dtype in DType::ALL.iter().copied() {
        let t = DynTensor::arange(DType::F64, 0.0, 24.0, 1.0)
            .unwrap()
            .cast(dtype);
        let t = t.try_reshape([2, 3, 4]).unwrap();
        round_trip(&t);
        round_trip(&t.transpose());
        round_trip(&t.try_flip(1).unwrap());
        round_trip(&t.try_slice_step(2, .., -2).unwrap());
        round_trip(
            &t.try_index_axis(0, 1)
                .unwrap()
                .try_broadcast_to([5, 3, 4])
                .unwrap(),
        );
        round_trip(&t.try_slice(0, 1..1).unwrap());
        round_trip(&DynTensor::full(dtype, [], 1).unwrap());
        round_trip(&DynTensor::full(dtype, [1; 8], 1).unwrap());
    }
}

#[test]
fn only_what_nobody_shares_may_be_written() {
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let place = t.as_slice().unwrap().as_ptr();
    let shared = t.clone().into_dlpack();
    assert_eq!(shared.flags(), DlpackFlags::READ_ONLY);
    assert_eq!(shared.validate().unwrap().data_ptr(), place.cast());
    // The old structure has no flags.
    let old = t.clone().into_dlpack_legacy();
    assert_ne!(old.validate().unwrap().data_ptr(), place.cast());
    drop((shared, old));
    let mut alone = t.into_dlpack();
    assert_eq!(alone.flags(), DlpackFlags::empty());
    let mut writable = alone.validate_mut().unwrap();
    // SAFETY: nobody else has the elements.
    let elements = unsafe { writable.cpu_slice_mut::<f32>() };
    elements.unwrap()[0] = 5.0;
    assert_eq!(alone.validate().unwrap().data_ptr(), place.cast());
    // SAFETY: nobody writes any more.
    let back = unsafe { Tensor::<F32, Rank1>::from_dlpack(alone) }.unwrap();
    assert_eq!(back.to_vec(), [5.0, 2.0]);
    // It came from elsewhere, so that it is not ours to be written.
    let again = back.into_dlpack();
    assert_eq!(again.flags(), DlpackFlags::READ_ONLY);
    assert_eq!(again.validate().unwrap().data_ptr(), place.cast());
}

#[test]
fn typed_tensors_take_their_dtype_and_rank_only() {
    let out = || Tensor::<I16>::zeros(&[2, 3][..]).into_dlpack();
    // SAFETY: these are tensors of this library, and nobody else has them.
    unsafe {
        assert!(Tensor::<I16, Rank2>::from_dlpack(out()).is_ok());
        let wrong = Tensor::<U16, Rank2>::from_dlpack(out()).unwrap_err();
        assert_eq!(wrong.to_string(), "from_dlpack: expected u16, found i16");
        let wrong = Tensor::<I16, Rank1>::from_dlpack(out()).unwrap_err();
        assert_eq!(
            wrong,
            Error::RankMismatch {
                operation: "from_dlpack",
                expected: 1,
                shape: vec![2, 3]
            }
        );
    }
}
