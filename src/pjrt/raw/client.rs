//! Clients: what a plugin runs programs with, and their devices.

use core::ffi::c_int;
use std::sync::Arc;

use super::callbacks::Callbacks;
use super::ffi::{self, NamedValue, Value};
use super::plugin::{Plugin, list, text};
use crate::error::{DeviceError, Error};
use crate::pjrt::device::Device;
use crate::pjrt::store::KeyValueStore;

/// The value of an option of a client.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pjrt) enum OptionValue {
    Text(String),
    Integer(i64),
    Integers(Vec<i64>),
    Float(f32),
    Bool(bool),
}

/// A client, destroyed after the last of its buffers and executables.
pub(in crate::pjrt) struct RawClient {
    pub(super) plugin: Plugin,
    pub(super) raw: *mut ffi::Client,
    /// The devices of this process, as handles and described.
    handles: Vec<*mut ffi::Device>,
    devices: Vec<Device>,
    platform: String,
    /// Used by the plugin until the client is destroyed.
    _callbacks: Option<Box<Callbacks>>,
}

// SAFETY: the C API allows the use of clients and devices from any thread; the callbacks are `Send`.
unsafe impl Send for RawClient {}
// SAFETY: the C API allows the use of clients and devices from several threads at once; the callbacks are `Sync`.
unsafe impl Sync for RawClient {}

impl Drop for RawClient {
    fn drop(&mut self) {
        let mut args = ffi::Client_Destroy {
            client: self.raw,
            ..Default::default()
        };
        // SAFETY: the client is live until here; buffers and executables, which own a share of `self`, are destroyed. An error
        // leaves nothing to do.
        let _ = unsafe { self.plugin.call(&mut args) };
    }
}

impl RawClient {
    /// Makes a client.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`], [`DeviceError::NoDevices`].
    pub(in crate::pjrt) fn new(
        plugin: Plugin,
        options: &[(String, OptionValue)],
        store: Option<Arc<dyn KeyValueStore>>,
    ) -> Result<Self, Error> {
        let named: Vec<NamedValue> = options.iter().map(named_value).collect();
        let callbacks = store.map(|store| Box::new(Callbacks::new(store)));
        let mut args = ffi::Client_Create {
            create_options: named.as_ptr(),
            num_options: named.len(),
            ..Default::default()
        };
        if let Some(callbacks) = &callbacks {
            callbacks.install(&mut args);
        }
        // SAFETY: the options live until the call returns. The callbacks take the address of `callbacks`, a box that lives
        // until the client is destroyed.
        unsafe { plugin.call(&mut args)? };
        let mut client = Self {
            plugin,
            raw: args.client,
            handles: Vec::new(),
            devices: Vec::new(),
            platform: String::new(),
            _callbacks: callbacks,
        };
        let mut devices = ffi::Client_AddressableDevices {
            client: client.raw,
            ..Default::default()
        };
        let mut name = ffi::Client_PlatformName {
            client: client.raw,
            ..Default::default()
        };
        // SAFETY: the client is live; list and text live as long as it and are copied here.
        unsafe {
            plugin.call(&mut devices)?;
            let handles = list(devices.addressable_devices, devices.num_addressable_devices);
            client.handles = handles.to_vec();
            plugin.call(&mut name)?;
            client.platform = text(name.platform_name, name.platform_name_size);
        }
        if client.handles.is_empty() {
            return Err(DeviceError::NoDevices.into());
        }
        for handle in &client.handles {
            // SAFETY: the handle is a device of the live client.
            client.devices.push(unsafe { describe(plugin, *handle)? });
        }
        Ok(client)
    }

    pub(in crate::pjrt) fn plugin(&self) -> Plugin {
        self.plugin
    }

    /// The kind of device, such as `cpu`, `cuda` or `tpu`.
    pub(in crate::pjrt) fn platform(&self) -> &str {
        &self.platform
    }

    /// The devices of this process.
    pub(in crate::pjrt) fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// The handle of a device of this process.
    ///
    /// # Errors
    /// [`DeviceError::NoSuchDevice`].
    pub(super) fn device(&self, device: usize) -> Result<*mut ffi::Device, Error> {
        let devices = self.handles.len();
        let handle = self.handles.get(device).copied();
        handle.ok_or_else(|| DeviceError::NoSuchDevice { device, devices }.into())
    }

    /// Counts the devices of all processes.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`].
    pub(in crate::pjrt) fn device_count(&self) -> Result<usize, Error> {
        let mut args = ffi::Client_Devices {
            client: self.raw,
            ..Default::default()
        };
        // SAFETY: the client is live.
        unsafe { self.plugin.call(&mut args)? };
        Ok(args.num_devices)
    }

    /// The number of this process among those of the client.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`].
    pub(in crate::pjrt) fn process_index(&self) -> Result<c_int, Error> {
        let mut args = ffi::Client_ProcessIndex {
            client: self.raw,
            ..Default::default()
        };
        // SAFETY: the client is live.
        unsafe { self.plugin.call(&mut args)? };
        Ok(args.process_index)
    }

    /// The version of the platform, as text.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`].
    pub(in crate::pjrt) fn platform_version(&self) -> Result<String, Error> {
        let mut args = ffi::Client_PlatformVersion {
            client: self.raw,
            ..Default::default()
        };
        // SAFETY: the client is live, and the text lives as long as it.
        unsafe {
            self.plugin.call(&mut args)?;
            Ok(text(args.platform_version, args.platform_version_size))
        }
    }
}

/// The option as the C API has it; it points to name and value.
fn named_value((name, value): &(String, OptionValue)) -> NamedValue {
    let (kind, union, size) = match value {
        OptionValue::Text(text) => {
            let string = text.as_ptr().cast();
            (ffi::STRING, Value { string }, text.len())
        }
        OptionValue::Integer(int64) => (ffi::INT64, Value { int64: *int64 }, 1),
        OptionValue::Integers(all) => {
            let int64s = all.as_ptr();
            (ffi::INT64_LIST, Value { int64s }, all.len())
        }
        OptionValue::Float(float) => (ffi::FLOAT, Value { float: *float }, 1),
        OptionValue::Bool(bool) => (ffi::BOOL, Value { bool: *bool }, 1),
    };
    NamedValue {
        struct_size: size_of::<NamedValue>(),
        extension_start: core::ptr::null_mut(),
        name: name.as_ptr().cast(),
        name_size: name.len(),
        kind,
        value: union,
        value_size: size,
    }
}

/// Asks what a device is.
///
/// # Safety
/// The handle is a device of a live client of the plugin.
unsafe fn describe(plugin: Plugin, device: *mut ffi::Device) -> Result<Device, Error> {
    let mut args = ffi::Device_GetDescription {
        device,
        ..Default::default()
    };
    // SAFETY: the caller guarantees the device.
    unsafe { plugin.call(&mut args)? };
    let device_description = args.device_description;
    let mut id = ffi::DeviceDescription_Id {
        device_description,
        ..Default::default()
    };
    let mut process = ffi::DeviceDescription_ProcessIndex {
        device_description,
        ..Default::default()
    };
    let mut kind = ffi::DeviceDescription_Kind {
        device_description,
        ..Default::default()
    };
    let mut name = ffi::DeviceDescription_ToString {
        device_description,
        ..Default::default()
    };
    // SAFETY: the description and its texts live as long as the device, which the caller guarantees.
    unsafe {
        plugin.call(&mut id)?;
        plugin.call(&mut process)?;
        plugin.call(&mut kind)?;
        plugin.call(&mut name)?;
        Ok(Device {
            id: id.id,
            process: process.process_index,
            kind: text(kind.device_kind, kind.device_kind_size),
            name: text(name.to_string, name.to_string_size),
        })
    }
}
