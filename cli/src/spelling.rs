//! How the same computation is written in Supremum, NumPy, JAX and PyTorch, with every conversion on purpose.

use supremum::{Class, DType, Kind, OperandType, RuleSet};

use crate::answer::Answer;
use crate::names::framework_name;
use crate::operations::Member;

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
    let languages = [
        ("Supremum", Language::Supremum, Some(rules)),
        ("NumPy", Language::NumPy, RuleSet::named("numpy").ok()),
        ("JAX", Language::Jax, RuleSet::named("jax").ok()),
        ("PyTorch", Language::Torch, RuleSet::named("torch").ok()),
    ];
    languages
        .into_iter()
        .filter_map(|(name, language, rules)| {
            Some((
                name,
                language.expression(rules?, member, terms, promoted, result),
            ))
        })
        .collect()
}

impl Language {
    fn expression(
        self,
        rules: &RuleSet,
        member: Option<Member>,
        terms: &[Term],
        promoted: DType,
        result: DType,
    ) -> String {
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
                true if yields(self.literal(rules, term)) => term.text.clone(),
                _ if !term.is_literal
                    && term.operand.dtype == promoted
                    && term.operand.class != Class::Weak =>
                {
                    term.text.clone()
                }
                _ => self.converted(&term.text, promoted, term.is_literal),
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
        let wide = |dtype: DType| match dtype.kind() {
            Kind::Complex => dtype.size() > 8,
            _ => dtype.size() > 4,
        };
        if self == Self::Jax && (wide(promoted) || wide(result)) {
            format!("{expression}  # needs jax_enable_x64")
        } else {
            expression
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
            "cumsum" | "cumprod" => format!("{module}.{name}({list}, 0)"),
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
        "cumsum" | "cumprod" => format!("{}.{name}(0)", operands.join("")),
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
