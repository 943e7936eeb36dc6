//! Runs typed functions on CPUs, GPUs and TPUs, by plugins of PJRT, the interface through which JAX drives its devices.
//!
//! A [`Client`] is made from a plugin: a shared library that contains a compiler and a runtime for its devices. It traces a
//! function of tensors, as [`stablehlo::trace`](crate::stablehlo::trace) does, and compiles it to a [`Function`]. Rust's compiler
//! checks the dtypes, ranks and rules of the function's arguments. The library checks their shapes.
//!
//! ```no_run
//! use supremum::pjrt::{Client, OnDevice};
//! supremum::prelude!();
//! use supremum::stablehlo::input;
//! // SAFETY: the environment of this program names a plugin that its user trusts.
//! let client = unsafe { Client::from_env()? };
//! let layer = client.function(
//!     (input::<BF16, _>([16, 64]), input::<F16, _>([64, 10])),
//!     |(x, w)| (x.matmul(&w), x.sum()),
//! )?;
//! let (x, w) = (Tensor::ones([16, 64]), Tensor::ones([64, 10]));
//! let (y, total): (Tensor<F32, Rank2>, Tensor<BF16, Rank0>) = layer.call((&x, &w))?;
//!
//! let w: OnDevice<F16, Rank2> = client.put(&w)?; // kept between calls
//! let (y, _) = layer.run((&x, &w))?; //                   so are results
//! let y: Tensor<F32, Rank2> = y.get()?;
//! # Ok::<(), Error>(())
//! ```
//!
//! Plugins check sizes in bytes, not dtypes. So every value on a device carries its dtype and shape, and the library compares both
//! at every execution.
//!
//! The guide [devices](crate::guide::devices) lists the plugin for each device, and says which ones were tried.

mod arguments;
mod client;
mod compile;
mod device;
mod function;
mod jit;
mod on_device;
mod options;
mod placement;
mod raw;
mod saved;
mod store;

pub use arguments::{Argument, TensorTree};
pub use client::{Client, ClientOptions};
pub use device::Device;
pub use function::Function;
pub use jit::{Jit, JitStatistics};
pub use on_device::{DynOnDevice, OnDevice};
pub use options::CompileOptions;
pub use raw::{Attribute, Plugin};
pub use store::{KeyValueStore, LocalStore, TcpStore};

pub use crate::error::{DeviceError, Status};
