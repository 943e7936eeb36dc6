//! Names in arguments: rule sets, dtypes, operands and operations; and the nearest names to those that are unknown.

use supremum::dtype::c128;
use supremum::{Class, DType, Kind, OperandType, Operation, RuleSet};

use crate::operations::{self, Member};
use crate::page::Failure;
use crate::witness::Number;

/// Returns the names that are most like an unknown one, the nearest first; at most three.
fn nearest<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let unknown = unknown.to_lowercase();
    let mut rated: Vec<_> = known
        .map(|name| (strsim::jaro_winkler(&unknown, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.7)
        .collect();
    rated.sort_by(|one, other| other.0.total_cmp(&one.0));
    rated.dedup_by_key(|(_, name)| *name);
    rated.into_iter().map(|(_, name)| name).take(3).collect()
}

/// The failure for an unknown name, with the nearest names, or with `advice` if none is near.
fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
    advice: &str,
) -> Failure {
    let quoted: Vec<_> = nearest(name, known)
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    Failure(match &quoted[..] {
        [] => format!("unknown {what} `{name}`; {advice}"),
        [one] => format!("unknown {what} `{name}`; did you mean {one}?"),
        [most @ .., last] => {
            format!(
                "unknown {what} `{name}`; did you mean {} or {last}?",
                most.join(", ")
            )
        }
    })
}

/// Finds a rule set of the library.
pub(crate) fn rules(name: &str) -> Result<&'static RuleSet, Failure> {
    let wanted = name.to_lowercase().replace('_', "-");
    let wanted = match wanted.as_str() {
        "pytorch" => "torch",
        "tf" => "tensorflow",
        "np" => "numpy",
        other => other,
    };
    RuleSet::named(wanted).map_err(|_| {
        let known = RuleSet::builtin().iter().map(|rules| rules.name());
        unknown("rules", name, known, "`supremum rules` lists them")
    })
}

/// Other spellings of dtypes, as the systems have them.
pub(crate) const DTYPE_ALIASES: &[(&str, DType)] = &[
    ("boolean", DType::Bool),
    ("uint8", DType::U8),
    ("uint16", DType::U16),
    ("uint32", DType::U32),
    ("uint64", DType::U64),
    ("int8", DType::I8),
    ("int16", DType::I16),
    ("int32", DType::I32),
    ("int64", DType::I64),
    ("float8_e4m3fn", DType::F8E4M3FN),
    ("float8_e5m2", DType::F8E5M2),
    ("float8_e4m3fnuz", DType::F8E4M3FNUZ),
    ("float8_e5m2fnuz", DType::F8E5M2FNUZ),
    ("float8_e4m3b11fnuz", DType::F8E4M3B11FNUZ),
    ("bfloat16", DType::BF16),
    ("float16", DType::F16),
    ("half", DType::F16),
    ("float32", DType::F32),
    ("float64", DType::F64),
    ("double", DType::F64),
    ("complex64", DType::C64),
    ("complex128", DType::C128),
];

/// Returns the name of a dtype in NumPy, ml_dtypes, JAX and PyTorch, which agree on it.
pub(crate) fn framework_name(dtype: DType) -> &'static str {
    let found = DTYPE_ALIASES
        .iter()
        .find(|(_, known)| *known == dtype && dtype != DType::Bool);
    found.map_or(dtype.name(), |(alias, _)| alias)
}

/// Finds a dtype by its name.
pub(crate) fn dtype(name: &str) -> Result<DType, Failure> {
    let wanted = name.to_lowercase();
    let alias = DTYPE_ALIASES.iter().find(|(alias, _)| *alias == wanted);
    wanted
        .parse()
        .ok()
        .or(alias.map(|(_, dtype)| *dtype))
        .ok_or_else(|| {
            let all: Vec<_> = DType::ALL.iter().map(|dtype| dtype.name()).collect();
            let advice = format!("the dtypes are {}", all.join(", "));
            unknown("dtype", name, names_of_dtypes(), &advice)
        })
}

/// Finds the dtypes of a comma-separated list of dtypes and kinds (`bool`, `unsigned`, `signed`, `integer`, `float`,
/// `complex`).
pub(crate) fn dtypes(list: &str) -> Result<Vec<DType>, Failure> {
    let mut found = Vec::new();
    for name in list.split(',').map(str::trim) {
        let kinds: &[Kind] = match name.to_lowercase().as_str() {
            "unsigned" => &[Kind::Unsigned],
            "signed" => &[Kind::Signed],
            "integer" | "int" => &[Kind::Unsigned, Kind::Signed],
            "float" => &[Kind::Float],
            "complex" => &[Kind::Complex],
            _ => {
                found.push(dtype(name)?);
                continue;
            }
        };
        let all = DType::ALL.iter().copied();
        found.extend(all.filter(|dtype| kinds.contains(&dtype.kind())));
    }
    // In the order of the library, and each once.
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Finds a group of operations.
pub(crate) fn operation(name: &str) -> Result<Operation, Failure> {
    let member = operations::find(name);
    member.map(|member| member.group).ok_or_else(|| {
        let advice = "`supremum table --help` names some";
        unknown("operation", name, operations::all_names(), advice)
    })
}

/// A word of a question: an operand or an operation.
pub(crate) enum Word {
    Operand(OperandType),
    Operation(Member),
}

/// Reads an operand or an operation.
pub(crate) fn word(text: &str, rules: &RuleSet) -> Result<Word, Failure> {
    if let Some(member) = operations::find(text) {
        return Ok(Word::Operation(member));
    }
    operand(text, rules).map(Word::Operand).map_err(|failure| {
        let dtype = text.split(':').next().unwrap_or_default();
        if names_of_dtypes().any(|name| name == dtype.to_lowercase()) {
            return failure; // The class is unknown.
        }
        let known = names_of_dtypes().chain(operations::all_names());
        let advice = "write dtypes, literals and an operation, as in `u8 + bf16`";
        unknown("operand or operation", text, known, advice)
    })
}

fn names_of_dtypes() -> impl Iterator<Item = &'static str> {
    let names = DType::ALL.iter().map(|dtype| dtype.name());
    names.chain(DTYPE_ALIASES.iter().map(|(alias, _)| *alias))
}

/// Reads an operand: a dtype with a class (`f32`, `f32:zero-dim`, `f32:weak` or `f32*`), or a literal (`2.5`, `3`, `1j`,
/// `true`), which has the operand type that the rules give it.
pub(crate) fn operand(text: &str, rules: &RuleSet) -> Result<OperandType, Failure> {
    if let Some(kind) = literal_kind(text) {
        return Ok(rules.literal(kind));
    }
    if let Some(name) = text.strip_suffix('*') {
        return Ok(OperandType::weak(dtype(name)?));
    }
    let Some((name, class)) = text.split_once(':') else {
        return Ok(OperandType::dimensioned(dtype(text)?));
    };
    let dtype = dtype(name)?;
    let class = match class.to_lowercase().as_str() {
        "dimensioned" | "dim" => Class::Dimensioned,
        "zero-dim" | "zero_dim" | "scalar" | "0d" => Class::ZeroDim,
        "weak" | "literal" => Class::Weak,
        _ => {
            let known = ["dimensioned", "zero-dim", "weak"];
            let advice = "the classes are dimensioned, zero-dim and weak";
            return Err(unknown("class", class, known.into_iter(), advice));
        }
    };
    Ok(OperandType { dtype, class })
}

/// Returns the kind of a literal; `None` if the text is none.
pub(crate) fn literal_kind(text: &str) -> Option<Kind> {
    if matches!(text, "true" | "false" | "True" | "False") {
        return Some(Kind::Bool);
    }
    literal_value(text).map(|value| match value {
        Number::Int(_) => Kind::Signed,
        Number::Float(_) => Kind::Float,
        Number::Complex(_) => Kind::Complex,
    })
}

/// Returns the value of a literal that is a number.
pub(crate) fn literal_value(text: &str) -> Option<Number> {
    let number = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !number.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let text = text.replace('_', "");
    if let Some(imaginary) = text.strip_suffix(['j', 'i']) {
        let imaginary = imaginary.parse().ok()?;
        return Some(Number::Complex(c128::new(0.0, imaginary)));
    }
    let int = text.parse().ok().map(Number::Int);
    int.or_else(|| text.parse().ok().map(Number::Float))
}
