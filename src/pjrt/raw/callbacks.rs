//! The key-value store of several processes, as plugins call it.

use core::ffi::{c_char, c_void};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use super::ffi::{self, CallbackError};
use super::plugin::list;
use crate::pjrt::store::KeyValueStore;

/// Codes of errors that are given to plugins.
const NOT_FOUND: u32 = 5;
const INTERNAL: u32 = 13;
const UNAVAILABLE: u32 = 14;

/// The store, at the address that the callbacks get.
pub(super) struct Callbacks(Arc<dyn KeyValueStore>);

impl Callbacks {
    pub(super) fn new(store: Arc<dyn KeyValueStore>) -> Self {
        Self(store)
    }

    /// Has a new client call the store. `self` must stay where it is until the client is destroyed.
    pub(super) fn install(&self, args: &mut ffi::Client_Create) {
        let user_arg = core::ptr::from_ref(self).cast_mut().cast::<c_void>();
        args.kv_get_callback = Some(get);
        args.kv_get_user_arg = user_arg;
        args.kv_try_get_callback = Some(try_get);
        args.kv_try_get_user_arg = user_arg;
        args.kv_put_callback = Some(put);
        args.kv_put_user_arg = user_arg;
    }
}

/// Calls the store, and makes an error for the plugin of the store's.
///
/// # Safety
/// `user_arg` is the address of live [`Callbacks`]; `make_error` is null or the plugin's function that makes errors.
unsafe fn with_store(
    user_arg: *mut c_void,
    make_error: *mut Option<CallbackError>,
    key: &[u8],
    work: impl FnOnce(&dyn KeyValueStore) -> io::Result<bool>,
) -> *mut ffi::Error {
    // SAFETY: the caller guarantees the address. The store is shared, and may be used from any thread.
    let store = unsafe { &*user_arg.cast_const().cast::<Callbacks>() };
    let key = String::from_utf8_lossy(key);
    // A panic must not unwind into the plugin.
    let (code, message) = match catch_unwind(AssertUnwindSafe(|| work(&*store.0))) {
        Ok(Ok(true)) => return core::ptr::null_mut(),
        Ok(Ok(false)) => (NOT_FOUND, format!("no key `{key}` in the key-value store")),
        Ok(Err(error)) => (UNAVAILABLE, format!("key `{key}`: {error}")),
        Err(_) => (
            INTERNAL,
            format!("key `{key}`: the key-value store panicked"),
        ),
    };
    // SAFETY: the caller guarantees the function, if there is one. It copies the message.
    unsafe {
        match make_error.as_ref().copied().flatten() {
            Some(make) => make(code, message.as_ptr().cast(), message.len()),
            None => core::ptr::null_mut(),
        }
    }
}

/// The bytes before a value that is lent to the plugin: they have its length, for [`free`].
const LENGTH: usize = size_of::<usize>();

/// Hands a value to the plugin, which calls [`free`].
fn lend(value: &[u8]) -> *mut c_char {
    let mut all = Vec::with_capacity(LENGTH + value.len());
    all.extend_from_slice(&value.len().to_ne_bytes());
    all.extend_from_slice(value);
    let start = Box::into_raw(all.into_boxed_slice()).cast::<u8>();
    // At most one byte past the end of the allocation.
    start.wrapping_add(LENGTH).cast()
}

/// Frees a value that [`lend`] made.
///
/// # Safety
/// `value` is null or was made by [`lend`], and nobody uses it any more.
unsafe extern "C" fn free(value: *mut c_char) {
    if value.is_null() {
        return;
    }
    let start = value.cast::<u8>().wrapping_sub(LENGTH);
    // SAFETY: `lend` allocated a boxed slice that begins here, with the length of the value in its first bytes.
    unsafe {
        let length = start.cast::<usize>().read_unaligned();
        drop(Box::from_raw(core::ptr::slice_from_raw_parts_mut(
            start,
            LENGTH + length,
        )));
    }
}

macro_rules! getter {
    ($name:ident, $args:ident, |$of:ident| $wait:expr) => {
        /// # Safety
        /// The plugin gives a struct of this type, with a key that can be read, and what [`Callbacks::install`] has said.
        unsafe extern "C" fn $name(args: *mut ffi::$args) -> *mut ffi::Error {
            // SAFETY: the plugin gives a struct for this call alone, whose key lives until it returns.
            let ($of, key) = unsafe {
                let args = &mut *args;
                let key = list(args.key.cast::<u8>(), args.key_size);
                (args, key)
            };
            let wait: Duration = $wait;
            let (user_arg, make_error) = ($of.user_arg, $of.callback_error);
            // SAFETY: `install` gave the address, and the client keeps it alive; the plugin gives its own function.
            unsafe {
                with_store(user_arg, make_error, key, |store| {
                    let Some(value) = store.get(key, wait)? else {
                        return Ok(false);
                    };
                    $of.value = lend(&value);
                    $of.value_size = value.len();
                    $of.value_deleter_callback = Some(free);
                    Ok(true)
                })
            }
        }
    };
}

getter!(get, KeyValueGetCallback_Args, |args| {
    Duration::from_millis(u64::try_from(args.timeout_in_ms).unwrap_or(0))
});
getter!(try_get, KeyValueTryGetCallback_Args, |args| Duration::ZERO);

/// # Safety
/// The plugin gives a struct of this type, with key and value that can be read, and what [`Callbacks::install`] has said.
unsafe extern "C" fn put(args: *mut ffi::KeyValuePutCallback_Args) -> *mut ffi::Error {
    // SAFETY: the plugin gives a struct whose key and value live until this returns; `install` gave the address, and the
    // client keeps it alive; the plugin gives its own function for errors.
    unsafe {
        let args = &*args;
        let key = list(args.key.cast::<u8>(), args.key_size);
        let value = list(args.value.cast::<u8>(), args.value_size);
        with_store(args.user_arg, args.callback_error, key, |store| {
            store.put(key, value).map(|()| true)
        })
    }
}
