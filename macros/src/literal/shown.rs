//! Floats as messages print them.

/// A float as messages print it: integers around a point and an `e`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shown {
    /// `1.5`
    Decimal { whole: i128, fraction: i128 },
    /// `1e39`
    Scientific { mantissa: i128, exponent: i128 },
    /// `3.5e38`
    DecimalScientific {
        whole: i128,
        fraction: i128,
        exponent: i128,
    },
}

impl Shown {
    /// Returns the name of the literal's type, and its numbers.
    pub(super) fn parts(&self) -> (&'static str, Vec<i128>) {
        match *self {
            Self::Decimal { whole, fraction } => ("DecimalLiteral", vec![whole, fraction]),
            Self::Scientific { mantissa, exponent } => {
                ("ScientificLiteral", vec![mantissa, exponent])
            }
            Self::DecimalScientific {
                whole,
                fraction,
                exponent,
            } => ("FloatLiteral", vec![whole, fraction, exponent]),
        }
    }

    /// Negates the number; `None` for an integer zero, which has no sign.
    pub(super) fn negated(&self) -> Option<Self> {
        let mut negated = self.clone();
        let first = match &mut negated {
            Self::Decimal { whole, .. } | Self::DecimalScientific { whole, .. } => whole,
            Self::Scientific { mantissa, .. } => mantissa,
        };
        *first = -*first;
        (*first != 0).then_some(negated)
    }
}

/// Splits a non-negative float as it is written, if integers around a point and an `e` can print it: not if the
/// fraction has leading zeros, or more digits than an `i128`.
pub(super) fn shown(text: &str) -> Option<Shown> {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (text, None),
    };
    let exponent = exponent.map(|exponent| exponent.parse::<i16>().ok());
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    let whole: i128 = whole.parse().ok()?;
    let fraction = match fraction {
        Some("" | "0") => Some(0),
        Some(digits) if digits.starts_with('0') => return None,
        Some(digits) => Some(digits.parse().ok()?),
        None => None,
    };
    Some(match (fraction, exponent) {
        (fraction, None) => Shown::Decimal {
            whole,
            fraction: fraction.unwrap_or(0),
        },
        (None, Some(exponent)) => Shown::Scientific {
            mantissa: whole,
            exponent: exponent?.into(),
        },
        (Some(fraction), Some(exponent)) => Shown::DecimalScientific {
            whole,
            fraction,
            exponent: exponent?.into(),
        },
    })
}

/// Splits a value in its shortest decimal form, like [`shown`] if possible.
pub(super) fn shown_value(value: f64) -> Shown {
    let negative = value.is_sign_negative();
    let magnitude = format!("{:?}", value.abs());
    let written = shown(&magnitude)
        .map(|shown| {
            if negative {
                shown.negated()
            } else {
                Some(shown)
            }
        })
        .unwrap_or_default();
    written.unwrap_or_else(|| {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').expect("an exponent");
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let number = |text: &str| text.parse::<i128>().expect("at most 17 digits");
        let places = i128::try_from(fraction.len()).expect("at most 16 digits");
        Shown::Scientific {
            mantissa: number(&format!("{whole}{fraction}")),
            exponent: number(exponent) - places,
        }
    })
}
