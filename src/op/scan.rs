//! Scans, such as cumulative sums: a row for each.
//!
//! Everything that the library has for a scan comes from its row: the variant of `ScanOp` with its name in messages,
//! how it is computed (`kernel/scan.rs`, and in StableHLO), and the methods of `Tensor` and `DynTensor`. Scans are not
//! part of `fuse!`.
//!
//! # A row
//!
//! ```text
//! /// Documentation of the method, after its first line.
//! method try_method: Variant "noun for documentation", Group, Accumulate, BinaryOp function { /// Example. }
//! ```
//!
//! `Group` is the group of operations whose rules give the result's dtype. `Accumulate` (in `kernel/reduce/`) says in which dtype
//! elements are combined, and `BinaryOp` how. The function of `ComputeType` (`dtype/compute/`) does that to two elements.

/// Calls `$consumer!` with the tokens behind it and then a row for each scan, of one of these forms.
///
/// - `kernels`: `name: Variant, Accumulate, BinaryOp function;`
/// - `methods`: documentation, `"noun" method try_method: Variant Group { example }`
macro_rules! each_scan {
    (kernels $consumer:ident! $($more:tt)*) => {
        each_scan! { @rows each_scan! @kernels [$consumer! $($more)*] }
    };
    (methods $consumer:ident! $($more:tt)*) => {
        each_scan! { @rows each_scan! @methods [$consumer! $($more)*] }
    };
    (@rows $consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// 16-bit and 8-bit floats are added in `f32` and each result is rounded once; integers wrap.
            cumsum try_cumsum: Sum "sum", CumulativeSum, Wide, Add add {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 2, 3];
                /// assert_eq!(t.cumsum(0).to_vec(), [1, 3, 6]);
                /// ```
            }
            /// Multiplied in the dtypes in which [`Self::try_cumsum`] adds; integers wrap.
            cumprod try_cumprod: Prod "product", CumulativeSum, Wide, Mul mul {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 2, 3];
                /// assert_eq!(t.cumprod(0).to_vec(), [1, 2, 6]);
                /// ```
            }
            /// NaN from the first NaN on; -0 is less than +0.
            cummax try_cummax: Max "maximum", MinMaxReduce, Element, Max maximum {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 3, 2];
                /// assert_eq!(t.cummax(0).to_vec(), [1, 3, 3]);
                /// ```
            }
            /// NaN from the first NaN on; -0 is less than +0.
            cummin try_cummin: Min "minimum", MinMaxReduce, Element, Min minimum {}
        }
    };
    (@kernels [$consumer:ident! $($more:tt)*] $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident: $Op:ident $what:literal, $group:ident, $accumulate:ident, $Combine:ident $combine:ident $example:tt
    )*) => {
        $consumer! { $($more)* $($name: $Op, $accumulate, $Combine $combine;)* }
    };
    (@methods [$consumer:ident! $($more:tt)*] $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident: $Op:ident $what:literal, $group:ident, $accumulate:ident, $Combine:ident $combine:ident $example:tt
    )*) => {
        $consumer! { $($more)* $($(#[doc = $doc])+ $what $name $try_name: $Op $group $example)* }
    };
}

pub(crate) use each_scan;
