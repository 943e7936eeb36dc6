//! Words that stand for several dtypes, so that rules need not list them.

use super::unknown_dtype;
use crate::ast::Name;
use crate::dtypes::{DTYPES, DTypeFacts, Kind};
use crate::model::{Class, Faults, Operand};

/// A word, and the dtypes for which it stands. Of two groups one contains the other, or they have nothing in common: so the
/// smaller one is the more special.
struct Group {
    name: &'static str,
    contains: fn(&DTypeFacts) -> bool,
}

const GROUPS: [Group; 6] = [
    Group {
        name: "Unsigned",
        contains: |dtype| dtype.kind == Kind::Unsigned,
    },
    Group {
        name: "Signed",
        contains: |dtype| dtype.kind == Kind::Signed,
    },
    Group {
        name: "Integer",
        contains: |dtype| matches!(dtype.kind, Kind::Unsigned | Kind::Signed),
    },
    Group {
        name: "Float8",
        contains: |dtype| dtype.kind == Kind::Float && dtype.size == 1,
    },
    Group {
        name: "Float",
        contains: |dtype| dtype.kind == Kind::Float,
    },
    Group {
        name: "Complex",
        contains: |dtype| dtype.kind == Kind::Complex,
    },
];

/// The names of all groups.
pub(super) fn names() -> Vec<&'static str> {
    GROUPS.iter().map(|group| group.name).collect()
}

/// Returns whether a name is that of a group.
pub(super) fn is_group(name: &Name) -> bool {
    GROUPS.iter().any(|group| name.dtype == group.name)
}

/// The operands for which a name stands: one dtype, or those of a group. None if it is unknown, which is reported.
///
/// A name of fewer operands is the more special, and wins where two of them state something of the same operand.
pub(super) fn operands(name: &Name, faults: &mut Faults) -> Vec<Operand> {
    let class = if name.is_weak() {
        Class::Weak
    } else {
        Class::Strong
    };
    let group = GROUPS.iter().find(|group| name.dtype == group.name);
    let found: Vec<_> = DTYPES
        .iter()
        .enumerate()
        .filter(|(_, dtype)| {
            group.map_or_else(
                || name.dtype == dtype.marker,
                |group| (group.contains)(dtype),
            )
        })
        .map(|(dtype, _)| Operand { class, dtype })
        .collect();
    if found.is_empty() {
        unknown_dtype(name, true, faults);
    }
    found
}
