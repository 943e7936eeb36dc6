//! [`Client`]: devices, and values and functions on them.

use core::fmt;
use std::path::Path;
use std::sync::Arc;

use super::device::Device;
use super::on_device::{DynOnDevice, OnDevice, Value};
use super::placement::Placement;
use super::raw::{Lifetime, OptionValue, Plugin, RawClient};
use super::store::KeyValueStore;
use crate::array::Array;
use crate::dtype::StaticDType;
use crate::dynamic::DynTensor;
use crate::error::{DeviceError, Error};
use crate::rank::Rank;
use crate::rules::Rules;
use crate::stablehlo::{Mesh, TensorType};
use crate::tensor::Tensor;

/// The environment variable that names a plugin.
const VARIABLE: &str = "SUPREMUM_PJRT_PLUGIN";

/// The options of a client. Each plugin has names of its own, such as `cpu_device_count` for CPUs, and `visible_devices` and
/// `memory_fraction` for GPUs.
#[derive(Clone, Default)]
pub struct ClientOptions {
    values: Vec<(String, OptionValue)>,
    store: Option<Arc<dyn KeyValueStore>>,
    num_nodes: i64,
}

impl ClientOptions {
    /// No options: the plugin decides.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets an option that is an integer.
    #[must_use]
    pub fn integer(self, name: &str, value: i64) -> Self {
        self.with(name, OptionValue::Integer(value))
    }

    /// Sets an option that is a list of integers.
    #[must_use]
    pub fn integers(self, name: &str, value: &[i64]) -> Self {
        self.with(name, OptionValue::Integers(value.into()))
    }

    /// Sets an option that is a text.
    #[must_use]
    pub fn text(self, name: &str, value: &str) -> Self {
        self.with(name, OptionValue::Text(value.into()))
    }

    /// Sets an option that is a number.
    #[must_use]
    pub fn float(self, name: &str, value: f32) -> Self {
        self.with(name, OptionValue::Float(value))
    }

    /// Sets an option that is a boolean.
    #[must_use]
    pub fn flag(self, name: &str, value: bool) -> Self {
        self.with(name, OptionValue::Bool(value))
    }

    /// Makes this process number `node_id` of `num_nodes` processes that form one client together. They find each other
    /// by a store that all of them can reach. Sets the options `node_id` and `num_nodes`.
    #[must_use]
    pub fn node(self, node_id: i64, num_nodes: i64, store: Arc<dyn KeyValueStore>) -> Self {
        let mut options = self
            .integer("node_id", node_id)
            .integer("num_nodes", num_nodes);
        options.store = Some(store);
        options.num_nodes = num_nodes;
        options
    }

    fn with(mut self, name: &str, value: OptionValue) -> Self {
        self.values.push((name.into(), value));
        self
    }
}

impl fmt::Debug for ClientOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.values.iter().map(|(name, value)| (name, value)))
            .finish()
    }
}

/// A client of a plugin: it has devices, puts values on them and runs functions there. Clones share it. It ends with the last
/// of its clones, values and functions; the plugin stays loaded.
///
/// All methods can be called from several threads at once.
#[derive(Clone)]
pub struct Client {
    pub(super) raw: Arc<RawClient>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let devices = self.devices().iter().map(|device| &device.name);
        f.debug_list().entries(devices).finish()
    }
}

/// # Plugins and devices
#[allow(
    unsafe_code,
    reason = "loading runs foreign code, which callers vouch for"
)]
impl Client {
    /// Makes a client of the plugin in a file, without options.
    ///
    /// # Errors
    /// The errors of [`Plugin::load`] and [`Self::new`].
    ///
    /// # Safety
    /// The condition of [`Plugin::load`]: the file is a PJRT plugin that can be trusted, because its code runs in this process.
    pub unsafe fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        // SAFETY: the caller guarantees that the file is a plugin that can be trusted (see # Safety).
        let plugin = unsafe { Plugin::load(path)? };
        Self::new(plugin, ClientOptions::new())
    }

    /// Makes a client of the plugin that the environment variable `SUPREMUM_PJRT_PLUGIN` names, without options.
    ///
    /// # Errors
    /// [`DeviceError::NoPlugin`] if the variable is not set, and the errors of [`Self::load`].
    ///
    /// # Safety
    /// The condition of [`Plugin::load`] for the file that the variable names. It is unsafe although it takes no path: those who
    /// set the variable choose which code runs, and only the program's author can say whether they may.
    pub unsafe fn from_env() -> Result<Self, Error> {
        let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        let path = path.ok_or(DeviceError::NoPlugin { variable: VARIABLE })?;
        // SAFETY: the caller guarantees that the file is a plugin that can be trusted (see # Safety).
        unsafe { Self::load(path) }
    }

    /// Makes a client of a plugin.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`] if the plugin refuses, because of an option or because it finds none of its devices;
    /// [`DeviceError::NoDevices`]; [`DeviceError::OneProcess`] if several processes were asked for, which the plugin ignored.
    pub fn new(plugin: Plugin, options: ClientOptions) -> Result<Self, Error> {
        let num_nodes = options.num_nodes;
        let raw = RawClient::new(plugin, &options.values, options.store)?;
        if num_nodes > 1 {
            let devices = raw.device_count()?;
            if devices == raw.devices().len() {
                return Err(DeviceError::OneProcess { num_nodes, devices }.into());
            }
        }
        Ok(Self { raw: Arc::new(raw) })
    }

    /// The plugin.
    pub fn plugin(&self) -> Plugin {
        self.raw.plugin()
    }

    /// The kind of its devices, such as `cpu`, `cuda` or `tpu`.
    pub fn platform(&self) -> &str {
        self.raw.platform()
    }

    /// Asks for the platform's version.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`].
    pub fn platform_version(&self) -> Result<String, Error> {
        self.raw.platform_version()
    }

    /// The devices of this process.
    pub fn devices(&self) -> &[Device] {
        self.raw.devices()
    }

    /// Counts the devices of all processes that form the client.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`].
    pub fn device_count(&self) -> Result<usize, Error> {
        self.raw.device_count()
    }

    /// The number of this process among those that form the client.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`].
    pub fn process_index(&self) -> Result<i32, Error> {
        self.raw.process_index()
    }

    /// Checks that this process has as many devices.
    fn require_devices(&self, count: usize) -> Result<(), Error> {
        let devices = self.devices().len();
        match count <= devices {
            true => Ok(()),
            false => Err(DeviceError::NoSuchDevice {
                device: count - 1,
                devices,
            }
            .into()),
        }
    }
}

/// # Values
impl Client {
    /// Puts a tensor on the first device. The value shares its elements if the device can read them where they are
    /// (XLA's CPU backend asks for an alignment of 64 bytes, which tensors of more than 128 bytes have); a later write
    /// to a clone of the tensor copies the elements first. Elements that are not contiguous, and small tensors, are
    /// copied.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`], such as for a dtype that the device does not have; [`Error::OutOfMemory`] without memory for
    /// a copy; [`Error::Untraceable`] for a traced tensor.
    pub fn put<D: StaticDType, N: Rank, R: Rules>(
        &self,
        tensor: &Tensor<D, N, R>,
    ) -> Result<OnDevice<D, N, R>, Error> {
        self.put_on(0, tensor)
    }

    /// Puts a tensor on a device, as [`Self::put`] does.
    ///
    /// # Errors
    /// The errors of [`Self::put`]; [`DeviceError::NoSuchDevice`].
    pub fn put_on<D: StaticDType, N: Rank, R: Rules>(
        &self,
        device: usize,
        tensor: &Tensor<D, N, R>,
    ) -> Result<OnDevice<D, N, R>, Error> {
        let array = tensor.array().clone();
        let value = self.value(array, Placement::Device(device), Lifetime::Shared)?;
        Ok(OnDevice::new(value))
    }

    /// Puts a tensor on the first device and gives its memory up: if no other tensor shares it, programs that
    /// [donate](crate::stablehlo::Program::donate) the value write their results there.
    ///
    /// # Errors
    /// The errors of [`Self::put`].
    pub fn put_owned<D: StaticDType, N: Rank, R: Rules>(
        &self,
        tensor: Tensor<D, N, R>,
    ) -> Result<OnDevice<D, N, R>, Error> {
        let array = tensor.into_array();
        let value = self.value(array, Placement::Device(0), Lifetime::Owned)?;
        Ok(OnDevice::new(value))
    }

    /// Puts a tensor on the devices of a mesh in parts: `spec` names for each dimension the axis along which it is split.
    ///
    /// # Errors
    /// The errors of [`Self::put`]; [`Error::Sharding`] as for [`Program::shard`](crate::stablehlo::Program::shard); [`DeviceError::NoSuchDevice`] if
    /// this process has
    /// fewer devices than the mesh.
    pub fn put_sharded<D: StaticDType, N: Rank, R: Rules>(
        &self,
        tensor: &Tensor<D, N, R>,
        mesh: &Mesh,
        spec: &[Option<&str>],
    ) -> Result<OnDevice<D, N, R>, Error> {
        let placement = self.placement(tensor.array(), mesh, spec)?;
        let value = self.value(tensor.array().clone(), placement, Lifetime::Shared)?;
        Ok(OnDevice::new(value))
    }

    /// Copies a tensor whose dtype is known at run time only to a device; see [`Self::put_on`].
    ///
    /// # Errors
    /// The errors of [`Self::put_on`].
    pub fn put_dyn(&self, device: usize, tensor: &DynTensor) -> Result<DynOnDevice, Error> {
        let array = tensor.array().clone();
        let value = self.value(array, Placement::Device(device), Lifetime::Shared)?;
        Ok(DynOnDevice::new(value, tensor.is_weak(), tensor.rules()))
    }

    fn placement(
        &self,
        array: &Array,
        mesh: &Mesh,
        spec: &[Option<&str>],
    ) -> Result<Placement, Error> {
        let tensor = TensorType {
            dtype: array.dtype(),
            shape: array.shape().to_vec(),
        };
        let spec = mesh.spec("tensor", 0, &tensor, spec)?;
        self.require_devices(mesh.devices())?;
        Ok(Placement::Mesh {
            sizes: mesh.sizes().collect(),
            spec,
        })
    }

    fn value(
        &self,
        array: Array,
        placement: Placement,
        lifetime: Lifetime,
    ) -> Result<Value, Error> {
        Value::put(&self.raw, array, &Arc::new(placement), lifetime)
    }

    /// Checks that a program that runs on so many devices can run here.
    pub(super) fn check_devices(&self, count: usize, device: usize) -> Result<(), Error> {
        self.require_devices(count.max(device + 1))
    }
}
