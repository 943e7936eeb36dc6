//! Errors of functions of `f64` where their code makes the largest, beside values that `tests/data/accuracy/observe_hard.py` wrote.

use supremum::prelude::*;

use super::{Table, functions, numbers};

/// The largest errors of functions of two operands in `f64`, which `docs/accuracy.md` states. The results of `log_add_exp` have units no smaller
/// than the greater operand's.
const OF_TWO: &[(&str, f64)] = &[
    ("pow", 0.75),
    ("atan2", 0.6),
    ("hypot", 0.51),
    ("log_add_exp", 1.0),
];

/// One argument or two, the nearest float to the value, and the rest in units in the last place.
struct Row {
    arguments: Vec<f64>,
    value: f64,
    rest: f64,
}

fn rows(name: &str) -> Vec<Row> {
    let text = include_str!("../data/accuracy/f64_hard.csv");
    let of_function = text
        .lines()
        .filter_map(|line| line.strip_prefix(name)?.strip_prefix(','));
    of_function
        .map(|line| {
            let bits = |bits| f64::from_bits(u64::from_str_radix(bits, 16).expect("bits"));
            let mut arguments: Vec<f64> = line.split(',').map(bits).collect();
            let rest = arguments.pop().expect("a rest");
            let value = arguments.pop().expect("a value");
            Row {
                arguments,
                value,
                rest,
            }
        })
        .collect()
}

/// The error in units in the last place.
fn error(found: f64, row: &Row) -> f64 {
    if found == row.value {
        return row.rest.abs(); // of infinities too
    }
    let power = row.value.abs().max(f64::MIN_POSITIVE).to_bits() & (0x7ff << 52);
    let unit = f64::from_bits(power) * f64::EPSILON;
    ((found - row.value) / unit - row.rest).abs()
}

#[test]
fn errors_at_hard_arguments_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let page = Table::of("Functions of one operand").bounds;
    let of_one = functions().filter_map(|function| {
        let rows = rows(function.name);
        let bound = *page.get(function.name)?.get(4)?;
        (!rows.is_empty()).then_some((function.name, bound, rows))
    });
    let of_two = OF_TWO
        .iter()
        .map(|(name, bound)| (*name, *bound, rows(name)));
    let mut tried = 0;
    for (name, bound, rows) in of_one.chain(of_two) {
        let column = |at: usize| {
            let numbers = rows.iter().map(|row| row.arguments[at]).collect();
            Tensor::<F64, Rank1>::from_vec(numbers, [rows.len()]).map(Tensor::into_dyn)
        };
        let x = column(0)?;
        let found = match name {
            "pow" => x.try_pow(&column(1)?)?,
            "atan2" => x.try_atan2(&column(1)?)?,
            "hypot" => x.try_hypot(&column(1)?)?,
            "log_add_exp" => x.try_log_add_exp(&column(1)?)?,
            _ => {
                let function = functions().find(|function| function.name == name);
                (function.expect("its row").call)(&x)?
            }
        };
        for (row, found) in rows.iter().zip(numbers(&found)?) {
            let error = error(found, row);
            assert!(
                error <= bound,
                "{name}({:?}) is {found:e}, off by {error} units; the page says {bound}",
                row.arguments
            );
        }
        tried += rows.len();
    }
    assert_eq!(tried, 2533, "rows of tests/data/accuracy/f64_hard.csv");
    Ok(())
}
