//! Checks the syntax tree and converts it to the checked model; collects all faults.

mod form;
mod groups;
mod inherit;
mod lattice;
mod literals;
mod operations;
mod promotions;
mod written;

use std::cell::Cell;

use proc_macro2::Ident;
use syn::Path;

use self::inherit::{Parts, Source, inherited};
use self::literals::{check_literals, literals, overflow_policy};
use self::written::Written;
use crate::ast::{self, MacroInput, Name, Parameter, RuleSet};
use crate::dtypes::DTYPES;
use crate::model::{Checked, Class, Faults, Operand, Operations};
use crate::path::generated;

/// Checks all rule sets of an invocation; a rule set with faults becomes `None`.
pub(crate) fn check(invocation: &MacroInput) -> (Vec<Option<Checked>>, Faults) {
    let MacroInput {
        library,
        bases,
        rule_sets,
    } = invocation;
    let mut faults = Faults::default();
    let mut earlier = Vec::new();
    let mut checked = Vec::new();
    for (position, set) in rule_sets.iter().enumerate() {
        let mut own = Faults::default();
        if set.title.value().trim().is_empty() {
            let message = format!(
                "rules need a name, which messages and `RuleSet::name` give: `struct {} = \"name\";`",
                set.name
            );
            own.at(&set.title, message);
        }
        let base = inherited(
            library,
            set,
            &earlier,
            &rule_sets[position..],
            bases,
            &mut own,
        );
        let parts = base.map(|base| base.overridden_by(set));
        let result = parts
            .as_ref()
            .and_then(|parts| check_one(set, parts, &mut own));
        let sound = own.is_empty() && result.is_some();
        let name = Path::from(set.name.clone());
        let parts = parts.filter(|_| sound).map(|parts| parts.followed(&name));
        earlier.push((name, parts));
        checked.push(result.filter(|_| sound));
        faults.append(own);
    }
    (checked, faults)
}

/// The meaning of names in cells that are not dtypes: marks and the type parameter.
struct Context<'a> {
    set: &'a RuleSet,
    parts: &'a Parts<'a>,
    /// `true` if the absence of marks has been reported; it is reported once.
    told: Cell<bool>,
}

impl Context<'_> {
    /// Returns the default of the type parameter if the name is the parameter; `Some(None)` if the default is not a dtype.
    fn parameter(&self, name: &Name) -> Option<Option<Operand>> {
        // A parameter whose name differs from that in inherited cells is reported elsewhere.
        let known = [self.parts.parameter, self.parts.inherited_parameter];
        let parameter = known
            .into_iter()
            .flatten()
            .find(|parameter| !name.is_weak() && name.dtype == parameter.name)?;
        Some(operand(&parameter.default, &mut Faults::default()))
    }

    /// Returns the number of a mark's reason.
    fn mark(&self, mark: &Ident, faults: &mut Faults) -> Option<usize> {
        let found = self
            .parts
            .marks
            .iter()
            .position(|known| known.name == *mark);
        let known: Vec<_> = self
            .parts
            .marks
            .iter()
            .map(|known| format!("`{}`", known.name))
            .collect();
        if found.is_none() && !known.is_empty() {
            let message = format!("unknown mark `{mark}`; the marks are {}", known.join(", "));
            faults.at(mark, message);
        } else if found.is_none() && !self.told.replace(true) {
            let message = format!(
                "nothing says what the mark `{mark}` stands for; add `marks {{ {mark}: Reason }}`, where `Reason` is a type \
                 that implements `supremum::StaticVerdict`, or mark the cell by `unsafe`"
            );
            faults.at(mark, message);
        }
        found
    }
}

fn check_one(set: &RuleSet, parts: &Parts<'_>, faults: &mut Faults) -> Option<Checked> {
    let Some(stated) = parts.form else {
        faults.at(
            &set.name,
            "these rules state no promotions; add `lattice { A -> B; .. }`, `table { _ => [..], .. }` or `like Jax;`",
        );
        return None;
    };
    if let Some(parameter) = &set.parameter {
        check_parameter(parameter, parts.inherited_parameter, faults);
    }
    let context = Context {
        set,
        parts,
        told: Cell::new(false),
    };
    let mut written = form::check(stated, &context, faults);
    if let Some(zero_dim) = parts.zero_dim {
        form::zero_dim(zero_dim, &context, &mut written, faults);
    }
    for cells in &parts.cells {
        form::overrides(cells, &context, &mut written, faults);
    }
    let weak = promotions::weak_map(parts.weak, &written, faults);
    let narrow = promotions::narrow_map(parts.narrow, faults);
    promotions::check_narrowed_weak(parts.narrow, &written, &weak, &narrow, faults);
    let only = parts.only.map(|names| only(names, faults));
    if let Some(only) = &only {
        check_restricted_cells(set, &written, only, faults);
    }
    let (operations, under) = match &parts.operations {
        Source::Of(path) => (Operations::Of(path.clone()), parts.under()),
        Source::Lines(keyword, lines) => {
            let rows = operations::check(keyword, lines, &narrow, only.as_deref(), faults);
            (Operations::Own(rows), parts.under())
        }
        Source::Unstated => {
            faults.at(
                &set.name,
                "`narrow` and `only` also change what operations give, so that has to be written here: add `operations { .. }`, \
                 or follow other rules, as with `operations JaxX32;`",
            );
            return None;
        }
    };
    let judgement = promotions::Judgement {
        safety: parts.safety,
        deny_widening: parts.deny_widening,
    };
    let mut promotions =
        promotions::complete(&written, &weak, parts.weak_pairs, &narrow, judgement);
    if let Some(only) = &only {
        promotions::restrict(only, &mut promotions);
        written
            .operands
            .retain(|operand| promotions::is_listed(only, *operand));
    }
    let literals = literals(parts.literals, faults);
    let overflow_policy = overflow_policy(parts.literals, faults);
    // Inherited ones may be restricted to nothing.
    check_literals(set, &promotions, faults);
    // A table with faults may break laws that the intended table keeps, so check laws without faults only.
    if faults.is_empty() {
        promotions::check_laws(set, &written.operands, &promotions, faults);
    }
    Some(Checked {
        source: parts.source.cloned(),
        written: written.operands,
        looks_at_rank: parts.zero_dim.is_some(),
        promotions,
        reasons: parts
            .marks
            .iter()
            .map(|mark| generated(&mark.reason))
            .collect(),
        literals,
        overflow_policy,
        common: parts.common,
        operations,
        under,
        spans: written.spans,
    })
}

/// Checks the name of a parameter and its default.
fn check_parameter(parameter: &Parameter, inherited: Option<&Parameter>, faults: &mut Faults) {
    let Parameter { name, default } = parameter;
    if DTYPES.iter().any(|dtype| name == dtype.marker) {
        let message = format!("`{name}` is a dtype; give the parameter another name");
        faults.at(name, message);
    }
    if let Some(inherited) = inherited.filter(|inherited| inherited.name != *name) {
        let message = format!(
            "the cells of the rules that these are like name the parameter `{}`; give yours that name",
            inherited.name
        );
        faults.at(name, message);
    }
    if operand(default, faults).is_some_and(Operand::is_weak) {
        let message = format!("the default is a dtype; write `{}`", default.dtype);
        faults.at(default, message);
    }
}

/// Reports cells that `only` removes in the same rules.
fn check_restricted_cells(set: &RuleSet, written: &Written, only: &[usize], faults: &mut Faults) {
    for pair in set.parts.cells.iter().flatten() {
        let result = match &pair.cell {
            ast::Cell::Defined { result, .. } => Some(result),
            ast::Cell::Undefined(_) => continue,
        };
        for name in [&pair.lhs, &pair.rhs].into_iter().chain(result) {
            if let [operand] = groups::operands(name, &mut Faults::default())[..]
                && written.contains(operand)
                && !promotions::is_listed(only, operand)
            {
                let message = format!(
                    "these rules are restricted to some dtypes, and `{operand}` is none of them; add it to `only`, or \
                     remove this cell"
                );
                faults.at(name, message);
            }
        }
    }
}

/// Resolves the dtypes that `only` lists.
fn only(names: &[Name], faults: &mut Faults) -> Vec<usize> {
    let mut listed = Vec::new();
    for name in names {
        let operands = groups::operands(name, faults);
        if name.is_weak() && !operands.is_empty() {
            faults.at(name, format!("`only` lists dtypes; write `{}`", name.dtype));
            continue;
        }
        let twice = |operand: &&Operand| listed.contains(&operand.dtype);
        if let Some(twice) = operands.iter().find(twice) {
            faults.at(name, format!("`only` lists `{twice}` twice"));
        }
        listed.extend(operands.iter().map(|operand| operand.dtype));
    }
    listed
}

/// Resolves a name.
fn operand(name: &Name, faults: &mut Faults) -> Option<Operand> {
    if groups::is_group(name) {
        let message = format!(
            "`{}` stands for several dtypes, and one is meant here; name it",
            name.dtype
        );
        faults.at(&name.dtype, message);
        return None;
    }
    let found = DTYPES.iter().position(|dtype| name.dtype == dtype.marker);
    if found.is_none() {
        unknown_dtype(name, false, faults);
    }
    let class = if name.is_weak() {
        Class::Weak
    } else {
        Class::Strong
    };
    found.map(|dtype| Operand { class, dtype })
}

/// The marker of a dtype that other libraries name like this: `F64` for `Float64`.
fn short_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let prefixes = [
        ("bfloat", "BF"),
        ("float", "F"),
        ("uint", "U"),
        ("int", "I"),
        ("complex", "C"),
    ];
    let short = |(long, short): (&str, &str)| Some(short.to_owned() + name.strip_prefix(long)?);
    prefixes.into_iter().find_map(short).unwrap_or(name.clone())
}

/// Reports a name that is not a dtype, where one is meant or, with `groups`, where groups can stand too.
fn unknown_dtype(name: &Name, groups: bool, faults: &mut Faults) {
    let unknown = name.dtype.to_string();
    let mut known: Vec<_> = DTYPES.iter().map(|dtype| dtype.marker).collect();
    let dtypes = known.join(", ");
    let groups = if groups { groups::names() } else { Vec::new() };
    known.extend(&groups);
    let short = short_name(&unknown);
    let similar = known
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(&unknown) || known.eq_ignore_ascii_case(&short));
    let advice = match similar {
        Some(similar) => format!("write `{similar}`"),
        None if groups.is_empty() => format!("the dtypes are {dtypes}"),
        None => format!(
            "the dtypes are {dtypes}, the groups of dtypes {}",
            groups.join(", ")
        ),
    };
    faults.at(&name.dtype, format!("unknown dtype `{unknown}`; {advice}"));
}

#[cfg(test)]
mod tests;
