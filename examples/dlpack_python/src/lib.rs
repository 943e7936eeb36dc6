//! Supremum's tensors in Python. The module imports and exports arrays by DLPack, and promotes them by NumPy's rules.
//! `scripts/dlpack_check` builds it and runs `check.py`.

use dlpark::DlpackFlags;
use dlpark::ffi::DLDevice;
use dlpark::python::{ExportAbi, ExportRequest, ImportedDlpack, from_dlpack};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::prelude::*;
use supremum::{DType, DynTensor, Error, Numpy, Rules};

/// A tensor over the memory of another library's array. Nobody may write to that memory while the tensor lives.
#[pyclass(frozen)]
struct Tensor(DynTensor);

#[pymethods]
impl Tensor {
    #[new]
    fn new(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rules = Numpy::rule_set();
        // SAFETY: the other library describes its own memory. The documentation of the class tells callers not to write
        // to it.
        let tensor = unsafe {
            match from_dlpack(array.as_borrowed(), None, None)? {
                ImportedDlpack::Legacy(managed) => DynTensor::from_dlpack(managed, rules),
                ImportedDlpack::Versioned(managed) => DynTensor::from_dlpack(managed, rules),
            }
        };
        made(tensor)
    }

    fn __add__(&self, other: &Self) -> PyResult<Self> {
        made(self.0.try_add(&other.0))
    }

    fn cast(&self, dtype: &str) -> PyResult<Self> {
        made(dtype.parse::<DType>().map(|dtype| self.0.cast(dtype)))
    }

    fn transpose(&self) -> Self {
        Self(self.0.transpose())
    }

    fn flip(&self, axis: isize) -> PyResult<Self> {
        made(self.0.try_flip(axis))
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }

    fn __dlpack_device__(&self) -> (u32, i32) {
        (DLDevice::CPU.device_type.0, DLDevice::CPU.device_id)
    }

    /// A caller that supports DLPack 1 gets the memory itself, read-only. The old structure cannot mark memory as
    /// read-only, so its callers get a copy.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__(
        &self,
        py: Python<'_>,
        stream: Option<Bound<'_, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(u32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let request = ExportRequest::parse(stream.as_ref(), max_version, dl_device, copy)?;
        if copy == Some(false) && request.abi() == ExportAbi::Legacy {
            return Err(PyBufferError::new_err(
                "the old structure of DLPack needs a copy",
            ));
        }
        request.export_zero_copy(
            py,
            DLDevice::CPU,
            DlpackFlags::empty(), // which are those to refuse; the tensor says itself what it is
            || Ok(self.0.clone().into_dlpack_legacy()),
            || Ok(self.0.clone().into_dlpack()),
        )
    }
}

fn made(tensor: Result<DynTensor, Error>) -> PyResult<Tensor> {
    tensor
        .map(Tensor)
        .map_err(|error| PyTypeError::new_err(error.to_string()))
}

#[pymodule]
fn supremum_dlpack(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Tensor>()
}
