//! The driver: loops over array positions that hand contiguous blocks to element loops
//! ([`Kernel`](crate::simd::Kernel)).
//!
//! - `run`: the entry point of kernels. It coalesces axes (`nditer`) and chooses among the loops below. `block` has what
//!   they share: operands, the output, and scratch memory for a block;
//! - `contiguous`: contiguous operands and scalars;
//! - `gather`: at most 128 elements of any strides, copied one after another;
//! - `matrix`: matrices of few elements, in blocks of whole rows;
//! - `plan`: strided and broadcast operands, by rows or blocks, or transposed ones by tiles (`tiling` decides, `tile` runs). What runs on a
//!   block is a closure; kernels, fused expressions and the interpreter each give one;
//! - `nontemporal`: writes outputs that exceed the caches with streaming stores; `parallel`: splits work among
//!   threads.

pub(super) mod block;
pub(super) mod contiguous;
pub(super) mod gather;
pub(super) mod matrix;
pub(super) mod nditer;
pub(crate) mod nontemporal;
pub(super) mod parallel;
pub(super) mod plan;
pub(super) mod run;
mod tile;
mod tiling;
