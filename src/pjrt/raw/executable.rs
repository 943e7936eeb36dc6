//! Executables: compiled programs.

use core::ptr;
use std::sync::Arc;

use super::buffer::{RawBuffer, dtype_of};
use super::client::RawClient;
use super::ffi;
use super::plugin::list;
use crate::array::Dims;
use crate::dtype::DType;
use crate::error::{DeviceError, Error};
use crate::stablehlo::TensorType;

/// The dtype and shape of an argument or result on one device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pjrt) struct Part {
    pub(in crate::pjrt) dtype: DType,
    pub(in crate::pjrt) shape: Dims,
}

impl Part {
    /// Describes it for messages.
    fn described(&self) -> String {
        let (dtype, shape) = (self.dtype, self.shape.to_vec());
        TensorType { dtype, shape }.to_string()
    }
}

/// A compiled program, destroyed when it is dropped.
pub(in crate::pjrt) struct RawExecutable {
    client: Arc<RawClient>,
    raw: *mut ffi::LoadedExecutable,
    inputs: Vec<Part>,
    outputs: Vec<Part>,
    devices: usize,
}

// SAFETY: the C API allows the use of executables from any thread.
unsafe impl Send for RawExecutable {}
// SAFETY: the C API allows the use of executables from several threads at once.
unsafe impl Sync for RawExecutable {}

impl Drop for RawExecutable {
    fn drop(&mut self) {
        let mut args = ffi::LoadedExecutable_Destroy {
            executable: self.raw,
            ..Default::default()
        };
        // SAFETY: the executable is live until here, and not used after it. An error leaves nothing to do.
        let _ = unsafe { self.client.plugin.call(&mut args) };
    }
}

/// The description of an executable, destroyed when it is dropped.
struct Description<'a> {
    client: &'a RawClient,
    raw: *mut ffi::Executable,
}

impl Drop for Description<'_> {
    fn drop(&mut self) {
        let mut args = ffi::Executable_Destroy {
            executable: self.raw,
            ..Default::default()
        };
        // SAFETY: the description is live until here, and not used after it. An error leaves nothing to do.
        let _ = unsafe { self.client.plugin.call(&mut args) };
    }
}

impl RawExecutable {
    /// Takes over an executable, and compares its results with those of the program.
    ///
    /// # Errors
    /// [`DeviceError::Compiled`] if the results are others; [`DeviceError::Plugin`].
    ///
    /// # Safety
    /// It is a live executable of the client, which nobody else destroys, of a program whose arguments on each device are
    /// `inputs`.
    pub(super) unsafe fn new(
        client: Arc<RawClient>,
        raw: *mut ffi::LoadedExecutable,
        inputs: Vec<Part>,
        outputs: &[Part],
    ) -> Result<Self, Error> {
        let mut executable = Self {
            client,
            raw,
            inputs,
            outputs: outputs.to_vec(),
            devices: 0,
        };
        let mut args = ffi::LoadedExecutable_AddressableDevices {
            executable: raw,
            ..Default::default()
        };
        // SAFETY: the executable is live (the caller guarantees it).
        unsafe { executable.client.plugin.call(&mut args)? };
        executable.devices = args.num_addressable_devices;
        executable.check_outputs()?;
        Ok(executable)
    }

    fn description(&self) -> Result<Description<'_>, Error> {
        let mut args = ffi::LoadedExecutable_GetExecutable {
            loaded_executable: self.raw,
            ..Default::default()
        };
        // SAFETY: the executable is live.
        unsafe { self.client.plugin.call(&mut args)? };
        Ok(Description {
            client: &self.client,
            raw: args.executable,
        })
    }

    /// Compares the number, dtypes and shapes of the results with those that the plugin tells.
    fn check_outputs(&self) -> Result<(), Error> {
        let plugin = self.client.plugin;
        let description = self.description()?;
        let executable = description.raw;
        let mut number = ffi::Executable_NumOutputs {
            executable,
            ..Default::default()
        };
        let mut kinds = ffi::Executable_OutputElementTypes {
            executable,
            ..Default::default()
        };
        let mut dims = ffi::Executable_OutputDimensions {
            executable,
            ..Default::default()
        };
        // SAFETY: the description is live, and so are its lists: of kinds, of ranks, and of all sizes, one result after the
        // other.
        let (kinds, ranks, mut sizes) = unsafe {
            plugin.call(&mut number)?;
            plugin.call(&mut kinds)?;
            plugin.call(&mut dims)?;
            let ranks = list(dims.dim_sizes, dims.num_outputs);
            let kinds = list(kinds.output_types, kinds.num_output_types);
            (kinds, ranks, list(dims.dims, ranks.iter().sum()))
        };
        let count = number.num_outputs;
        if count != self.outputs.len() || ranks.len() != count || kinds.len() != count {
            return Err(DeviceError::Compiled {
                number: count,
                expected: format!("{} results", self.outputs.len()),
                found: format!("{count}"),
            }
            .into());
        }
        for (number, (expected, (kind, rank))) in
            self.outputs.iter().zip(kinds.iter().zip(ranks)).enumerate()
        {
            let (shape, rest) = sizes.split_at(*rank);
            sizes = rest;
            let expected_sizes = expected.shape.iter().map(|size| i64::try_from(*size).ok());
            let is_same = dtype_of(*kind) == Some(expected.dtype)
                && expected_sizes.eq(shape.iter().map(|size| Some(*size)));
            if !is_same {
                let dtype =
                    dtype_of(*kind).map_or_else(|| format!("kind {kind}"), |of| of.to_string());
                return Err(DeviceError::Compiled {
                    number,
                    expected: expected.described(),
                    found: format!("{dtype} {shape:?}"),
                }
                .into());
            }
        }
        Ok(())
    }

    /// The number of this process' devices on which it runs.
    pub(in crate::pjrt) fn devices(&self) -> usize {
        self.devices
    }

    /// Returns machine code for [`RawClient::deserialize`].
    ///
    /// # Errors
    /// [`DeviceError::Plugin`].
    pub(in crate::pjrt) fn serialize(&self) -> Result<Vec<u8>, Error> {
        let description = self.description()?;
        let mut args = ffi::Executable_Serialize {
            executable: description.raw,
            ..Default::default()
        };
        // SAFETY: the description is live. The bytes are until the deleter is called, which is once.
        unsafe {
            self.client.plugin.call(&mut args)?;
            let bytes = list(
                args.serialized_bytes.cast::<u8>(),
                args.serialized_bytes_size,
            );
            let bytes = bytes.to_vec();
            if let Some(delete) = args.serialized_executable_deleter {
                delete(args.serialized_executable);
            }
            Ok(bytes)
        }
    }

    /// Starts it: the arguments of each device, and whether each argument of the program may be overwritten. Returns the
    /// results of each device; [`RawBuffer::wait`] waits for them.
    ///
    /// # Errors
    /// [`DeviceError::Count`] for another number of devices, [`DeviceError::Argument`] for arguments of another number,
    /// dtype or shape, and [`DeviceError::Plugin`].
    pub(in crate::pjrt) fn start(
        &self,
        arguments: &[Vec<&RawBuffer>],
        overwritten: &[bool],
    ) -> Result<Vec<Vec<RawBuffer>>, Error> {
        self.check(arguments)?;
        let count = self.inputs.len();
        let kept: Vec<i64> = (0..)
            .zip(overwritten)
            .filter(|(_, overwritten)| !**overwritten)
            .map(|(number, _)| number)
            .collect();
        let lists: Vec<Vec<*mut ffi::Buffer>> = arguments
            .iter()
            .map(|of| of.iter().map(|buffer| buffer.raw).collect())
            .collect();
        let arguments: Vec<*const *mut ffi::Buffer> = lists.iter().map(Vec::as_ptr).collect();
        let mut results = vec![vec![ptr::null_mut(); self.outputs.len()]; self.devices];
        let outputs: Vec<*mut *mut ffi::Buffer> = results.iter_mut().map(Vec::as_mut_ptr).collect();
        let mut options = ffi::ExecuteOptions {
            non_donatable_input_indices: kept.as_ptr(),
            num_non_donatable_input_indices: kept.len(),
            ..Default::default()
        };
        let mut args = ffi::LoadedExecutable_Execute {
            executable: self.raw,
            options: &raw mut options,
            argument_lists: arguments.as_ptr(),
            num_devices: self.devices,
            num_args: count,
            output_lists: outputs.as_ptr(),
            ..Default::default()
        };
        // SAFETY: the executable is live, and runs on `devices` devices. There is a list of `num_args` arguments for each: live
        // buffers of the same client, of the program's dtypes and shapes (checked above). There is a list for the results of
        // each, as long as the program has results (`check_outputs`). All lists and options live until the call returns.
        unsafe { self.client.plugin.call(&mut args)? };
        let results = results.into_iter().map(|of| {
            let typed = of.into_iter().zip(&self.outputs);
            let buffers = typed.map(|(raw, Part { dtype, shape })| {
                // SAFETY: the call gave this buffer to its caller, a result of the dtype and shape that `check_outputs` saw.
                unsafe { RawBuffer::new(Arc::clone(&self.client), raw, *dtype, *shape) }
            });
            buffers.collect()
        });
        Ok(results.collect())
    }

    /// Checks numbers, clients, dtypes and shapes: the plugin compares sizes in bytes only.
    fn check(&self, arguments: &[Vec<&RawBuffer>]) -> Result<(), Error> {
        let count = |expected, found| Err(DeviceError::Count { expected, found }.into());
        if arguments.len() != self.devices {
            return count(self.devices, arguments.len());
        }
        for of_device in arguments {
            if of_device.len() != self.inputs.len() {
                return count(self.inputs.len(), of_device.len());
            }
            for (number, (buffer, expected)) in of_device.iter().zip(&self.inputs).enumerate() {
                if !Arc::ptr_eq(&buffer.client, &self.client) {
                    return Err(DeviceError::Placement {
                        number,
                        expected: "a value of the function's client".into(),
                        found: "one of another client".into(),
                    }
                    .into());
                }
                if buffer.dtype != expected.dtype || buffer.shape != expected.shape {
                    let found = Part {
                        dtype: buffer.dtype,
                        shape: buffer.shape,
                    };
                    return Err(DeviceError::Argument {
                        number,
                        expected: expected.described(),
                        found: found.described(),
                    }
                    .into());
                }
            }
        }
        Ok(())
    }
}
