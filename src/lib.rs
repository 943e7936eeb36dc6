//! Typed tensors whose dtype promotion the compiler decides.

#[doc(hidden)]
pub mod __private;
mod array;
pub mod dtype;
mod error;
#[cfg(any(feature = "npy", feature = "safetensors"))]
mod interop;
mod kernel;
mod ops;
pub mod rules;
mod tensor;

pub use dtype::*;
pub use error::Error;
#[cfg(feature = "safetensors")]
pub use interop::SafeTensorsFile;
pub use ops::*;
pub use rules::*;
pub use static_assertions;
pub use tensor::*;

/// Everything that is commonly used, for `use supremum::prelude::*`.
pub mod prelude {
    pub use crate::dtype::{
        BF16, Bool, C64, C128, DType, F8E4M3FN, F8E5M2, F16, F32, F64, I8, I16, I32, I64,
        StaticDType, U8, U16, U32, U64, Weak, WidensTo, bf16, c64, c128, f8e4m3fn, f8e5m2, f16,
    };
    pub use crate::ops::{concat, select, stack};
    pub use crate::rules::{
        AllowUnsafe, Jax, JaxStrict, JaxX32, Promote, Promoted, RuleSet, Rules, SafePromote,
    };
    pub use crate::tensor::{
        AnyRank, Rank, Rank0, Rank1, Rank2, Rank3, Rank4, Rank5, Rank6, Tensor,
    };
    pub use crate::{Error, tensor};
}
