//! Dtypes, operands, verdicts and rule sets by name, in formats for people and in binary ones.

use core::fmt;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use ::serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{self, Serialize, SerializeStruct, Serializer};

use crate::dtype::{DType, StaticDType, StrongDType, Unranked, Weak, ZeroDim};
use crate::error::Error;
use crate::rules::{OperandType, Promotion, RuleSet, Verdict};

/// Returns what a name stands for, or the message about it.
type Parse<T> = fn(&str) -> Result<T, String>;

/// A visitor of names.
struct Name<T> {
    expecting: &'static str,
    parse: Parse<T>,
}

impl<T> Visitor<'_> for Name<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        (self.parse)(name).map_err(E::custom)
    }
}

/// Defines both directions of a type that goes by its name.
macro_rules! by_name {
    ($($(#[doc = $doc:literal])+ $type:ty: $expecting:literal, $print:expr, $parse:expr;)*) => {$(
        $(#[doc = $doc])+
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let print: fn(&Self) -> Result<String, String> = $print;
                serializer.serialize_str(&print(self).map_err(ser::Error::custom)?)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Name { expecting: $expecting, parse: $parse })
            }
        }
    )*};
}

by_name! {
    /// By name, as `f32`.
    DType: "the name of a dtype", |dtype| Ok(dtype.name().to_owned()), dtype;
    /// Its text as it prints: `f32`, `f32*` if it is weak, `zero-dim f32` of rank zero.
    OperandType: "an operand, as `f32` or `i64*`", |operand| Ok(operand.to_string()), operand;
    /// `lossless`, `accepted`, `loses precision of i64`, `loses range of i64`, or `refused: ` and the reason, which has to be
    /// one of this library's rule sets to be read again.
    Verdict: "a verdict, as `loses precision of i64`", |verdict| Ok(verdict_text(*verdict)), verdict;
    /// By name, as `jax`; with ` allowing unsafe` behind it if unsafe promotions are. Only the rule sets of this library have
    /// a name that can be read again, so others are an error.
    RuleSet: "the name of a rule set", |rules| rules_text(rules), |name| rules(name).copied();
}

/// By name, as `RuleSet`, to the one that lives as long as the program.
impl<'de> Deserialize<'de> for &'static RuleSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Name {
            expecting: "the name of a rule set",
            parse: rules,
        })
    }
}

/// The markers of dtypes, by the names of their dtypes. A struct that derives `Serialize` and has a dtype as its parameter needs it.
macro_rules! markers {
    ([$($marker:ident)*]) => {
        by_name! {$(
            /// By name, as its `DType`.
            crate::dtype::$marker: "the name of a dtype",
                |_| Ok(crate::dtype::$marker::DTYPE.name().to_owned()),
                |name| marker(name);
        )*}
    };
}

supremum_macros::with_markers! { [markers] }

/// Serializes dtypes that are no markers.
macro_rules! operands {
    ($($dtype:ident)*) => {$(
        /// By the name of its dtype, with a star if it is weak.
        impl<D: StrongDType> Serialize for $dtype<D> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                OperandType::of::<Self>().serialize(serializer)
            }
        }
    )*};
}

operands! { Weak ZeroDim Unranked }

fn marker<D: StaticDType>(name: &str) -> Result<D, String> {
    match dtype(name)? {
        found if found == D::DTYPE => Ok(D::default()),
        found => Err(format!("expected {}, found {found}", D::DTYPE)),
    }
}

/// The message about an unknown name: the nearest names, or `otherwise` if none is near.
fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
    otherwise: &Error,
) -> String {
    let mut near: Vec<_> = known
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .filter(|(likeness, _)| *likeness > 0.7)
        .collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    let near: Vec<_> = near
        .iter()
        .take(3)
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    match near.is_empty() {
        true => otherwise.to_string(),
        false => format!(
            "unknown {what} `{name}`; did you mean {}?",
            near.join(" or ")
        ),
    }
}

fn dtype(name: &str) -> Result<DType, String> {
    let known = DType::ALL.iter().map(|dtype| dtype.name());
    name.parse()
        .map_err(|error| unknown("dtype", name, known, &error))
}

fn operand(name: &str) -> Result<OperandType, String> {
    if let Some(weak) = name.strip_suffix('*') {
        return dtype(weak).map(OperandType::weak);
    }
    match name.strip_prefix("zero-dim ") {
        Some(zero_dim) => dtype(zero_dim).map(OperandType::zero_dim),
        None => dtype(name).map(OperandType::dimensioned),
    }
}

fn verdict_text(verdict: Verdict) -> String {
    let text = verdict.to_string();
    text.strip_prefix("is ").unwrap_or(&text).to_owned()
}

fn verdict(text: &str) -> Result<Verdict, String> {
    if let Some(operand) = text.strip_prefix("loses precision of ") {
        return dtype(operand).map(Verdict::LosesPrecision);
    }
    if let Some(operand) = text.strip_prefix("loses range of ") {
        return dtype(operand).map(Verdict::LosesRange);
    }
    if let Some(reason) = text.strip_prefix("refused: ") {
        let known = reasons().get(reason).copied();
        return known.map(Verdict::Refused).ok_or_else(|| {
            format!("no rule set of the library refuses a promotion for the reason `{reason}`")
        });
    }
    match text {
        "lossless" => Ok(Verdict::Lossless),
        "accepted" => Ok(Verdict::Accepted),
        _ => Err(format!(
            "unknown verdict `{text}`; verdicts are `lossless`, `accepted`, `loses precision of` and `loses range of` a dtype, and \
             `refused:` with a reason"
        )),
    }
}

/// The reasons for which the rule sets of the library refuse promotions.
fn reasons() -> &'static BTreeSet<&'static str> {
    static REASONS: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    REASONS.get_or_init(|| {
        let operands: Vec<_> = DType::ALL
            .iter()
            .flat_map(|dtype| {
                [
                    OperandType::dimensioned,
                    OperandType::zero_dim,
                    OperandType::weak,
                ]
                .map(|of| of(*dtype))
            })
            .collect();
        let promotions = RuleSet::builtin().iter().flat_map(|rules| {
            let lefts = operands.iter();
            lefts.flat_map(|lhs| operands.iter().map(|rhs| rules.promote(*lhs, *rhs)))
        });
        promotions
            .filter_map(|promotion| match promotion.ok()?.verdict {
                Verdict::Refused(reason) => Some(reason),
                _ => None,
            })
            .collect()
    })
}

/// The suffix to the name of a rule set that allows unsafe promotions.
const ALLOWING_UNSAFE: &str = " allowing unsafe";

fn rules_text(rules: &RuleSet) -> Result<String, String> {
    let safe = RuleSet {
        allows_unsafe: false,
        ..*rules
    };
    let known = RuleSet::builtin();
    if !known.iter().any(|builtin| **builtin == safe) {
        return Err(format!(
            "the rule set `{}` is not one of the library, so its name would not be found again",
            rules.name()
        ));
    }
    let admits = if rules.allows_unsafe() {
        ALLOWING_UNSAFE
    } else {
        ""
    };
    Ok(format!("{}{admits}", rules.name()))
}

fn rules(text: &str) -> Result<&'static RuleSet, String> {
    let (name, allows_unsafe) = match text.strip_suffix(ALLOWING_UNSAFE) {
        Some(name) => (name, true),
        None => (text, false),
    };
    let known = RuleSet::builtin().iter().map(|rules| rules.name());
    let found = RuleSet::named(name).map_err(|error| unknown("rules", name, known, &error))?;
    Ok(match allows_unsafe {
        true => found.allowing_unsafe().interned(),
        false => found,
    })
}

const PROMOTION: &[&str] = &["dtype", "weak", "verdict"];

/// Writes the three fields, with dtype and verdict by name.
impl Serialize for Promotion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Promotion", PROMOTION.len())?;
        fields.serialize_field(PROMOTION[0], &self.dtype)?;
        fields.serialize_field(PROMOTION[1], &self.weak)?;
        fields.serialize_field(PROMOTION[2], &self.verdict)?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Promotion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Promotion", PROMOTION, PromotionVisitor)
    }
}

struct PromotionVisitor;

impl<'de> Visitor<'de> for PromotionVisitor {
    type Value = Promotion;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a promotion: `dtype`, `weak` and `verdict`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Promotion, A::Error> {
        let missing = |position| de::Error::invalid_length(position, &self);
        Ok(Promotion {
            dtype: fields.next_element()?.ok_or_else(|| missing(0))?,
            weak: fields.next_element()?.ok_or_else(|| missing(1))?,
            verdict: fields.next_element()?.ok_or_else(|| missing(2))?,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Promotion, A::Error> {
        let (mut dtype, mut weak, mut verdict) = (None, None, None);
        while let Some(field) = map.next_key::<String>()? {
            match field.as_str() {
                "dtype" => dtype = Some(map.next_value()?),
                "weak" => weak = Some(map.next_value()?),
                "verdict" => verdict = Some(map.next_value()?),
                other => return Err(de::Error::unknown_field(other, PROMOTION)),
            }
        }
        let missing = de::Error::missing_field;
        Ok(Promotion {
            dtype: dtype.ok_or_else(|| missing(PROMOTION[0]))?,
            weak: weak.ok_or_else(|| missing(PROMOTION[1]))?,
            verdict: verdict.ok_or_else(|| missing(PROMOTION[2]))?,
        })
    }
}
