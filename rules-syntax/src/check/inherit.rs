//! The parts of a rule set: it inherits those of the rules that it is `like`, and its own parts replace them.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Path, parse_quote};

use super::operations;
use crate::ast::{
    self, Base, CommonTypeRule, Entry, Form, Line, Literal, Mark, Name, Pair, Parameter, RuleSet,
    Safety, WeakPairs,
};
use crate::builtin::BUILTIN;
use crate::model::{Faults, Under};
use crate::path::{generated, same};

/// The effective parts of a rule set: its own, and those of the rules that it is `like`.
#[derive(Clone)]
pub(super) struct Parts<'a> {
    pub(super) source: Option<&'a ast::Source>,
    pub(super) parameter: Option<&'a Parameter>,
    /// The parameter of the rules whose cells these rules inherit.
    pub(super) inherited_parameter: Option<&'a Parameter>,
    pub(super) form: Option<&'a Form>,
    /// The cells; those of the rules that it is `like` come first.
    pub(super) cells: Vec<&'a [Pair]>,
    pub(super) zero_dim: Option<&'a Form>,
    pub(super) weak: &'a [Entry],
    pub(super) weak_pairs: WeakPairs,
    pub(super) literals: &'a [Literal],
    pub(super) narrow: &'a [Entry],
    pub(super) only: Option<&'a [Name]>,
    pub(super) safety: Safety,
    pub(super) deny_widening: bool,
    pub(super) marks: &'a [Mark],
    pub(super) common: CommonTypeRule,
    /// The source of the operations: written here, or those of other rules.
    pub(super) operations: Source<'a>,
    /// The lines of `operations` if those are used by name; rules that narrow or restrict them need the lines.
    pub(super) lines: Option<(&'a Ident, &'a [Line])>,
    /// `true` if these rules promote all operands themselves, regardless of `under` in the lines.
    pub(super) followed: bool,
}

#[derive(Clone)]
pub(super) enum Source<'a> {
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

    pub(super) fn overridden_by(self, set: &'a RuleSet) -> Self {
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
    pub(super) fn followed(self, name: &Path) -> Self {
        Self {
            operations: Source::Of(name.clone()),
            followed: true,
            ..self
        }
    }

    /// Which rules promote the operands of each binary group.
    pub(super) fn under(&self) -> Vec<Under> {
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

/// Returns the parts of the rules that these are `like`, from above in the same invocation or from another one.
pub(super) fn inherited<'a>(
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
