//! [`ShardingError`]: a sharding that does not match its program or mesh.

use super::wording::counted;

/// A fault of a mesh or of the specifications of a sharding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardingError {
    /// An axis of a mesh with a name that cannot be printed in a program.
    #[error(
        "`{axis}` is not a name for a mesh axis: letters, digits and `_`, beginning with a letter"
    )]
    AxisName {
        /// The name.
        axis: String,
    },
    /// Two axes of a mesh with the same name.
    #[error("the mesh has two axes `{axis}`")]
    SameName {
        /// The name.
        axis: String,
    },
    /// An axis of a mesh without devices, or a mesh whose number of devices overflows.
    #[error("{devices} devices along the mesh axis `{axis}`")]
    Devices {
        /// The axis.
        axis: String,
        /// The number of devices.
        devices: usize,
    },
    /// The number of specifications is not that of the inputs or outputs.
    #[error("{} for {}", counted(*.found, "specifications"), counted(*.expected, what))]
    Count {
        /// `inputs` or `outputs`.
        what: &'static str,
        /// The number of them in the program.
        expected: usize,
        /// The number of specifications.
        found: usize,
    },
    /// The number of axes in a specification is not the rank of the tensor.
    #[error("{what} {number}, {tensor}: a specification of {}", counted(*.found, "dimensions"))]
    Rank {
        /// `input` or `output`.
        what: &'static str,
        /// Its position.
        number: usize,
        /// Its dtype and shape.
        tensor: String,
        /// The number of entries of the specification.
        found: usize,
    },
    /// An axis that the mesh does not have.
    #[error("{what} {number}: no axis `{axis}` in the mesh {mesh}")]
    NoSuchAxis {
        /// `input` or `output`.
        what: &'static str,
        /// Its position.
        number: usize,
        /// The axis.
        axis: String,
        /// The mesh, as it prints.
        mesh: String,
    },
    /// An axis for two dimensions of one tensor.
    #[error("{what} {number}: the mesh axis `{axis}` splits two dimensions")]
    UsedTwice {
        /// `input` or `output`.
        what: &'static str,
        /// Its position.
        number: usize,
        /// The axis.
        axis: String,
    },
    /// A dimension that cannot be split evenly.
    #[error(
        "{what} {number}, {tensor}: dimension {dimension} is not divisible by the {devices} devices of `{axis}`"
    )]
    Indivisible {
        /// `input` or `output`.
        what: &'static str,
        /// Its position.
        number: usize,
        /// Its dtype and shape.
        tensor: String,
        /// The dimension.
        dimension: usize,
        /// The mesh axis.
        axis: String,
        /// The number of devices along it.
        devices: usize,
    },
}
