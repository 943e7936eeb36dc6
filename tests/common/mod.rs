//! Shared by the tests of rule sets: reading the published answers, and counting.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::collections::BTreeMap;
use std::path::Path;

use supremum::{Class, DType, OperandType, RuleSet};

/// A file of `tests/data/oracles`.
pub struct Oracle {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// One row of an [`Oracle`].
#[derive(Clone, Copy)]
pub struct Row<'a> {
    header: &'a [String],
    cells: &'a [String],
}

impl Oracle {
    /// Reads a file; no column that is used here quotes commas.
    pub fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data/oracles")
            .join(name);
        let text = std::fs::read_to_string(path).expect("an oracle");
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines();
        let header = split(lines.next().expect("a header"));
        Self {
            header,
            rows: lines.map(split).collect(),
        }
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row {
            header: &self.header,
            cells,
        })
    }
}

impl<'a> Row<'a> {
    pub fn has(&self, column: &str) -> bool {
        self.header.iter().any(|name| name == column)
    }

    /// The cell in the column of that name.
    pub fn get(&self, column: &str) -> &'a str {
        let position = self.header.iter().position(|name| name == column);
        &self.cells[position.expect("a column")]
    }
}

/// An operand by its name in the files, or why it has none here.
///
/// A literal is as wide as the rules make a weak operand, so with 64-bit dtypes off 32 bits.
pub fn operand(name: &str, x64: bool) -> Result<OperandType, &'static str> {
    use DType::*;
    Ok(match name {
        "pybool" | "True" => OperandType::dimensioned(Bool),
        "int" | "2" => OperandType::weak(if x64 { I64 } else { I32 }),
        "float" | "2.0" => OperandType::weak(if x64 { F64 } else { F32 }),
        "complex" | "2j" => OperandType::weak(if x64 { C128 } else { C64 }),
        array => {
            let dtype = array.trim_end_matches('*');
            let dtype = dtype.parse().map_err(|_| match dtype.as_bytes() {
                [b'u' | b'i', ..] => "integers of 1, 2 or 4 bits",
                _ => "other small floats",
            })?;
            if array.ends_with('*') {
                OperandType::weak(dtype)
            } else {
                OperandType::dimensioned(dtype)
            }
        }
    })
}

/// An operand type as Rust code.
pub fn type_name(operand: OperandType) -> String {
    let marker = operand.dtype.marker_name();
    match operand.class {
        Class::Weak => format!("Weak<{marker}>"),
        _ => marker.to_owned(),
    }
}

/// Every operand of a table: the dtypes, then the weak ones.
pub fn all_operands() -> impl Iterator<Item = OperandType> + Clone {
    let strong = DType::ALL
        .iter()
        .map(|dtype| OperandType::dimensioned(*dtype));
    strong.chain(DType::ALL.iter().map(|dtype| OperandType::weak(*dtype)))
}

/// Rows counted by what became of them.
#[derive(Default)]
pub struct Tally {
    pub checked: usize,
    pub outside: BTreeMap<&'static str, usize>,
    pub mismatches: Vec<String>,
}

impl Tally {
    /// A row that lies outside what is checked.
    pub fn leave_out(&mut self, reason: &'static str) {
        *self.outside.entry(reason).or_default() += 1;
    }

    /// A row with an answer.
    pub fn check<T: PartialEq + std::fmt::Debug>(&mut self, what: String, found: T, expected: T) {
        self.checked += 1;
        if found != expected {
            self.mismatches
                .push(format!("{what}: expected {expected:?}, found {found:?}"));
        }
    }

    /// Prints the counts; fails on any mismatch, and if the number of rows is not the known one.
    pub fn finish(self, title: &str, expected_rows: usize) {
        let Self {
            checked,
            outside,
            mismatches,
        } = self;
        println!(
            "{title}: {checked} checked, {} mismatches, outside: {outside:?}",
            mismatches.len()
        );
        assert!(
            mismatches.is_empty(),
            "{title}: {} mismatches\n{}",
            mismatches.len(),
            mismatches.join("\n")
        );
        assert_eq!(checked, expected_rows, "{title}: rows checked");
    }
}

/// What `rules` make of two operands, as `i64*`, or `error`.
pub fn promoted(rules: &RuleSet, lhs: OperandType, rhs: OperandType) -> String {
    match rules.promote(lhs, rhs) {
        Ok(promotion) => promotion.operand().to_string(),
        Err(_) => "error".to_owned(),
    }
}
