//! The rows of `src/op/` as data, for tools and tests that treat all of them: the command, `tests/` and the programs for XLA.

use super::DynTensor;
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::UnaryOp;
use crate::op::{
    each_binary, each_comparison, each_position, each_reduction, each_scan, each_unary,
};
use crate::rules::Operation;

/// A function of one operand that is a method.
pub struct Function {
    /// The name of the method.
    pub name: &'static str,
    /// The group whose rules give the result's dtype.
    pub group: Operation,
    /// Calls the method.
    pub call: fn(&DynTensor) -> Result<DynTensor, Error>,
    /// Returns whether the function can be computed in a dtype.
    pub is_defined: fn(DType) -> bool,
}

/// The names and the groups of operations.
type Names = &'static [(&'static str, Operation)];

macro_rules! functions {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $Op:ident, $group:ident $(+ $Bound:ident)?, $compute:ident $example:tt
    )*) => {
        /// Every function of one operand that has a group.
        pub const FUNCTIONS: &[Function] = supremum_macros::with_try_names! { &[$(Function {
            name: stringify!($name),
            group: Operation::$group,
            call: |x| x.[try_ $name](),
            is_defined: |dtype| UnaryOp::$Op.is_defined(dtype),
        }),*] };
        const UNARY: Names = &[$((stringify!($name), Operation::$group)),*];
    };
}

macro_rules! prefix_operators {
    ($($(#[doc = $doc:literal])+ $trait:ident::$name:ident $try_name:ident: $Op:ident, $group:ident {})*) => {
        const PREFIX: Names = &[$((stringify!($name), Operation::$group)),*];
    };
}

macro_rules! binary {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident: $Op:ident, $group:ident $(+ $Bound:ident)?, [$($form:tt)+] $example:tt
    )*) => {
        const BINARY: Names = &[$((binary!(@name $name $($form)+), Operation::$group)),*];
    };
    (@name $name:ident method) => { stringify!($name) };
    (@name $name:ident operator $trait:ident $symbol:literal $($assign:tt)*) => { $symbol };
}

macro_rules! comparisons {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident: $Op:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; $example:tt
    )*) => {
        const COMPARISONS: Names = &[$((stringify!($name), Operation::$group)),*];
    };
}

macro_rules! reductions {
    ($(
        $(#[doc = $doc:literal])+
        $what:literal $group:ident $op:expr, $name:ident $($form:ident)+ { $($example:tt)* }
    )*) => {
        const REDUCTIONS: Names = &[$((stringify!($name), Operation::$group)),*];
    };
}

macro_rules! positions {
    ($($(#[doc = $doc:literal])+ $what:literal $op:expr, $name:ident $($form:ident)+ { $($example:tt)* })*) => {
        const POSITIONS: Names = &[$((stringify!($name), Operation::ArgMinMax)),*];
    };
}

macro_rules! scans {
    ($($(#[doc = $doc:literal])+ $what:literal $name:ident $try_name:ident: $Op:ident $group:ident $example:tt)*) => {
        const SCANS: Names = &[$((stringify!($name), Operation::$group)),*];
    };
}

each_unary!(methods functions!);
each_unary!(operators prefix_operators!);
each_binary!(methods binary!);
each_comparison!(comparisons!);
each_reduction!(methods reductions!);
each_position!(methods positions!);
each_scan!(methods scans!);

/// The operations that have rows, list by list, with the groups whose rules give their results' dtypes. A binary operator has its
/// symbol as its name.
pub const ROWS: &[Names] = &[
    UNARY,
    PREFIX,
    BINARY,
    COMPARISONS,
    REDUCTIONS,
    POSITIONS,
    SCANS,
];
