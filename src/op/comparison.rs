//! Comparisons of two operands, by element: a row for each, as for operations in `binary.rs`.
//!
//! ```text
//! /// Documentation of the method, whose name is that of the comparison in messages.
//! name try_name: Variant, Group, |a, b| whether it holds of two elements; { /// Example. }
//! ```
//!
//! A kind of dtype defines three of them, `eq`, `lt` and `le` (`dtype/compute/mod.rs`); each row says which one it is.
//! `kernel/compare.rs` has loops for `!eq` too, and swaps the operands for the others.

/// Calls `$consumer!` with the tokens behind it and then a row for each comparison: documentation,
/// `name try_name: Variant, Group, |a, b| code; { example }`.
macro_rules! each_comparison {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Tests whether elements are equal; NaN equals nothing.
            equal try_equal: Eq, Equality, |a, b| ComputeType::eq(a, b); {
                /// ```
                /// use supremum::{Bool, F32, I16, Tensor, tensor};
                /// let a: Tensor<I16> = tensor![1, 2];
                /// let b: Tensor<F32> = tensor![1.0, 2.5];
                /// let equal: Tensor<Bool> = a.equal(&b);
                /// assert_eq!(equal.to_vec(), [true, false]);
                /// ```
            }
            /// Tests whether elements differ; NaN differs from everything.
            not_equal try_not_equal: Ne, Equality, |a, b| !ComputeType::eq(a, b); {}
            /// Tests whether elements are less than the other's; false beside NaN.
            lt try_lt: Lt, Ordering, |a, b| ComputeType::lt(a, b); {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 2, 3];
                /// assert_eq!(t.lt(2).to_vec(), [true, false, false]);
                /// ```
            }
            /// Tests whether elements are less or equal; false beside NaN.
            le try_le: Le, Ordering, |a, b| ComputeType::le(a, b); {}
            /// Tests whether elements are greater; false beside NaN.
            gt try_gt: Gt, Ordering, |a, b| ComputeType::lt(b, a); {}
            /// Tests whether elements are greater or equal; false beside NaN.
            ge try_ge: Ge, Ordering, |a, b| ComputeType::le(b, a); {}
        }
    };
}

pub(crate) use each_comparison;
