//! Safe handles over PJRT's C API. This folder has all unsafe code of `pjrt/`.
//!
//! - `ffi.rs`: the structs of the C API;
//! - `plugin.rs`: loading, calls through the table of functions, errors; `event.rs`: waiting;
//! - `client.rs` (with `compile.rs`), `buffer.rs`, `executable.rs`: handles that are destroyed when they are dropped. A buffer knows its dtype
//!   and shape, and an executable those of its arguments: they are compared at every execution, because plugins compare
//!   sizes in bytes only;
//! - `callbacks.rs`: the key-value store, as the C API calls it.
#![allow(unsafe_code, reason = "calls a C library")]

mod buffer;
mod callbacks;
mod client;
mod compile;
mod event;
mod executable;
mod ffi;
mod plugin;

pub(super) use buffer::{Lifetime, RawBuffer, Region};
pub(super) use client::{OptionValue, RawClient};
pub(super) use executable::{Part, RawExecutable};
pub use plugin::{Attribute, Plugin};
