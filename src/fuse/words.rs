//! The names that `fuse!` knows, collected from the lists of operations.
//!
//! The macros pass them to the macro crate in front of an expression, so no other file repeats them. `fuse!` calls the macro crate
//! directly, because the compiler's notes would name a macro in between.

use super::define::define_fuse;
use crate::op::{
    each_binary, each_comparison, each_position, each_reduction, each_scan, each_unary,
};
use crate::tensor::view::each_view;

/// Goes from list to list, with the names so far in braces, and then defines the macros.
macro_rules! collect {
    (
        unary
        $($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, $compute:ident $example:tt)*
    ) => {
        each_binary! { methods collect! { functions [$($name)* conj] } binary }
    };
    (
        $words:tt binary
        $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$($form:tt)+] $example:tt)*
    ) => {
        collect! { $words [] [] $([$name $($form)+] $group)* }
    };
    // Sorts the binary operations into methods and operators, one after the other.
    ($words:tt [$($methods:tt)*] $operators:tt [$name:ident method] $group:ident $($more:tt)*) => {
        collect! { $words [$($methods)* $name = $group] $operators $($more)* }
    };
    (
        $words:tt $methods:tt [$($operators:tt)*]
        [$name:ident operator $trait:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal]
        $group:ident $($more:tt)*
    ) => {
        collect! { $words $methods [$($operators)* $symbol = $group] $($more)* }
    };
    ({ $($words:tt)* } $methods:tt $operators:tt) => {
        each_comparison! { collect! { $($words)* operators $operators } $methods comparisons }
    };
    (
        { $($words:tt)* } [$($methods:tt)*] comparisons
        $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; $example:tt)*
    ) => {
        each_reduction! { methods collect! { $($words)* methods [$($methods)* $($name = $group)*] } reductions }
    };
    (
        $words:tt reductions
        $(
            $(#[doc = $doc:literal])+ $what:literal $table:ident $op:expr,
            $all:ident $try_all:ident $axis:ident $try_axis:ident
            $keepdims:ident $try_keepdims:ident $example:tt
        )*
    ) => {
        each_position! { methods collect! $words [$($all $axis $keepdims)*] positions }
    };
    (
        { $($words:tt)* } [$($reductions:tt)*] positions
        $(
            $(#[doc = $doc:literal])+ $what:literal $op:expr,
            $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident $example:tt
        )*
    ) => {
        each_scan! { methods collect! { $($words)* reductions [$($reductions)* $($all $axis $keepdims)*] } scans }
    };
    (
        $words:tt scans
        $($(#[doc = $doc:literal])+ $what:literal $name:ident $try_name:ident: $Op:ident $group:ident $example:tt)*
    ) => {
        each_view! { collect! $words [$($name)*] views }
    };
    (
        { $($words:tt)* } [$($scans:ident)*] views
        $(
            $(#[doc = $doc:literal])+ errors $errors:literal
            fn $name:ident, $try_name:ident $(<$($generic:ident: $bound:path),+>)? $([$result:ident: Rank])? ($($arguments:tt)*) -> $output:ty
            $(where $($left:ty: $right:path),+)? { $body:expr } $example:tt
        )*
    ) => {
        // The others are methods by themselves.
        supremum_macros::with_strings! {
            define_fuse! { ($) {
                $($words)*
                views [
                    $($name)* transpose flatten slice_axes with_rules strong take take_along_axis masked_select compress scatter scatter_add scatter_max scatter_min diff tile pad
                ]
                tensors [
                    softmax log_softmax log_sum_exp log_sum_exp_keepdims norm norm_keepdims
                    var_corrected var_corrected_keepdims std_corrected std_corrected_keepdims
                    nan_var_corrected nan_var_corrected_keepdims nan_std_corrected nan_std_corrected_keepdims
                    $($scans)* median median_axis median_keepdims quantile quantile_axis quantile_keepdims
                    nan_median nan_median_axis nan_median_keepdims nan_quantile nan_quantile_axis nan_quantile_keepdims
                    count_nonzero count_nonzero_axis count_nonzero_keepdims trace unique argwhere flatnonzero argsort argsort_descending searchsorted
                    searchsorted_right searchsorted_rows searchsorted_rows_right bincount bincount_weighted histogram histogram_edges histogram_weighted density is_close is_in interp cov corrcoef one_hot max_pool1d max_pool2d avg_pool1d avg_pool2d
                    take take_along_axis masked_select compress scatter scatter_add scatter_max scatter_min sort sort_descending diff
                    pad pad_with roll repeat repeat_each tile tril triu diag diag_embed
                ]
                promoting [
                    matmul matmul_in dot outer kron cross tensordot concat conv1d conv2d conv_transpose1d conv_transpose2d
                ]
            } }
        }
    };
}

each_unary! { methods collect! unary }
