//! Shared by the tests of rule sets: reading the published answers, and comparing pages.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::path::Path;

use supremum::{Class, DType, Kind, OperandType, Operation, RuleSet};

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
    /// Reads a file.
    pub fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data/oracles")
            .join(name);
        let text = std::fs::read_to_string(path).expect("an oracle");
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

/// The cells of a line; within quotes a comma separates nothing.
fn split(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().expect("a cell").push(character),
        }
    }
    cells
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

/// An operand of a row, and whether it is a literal; or why the library has no such operand.
///
/// Weak are literals, names with a star, and what a second column calls ambiguous. A second
/// column with the rank tells zero-dim operands.
pub fn operand_in(
    row: Row<'_>,
    column: &str,
    rules: &RuleSet,
) -> Result<(OperandType, bool), &'static str> {
    let name = row.get(column);
    if let Some(kind) = literal_kind(name) {
        return Ok((rules.literal(kind), true));
    }
    let marked = |mark: &str| {
        let column = format!("{column}_{mark}");
        if row.has(&column) {
            row.get(&column)
        } else {
            ""
        }
    };
    let dtype = name.trim_end_matches('*');
    let dtype = dtype.parse().map_err(|_| outside(dtype))?;
    let operand = if name.ends_with('*') || marked("ambiguous") == "1" || column == "ambiguous" {
        OperandType::weak(dtype)
    } else if marked("rank") == "0" {
        OperandType::zero_dim(dtype)
    } else {
        OperandType::dimensioned(dtype)
    };
    Ok((operand, false))
}

/// The kind of a literal: `pybool`, `int` and so on, or a number in Python.
pub fn literal_kind(name: &str) -> Option<Kind> {
    let number = name.trim_start_matches('-');
    Some(match name {
        "pybool" | "True" => Kind::Bool,
        "int" => Kind::Signed,
        "float" => Kind::Float,
        "complex" => Kind::Complex,
        _ if !number.starts_with(|first: char| first.is_ascii_digit()) => return None,
        _ if number.ends_with('j') => Kind::Complex,
        _ if number.contains(['.', 'e']) => Kind::Float,
        _ => Kind::Signed,
    })
}

/// Why a name is not a dtype here.
fn outside(name: &str) -> &'static str {
    match name {
        "c32" | "bc32" => "complex halves",
        "longdouble" | "clongdouble" => "long doubles",
        "string" | "dynamic" => "strings and unknown types",
        _ if name.starts_with(['u', 'i']) => "integers of less than 8 bits",
        _ if name.starts_with(['f', 'n']) => "other small floats",
        _ => panic!("no reading of {name}"),
    }
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

/// The kinds that literals have.
pub const LITERALS: [Kind; 4] = [Kind::Bool, Kind::Signed, Kind::Float, Kind::Complex];

/// `1234567` as `1,234,567`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

/// Compares a page of `docs` with what it should be; `SUPREMUM_BLESS=1` writes it.
pub fn check_page(page: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs")
        .join(page);
    if std::env::var_os("SUPREMUM_BLESS").is_some() {
        std::fs::write(&path, text).expect("writing the page");
    }
    let found = std::fs::read_to_string(&path).expect("the page");
    assert!(
        found.replace("\r\n", "\n") == text,
        "docs/{page} is stale; run this test with SUPREMUM_BLESS=1 and read the difference"
    );
}

/// The group to which an operation of the files belongs, or why none.
pub fn group(operation: &str) -> Result<Operation, &'static str> {
    use Operation::*;
    Ok(match operation {
        "add" => Add,
        "subtract" => Subtract,
        "multiply" => Multiply,
        "true_divide" => Divide,
        "floor_divide" | "remainder" => FloorDivide,
        "power" => Power,
        "arctan2" => Atan2,
        "minimum" => MinMax,
        "bitwise_and" => Bitwise,
        "left_shift" => Shift,
        "equal" => Equality,
        "less" => Ordering,
        "where" | "concatenate" => Join,
        "matmul" => MatrixMultiply,
        "neg" => Negate,
        "sign" => Sign,
        "round" => Round,
        "floor" => Floor,
        "invert" => Invert,
        "sqrt" | "exp" | "log" | "sin" | "tanh" => UnaryFloat,
        "reciprocal" => Reciprocal,
        "abs" => Absolute,
        "isnan" => FloatClass,
        "sum" | "prod" => Sum,
        "cumsum" => CumulativeSum,
        "mean" => Mean,
        "var" | "std" => Variance,
        "max" => MinMaxReduce,
        "argmax" => ArgMinMax,
        "any" | "all" => AnyAll,
        "square" | "logical_not" => return Err("operations that the library lacks"),
        other => panic!("no reading of {other}"),
    })
}
