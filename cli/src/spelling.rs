//! Writes one computation in Supremum, NumPy, JAX and PyTorch, with explicit conversions.

use std::collections::BTreeMap;

use serde::Serialize;
use supremum::{Class, DType, Kind, OperandType, Operation, RuleSet};

use crate::answer::Answer;
use crate::names::framework_name;
use crate::operations::{self, Member};

/// An operand of the expression: its type, and its text if it is a literal.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) operand: OperandType,
    /// The literal, or the name of the tensor.
    pub(crate) text: String,
    pub(crate) is_literal: bool,
}

/// A library in whose language expressions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Supremum,
    NumPy,
    Jax,
    Torch,
}

/// Writes an expression that computes in the dtype `promoted` and gives `result`, whatever the operands are, for each
/// library.
pub(crate) fn on_purpose(
    rules: &RuleSet,
    member: Option<Member>,
    terms: &[Term],
    promoted: DType,
    result: DType,
) -> Vec<(&'static str, String)> {
    Language::ALL
        .iter()
        .filter_map(|language| {
            let rules = match language.rules() {
                None => rules,
                Some(name) => RuleSet::named(name).ok()?,
            };
            let expression = language.expression(rules, member, terms, promoted, result);
            Some((language.library(), expression))
        })
        .collect()
}

/// The conversions and operations of a library as templates, in which `{a}` and `{b}` stand for the operands. The page makes the
/// expressions of [`on_purpose`] of them.
#[derive(Debug, Serialize)]
pub(crate) struct Templates {
    library: &'static str,
    /// The rule set that says which dtypes and operations the library has; without one it is the rule set in question.
    rules: Option<&'static str>,
    /// The conversion of an operand, by the name of the dtype.
    conversions: BTreeMap<&'static str, String>,
    /// The first member of each group of operations, by the name of the group.
    operations: BTreeMap<&'static str, String>,
    /// The groups whose first member is an operator, so that its result needs parentheses to be converted.
    operators: Vec<&'static str>,
    /// The dtypes that need a remark, and the remark.
    remarked: Vec<&'static str>,
    remark: &'static str,
}

/// The templates of every library.
pub(crate) fn templates() -> Vec<Templates> {
    let first = |operation: &Operation| operations::members(*operation).next();
    let all = || Operation::ALL.iter().filter_map(first);
    let templates = Language::ALL.iter().map(|&language| {
        let operation = |member: Member| {
            let operands = ["{a}".to_owned(), "{b}".to_owned()];
            let count = if member.group.is_binary() { 2 } else { 1 };
            let written = language.applied(member, &operands[..count]);
            (member.group.name(), written)
        };
        let conversion = |dtype: &DType| (dtype.name(), language.converted("{a}", *dtype, false));
        let remarked = DType::ALL.iter().filter(|dtype| language.remarks(**dtype));
        Templates {
            library: language.library(),
            rules: language.rules(),
            conversions: DType::ALL.iter().map(conversion).collect(),
            operations: all().map(operation).collect(),
            operators: all()
                .filter(|member| is_operator(language.name(*member)))
                .map(|member| member.group.name())
                .collect(),
            remarked: remarked.map(|dtype| dtype.name()).collect(),
            remark: REMARK,
        }
    });
    templates.collect()
}

/// The setting that JAX needs for dtypes of 64 bits.
const REMARK: &str = "  # needs jax_enable_x64";

impl Language {
    const ALL: &[Self] = &[Self::Supremum, Self::NumPy, Self::Jax, Self::Torch];

    /// The library's name.
    fn library(self) -> &'static str {
        match self {
            Self::Supremum => "Supremum",
            Self::NumPy => "NumPy",
            Self::Jax => "JAX",
            Self::Torch => "PyTorch",
        }
    }

    /// The name of the rule set that says which dtypes and operations the library has; Supremum has those of every rule set.
    fn rules(self) -> Option<&'static str> {
        match self {
            Self::Supremum => None,
            Self::NumPy => Some("numpy"),
            Self::Jax => Some("jax"),
            Self::Torch => Some("torch"),
        }
    }

    /// Returns whether an expression with this dtype has the remark [`REMARK`].
    fn remarks(self, dtype: DType) -> bool {
        let wide = match dtype.kind() {
            Kind::Complex => dtype.size() > 8,
            _ => dtype.size() > 4,
        };
        self == Self::Jax && wide
    }

    fn expression(
        self,
        rules: &RuleSet,
        member: Option<Member>,
        terms: &[Term],
        promoted: DType,
        result: DType,
    ) -> String {
        if member.is_some_and(|member| self.name(member).is_empty()) {
            return "has no such function".to_owned();
        }
        let strong = OperandType::dimensioned(promoted);
        let operation = member.map(|member| member.group);
        let answer = match operation.filter(|operation| !operation.is_binary()) {
            Some(operation) => rules.operation(operation, strong).ok(),
            None => Answer::of(rules, operation, strong, strong).result(),
        };
        let Some(given) = answer else {
            return match rules.promote(strong, strong) {
                Ok(_) => format!("has no such operation on {promoted}"),
                Err(_) => format!("has no {promoted}"),
            };
        };
        // A literal beside a tensor of the promoted dtype, if there is one.
        let strong_terms = terms.iter().any(|term| !term.is_literal);
        let yields = |literal: OperandType| {
            Answer::of(rules, operation, strong, literal).result() == Some(given)
        };
        let written: Vec<_> = terms
            .iter()
            .map(|term| match term.is_literal && strong_terms {
                true if yields(self.literal(rules, term)) => self.text(term),
                _ if !term.is_literal
                    && term.operand.dtype == promoted
                    && term.operand.class != Class::Weak =>
                {
                    self.text(term)
                }
                _ => self.converted(&self.text(term), promoted, term.is_literal),
            })
            .collect();
        let expression = match member {
            Some(member) => self.applied(member, &written),
            None => written.join(", "),
        };
        let expression = match expression {
            same if given.dtype == result => same,
            other if member.is_some_and(|member| is_operator(self.name(member))) => {
                self.converted(&format!("({other})"), result, false)
            }
            call => self.converted(&call, result, false),
        };
        if self.remarks(promoted) || self.remarks(result) {
            expression + REMARK
        } else {
            expression
        }
    }

    /// A literal or the name of a tensor. Python's names of truth values begin with a capital.
    fn text(self, term: &Term) -> String {
        match (self, term.text.to_ascii_lowercase().as_str()) {
            (Self::Supremum, _) => term.text.clone(),
            (_, "true") => "True".to_owned(),
            (_, "false") => "False".to_owned(),
            _ => term.text.clone(),
        }
    }

    /// The operand that a literal is under these rules.
    fn literal(self, rules: &RuleSet, term: &Term) -> OperandType {
        match self {
            Self::Supremum => term.operand,
            _ => rules.literal(term.operand.dtype.kind()),
        }
    }

    /// A tensor or a literal, converted.
    fn converted(self, text: &str, to: DType, is_literal: bool) -> String {
        let name = self.dtype(to);
        match (self, is_literal) {
            (Self::Supremum, false) => format!("{text}.cast::<{name}>()"),
            (Self::Supremum, true) => format!("tensor![{name}; {text}]"),
            (Self::NumPy | Self::Jax, false) => format!("{text}.astype({name})"),
            (Self::NumPy, true) => format!("np.array({text}, {name})"),
            (Self::Jax, true) => format!("jnp.array({text}, {name})"),
            (Self::Torch, false) => format!("{text}.to({name})"),
            (Self::Torch, true) => format!("torch.tensor({text}, dtype={name})"),
        }
    }

    fn dtype(self, dtype: DType) -> String {
        let name = framework_name(dtype);
        let is_from_ml_dtypes = name.starts_with("float8") || dtype == DType::BF16;
        match (self, dtype) {
            (Self::Supremum, _) => dtype.marker_name().to_owned(),
            (Self::NumPy, DType::Bool) => "np.bool".to_owned(),
            (Self::NumPy, _) if is_from_ml_dtypes => format!("ml_dtypes.{name}"),
            (Self::NumPy, _) => format!("np.{name}"),
            (Self::Jax, DType::Bool) => "jnp.bool_".to_owned(),
            (Self::Jax, _) => format!("jnp.{name}"),
            (Self::Torch, _) => format!("torch.{name}"),
        }
    }

    /// The operation as this library spells it.
    fn name(self, member: Member) -> &'static str {
        match self {
            Self::Supremum => member.library,
            Self::NumPy | Self::Jax => member.python,
            Self::Torch => member.torch(),
        }
    }

    /// The operation on operands that are written already.
    fn applied(self, member: Member, operands: &[String]) -> String {
        let name = self.name(member);
        if is_operator(name) {
            return match operands {
                [one] => format!("{name}{one}"),
                several => several.join(&format!(" {name} ")),
            };
        }
        let module = match self {
            Self::Supremum => return method(name, operands),
            Self::NumPy => "np",
            Self::Jax => "jnp",
            Self::Torch => "torch",
        };
        let list = operands.join(", ");
        match name {
            "where" => format!("{module}.where(mask, {list})"),
            "concatenate" | "cat" | "stack" => format!("{module}.{name}([{list}])"),
            "cumsum" | "cumprod" | "softmax" | "log_softmax" => {
                format!("{module}.{name}({list}, 0)")
            }
            _ if operands.len() > 2 => {
                let nested = operands
                    .iter()
                    .cloned()
                    .reduce(|sofar, next| format!("{module}.{name}({sofar}, {next})"));
                nested.unwrap_or_default()
            }
            _ => format!("{module}.{name}({list})"),
        }
    }
}

/// Returns whether an operation stands between or before its operands.
fn is_operator(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// A method or function of the library.
fn method(name: &str, operands: &[String]) -> String {
    let borrowed: Vec<_> = operands
        .iter()
        .map(|operand| format!("&{operand}"))
        .collect();
    match name {
        "select" => format!("select(&mask, {})", borrowed.join(", ")),
        "concat" | "stack" => format!("{name}(&[{}], 0)?", borrowed.join(", ")),
        "neg" => format!("-{}", operands.join("")),
        "cumsum" | "cumprod" | "cummax" | "cummin" | "softmax" | "log_softmax" | "log_sum_exp"
        | "argsort" => {
            format!("{}.{name}(0)", operands.join(""))
        }
        _ => {
            let mut operands = operands.iter().cloned();
            let first = operands.next().unwrap_or_default();
            let mut rest = operands.peekable();
            if rest.peek().is_none() {
                return format!("{first}.{name}()");
            }
            rest.fold(first, |sofar, next| format!("{sofar}.{name}({next})"))
        }
    }
}
