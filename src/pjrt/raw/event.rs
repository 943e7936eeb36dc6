//! Events: work that a plugin has not finished yet.

use core::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Plugin;
use super::ffi;
use crate::error::{DeviceError, Error};

/// An event of a plugin, destroyed when it is dropped.
pub(super) struct Event {
    plugin: Plugin,
    raw: *mut ffi::Event,
}

impl Drop for Event {
    fn drop(&mut self) {
        let mut args = ffi::Event_Destroy {
            event: self.raw,
            ..Default::default()
        };
        // SAFETY: the event is live until here, and not used after it. An error leaves nothing to do.
        let _ = unsafe { self.plugin.call(&mut args) };
    }
}

impl Event {
    /// Takes over an event; null is an event that has come.
    ///
    /// # Safety
    /// The event is null, or one of this plugin that nobody else destroys.
    pub(super) unsafe fn new(plugin: Plugin, raw: *mut ffi::Event) -> Option<Self> {
        (!raw.is_null()).then_some(Self { plugin, raw })
    }

    /// Waits until the event has come.
    ///
    /// # Errors
    /// The error of the work that the event is about, as one of `function`.
    pub(super) fn wait(self, function: &'static str) -> Result<(), Error> {
        let mut args = ffi::Event_Await {
            event: self.raw,
            ..Default::default()
        };
        // SAFETY: the event is live.
        unsafe { self.plugin.call(&mut args) }.map_err(|error| match error {
            Error::Device(DeviceError::Plugin {
                status, message, ..
            }) => Error::Device(DeviceError::Plugin {
                function,
                status,
                message,
            }),
            other => other,
        })
    }

    /// Returns whether the event has come, as far as the plugin says.
    fn has_come(&self) -> bool {
        let mut args = ffi::Event_IsReady {
            event: self.raw,
            ..Default::default()
        };
        // SAFETY: the event is live.
        unsafe { self.plugin.call(&mut args) }.is_ok() && args.is_ready
    }

    /// Drops a value when the event has come: now, or on a thread of the plugin.
    pub(super) fn keep_until<T: Send + 'static>(self, value: T) {
        if self.has_come() {
            return;
        }
        let user_arg = Box::into_raw(Box::new((self.plugin, value)));
        let mut args = ffi::Event_OnReady {
            event: self.raw,
            callback: Some(ready::<T>),
            user_arg: user_arg.cast(),
            ..Default::default()
        };
        // SAFETY: the event is live; the callback takes the argument beside it, which stays valid until it is called.
        if unsafe { self.plugin.call(&mut args) }.is_ok() {
            return; // the callback has the box, and may have freed it already
        }
        // The plugin will not call back, so this thread waits. If that fails too, nobody knows when the plugin is done, and
        // the value is leaked.
        let plugin_is_done = self.wait("PJRT_Event_OnReady").is_ok();
        if plugin_is_done {
            // SAFETY: the callback was not registered, so nobody else has the box.
            drop(unsafe { Box::from_raw(user_arg) });
        }
    }
}

/// Drops the value of [`Event::keep_until`].
///
/// # Safety
/// `user_arg` is the box of [`Event::keep_until`], given to one call only; `error` is null or an error that this function owns.
unsafe extern "C" fn ready<T>(error: *mut ffi::Error, user_arg: *mut c_void) {
    // SAFETY: `keep_until` made the box with this type and left it to this one call.
    let (plugin, value) = *unsafe { Box::from_raw(user_arg.cast::<(Plugin, T)>()) };
    if !error.is_null() {
        // SAFETY: the plugin hands the error over to the callback. Its text is that of the buffer's own events too.
        drop(unsafe { plugin.error("PJRT_Event_OnReady", error) });
    }
    // A panic must not unwind into the plugin.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value)));
}
