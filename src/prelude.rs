//! The names that most programs need.
//!
//! [`prelude!`](crate::prelude!) imports those one by one that messages show, and the compiler writes `F32` in its messages. After the
//! glob import `use supremum::prelude::*` it writes `supremum::F32`. A module that has a type of its own named `Rank`, say, needs the
//! glob import: its own names take precedence over it.

/// Writes imports of the names that messages print, each by its name, given their visibility and the markers of dtypes.
#[doc(hidden)]
#[macro_export]
macro_rules! __prelude {
    ($visibility:vis [$($marker:ident)*]) => {
        #[allow(unused_imports)]
        $visibility use $crate::{
            AllowUnsafe, Anvil, AnyRank, Arithmetic, ArrayApi, Common, DType, DynTensor, Floating, Jax, JaxStrict, JaxX32,
            Numpy, OpenVino, OpenVinoScalar, Promote, Promoted, Rank, Rank0, Rank1, Rank2, Rank3, Rank4, Rank5, Rank6,
            RuleSet, SafeCommon, SafePromote, StaticDType, Tensor, TensorFlow, TensorFlowLegacy, Torch, WidensTo,
            $($marker,)*
        };
    };
}

supremum_macros::with_markers! { [crate::__prelude] pub }
pub use crate::fuse::{fuse, promote_unsafe, try_fuse};
#[doc(hidden)]
pub use crate::interop::other_traits::NumbersOfDType as _;
#[doc(hidden)]
#[allow(deprecated, reason = "they exist for their warning")]
pub use crate::interop::other_traits::{DataType, Dtype, Float, Num, Numeric, WithDType};
// Functions of other libraries, which say what to write.
#[doc(hidden)]
pub use crate::interop::other_functions::{
    arange, cat, concatenate, eye, full, hstack, linspace, ones, vstack, zeros,
};
#[doc(hidden)]
pub use crate::{
    CompareBehindMut as _, ElementOfLoop as _, FallibleAnswer as _, NumberToPower as _,
    WholeAnswer as _,
};
pub use crate::{
    ConvOptions, Error, LoadTensors, NpzFile, PadMode, PoolOptions, PoolPadding, QuantileMethod,
    Rules, SafeTensorsFile, SamePadding, Scalar, StrongDType, Weak, bf16, c64, c128, concat,
    dispatch, einsum, elementwise, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16,
    promote, promotion_rules, s, select, stack, tensor, try_concat, try_select, try_stack,
};

/// Imports the names of the [`prelude`](mod@crate::prelude), those of dtypes, rules, ranks and tensors each by its name.
///
/// The compiler then writes them without their path in its messages: `F32`. After the glob import `use supremum::prelude::*` alone it
/// writes `supremum::F32`.
///
/// A module may not import or define these again: `use supremum::{F32, Tensor}` beside `prelude!` is an error (E0252), and the line can
/// go. They are the dtypes except [`Weak`](crate::Weak), the rules, the ranks, [`AnyRank`](crate::AnyRank), [`Tensor`](crate::Tensor),
/// [`DynTensor`](crate::DynTensor), [`DType`](crate::DType), [`RuleSet`](crate::RuleSet), [`fuse!`](crate::fuse), and the bounds and types
/// of generic code: [`Arithmetic`](crate::Arithmetic), [`Common`](crate::Common), [`Floating`](crate::Floating),
/// [`Promote`](crate::Promote), [`Promoted`](crate::Promoted), [`Rank`](crate::Rank), [`SafeCommon`](crate::SafeCommon),
/// [`SafePromote`](crate::SafePromote), [`StaticDType`](crate::StaticDType) and [`WidensTo`](crate::WidensTo). All other names may be
/// imported or defined again, as may those of a glob import: `Error` of another library, say.
///
/// ```
/// supremum::prelude!();
/// use std::error::Error; // in place of `supremum::Error`
///
/// fn main() -> Result<(), Box<dyn Error>> {
///     let t: Tensor<F32> = tensor![1.0, 2.0];
///     assert_eq!((&t + 1).to_vec(), [2.0, 3.0]);
///     Ok(())
/// }
/// ```
#[macro_export]
macro_rules! prelude {
    () => {
        $crate::__private::with_markers! { [$crate::__prelude] }
        #[allow(unused_imports)]
        use $crate::{fuse, prelude::*};
    };
}
