//! The plain model to checked rule sets, with every fault that there is on the way.

mod form;
mod operations;
mod promotions;

use proc_macro2::{Ident, TokenStream};
use syn::{Path, parse_quote};

use crate::dtypes::DTYPES;
use crate::model::{Checked, Faults, Operand, Operations};
use crate::parse::{self, Entry, Form, Line, Name, RuleSet, WeakPairs};

/// Checks all rule sets of an invocation; `None` stands for one with faults.
pub(crate) fn check(library: &TokenStream, sets: &[RuleSet]) -> (Vec<Option<Checked>>, Faults) {
    let mut faults = Faults::default();
    let mut earlier: Vec<(&Ident, Option<Parts<'_>>)> = Vec::new();
    let mut checked = Vec::new();
    for set in sets {
        let mut own = Faults::default();
        let base = match &set.like {
            None => Some(Parts::default_of(library)),
            Some(like) => match earlier.iter().find(|(name, _)| *name == like) {
                // Of rules with faults, those are enough to report.
                Some((_, parts)) => parts.clone(),
                None => {
                    own.at(like, format!("`like` takes rules that stand above in the same `promotion_rules!`; `{like}` is none of them"));
                    None
                }
            },
        };
        let parts = base.map(|base| base.overridden_by(set));
        let result = parts
            .as_ref()
            .and_then(|parts| check_one(set, parts, &mut own));
        let sound = own.is_empty() && result.is_some();
        earlier.push((
            &set.name,
            parts
                .filter(|_| sound)
                .map(|parts| parts.followed(&set.name)),
        ));
        checked.push(result.filter(|_| sound));
        faults.append(own);
    }
    (checked, faults)
}

fn check_one(set: &RuleSet, parts: &Parts<'_>, faults: &mut Faults) -> Option<Checked> {
    let Some(stated) = parts.form else {
        faults.at(
            &set.name,
            "these rules state no promotions; add `lattice { A -> B; .. }`, `table { _ => [..], .. }` or `like Other;`",
        );
        return None;
    };
    let written = form::check(stated, set, faults);
    let weak = promotions::weak_map(parts.weak, &written, faults);
    let narrow = promotions::narrow_map(parts.narrow, faults);
    promotions::check_narrowed_weak(parts.narrow, &written, &weak, &narrow, faults);
    let operations = match &parts.operations {
        Source::Of(path) => Operations::Of(path.clone()),
        Source::Lines(keyword, lines) => {
            Operations::Own(operations::check(keyword, lines, &narrow, faults))
        }
        Source::Unstated => {
            faults.at(
                &set.name,
                "rules that narrow also narrow what operations give; add `operations { .. }`, or follow other rules with `operations JaxX32;`",
            );
            return None;
        }
    };
    let promotions = promotions::complete(&written, &weak, parts.weak_pairs, &narrow);
    // A table with faults breaks laws that the table which was meant keeps.
    if faults.is_empty() {
        promotions::check_laws(set, &written.operands, &promotions, faults);
    }
    Some(Checked {
        written: written.operands,
        promotions,
        operations,
        spans: written.spans,
    })
}

/// What a rule set consists of, its own parts and those of the rules that it is `like`.
#[derive(Clone)]
struct Parts<'a> {
    form: Option<&'a Form>,
    weak: &'a [Entry],
    weak_pairs: WeakPairs,
    narrow: &'a [Entry],
    /// What is written, or followed.
    operations: Source<'a>,
    /// The lines behind `operations` if those are followed by name; rules that narrow need them.
    lines: Option<(&'a Ident, &'a [Line])>,
}

#[derive(Clone)]
enum Source<'a> {
    Of(Path),
    Lines(&'a Ident, &'a [Line]),
    /// Nothing that could be narrowed.
    Unstated,
}

impl<'a> Parts<'a> {
    fn default_of(library: &TokenStream) -> Self {
        Self {
            form: None,
            weak: &[],
            weak_pairs: WeakPairs::Strong,
            narrow: &[],
            operations: Source::Of(parse_quote!(#library::__private::Jax)),
            lines: None,
        }
    }

    fn overridden_by(self, set: &'a RuleSet) -> Self {
        let (operations, lines) = match (&set.operations, &set.narrow, self.lines) {
            (Some(parse::Operations::Of(path)), ..) => (Source::Of(path.clone()), None),
            (Some(parse::Operations::Lines { keyword, lines }), ..) => (
                Source::Lines(keyword, lines),
                Some((keyword, lines.as_slice())),
            ),
            (None, None, lines) => (self.operations, lines),
            (None, Some(_), Some((keyword, lines))) => {
                (Source::Lines(keyword, lines), Some((keyword, lines)))
            }
            (None, Some(_), None) => (Source::Unstated, None),
        };
        Self {
            form: set.form.as_ref().or(self.form),
            weak: set.weak.as_deref().unwrap_or(self.weak),
            weak_pairs: set.weak_pairs.unwrap_or(self.weak_pairs),
            narrow: set.narrow.as_deref().unwrap_or(self.narrow),
            operations,
            lines,
        }
    }

    /// The same as the rules `like` these see them: a table of operations is not made twice.
    fn followed(self, name: &Ident) -> Self {
        let operations = match self.operations {
            Source::Lines(..) => Source::Of(name.clone().into()),
            followed => followed,
        };
        Self { operations, ..self }
    }
}

/// Looks a name up.
fn operand(name: &Name, faults: &mut Faults) -> Option<Operand> {
    let marker = name.dtype.to_string();
    let found = DTYPES.iter().position(|dtype| dtype.marker == marker);
    if found.is_none() {
        let similar = DTYPES
            .iter()
            .find(|dtype| dtype.marker.eq_ignore_ascii_case(&marker));
        let advice = match similar {
            Some(dtype) => format!("write `{}`", dtype.marker),
            None => {
                let markers: Vec<_> = DTYPES.iter().map(|dtype| dtype.marker).collect();
                format!("the dtypes are {}", markers.join(", "))
            }
        };
        faults.at(&name.dtype, format!("unknown dtype `{marker}`; {advice}"));
    }
    found.map(|dtype| Operand {
        weak: name.is_weak(),
        dtype,
    })
}

#[cfg(test)]
mod tests;
