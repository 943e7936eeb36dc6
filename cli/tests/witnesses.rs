//! Every cell that loses values has a witness, and that value is lost: checked with an exact reference that shares no code
//! with the library.

mod support;

#[path = "../../tests/exact/mod.rs"]
#[allow(unused_imports, unused_macros, reason = "shared with other tests")]
mod exact;

use exact::{
    BFLOAT16, BINARY16, BINARY32, BINARY64, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Exact,
    Kind, Number,
};
use support::document;
use supremum::{DType, Loss};

/// The format of a dtype, from its name.
fn kind(name: &str) -> Kind {
    match name {
        "bool" => Kind::Bool,
        "f8e4m3fn" => Kind::Float(E4M3FN),
        "f8e5m2" => Kind::Float(E5M2),
        "f8e4m3fnuz" => Kind::Float(E4M3FNUZ),
        "f8e5m2fnuz" => Kind::Float(E5M2FNUZ),
        "f8e4m3b11fnuz" => Kind::Float(E4M3B11FNUZ),
        "bf16" => Kind::Float(BFLOAT16),
        "f16" => Kind::Float(BINARY16),
        "f32" => Kind::Float(BINARY32),
        "f64" => Kind::Float(BINARY64),
        "c64" => Kind::Complex(BINARY32),
        "c128" => Kind::Complex(BINARY64),
        _ => {
            let bits = name[1..].parse().expect("bits");
            if name.starts_with('u') {
                Kind::Unsigned(bits)
            } else {
                Kind::Signed(bits)
            }
        }
    }
}

/// A witness in parts: real and imaginary.
fn parse(text: &str) -> [Number; 2] {
    let Some(complex) = text.strip_suffix('j') else {
        return [part(text), part("0")];
    };
    let sign = complex
        .rfind(['+', '-'])
        .filter(|sign| !complex[..*sign].ends_with('e'));
    let sign = sign.expect("an imaginary part");
    [
        part(&complex[..sign]),
        part(complex[sign..].trim_start_matches('+')),
    ]
}

fn part(text: &str) -> Number {
    let negative = text.starts_with('-');
    let magnitude = text.trim_start_matches('-');
    match magnitude {
        "inf" => Number::Infinite { negative },
        "NaN" => Number::NaN { negative },
        _ => Number::Finite(match magnitude.parse() {
            Ok(significand) => Exact {
                negative,
                significand,
                exponent: 0,
            },
            Err(_) => {
                let value: f64 = magnitude.parse().expect("a number");
                let Number::Finite(exact) = BINARY64.decode(value.to_bits()) else {
                    panic!("{text} is finite");
                };
                Exact { negative, ..exact }
            }
        }),
    }
}

/// Returns whether a dtype has this value, exactly and with its sign.
fn has(kind: Kind, value: [Number; 2]) -> bool {
    let [re, im] = value;
    let is_zero = |number| matches!(number, Number::Finite(exact) if exact.significand == 0);
    match kind {
        Kind::Complex(format) => {
            has_real(Kind::Float(format), re) && has_real(Kind::Float(format), im)
        }
        _ => is_zero(im) && has_real(kind, re),
    }
}

fn has_real(kind: Kind, number: Number) -> bool {
    let Number::Finite(value) = number else {
        panic!("a witness is finite");
    };
    match kind {
        Kind::Float(format) | Kind::Complex(format) => {
            if value.significand == 0 {
                return !value.negative || format.negative_zero();
            }
            let Some(bits) = format.round(value) else {
                return false;
            };
            let magnitude = Exact {
                negative: false,
                ..value
            };
            matches!(format.decode(bits), Number::Finite(rounded) if rounded.same_number(magnitude))
        }
        integer => {
            let (least, largest) = integer.limits().expect("an integer's limits");
            let truncated = value.truncated();
            let negative = truncated < 0;
            let significand = u64::try_from(truncated.unsigned_abs());
            let whole = significand.is_ok_and(|significand| {
                value.same_number(Exact {
                    negative,
                    significand,
                    exponent: 0,
                })
            });
            whole && (least..=largest).contains(&truncated)
        }
    }
}

#[test]
fn every_lossy_conversion_has_a_witness_that_is_lost() {
    let document = document("table --format json");
    let mut count = 0;
    for from in DType::ALL {
        for to in DType::ALL {
            let found = document["losses"]
                .get(from.name())
                .and_then(|losses| losses.get(to.name()));
            let expected = match from.loss_to(*to) {
                Loss::None => None,
                Loss::Precision => Some("precision"),
                Loss::Range => Some("range"),
            };
            let loss = found.map(|entry| entry["loss"].as_str().expect("a loss"));
            assert_eq!(loss, expected, "{from} to {to}");
            let Some(entry) = found else {
                continue;
            };
            let [value, becomes] =
                ["value", "becomes"].map(|key| entry[key].as_str().expect("text"));
            let shown = format!("{from} {value} becomes {to} {becomes}");
            assert!(
                has(kind(from.name()), parse(value)),
                "{shown}: no value of {from}"
            );
            assert!(
                !has(kind(to.name()), parse(value)),
                "{shown}: nothing is lost"
            );
            assert!(
                is_conversion(
                    kind(from.name()),
                    kind(to.name()),
                    parse(value),
                    parse(becomes)
                ),
                "{shown}"
            );
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

/// Returns whether a value becomes another one: floats round to nearest even or overflow, integers wrap, and floats saturate in
/// integers.
fn is_conversion(from: Kind, to: Kind, [re, im]: [Number; 2], becomes: [Number; 2]) -> bool {
    let Number::Finite(value) = re else {
        return false;
    };
    match to {
        Kind::Float(format) | Kind::Complex(format) => {
            let rounded = match format.round(value) {
                Some(bits) => match (format.decode(bits), becomes[0]) {
                    (Number::Finite(expected), Number::Finite(found)) => {
                        let negative = value.negative;
                        Exact {
                            negative,
                            ..expected
                        }
                        .same_number(found)
                    }
                    _ => false,
                },
                None if format.infinities() => {
                    matches!(becomes[0], Number::Infinite { negative } if negative == value.negative)
                }
                None => matches!(becomes[0], Number::NaN { .. }),
            };
            let is_complex = matches!(to, Kind::Complex(_));
            rounded
                && (!is_complex
                    || matches!((im, becomes[1]), (Number::Finite(one), Number::Finite(other)) if one.same_number(other)))
        }
        Kind::Bool => {
            let zero = |number| matches!(number, Number::Finite(exact) if exact.significand == 0);
            let expected = u64::from(!(zero(re) && zero(im)));
            matches!(becomes[0], Number::Finite(found) if found.significand == expected)
        }
        integer => {
            let (least, largest) = integer.limits().expect("an integer's limits");
            let truncated = value.truncated();
            let expected = match from {
                Kind::Float(_) | Kind::Complex(_) => truncated.clamp(least, largest),
                _ => least + (truncated - least).rem_euclid(largest - least + 1),
            };
            matches!(becomes[0], Number::Finite(found) if found.truncated() == expected)
        }
    }
}

#[test]
fn every_lossy_cell_of_every_system_has_a_witness() {
    let document = document("table --format json");
    let cells = document["cells"].as_array().expect("cells");
    let lossy = cells
        .iter()
        .filter_map(|cell| Some((cell.get("loses")?.as_str()?, cell)));
    let mut count = 0;
    for (loses, cell) in lossy {
        let to = cell["to"].as_str().expect("a name").trim_end_matches('*');
        let entry = &document["losses"][loses][to];
        let expected = cell["verdict"]
            .as_str()
            .and_then(|verdict| verdict.strip_prefix("loses-"));
        assert_eq!(entry["loss"].as_str(), expected, "{cell}");
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn the_known_witnesses_are_found() {
    let losses = document("table jax --format json")["losses"].take();
    for (from, to, value, becomes) in [
        ("i64", "f32", "16777217", "16777216"),
        ("u64", "f64", "9007199254740993", "9007199254740992"),
        ("u16", "f16", "65520", "inf"),
        ("i8", "u8", "-1", "255"),
        ("f64", "f32", "3.4028235677973366e38", "inf"),
        ("f8e5m2", "f8e5m2fnuz", "-0.0", "0"),
        ("i32", "f8e4m3fn", "465", "NaN"),
    ] {
        let entry = &losses[from][to];
        assert_eq!(
            (entry["value"].as_str(), entry["becomes"].as_str()),
            (Some(value), Some(becomes))
        );
    }
}
