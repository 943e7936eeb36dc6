//! [`Device`], a device as its plugin describes it.

/// A device of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Device {
    /// Its number among the devices of all processes.
    pub id: i32,
    /// The process that it belongs to.
    pub process: i32,
    /// Its kind, such as `cpu` or `NVIDIA H100 80GB HBM3`.
    pub kind: String,
    /// Its name as the plugin prints it, such as `TFRT_CPU_0`.
    pub name: String,
}
