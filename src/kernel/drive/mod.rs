//! The driver: the loops over positions, which run a loop over elements along whole arrays.
//!
//! - `block`: the entry. It coalesces axes, and chooses among the ways below;
//! - `contiguous`: operands without gaps, or scalars; `nditer`: strided and broadcast operands; `tile`: transposed ones;
//! - `nontemporal`: large outputs are written past the caches; `parallel`: work is split among threads.

pub(super) mod block;
pub(super) mod contiguous;
pub(super) mod nditer;
pub(crate) mod nontemporal;
pub(super) mod parallel;
pub(super) mod tile;
