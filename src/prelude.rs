//! The names that most programs need.
//!
//! [`prelude!`](crate::prelude!) imports them one by one, and the compiler writes `F32` in its messages. After the glob import
//! `use supremum::prelude::*` it writes `supremum::F32`. A module that has names of its own among them, such as an `Error`, needs the
//! glob import: they take precedence over it.

/// Writes the imports, given their visibility, the markers of dtypes, and the macros that this crate cannot name by its root.
#[doc(hidden)]
#[macro_export]
macro_rules! __prelude {
    ($visibility:vis $($macro_name:ident)* [$($marker:ident)*]) => {
        #[allow(unused_imports)]
        $visibility use $crate::{
            AllowUnsafe, Anvil, AnyRank, Arithmetic, ArrayApi, Common, DType, DynTensor, Error, Floating, Jax, JaxStrict, JaxX32,
            LoadTensors, Numpy, OpenVino, OpenVinoScalar, Promote, Promoted, Rank, Rank0, Rank1, Rank2, Rank3, Rank4, Rank5, Rank6,
            RuleSet, Rules, SafeCommon, SafePromote, StaticDType, Tensor, TensorFlow, TensorFlowLegacy, Torch, Weak, WidensTo,
            bf16, c64, c128, concat, dispatch, elementwise, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16,
            promote, promotion_rules, s, select, stack, tensor, try_concat, try_select, try_stack, $($macro_name,)* $($marker,)*
        };
        #[allow(unused_imports)]
        #[doc(hidden)]
        $visibility use $crate::{ElementOfLoop as _, FallibleAnswer as _, WholeAnswer as _};
    };
}

supremum_macros::with_markers! { [crate::__prelude] pub }
pub use crate::fuse::{fuse, promote_unsafe, try_fuse};
// Not imported by `prelude!`, after which a program could not import them by themselves.
#[doc(hidden)]
#[allow(deprecated, reason = "they exist for their warning")]
pub use crate::interop::other_traits::{DataType, Dtype, Float, Num, Numeric, WithDType};
pub use crate::{
    ConvOptions, NpzFile, PadMode, PoolOptions, QuantileMethod, SafeTensorsFile, Scalar,
    StrongDType, einsum,
};

/// Imports the names of the [`prelude`](mod@crate::prelude), each by its name.
///
/// The compiler then writes them without their path in its messages: `F32`. After the glob import `use supremum::prelude::*` it writes
/// `supremum::F32`. A module may neither import nor define one of these names again. The module [`prelude`](mod@crate::prelude) lists
/// them; `ConvOptions`, `NpzFile`, `PadMode`, `PoolOptions`, `QuantileMethod`, `SafeTensorsFile`, `Scalar`, `StrongDType` and `einsum!` are
/// only there: import them by name.
///
/// ```
/// supremum::prelude!();
///
/// let t: Tensor<F32> = tensor![1.0, 2.0];
/// assert_eq!((&t + 1).to_vec(), [2.0, 3.0]);
/// ```
#[macro_export]
macro_rules! prelude {
    () => {
        $crate::__private::with_markers! { [$crate::__prelude] fuse promote_unsafe try_fuse }
    };
}
