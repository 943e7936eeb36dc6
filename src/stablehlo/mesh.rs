//! Meshes of devices, and how tensors are split over them.

use core::fmt;

use super::tensor_type::TensorType;
use crate::error::{Error, ShardingError};

/// A grid of devices with named axes.
///
/// ```
/// use supremum::stablehlo::Mesh;
/// let mesh = Mesh::new([("data", 4), ("model", 2)])?;
/// assert_eq!(mesh.devices(), 8);
/// assert!(Mesh::new([("x", 2), ("x", 2)]).is_err());
/// # Ok::<(), supremum::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    axes: Vec<(String, usize)>,
}

/// The split of a tensor: for each dimension the number of the mesh axis along which it is, if any.
pub(crate) type Spec = Vec<Option<usize>>;

/// The sharding of a program: the mesh, and how arguments and results are split.
#[derive(Clone, Debug)]
pub(crate) struct Sharding {
    pub(crate) mesh: Mesh,
    pub(crate) inputs: Vec<Spec>,
    pub(crate) outputs: Vec<Spec>,
}

impl Sharding {
    /// Formats the attribute of an argument or a result.
    pub(super) fn attribute(&self, spec: &Spec) -> String {
        let parts = spec.iter().map(|axis| match axis {
            Some(axis) => format!("{{\"{}\"}}", self.mesh.axes[*axis].0),
            None => String::from("{}"),
        });
        let parts = parts.collect::<Vec<_>>().join(", ");
        format!("sdy.sharding = #sdy.sharding<@mesh, [{parts}]>")
    }
}

impl Mesh {
    /// Makes a mesh from names and numbers of devices, such as `[("data", 4), ("model", 2)]`.
    ///
    /// # Errors
    /// [`Error::Sharding`] if a name is not an identifier, two names are equal, or an axis has no devices.
    pub fn new<'a>(axes: impl IntoIterator<Item = (&'a str, usize)>) -> Result<Self, Error> {
        let mut mesh = Self { axes: Vec::new() };
        let mut total = 1_usize;
        for (name, devices) in axes {
            let axis = String::from(name);
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            if !name.bytes().all(is_word) || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Err(ShardingError::AxisName { axis }.into());
            }
            if mesh.axes.iter().any(|(known, _)| known == name) {
                return Err(ShardingError::SameName { axis }.into());
            }
            match total.checked_mul(devices) {
                Some(product) if product > 0 => total = product,
                _ => return Err(ShardingError::Devices { axis, devices }.into()),
            }
            mesh.axes.push((axis, devices));
        }
        Ok(mesh)
    }

    /// The number of devices: the product over all axes.
    pub fn devices(&self) -> usize {
        self.axes.iter().map(|(_, devices)| devices).product()
    }

    /// The number of devices along each axis.
    #[cfg(feature = "pjrt")]
    pub(crate) fn sizes(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator {
        self.axes.iter().map(|(_, devices)| *devices)
    }

    /// Checks how a tensor is to be split, and looks up the axes.
    pub(crate) fn spec(
        &self,
        what: &'static str,
        number: usize,
        tensor: &TensorType,
        spec: &[Option<&str>],
    ) -> Result<Spec, ShardingError> {
        if spec.len() != tensor.shape.len() {
            return Err(ShardingError::Rank {
                what,
                number,
                tensor: tensor.to_string(),
                found: spec.len(),
            });
        }
        let mut parts = Vec::with_capacity(spec.len());
        for (dimension, axis) in spec.iter().enumerate() {
            let Some(axis) = *axis else {
                parts.push(None);
                continue;
            };
            let Some(position) = self.axes.iter().position(|(name, _)| name == axis) else {
                return Err(ShardingError::NoSuchAxis {
                    what,
                    number,
                    axis: axis.into(),
                    mesh: self.to_string(),
                });
            };
            if spec[..dimension].contains(&Some(axis)) {
                return Err(ShardingError::UsedTwice {
                    what,
                    number,
                    axis: axis.into(),
                });
            }
            let devices = self.axes[position].1;
            if !tensor.shape[dimension].is_multiple_of(devices) {
                return Err(ShardingError::Indivisible {
                    what,
                    number,
                    tensor: tensor.to_string(),
                    dimension,
                    axis: axis.into(),
                    devices,
                });
            }
            parts.push(Some(position));
        }
        Ok(parts)
    }
}

/// Prints the mesh as in a program: `<["data"=4, "model"=2]>`.
impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = self.axes.iter();
        let axes = axes.map(|(name, devices)| format!("\"{name}\"={devices}"));
        write!(f, "<[{}]>", axes.collect::<Vec<_>>().join(", "))
    }
}
