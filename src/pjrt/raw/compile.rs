//! Executables that a client compiles or loads.

use core::ffi::c_char;
use std::sync::Arc;

use super::client::RawClient;
use super::executable::{Part, RawExecutable};
use super::ffi;
use crate::error::Error;

impl RawClient {
    /// Compiles a module, whose arguments and results on each device are `inputs` and `outputs`.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`](crate::error::DeviceError::Plugin); those of [`RawExecutable::new`].
    pub(in crate::pjrt) fn compile(
        self: &Arc<Self>,
        module: &str,
        options: &[u8],
        inputs: Vec<Part>,
        outputs: &[Part],
    ) -> Result<RawExecutable, Error> {
        let format = b"mlir";
        let program = ffi::Program {
            // Only read; the header says so by example, not by type.
            code: module.as_ptr().cast_mut().cast::<c_char>(),
            code_size: module.len(),
            format: format.as_ptr().cast(),
            format_size: format.len(),
            ..Default::default()
        };
        let mut args = ffi::Client_Compile {
            client: self.raw,
            program: &raw const program,
            compile_options: options.as_ptr().cast(),
            compile_options_size: options.len(),
            ..Default::default()
        };
        // SAFETY: the client is live; module, format and options live until the call returns.
        unsafe { self.plugin.call(&mut args)? };
        // SAFETY: the call gave a new executable of this client.
        unsafe { RawExecutable::new(Arc::clone(self), args.executable, inputs, outputs) }
    }

    /// Loads a serialized executable, whose arguments and results on each device are `inputs` and `outputs`.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`](crate::error::DeviceError::Plugin); those of [`RawExecutable::new`].
    ///
    /// # Safety
    /// The bytes are those of [`RawExecutable::serialize`] of a module with such arguments, of the same version of the
    /// plugin: they are machine code.
    pub(in crate::pjrt) unsafe fn deserialize(
        self: &Arc<Self>,
        bytes: &[u8],
        inputs: Vec<Part>,
        outputs: &[Part],
    ) -> Result<RawExecutable, Error> {
        let mut args = ffi::Executable_DeserializeAndLoad {
            client: self.raw,
            serialized_executable: bytes.as_ptr().cast(),
            serialized_executable_size: bytes.len(),
            ..Default::default()
        };
        // SAFETY: the client is live, and the bytes live until the call returns; the caller guarantees what they are.
        unsafe { self.plugin.call(&mut args)? };
        // SAFETY: the call gave a new executable of this client.
        unsafe { RawExecutable::new(Arc::clone(self), args.loaded_executable, inputs, outputs) }
    }
}
