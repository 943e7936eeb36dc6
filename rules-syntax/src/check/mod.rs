//! Checks the syntax tree and converts it to the checked model; collects all faults.

mod form;
mod groups;
mod operations;
mod promotions;

use std::cell::Cell;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Path, parse_quote};

use crate::ast::{
    self, Base, CommonTypeRule, Entry, Form, Line, Literal, MacroInput, Mark, Name, Pair,
    Parameter, RuleSet, Safety, WeakPairs,
};
use crate::builtin::BUILTIN;
use crate::dtypes::DTYPES;
use crate::model::{
    Checked, Class, Faults, Literals, Operand, Operations, OverflowPolicy, Promotion, Table, Under,
};
use crate::path::{generated, same};

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

/// Returns the parts of the rules that these are `like`, from above in the same invocation or from another one.
fn inherited<'a>(
    library: &TokenStream,
    set: &RuleSet,
    above: &[(Path, Option<Parts<'a>>)],
    below: &[RuleSet],
    bases: &'a [Base],
    faults: &mut Faults,
) -> Option<Parts<'a>> {
    let Some(like) = &set.parts.like else {
        return Some(Parts::default_of(library));
    };
    if let Some((_, parts)) = above.iter().find(|(name, _)| same(name, like)) {
        // The faults of the base are reported there; add no others.
        return parts.clone();
    }
    if let Some(base) = bases.iter().find(|base| base.is(like)) {
        return of_base(library, base, bases);
    }
    let shown = like.to_token_stream().to_string();
    let message = if like.is_ident(&set.name) {
        format!("these rules cannot be like themselves; name the rules that `{shown}` changes")
    } else if below.iter().any(|below| like.is_ident(&below.name)) {
        format!("`{shown}` stands below; move it above the rules that are like it")
    } else if let Some(similar) = BUILTIN
        .iter()
        .find(|name| name.eq_ignore_ascii_case(&shown))
    {
        format!("no rules `{shown}`; write `{similar}`")
    } else {
        format!(
            "no rules `{shown}` above, nor in the library, which has {}; rules of another `promotion_rules!` are marked \
             `#[extensible]` there, and named here by their path",
            BUILTIN.join(", ")
        )
    };
    faults.at(like, message);
    None
}

/// Returns the parts of the last rules of another invocation, which reports their faults itself.
fn of_base<'a>(library: &TokenStream, base: &'a Base, bases: &'a [Base]) -> Option<Parts<'a>> {
    let mut above: Vec<(Path, Option<Parts<'_>>)> = Vec::new();
    for set in &base.rule_sets {
        let parts = inherited(library, set, &above, &[], bases, &mut Faults::default());
        let parts = parts.map(|parts| parts.overridden_by(set));
        above.push((set.name.clone().into(), parts));
    }
    let (_, parts) = above.pop()?;
    Some(parts?.followed(&base.path_from(library)))
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
                 that implements `StaticVerdict`, or mark the cell by `unsafe`"
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
fn check_restricted_cells(
    set: &RuleSet,
    written: &form::Written,
    only: &[usize],
    faults: &mut Faults,
) {
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

/// Resolves the operand types of literals; the defaults are a strong `Bool`, `Weak<I64>`, `Weak<F64>` and `Weak<C128>`.
fn literals(written: &[Literal], faults: &mut Faults) -> Literals {
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
fn overflow_policy(written: &[Literal], faults: &mut Faults) -> OverflowPolicy {
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
fn check_literals(set: &RuleSet, promotions: &Table<Promotion>, faults: &mut Faults) {
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

/// The effective parts of a rule set: its own, and those of the rules that it is `like`.
#[derive(Clone)]
struct Parts<'a> {
    source: Option<&'a ast::Source>,
    parameter: Option<&'a Parameter>,
    /// The parameter of the rules whose cells these rules inherit.
    inherited_parameter: Option<&'a Parameter>,
    form: Option<&'a Form>,
    /// The cells; those of the rules that it is `like` come first.
    cells: Vec<&'a [Pair]>,
    zero_dim: Option<&'a Form>,
    weak: &'a [Entry],
    weak_pairs: WeakPairs,
    literals: &'a [Literal],
    narrow: &'a [Entry],
    only: Option<&'a [Name]>,
    safety: Safety,
    deny_widening: bool,
    marks: &'a [Mark],
    common: CommonTypeRule,
    /// The source of the operations: written here, or those of other rules.
    operations: Source<'a>,
    /// The lines of `operations` if those are used by name; rules that narrow or restrict them need the lines.
    lines: Option<(&'a Ident, &'a [Line])>,
    /// `true` if these rules promote all operands themselves, regardless of `under` in the lines.
    followed: bool,
}

#[derive(Clone)]
enum Source<'a> {
    Of(Path),
    Lines(&'a Ident, &'a [Line]),
    /// No `operations` part, so nothing to narrow or restrict.
    Unstated,
}

impl<'a> Parts<'a> {
    fn default_of(library: &TokenStream) -> Self {
        Self {
            source: None,
            parameter: None,
            inherited_parameter: None,
            form: None,
            cells: Vec::new(),
            zero_dim: None,
            weak: &[],
            weak_pairs: WeakPairs::Strong,
            literals: &[],
            narrow: &[],
            only: None,
            safety: Safety::Values,
            deny_widening: false,
            marks: &[],
            common: CommonTypeRule::Folded,
            operations: Source::Of(parse_quote!(#library::__private::Jax)),
            lines: None,
            followed: false,
        }
    }

    fn overridden_by(self, set: &'a RuleSet) -> Self {
        let own = &set.parts;
        let changes = own.narrow.is_some() || own.only.is_some();
        let (operations, lines) = match (&own.operations, changes, self.lines) {
            (Some(ast::Operations::Of(path)), ..) => (Source::Of(generated(path)), None),
            (Some(ast::Operations::Lines { keyword, lines }), ..) => (
                Source::Lines(keyword, lines),
                Some((keyword, lines.as_slice())),
            ),
            (None, false, lines) => (self.operations, lines),
            (None, true, Some((keyword, lines))) => {
                (Source::Lines(keyword, lines), Some((keyword, lines)))
            }
            (None, true, None) => (Source::Unstated, None),
        };
        let mut cells = self.cells;
        cells.extend(own.cells.as_deref());
        if own.form.is_some() {
            cells = own.cells.as_deref().into_iter().collect();
        }
        Self {
            source: own.source.as_ref().or(self.source),
            parameter: set.parameter.as_ref().or(self.parameter),
            inherited_parameter: self.parameter.filter(|_| own.form.is_none()),
            form: own.form.as_ref().or(self.form),
            cells,
            zero_dim: own.zero_dim.as_ref().or(self.zero_dim),
            weak: own.weak.as_deref().unwrap_or(self.weak),
            weak_pairs: own.weak_pairs.unwrap_or(self.weak_pairs),
            literals: own.literals.as_deref().unwrap_or(self.literals),
            narrow: own.narrow.as_deref().unwrap_or(self.narrow),
            only: own.only.as_deref().or(self.only),
            safety: own.safety.unwrap_or(self.safety),
            deny_widening: own.deny.is_some() || self.deny_widening,
            marks: own.marks.as_deref().unwrap_or(self.marks),
            common: own.common.unwrap_or(self.common),
            operations,
            lines,
            followed: self.followed
                && !matches!(own.operations, Some(ast::Operations::Lines { .. })),
        }
    }

    /// Returns these parts as rules `like` these inherit them: they use the same table of operations by name, and
    /// promote operands by their own table.
    fn followed(self, name: &Path) -> Self {
        Self {
            operations: Source::Of(name.clone()),
            followed: true,
            ..self
        }
    }

    /// Which rules promote the operands of each binary group.
    fn under(&self) -> Vec<Under> {
        let lines = self.lines.map_or(&[][..], |(_, lines)| lines);
        let mut under = operations::under(lines);
        if self.followed {
            let others = under
                .iter_mut()
                .filter(|under| matches!(under, Under::Other(_)));
            others.for_each(|under| *under = Under::These);
        }
        under
    }
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

/// Reports a name that is not a dtype, where one is meant or, with `groups`, where groups can stand too.
fn unknown_dtype(name: &Name, groups: bool, faults: &mut Faults) {
    let unknown = name.dtype.to_string();
    let mut known: Vec<_> = DTYPES.iter().map(|dtype| dtype.marker).collect();
    let dtypes = known.join(", ");
    let groups = if groups { groups::names() } else { Vec::new() };
    known.extend(&groups);
    let similar = known
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(&unknown));
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
