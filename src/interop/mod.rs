//! Files and tensors of other libraries, and records of tensors that are loaded from files.

// rustdoc lists the methods of `Tensor` in the order of these modules.
#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "npz")]
mod npz;

#[cfg(feature = "ndarray")]
mod ndarray;

#[cfg(feature = "dlpack")]
mod dlpack;

mod any_tensor;
#[cfg(any(feature = "npy", feature = "safetensors", feature = "serde"))]
mod byte_order;
#[cfg(any(feature = "npy", feature = "safetensors"))]
mod file;
pub(crate) mod load;
mod off;
#[cfg(any(feature = "npy", feature = "safetensors"))]
mod options;
mod other_formulas;
pub(crate) mod other_functions;
mod other_names;
pub(crate) mod other_traits;
#[cfg(feature = "rand")]
mod random;
#[cfg(any(feature = "npy", feature = "safetensors"))]
mod replace;
#[cfg(feature = "safetensors")]
mod safetensors;
#[cfg(feature = "serde")]
mod serde;
mod wrong_type;

pub use any_tensor::AnyTensor;
#[cfg(any(feature = "npy", feature = "safetensors"))]
pub use file::FilePath;
pub use load::{LoadTensors, TensorSource};
#[cfg(feature = "ndarray")]
pub use ndarray::{NdarrayDim, NdarrayRank};
#[cfg(feature = "npz")]
pub use npz::NpzFile;
#[cfg(not(feature = "npz"))]
pub use off::NpzFile;
#[cfg(not(feature = "safetensors"))]
pub use off::SafeTensorsFile;
#[cfg(any(feature = "npy", feature = "safetensors"))]
pub use options::ReadOptions;
#[cfg(feature = "rand")]
pub use random::{OrderOf, Sampled, Samples, SamplesOf};
#[cfg(feature = "safetensors")]
pub use safetensors::SafeTensorsFile;
