//! Without memory, operations give an error, or panic with its text, and nothing is lost.
//!
//! The allocator of these tests refuses allocations on demand: each operation is tried with its first one refused, then
//! its second, and so on, until it has no more. Operations come from the lists that their methods are made from, so that a
//! new one is tried too. A process with a real limit shows the same from outside.
#![allow(unsafe_code, reason = "an allocator")]

// The library's own lists: macros that name each operation.
mod allocator;
mod arrangements;
mod attempts;
mod boundaries;
mod elementwise;
#[path = "../../src/op/mod.rs"]
#[allow(unused_macros, unused_imports)]
mod op;
mod products;
