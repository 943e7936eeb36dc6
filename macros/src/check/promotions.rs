//! The stated table to the promotions of all operands, and the laws that they are claimed to keep.

use super::form::Written;
use super::operand;
use crate::dtypes::DTYPES;
use crate::model::{Faults, Operand, Row, Table, empty_table};
use crate::parse::{Cell, Entry, RuleSet, WeakPairs};

/// For every dtype, what is written for it.
pub(super) type Map = [Option<Operand>; DTYPES.len()];

/// What a weak operand of each dtype counts as beside a strong one.
pub(super) fn weak_map(entries: &[Entry], written: &Written, faults: &mut Faults) -> Map {
    let mut map = strong_map(entries, "weak", faults);
    for entry in entries {
        if let Cell::Defined(name) = &entry.value
            && let Some(value) = operand(name, &mut Faults::default())
            && !written.contains(value)
        {
            let message = format!(
                "`{value}` is no operand of these rules, so a weak dtype cannot count as it"
            );
            faults.at(name, message);
        }
    }
    // A weak operand that is written counts as itself.
    for written in written.operands.iter().filter(|operand| operand.weak) {
        map[written.dtype].get_or_insert(*written);
    }
    map
}

/// The dtype that stands in for each, itself if nothing is written.
pub(super) fn narrow_map(entries: &[Entry], faults: &mut Faults) -> [usize; DTYPES.len()] {
    let map = strong_map(entries, "narrow", faults);
    for entry in entries {
        let again = match &entry.value {
            Cell::Defined(name) if name.is_weak() => {
                faults.at(name, "a dtype narrows to a dtype; weakness stays as it is");
                continue;
            }
            Cell::Defined(name) => {
                operand(name, &mut Faults::default()).and_then(|to| map[to.dtype])
            }
            Cell::Undefined(_) => {
                faults.at(&entry.value, "a dtype narrows to a dtype; write one here");
                continue;
            }
        };
        if let Some(again) = again {
            faults.at(
                &entry.value,
                format!("this is narrowed further; write `{again}` here"),
            );
        }
    }
    std::array::from_fn(|dtype| map[dtype].map_or(dtype, |to| to.dtype))
}

/// A weak operand that is written and narrowed still has to count as something.
pub(super) fn check_narrowed_weak(
    entries: &[Entry],
    written: &Written,
    weak: &Map,
    narrow: &[usize; DTYPES.len()],
    faults: &mut Faults,
) {
    for key in entries.iter().flat_map(|entry| &entry.keys) {
        let Some(Operand { dtype, .. }) = operand(key, &mut Faults::default()) else {
            continue;
        };
        let operand = Operand::weak(dtype);
        let narrowed = Operand::weak(narrow[dtype]);
        if written.contains(operand) && weak[narrowed.dtype].is_none() {
            let message = format!(
                "`{operand}`, an operand of these rules, narrows to `{narrowed}`, which counts as nothing; add `{}: \
                 {operand}` to `weak`",
                Operand::strong(narrowed.dtype)
            );
            faults.at(key, message);
        }
    }
}

/// Reads entries whose keys are strong dtypes.
fn strong_map(entries: &[Entry], part: &str, faults: &mut Faults) -> Map {
    let mut map = [None; DTYPES.len()];
    for entry in entries {
        let value = match &entry.value {
            Cell::Defined(name) => operand(name, faults),
            Cell::Undefined(_) => None,
        };
        for key in &entry.keys {
            if key.is_weak() {
                faults.at(
                    key,
                    format!("the keys of `{part}` are dtypes; write `{}`", key.dtype),
                );
            } else if let Some(operand) = operand(key, faults) {
                if map[operand.dtype].is_some() {
                    faults.at(key, format!("`{operand}` is in `{part}` already"));
                }
                map[operand.dtype] = value;
            }
        }
    }
    map
}

/// The promotion of every pair of operands.
pub(super) fn complete(
    written: &Written,
    weak: &Map,
    weak_pairs: WeakPairs,
    narrow: &[usize; DTYPES.len()],
) -> Table {
    let stated = |lhs: Operand, rhs: Operand| written.table[lhs.index()][rhs.index()];
    let replaced = |operand: Operand| {
        if operand.weak {
            weak[operand.dtype]
        } else {
            Some(operand)
        }
    };
    let both_weak = |lhs: Operand, rhs: Operand| {
        let result = stated(Operand::strong(lhs.dtype), Operand::strong(rhs.dtype))?;
        // A dtype whose weak operands count as strong (JAX's booleans) gives no weak results.
        let counts_as_strong = weak[result.dtype].is_some_and(|as_what| !as_what.weak);
        Some(Operand {
            weak: !counts_as_strong,
            ..result
        })
    };
    let promote = |lhs: Operand, rhs: Operand| {
        let cell = written.contains(lhs) && written.contains(rhs);
        if !cell && lhs.weak && rhs.weak && weak_pairs == WeakPairs::Strong {
            both_weak(lhs, rhs)
        } else {
            stated(replaced(lhs)?, replaced(rhs)?)
        }
    };
    let narrowed = |operand: Operand| Operand {
        dtype: narrow[operand.dtype],
        ..operand
    };
    let mut table = empty_table();
    for lhs in Operand::all() {
        for rhs in Operand::all() {
            table[lhs.index()][rhs.index()] = promote(narrowed(lhs), narrowed(rhs)).map(narrowed);
        }
    }
    table
}

/// Checks the laws that the rules claim, over the operands that they are written over; a pair
/// without promotion makes whatever contains it undefined.
pub(super) fn check_laws(set: &RuleSet, operands: &[Operand], table: &[Row], faults: &mut Faults) {
    let promote = |lhs: Option<Operand>, rhs: Option<Operand>| table[lhs?.index()][rhs?.index()];
    let shown = |result: Option<Operand>| match result {
        Some(result) => format!("`{result}`"),
        None => "undefined".to_owned(),
    };
    for law in &set.laws {
        match law.to_string().as_str() {
            "commutative" => {
                let pairs = operands
                    .iter()
                    .flat_map(|a| operands.iter().map(move |b| (*a, *b)));
                let broken = pairs
                    .map(|(a, b)| (a, b, promote(Some(a), Some(b)), promote(Some(b), Some(a))))
                    .find(|(.., ab, ba)| ab != ba);
                if let Some((a, b, ab, ba)) = broken {
                    let message = format!(
                        "not commutative: `{a}` with `{b}` is {}, but `{b}` with `{a}` is {}",
                        shown(ab),
                        shown(ba)
                    );
                    faults.at(law, message);
                }
            }
            "associative" => {
                let triples = operands.iter().flat_map(|a| {
                    let pairs = operands
                        .iter()
                        .flat_map(|b| operands.iter().map(move |c| (*b, *c)));
                    pairs.map(move |(b, c)| [*a, b, c].map(Some))
                });
                let mut broken = triples
                    .map(|[a, b, c]| {
                        (
                            [a, b, c],
                            promote(promote(a, b), c),
                            promote(a, promote(b, c)),
                        )
                    })
                    .filter(|(_, left, right)| left != right);
                if let Some(([Some(a), Some(b), Some(c)], left, right)) = broken.next() {
                    let others = match broken.count() {
                        0 => String::new(),
                        others => format!(" (and {others} triples more)"),
                    };
                    let message = format!(
                        "not associative: `({a}, {b}), {c}` is {}, but `{a}, ({b}, {c})` is {}{others}",
                        shown(left),
                        shown(right)
                    );
                    faults.at(law, message);
                }
            }
            other => {
                let message =
                    format!("unknown law `{other}`; the laws are `commutative` and `associative`");
                faults.at(law, message);
            }
        }
    }
}
