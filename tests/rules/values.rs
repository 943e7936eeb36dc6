//! Values at the bounds of each pair of dtypes: what the operations give under each rule set, beside what its system
//! computes. (`conformance.rs` compares dtypes.)
//!
//! `tests/data/values/observe.py` ran the systems, and says how to read the files.

use core::fmt;
use std::collections::BTreeMap;
use std::path::Path;

use supremum::prelude::*;
use supremum::{Kind, RuleSet, Scalar};

/// A system, the file of its answers, and where the library means to differ.
struct System {
    file: &'static str,
    rules: fn() -> &'static RuleSet,
    /// The number of elements that are equal, bit by bit, and the number of their rows.
    equal: [usize; 2],
    deviations: Vec<Deviation>,
}

/// Elements that differ, and how many there are. The reasons are inferred from the values; the systems' sources were not read.
struct Deviation {
    reason: &'static str,
    explains: fn(&Case<'_>) -> bool,
    elements: usize,
}

/// An element in which the library and the system differ, or a whole row.
struct Case<'a> {
    operation: &'a str,
    operands: [DType; 2],
    /// The operands' elements; none of a row whose dtypes differ or which one of the two refuses.
    values: Option<[Scalar; 2]>,
    /// The system's answer: an element's digits, or the dtype of a row, or `error`.
    expected: &'a str,
    /// The library's answer.
    found: &'a str,
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lhs, rhs] = self.operands;
        write!(f, "{}({lhs}, {rhs})", self.operation)?;
        if let Some([lhs, rhs]) = self.values {
            write!(f, " of {lhs} and {rhs}")?;
        }
        write!(
            f,
            ": the system gives {}, the library {}",
            self.expected, self.found
        )
    }
}

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/values");
    std::fs::read_to_string(folder.join(name)).expect("a file of values")
}

/// Returns the number of digits of an element.
fn width(dtype: DType) -> usize {
    if dtype == DType::Bool {
        1
    } else {
        2 * dtype.size()
    }
}

/// The bytes in memory of elements whose parts are written as numbers.
fn bytes(dtype: DType, digits: &str) -> Vec<u8> {
    if dtype == DType::Bool {
        return digits.bytes().map(|digit| digit - b'0').collect();
    }
    let part = part_size(dtype);
    let parts = digits.as_bytes().chunks(2 * part);
    let parts = parts.map(|digits| std::str::from_utf8(digits).expect("digits"));
    parts
        .flat_map(|digits| {
            let number = if digits.starts_with('x') {
                nan(dtype)
            } else {
                u64::from_str_radix(digits, 16).expect("digits")
            };
            number.to_ne_bytes()[..part].to_vec()
        })
        .collect()
}

/// Bytes of a real number, of which a complex one has two.
fn part_size(dtype: DType) -> usize {
    match dtype.kind() {
        Kind::Complex => dtype.size() / 2,
        _ => dtype.size(),
    }
}

/// The bits of a NaN.
fn nan(dtype: DType) -> u64 {
    match dtype {
        DType::F8E4M3FN => 0x7f,
        DType::F8E5M2 => 0x7e,
        DType::F8E4M3FNUZ | DType::F8E5M2FNUZ | DType::F8E4M3B11FNUZ => 0x80,
        DType::BF16 => 0x7fc0,
        DType::F16 => 0x7e00,
        DType::F32 | DType::C64 => 0x7fc0_0000,
        _ => 0x7ff8_0000_0000_0000,
    }
}

/// Each element as the files write it.
fn written(tensor: &DynTensor) -> Vec<String> {
    let dtype = tensor.dtype();
    let digits = |bits: u64, is_nan: bool, size: usize| match is_nan {
        true => "x".repeat(2 * size),
        false => format!("{bits:0width$x}", width = 2 * size),
    };
    macro_rules! elements {
        ($($tag:ident |$element:ident| $write:expr;)*) => {
            match dtype {
                $(DType::$tag => tensor.iter::<supremum::$tag>().expect("the dtype is known").map(|$element| $write).collect(),)*
            }
        };
    }
    elements! {
        Bool |x| u8::from(x).to_string();
        U8 |x| digits(x.into(), false, 1);
        U16 |x| digits(x.into(), false, 2);
        U32 |x| digits(x.into(), false, 4);
        U64 |x| digits(x, false, 8);
        I8 |x| digits(x.cast_unsigned().into(), false, 1);
        I16 |x| digits(x.cast_unsigned().into(), false, 2);
        I32 |x| digits(x.cast_unsigned().into(), false, 4);
        I64 |x| digits(x.cast_unsigned(), false, 8);
        F8E4M3FN |x| digits(x.to_bits().into(), x.to_f32().is_nan(), 1);
        F8E5M2 |x| digits(x.to_bits().into(), x.to_f32().is_nan(), 1);
        F8E4M3FNUZ |x| digits(x.to_bits().into(), x.is_nan(), 1);
        F8E5M2FNUZ |x| digits(x.to_bits().into(), x.is_nan(), 1);
        F8E4M3B11FNUZ |x| digits(x.to_bits().into(), x.is_nan(), 1);
        BF16 |x| digits(x.to_bits().into(), x.is_nan(), 2);
        F16 |x| digits(x.to_bits().into(), x.is_nan(), 2);
        F32 |x| digits(x.to_bits().into(), x.is_nan(), 4);
        F64 |x| digits(x.to_bits(), x.is_nan(), 8);
        C64 |x| [x.re, x.im].map(|part| digits(part.to_bits().into(), part.is_nan(), 4)).concat();
        C128 |x| [x.re, x.im].map(|part| digits(part.to_bits(), part.is_nan(), 8)).concat();
    }
}

/// The elements of each dtype.
fn listed() -> BTreeMap<String, (DType, Vec<u8>)> {
    let text = text("elements.csv");
    let rows = text.lines().skip(1);
    rows.map(|row| {
        let (name, digits) = row.split_once(',').expect("two cells");
        let dtype: DType = name.parse().expect("a dtype");
        (name.to_owned(), (dtype, bytes(dtype, digits)))
    })
    .collect()
}

/// The tensor of the elements at every second position from `first` on.
fn operand(
    (dtype, bytes): &(DType, Vec<u8>),
    pairs: &str,
    first: usize,
    rules: &'static RuleSet,
) -> DynTensor {
    let positions = pairs.bytes().skip(first).step_by(2);
    let chosen: Vec<u8> = positions
        .flat_map(|letter| {
            let at = usize::from(letter - b'a') * dtype.size();
            bytes[at..at + dtype.size()].to_vec()
        })
        .collect();
    let len = chosen.len() / dtype.size();
    let tensor = DynTensor::from_bytes(*dtype, [len], &chosen).expect("elements");
    tensor.with_rules(rules)
}

fn run(operation: &str, lhs: &DynTensor, rhs: &DynTensor) -> Result<DynTensor, Error> {
    match operation {
        "add" => lhs.try_add(rhs),
        "subtract" => lhs.try_sub(rhs),
        "multiply" => lhs.try_mul(rhs),
        "divide" => lhs.try_div(rhs),
        "floor_divide" => lhs.try_floor_div(rhs),
        "remainder" => lhs.try_rem(rhs),
        "power" => lhs.try_pow(rhs),
        "minimum" => lhs.try_minimum(rhs),
        "maximum" => lhs.try_maximum(rhs),
        "bitwise_and" => lhs.try_bitand(rhs),
        "bitwise_or" => lhs.try_bitor(rhs),
        "bitwise_xor" => lhs.try_bitxor(rhs),
        "left_shift" => lhs.try_shl(rhs),
        "right_shift" => lhs.try_shr(rhs),
        "equal" => lhs.try_equal(rhs),
        "not_equal" => lhs.try_not_equal(rhs),
        "less" => lhs.try_lt(rhs),
        "less_equal" => lhs.try_le(rhs),
        "greater" => lhs.try_gt(rhs),
        "greater_equal" => lhs.try_ge(rhs),
        other => panic!("no operation {other}"),
    }
}

/// Compares every element of a file.
fn compare(system: &System) {
    let (listed, rules) = (listed(), (system.rules)());
    let text = text(system.file);
    let mut equal = [0; 2];
    let mut explained: BTreeMap<&str, usize> = BTreeMap::new();
    let mut mismatches = Vec::new();
    let mut differs = |case: &Case<'_>| {
        let mut deviations = system.deviations.iter();
        match deviations.find(|deviation| (deviation.explains)(case)) {
            Some(deviation) => *explained.entry(deviation.reason).or_default() += 1,
            None => mismatches.push(case.to_string()),
        }
    };
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [operation, lhs, rhs, pairs, out, results] = cells[..] else {
            panic!("six cells: {row}")
        };
        let tensors =
            [(lhs, 0), (rhs, 1)].map(|(name, first)| operand(&listed[name], pairs, first, rules));
        let operands = tensors.each_ref().map(DynTensor::dtype);
        let found = run(operation, &tensors[0], &tensors[1]).ok();
        let found_dtype = found.as_ref().map(|found| found.dtype().to_string());
        let found_dtype = found_dtype.as_deref().unwrap_or("error");
        if found_dtype != out {
            differs(&Case {
                operation,
                operands,
                values: None,
                expected: out,
                found: found_dtype,
            });
            continue;
        }
        let Some(found) = found else { continue };
        let expected = results.as_bytes().chunks(width(found.dtype()));
        let expected = expected.map(|digits| std::str::from_utf8(digits).expect("digits"));
        let mut whole_row = 1;
        for (at, (expected, found)) in expected.zip(written(&found)).enumerate() {
            if expected == found {
                equal[0] += 1;
                continue;
            }
            whole_row = 0;
            let values = tensors.each_ref().map(|tensor| tensor.get(&[at]));
            let [Some(lhs), Some(rhs)] = values else {
                panic!("{row}: more results than pairs")
            };
            differs(&Case {
                operation,
                operands,
                values: Some([lhs, rhs]),
                expected,
                found: &found,
            });
        }
        equal[1] += whole_row;
    }
    println!(
        "{}: {} elements equal, {} whole rows",
        system.file, equal[0], equal[1]
    );
    for (reason, count) in &explained {
        println!("  {count}: {reason}");
    }
    let [count, shown] = [mismatches.len(), mismatches.len().min(60)];
    assert_eq!(
        count,
        0,
        "{}:\n{}",
        system.file,
        mismatches[..shown].join("\n")
    );
    let counted = system.deviations.iter();
    let counted = counted.map(|deviation| (deviation.reason, deviation.elements));
    assert_eq!(explained, counted.collect(), "{}", system.file);
    assert_eq!(
        equal, system.equal,
        "{}: elements and rows that are equal",
        system.file
    );
}

/// Digits of zero, of either sign.
fn is_zero(digits: &str) -> bool {
    digits
        .trim_start_matches('8')
        .bytes()
        .all(|digit| digit == b'0')
}

// IEEE 754 leaves open which of two zeros is the lesser. A remainder of zero has the divisor's sign here and in NumPy, the
// dividend's in the other systems.
fn zeros(elements: usize) -> Deviation {
    Deviation {
        reason: "the sign of the lesser or greater of two zeros, or of a remainder of zero",
        explains: |case| {
            matches!(case.operation, "minimum" | "maximum" | "remainder")
                && is_zero(case.expected)
                && is_zero(case.found)
        },
        elements,
    }
}

/// A product or quotient too small for a normal number became zero; of complex numbers, one part.
fn is_flushed(case: &Case<'_>) -> bool {
    let part = case.expected.len() - case.expected.len() / 2;
    matches!(case.operation, "multiply" | "divide")
        && (is_zero(case.expected) || is_zero(&case.expected[part..]))
}

#[test]
fn numpy() {
    compare(&System {
        file: "numpy.csv",
        rules: <AllowUnsafe<Numpy>>::rule_set,
        equal: [201_512, 3_843],
        deviations: vec![zeros(72)],
    });
}

#[test]
fn torch() {
    compare(&System {
        file: "torch.csv",
        rules: <AllowUnsafe<Torch>>::rule_set,
        equal: [114_334, 2_029],
        deviations: vec![
            zeros(354),
            Deviation {
                reason: "PyTorch subtracts a rounded multiple for a remainder, which overflows or is off",
                explains: |case| case.operation == "remainder" && case.values.is_some(),
                elements: 54,
            },
            Deviation {
                reason: "PyTorch multiplies a real operand by the complex number 1 before it adds to a complex one: inf + 0i becomes inf + NaN i",
                explains: |case| {
                    matches!(case.operation, "add" | "subtract") && case.expected.contains('x')
                },
                elements: 96,
            },
            Deviation {
                reason: "PyTorch's products of f8e4m3fn saturate, where its casts give NaN",
                explains: |case| {
                    case.operation == "multiply" && case.operands == [DType::F8E4M3FN; 2]
                },
                elements: 6,
            },
            Deviation {
                reason: "PyTorch divides an integer by bf16 in bf16 before it takes the floor",
                explains: |case| {
                    case.operation == "floor_divide" && case.operands[1] == DType::BF16
                },
                elements: 3,
            },
        ],
    });
}

#[test]
fn tensorflow() {
    compare(&System {
        file: "tensorflow.csv",
        rules: <AllowUnsafe<TensorFlow>>::rule_set,
        equal: [70_811, 1_616],
        deviations: vec![
            zeros(400),
            Deviation {
                reason: "TensorFlow's `==` promotes and its `!=` does not",
                explains: |case| case.operation == "not_equal" && case.expected == "error",
                elements: 210,
            },
            Deviation {
                reason: "TensorFlow takes the logical and of a boolean and an 8-bit float, which have no common dtype in its table",
                explains: |case| {
                    case.operation == "multiply" && case.values.is_none() && case.found == "error"
                },
                elements: 4,
            },
            Deviation {
                reason: "TensorFlow's cast to a boolean looks at the low bits: 2^63 and 2^-14 are false",
                explains: |case| {
                    case.operation == "multiply" && [case.expected, case.found] == ["0", "1"]
                },
                elements: 13,
            },
            Deviation {
                reason: "TensorFlow's arithmetic flushes subnormal numbers to zero",
                explains: is_flushed,
                elements: 94,
            },
            Deviation {
                reason: "TensorFlow takes the floor of the rounded quotient: -1.5 // 1e38 is -0.0",
                explains: |case| case.operation == "floor_divide" && case.values.is_some(),
                elements: 232,
            },
        ],
    });
}

#[test]
fn jax() {
    compare(&System {
        file: "jax.csv",
        rules: <AllowUnsafe<Jax>>::rule_set,
        equal: [182_041, 3_325],
        deviations: vec![
            zeros(477),
            Deviation {
                reason: "the sign of a floor quotient of zero, which JAX makes of a remainder and a quotient",
                explains: |case| {
                    case.operation == "floor_divide"
                        && is_zero(case.expected)
                        && is_zero(case.found)
                },
                elements: 220,
            },
            Deviation {
                reason: "JAX makes a floor quotient of several operations, each of which rounds and can overflow",
                explains: |case| case.operation == "floor_divide" && case.values.is_some(),
                elements: 8,
            },
            Deviation {
                reason: "XLA makes a choice of a product with a boolean: false * NaN is 0",
                explains: |case| {
                    case.operation == "multiply" && case.operands.contains(&DType::Bool)
                },
                elements: 34,
            },
            Deviation {
                reason: "XLA flushes subnormal numbers to zero",
                explains: is_flushed,
                elements: 94,
            },
        ],
    });
}
