//! The place of a value: one device, or the devices of a mesh, in parts.

use core::fmt;

use super::raw::Region;
use crate::array::Dims;
use crate::stablehlo::Spec;

/// The devices of a value, by their positions in the client's list, and the region on each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// The whole value on one device.
    Device(usize),
    /// A part on each of the first devices. They are numbered along the last axis of the mesh first.
    Mesh {
        /// The number of devices along each axis of the mesh.
        sizes: Vec<usize>,
        /// The split of the value.
        spec: Spec,
    },
}

impl Placement {
    /// The devices, in the order of the parts.
    pub(super) fn devices(&self) -> core::ops::Range<usize> {
        match self {
            Self::Device(device) => *device..device + 1,
            Self::Mesh { sizes, .. } => 0..sizes.iter().product(),
        }
    }

    /// The shape of each part.
    pub(super) fn part_shape(&self, shape: &Dims) -> Dims {
        self.region(shape, 0).shape
    }

    /// The region of a value that is on the device of a part.
    pub(super) fn region(&self, shape: &Dims, part: usize) -> Region {
        let mut region = Region {
            start: shape.map(|_| 0),
            shape: *shape,
        };
        let Self::Mesh { sizes, spec } = self else {
            return region;
        };
        let mut rest = part;
        let mut position = vec![0; sizes.len()];
        for (at, size) in position.iter_mut().zip(sizes).rev() {
            *at = rest % size;
            rest /= size;
        }
        for (dimension, axis) in spec.iter().enumerate() {
            if let Some(axis) = *axis {
                region.shape[dimension] = shape[dimension] / sizes[axis];
                region.start[dimension] = region.shape[dimension] * position[axis];
            }
        }
        region
    }
}

/// Describes the placement for messages.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sizes, spec) = match self {
            Self::Device(device) => return write!(f, "device {device}"),
            Self::Mesh { sizes, spec } => (sizes, spec),
        };
        write!(f, "a mesh of {sizes:?} devices, split")?;
        let mut is_whole = true;
        for (dimension, axis) in spec.iter().enumerate() {
            if let Some(axis) = axis {
                write!(f, " dimension {dimension} along axis {axis}")?;
                is_whole = false;
            }
        }
        f.write_str(if is_whole { " nowhere" } else { "" })
    }
}

/// Copies a region, given by its elements in row-major order, to its place in a whole array of this shape; `size` is that of
/// an element.
pub(super) fn copy_region(from: &[u8], region: &Region, to: &mut [u8], shape: &Dims, size: usize) {
    if from.is_empty() {
        return;
    }
    // The elements that are consecutive in both: those of the inner axes that are whole, and of one axis around them.
    let split = (0..shape.len())
        .rev()
        .find(|axis| region.shape[*axis] != shape[*axis]);
    let split = split.unwrap_or(0);
    let run = region.shape[split..].iter().product::<usize>() * size;
    for (number, piece) in from.chunks_exact(run).enumerate() {
        let (mut rest, mut stride, mut offset) = (number, size, 0);
        for axis in (0..shape.len()).rev() {
            let within = match axis < split {
                true => {
                    let position = rest % region.shape[axis];
                    rest /= region.shape[axis];
                    position
                }
                false => 0,
            };
            offset += (region.start[axis] + within) * stride;
            stride *= shape[axis];
        }
        to[offset..offset + run].copy_from_slice(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dims(shape: &[usize]) -> Dims {
        Dims::new(shape).expect("a small shape")
    }

    /// All parts together are the whole, on each mesh and split.
    #[test]
    fn parts_make_the_whole() {
        let shape = dims(&[4, 6, 2]);
        let count: usize = shape.iter().product();
        let whole: Vec<u8> = (0..).take(count).collect();
        let specs: [Spec; 6] = [
            vec![None, None, None],
            vec![Some(0), None, None],
            vec![None, Some(1), None],
            vec![Some(1), Some(0), None],
            vec![None, None, Some(0)],
            vec![Some(0), None, Some(0)],
        ];
        for spec in specs {
            let sizes = vec![2, 2];
            let placement = Placement::Mesh { sizes, spec };
            let mut joined = vec![u8::MAX; count];
            for part in placement.devices() {
                let region = placement.region(&shape, part);
                assert_eq!(region.shape, placement.part_shape(&shape));
                let mut elements = Vec::new();
                for (position, element) in whole.iter().enumerate() {
                    let index = [position / 12, position / 2 % 6, position % 2];
                    let is_within = (0..3).all(|axis| {
                        let range = region.start[axis]..region.start[axis] + region.shape[axis];
                        range.contains(&index[axis])
                    });
                    if is_within {
                        elements.push(*element);
                    }
                }
                copy_region(&elements, &region, &mut joined, &shape, 1);
            }
            // A spec that names an axis twice is refused before; here it leaves gaps.
            let has_gaps = joined.contains(&u8::MAX);
            assert_eq!(
                has_gaps,
                placement.to_string().matches("axis 0").count() == 2
            );
            if !has_gaps {
                assert_eq!(joined, whole, "{placement}");
            }
        }
    }
}
