//! Views of tensors.

use super::Entry;

/// A view, by what the library calls it.
#[derive(Clone, Debug)]
pub(crate) enum View {
    Permute(Vec<usize>),
    Swap(usize, usize),
    Slice {
        axis: usize,
        start: usize,
        end: usize,
        step: isize,
    },
    Flip(usize),
    Broadcast(Vec<usize>),
    Reshape(Vec<usize>),
    Squeeze(usize),
    Unsqueeze(usize),
    Index(usize, usize),
}

impl View {
    pub(crate) fn of(&self, entry: &Entry) -> Entry {
        let signed = usize::cast_signed;
        let Entry {
            tensor: t,
            reference: r,
        } = entry;
        let without = |axis: usize| {
            let mut shape = r.shape.clone();
            shape.remove(axis);
            shape
        };
        let (found, expected) = match self {
            Self::Permute(order) => (t.try_permute(order), r.permute(order)),
            Self::Swap(a, b) => {
                let mut order: Vec<usize> = (0..r.shape.len()).collect();
                order.swap(*a, *b);
                (
                    t.try_swap_axes(signed(*a), -signed(r.shape.len() - b)),
                    r.permute(&order),
                )
            }
            Self::Slice {
                axis,
                start,
                end,
                step,
            } => {
                let count = (end - start).div_ceil(step.unsigned_abs());
                let first = match (count, *step < 0) {
                    (0, _) => 0,
                    (_, true) => end - 1,
                    (_, false) => *start,
                };
                let found = t.try_slice_step(signed(*axis), *start..*end, *step);
                (found, r.slice(*axis, first, count, *step))
            }
            Self::Flip(axis) => {
                let size = r.shape[*axis];
                let expected = r.slice(*axis, size.saturating_sub(1), size, -1);
                (t.try_flip(signed(*axis)), expected)
            }
            Self::Broadcast(shape) => (t.try_broadcast_to(&shape[..]), r.broadcast_to(shape)),
            Self::Reshape(shape) => (t.try_reshape(&shape[..]), r.reshape(shape)),
            Self::Squeeze(axis) => (t.try_squeeze(signed(*axis)), r.reshape(&without(*axis))),
            Self::Unsqueeze(axis) => {
                let mut shape = r.shape.clone();
                shape.insert(*axis, 1);
                (t.try_unsqueeze(signed(*axis)), r.reshape(&shape))
            }
            Self::Index(axis, at) => {
                let expected = r.slice(*axis, *at, 1, 1).reshape(&without(*axis));
                (t.try_index_axis(signed(*axis), *at), expected)
            }
        };
        let tensor = found.unwrap_or_else(|error| panic!("{self:?}: {error}"));
        let reference = expected;
        let entry = Entry { tensor, reference };
        entry.check("a view");
        entry
    }
}

/// The most axes that a tensor can have.
pub(super) const MAX_RANK: usize = 8;
