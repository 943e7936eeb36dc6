//! The driver: loops over array positions that hand contiguous blocks to element loops
//! ([`Kernel`](crate::simd::Kernel)).
//!
//! - `block`: the entry point. It coalesces axes and chooses among the loops below;
//! - `contiguous`: contiguous operands and scalars; `nditer`: strided and broadcast operands; `tile`: transposed
//!   operands;
//! - `nontemporal`: writes outputs that exceed the caches with streaming stores; `parallel`: splits work among
//!   threads.

pub(super) mod block;
pub(super) mod contiguous;
pub(super) mod nditer;
pub(crate) mod nontemporal;
pub(super) mod parallel;
pub(super) mod tile;
