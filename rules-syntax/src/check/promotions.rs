//! Completes the written table to the promotions of all operands, and checks the claimed laws.

use super::groups;
use super::operand;
use super::written::Written;
use crate::ast::{Cell, Entry, RuleSet, Safety, WeakPairs};
use crate::dtypes::{DTYPES, Kind};
use crate::model::{
    Class, Faults, Operand, Promotion, Stated, StatedSafety, Table, Verdict, empty_table,
};

/// The operand that is written for each dtype, if any.
pub(super) type Map = [Option<Operand>; DTYPES.len()];

/// Reads `weak`: the operand that stands for a weak operand of each dtype beside a strong one.
pub(super) fn weak_map(entries: &[Entry], written: &Written, faults: &mut Faults) -> Map {
    let mut map = strong_map(entries, "weak", faults);
    for entry in entries {
        if let Cell::Defined { result: name, .. } = &entry.value
            && let Some(value) = operand(name, &mut Faults::default())
            && !written.contains(value)
        {
            let message = format!(
                "`{value}` is not an operand of these rules, so a weak dtype cannot count as it"
            );
            faults.at(name, message);
        }
    }
    // A weak operand that is written stands for itself.
    for written in written.operands.iter().filter(|operand| operand.is_weak()) {
        map[written.dtype].get_or_insert(*written);
    }
    map
}

/// Reads `narrow`: the dtype that replaces each dtype, by default itself.
pub(super) fn narrow_map(entries: &[Entry], faults: &mut Faults) -> [usize; DTYPES.len()] {
    let map = strong_map(entries, "narrow", faults);
    for entry in entries {
        let again = match &entry.value {
            Cell::Defined { result: name, .. } if name.is_weak() => {
                faults.at(name, "a dtype narrows to a dtype; weakness stays as it is");
                continue;
            }
            Cell::Defined { result: name, .. } => {
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

/// Checks that a weak operand that is written and narrowed still has an operand that stands for it.
pub(super) fn check_narrowed_weak(
    entries: &[Entry],
    written: &Written,
    weak: &Map,
    narrow: &[usize; DTYPES.len()],
    faults: &mut Faults,
) {
    let keys = entries.iter().flat_map(|entry| &entry.keys);
    let each = |key| {
        let operands = groups::operands(key, &mut Faults::default());
        operands
            .into_iter()
            .map(move |operand: Operand| (key, operand.dtype))
    };
    for (key, dtype) in keys.flat_map(each) {
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

/// Reads entries whose keys are strong dtypes; a dtype's own name comes before a group, and a small group before one that
/// contains it.
fn strong_map(entries: &[Entry], part: &str, faults: &mut Faults) -> Map {
    let mut map = [None; DTYPES.len()];
    // Of how many dtypes the name was that gave each entry.
    let mut breadths: [Option<usize>; DTYPES.len()] = [None; DTYPES.len()];
    for entry in entries {
        let value = match &entry.value {
            Cell::Defined { result: name, .. } => operand(name, faults),
            Cell::Undefined(_) => None,
        };
        for key in &entry.keys {
            if key.is_weak() {
                faults.at(
                    key,
                    format!("the keys of `{part}` are dtypes; write `{}`", key.dtype),
                );
                continue;
            }
            let operands = groups::operands(key, faults);
            let breadth = operands.len();
            let repeated = |operand: &&Operand| breadths[operand.dtype] == Some(breadth);
            if operands.iter().any(|operand| repeated(&operand)) {
                faults.at(key, format!("`{}` is in `{part}` already", key.dtype));
            }
            for Operand { dtype, .. } in operands {
                if breadths[dtype].is_none_or(|known| breadth <= known) {
                    (map[dtype], breadths[dtype]) = (value, Some(breadth));
                }
            }
        }
    }
    map
}

/// The parts that decide verdicts, besides the marks of cells.
#[derive(Clone, Copy)]
pub(super) struct Judgement {
    pub(super) safety: Safety,
    /// `deny widening;`
    pub(super) deny_widening: bool,
}

impl Judgement {
    fn verdict(self, lhs: Operand, rhs: Operand, stated: Stated) -> Verdict {
        let result = stated.result;
        let of_values = Verdict::of_values(lhs, rhs, result);
        let accepted = if of_values.is_safe() {
            of_values
        } else {
            Verdict::Accepted
        };
        let neither = result != lhs.without_rank() && result != rhs.without_rank();
        match (stated.safety, self.safety) {
            (StatedSafety::Marked(reason), _) => Verdict::Reason(reason),
            (StatedSafety::Unsafe, _) if stated.parameter || of_values.is_safe() => Verdict::Marked,
            (StatedSafety::Unsafe, _) => of_values,
            (StatedSafety::Safe, _) => accepted,
            (StatedSafety::Unsaid, Safety::Values) if !of_values.is_safe() => of_values,
            (StatedSafety::Unsaid, _) if self.deny_widening && neither => Verdict::WidensBoth,
            (StatedSafety::Unsaid, _) => accepted,
        }
    }
}

/// Computes the promotion of every pair of operands.
pub(super) fn complete(
    written: &Written,
    weak: &Map,
    weak_pairs: WeakPairs,
    narrow: &[usize; DTYPES.len()],
    judgement: Judgement,
) -> Table<Promotion> {
    let stated = |lhs: Operand, rhs: Operand| written.table[lhs.index()][rhs.index()];
    let replaced = |operand: Operand| {
        if operand.is_weak() {
            weak[operand.dtype]
        } else {
            Some(operand)
        }
    };
    let both_weak = |lhs: Operand, rhs: Operand| {
        let cell = stated(Operand::strong(lhs.dtype), Operand::strong(rhs.dtype))?;
        // A dtype whose weak operands stand for strong ones (JAX's booleans) has no weak results.
        let counts_as_strong = weak[cell.result.dtype].is_some_and(|as_what| !as_what.is_weak());
        let class = if counts_as_strong {
            Class::Strong
        } else {
            Class::Weak
        };
        Some(Stated {
            result: Operand {
                class,
                ..cell.result
            },
            ..cell
        })
    };
    let promote = |lhs: Operand, rhs: Operand| {
        let cell = written.contains(lhs) && written.contains(rhs);
        if !cell && lhs.is_weak() && rhs.is_weak() && weak_pairs == WeakPairs::Strong {
            return both_weak(lhs, rhs);
        }
        let (lhs, rhs) = (replaced(lhs)?, replaced(rhs)?);
        // Rank matters only between a zero-dim operand and a dimensioned one.
        match (lhs.class, rhs.class) {
            (Class::ZeroDim, Class::Strong) | (Class::Strong, Class::ZeroDim) => stated(lhs, rhs),
            _ => stated(lhs.without_rank(), rhs.without_rank()),
        }
    };
    let narrowed = |operand: Operand| Operand {
        dtype: narrow[operand.dtype],
        ..operand
    };
    let mut table = empty_table();
    for lhs in Operand::all() {
        for rhs in Operand::all() {
            table[lhs.index()][rhs.index()] = promote(narrowed(lhs), narrowed(rhs)).map(|cell| {
                let cell = Stated {
                    result: narrowed(cell.result),
                    ..cell
                };
                Promotion {
                    result: cell.result,
                    parameter: cell.parameter,
                    verdict: judgement.verdict(lhs, rhs, cell),
                }
            });
        }
    }
    table
}

/// Removes promotions whose operand or result is not among these dtypes.
pub(super) fn restrict(only: &[usize], table: &mut Table<Promotion>) {
    let listed = |operand| is_listed(only, operand);
    for lhs in Operand::all() {
        for rhs in Operand::all() {
            let cell = &mut table[lhs.index()][rhs.index()];
            *cell = cell.filter(|cell| listed(lhs) && listed(rhs) && listed(cell.result));
        }
    }
}

/// Returns whether an operand stays under `only`. Weak operands stay, because they take a listed dtype; a weak boolean counts
/// as a boolean.
pub(super) fn is_listed(only: &[usize], operand: Operand) -> bool {
    let yields = operand.is_weak() && operand.facts().kind != Kind::Bool;
    yields || only.contains(&operand.dtype)
}

/// Checks the claimed laws over the written operands. An expression with a pair that has no promotion is undefined.
pub(super) fn check_laws(
    set: &RuleSet,
    operands: &[Operand],
    table: &Table<Promotion>,
    faults: &mut Faults,
) {
    let promote = |lhs: Option<Operand>, rhs: Option<Operand>| {
        table[lhs?.index()][rhs?.index()].map(|cell| cell.result)
    };
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
