//! Checks the part `literals`: the operand types of literals, and what becomes of those that are out of range.

use super::operand;
use crate::ast::{Literal, RuleSet};
use crate::dtypes::DTYPES;
use crate::model::{Faults, Literals, Operand, OverflowPolicy, Promotion, Table};

/// Resolves the operand types of literals; the defaults are a strong `Bool`, `Weak<I64>`, `Weak<F64>` and `Weak<C128>`.
pub(super) fn literals(written: &[Literal], faults: &mut Faults) -> Literals {
    const KINDS: [&str; 4] = ["Bool", "Int", "Float", "Complex"];
    let dtype = |marker| {
        let found = DTYPES.iter().position(|dtype| dtype.marker == marker);
        found.expect("a dtype's marker")
    };
    let mut literals = [
        Operand::strong(dtype("Bool")),
        Operand::weak(dtype("I64")),
        Operand::weak(dtype("F64")),
        Operand::weak(dtype("C128")),
    ];
    for literal in written {
        let operand = operand(&literal.operand, faults);
        match (KINDS.iter().position(|kind| literal.kind == kind), operand) {
            (Some(kind), Some(operand)) => literals[kind] = operand,
            (Some(_), None) => {}
            (None, _) => {
                let message = format!(
                    "unknown kind `{}`; the kinds of literals are {}",
                    literal.kind,
                    KINDS.join(", ")
                );
                faults.at(&literal.kind, message);
            }
        }
    }
    literals
}

/// Reads the policy for literals that are out of range of a dtype.
pub(super) fn overflow_policy(written: &[Literal], faults: &mut Faults) -> OverflowPolicy {
    let mut overflow_policy = OverflowPolicy::default();
    for literal in written {
        let Some(word) = &literal.beyond else {
            continue;
        };
        let kind = literal.kind.to_string();
        match (kind.as_str(), word.to_string().as_str()) {
            ("Int", "wraps") => overflow_policy.ints_wrap = true,
            ("Float", "overflows") => overflow_policy.floats_overflow = true,
            ("Int", _) => faults.at(
                word,
                "write `wraps`, or nothing if integers out of range are refused; in float dtypes they do what `Float` says",
            ),
            ("Float", _) => faults.at(
                word,
                "write `overflows`, or nothing if floats out of range are refused",
            ),
            ("Bool", _) => faults.at(word, "write nothing: every dtype has the truth values"),
            ("Complex", _) => faults.at(word, "write nothing: complex numbers do what `Float` says"),
            // The unknown kind is reported elsewhere.
            _ => {}
        }
    }
    overflow_policy
}

/// Reports a literal operand that promotes with no other operand.
pub(super) fn check_literals(set: &RuleSet, promotions: &Table<Promotion>, faults: &mut Faults) {
    for Literal { operand: name, .. } in set.parts.literals.iter().flatten() {
        let Some(operand) = operand(name, &mut Faults::default()) else {
            continue;
        };
        let meets = |other: Operand| promotions[operand.index()][other.index()].is_some();
        if !Operand::all().any(|other| !other.is_weak() && meets(other)) {
            let message = format!(
                "`{operand}` is not an operand of these rules, so such a literal would meet no dtype; name one that is, or \
                 add its row"
            );
            faults.at(name, message);
        }
    }
}
