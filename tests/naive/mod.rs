//! A naive oracle for operations on tensors: plain vectors, index arithmetic and Rust's operators on
//! single elements. Conversions and the rounding of small floats are those of `exact/mod.rs`. It
//! shares no code with the library.
#![allow(dead_code, reason = "each test binary uses its part of the oracle")]
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

mod arith;
mod plain;
mod values;

use supremum::{DType, StaticDType};

#[allow(
    unused_imports,
    reason = "each test binary uses its part of the oracle"
)]
pub(crate) use self::{
    arith::{Arith, Op},
    plain::{Plain, broadcast, indices},
    values::{assert_same, convert, converted, edges, number, same, sample},
};

/// The dtypes of indices.
pub(crate) const INTEGERS: [DType; 8] = [
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
];

/// A dtype whose elements the oracle computes with.
pub(crate) trait Typed: StaticDType<Element: Arith> {}
impl<D: StaticDType<Element: Arith>> Typed for D {}

/// Calls a macro with every dtype of the library's list: `each_dtype!(callback [arguments])` is
/// `callback!([arguments] Bool U8 ..)`.
#[allow(unused_macros, reason = "each test binary uses its part of the oracle")]
macro_rules! each_dtype {
    ($callback:ident $arguments:tt) => {
        supremum::__private::with_markers!(each_dtype @all $callback $arguments)
    };
    (@all $callback:ident $arguments:tt [$($dtype:ident)*]) => {
        $callback!($arguments $($dtype)*)
    };
}

/// Calls a macro with every dtype but `Bool`, which begins the list.
#[allow(unused_macros, reason = "each test binary uses its part of the oracle")]
macro_rules! each_number {
    ($callback:ident $arguments:tt) => {
        supremum::__private::with_markers!(each_number @all $callback $arguments)
    };
    (@all $callback:ident $arguments:tt [Bool $($number:ident)*]) => {
        $callback!($arguments $($number)*)
    };
}

/// Calls a macro with every dtype but the complex ones, which end the list.
#[allow(unused_macros, reason = "each test binary uses its part of the oracle")]
macro_rules! each_real {
    ($callback:ident $arguments:tt) => {
        supremum::__private::with_markers!(each_real @all $callback $arguments)
    };
    (@all $callback:ident $arguments:tt [$($dtype:ident)*]) => {
        each_real!(@next $callback $arguments [] $($dtype)*)
    };
    (@next $callback:ident $arguments:tt [$($real:ident)*] C64 C128) => {
        $callback!($arguments $($real)*)
    };
    (@next $callback:ident $arguments:tt [$($real:ident)*] $dtype:ident $($rest:ident)*) => {
        each_real!(@next $callback $arguments [$($real)* $dtype] $($rest)*)
    };
}
#[allow(
    unused_imports,
    reason = "each test binary uses its part of the oracle"
)]
pub(crate) use {each_dtype, each_number, each_real};
