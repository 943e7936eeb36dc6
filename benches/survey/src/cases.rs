//! The list of cases. The head of `cases.txt` has its syntax.

use supremum::DType;

pub struct Case {
    pub group: &'static str,
    pub operation: &'static str,
    pub dtypes: Vec<DType>,
    /// Each operand as the list writes it.
    pub operands: Vec<&'static str>,
}

impl Case {
    /// The operation and its operands.
    pub fn name(&self) -> String {
        format!("{} {}", self.operation, self.operands.join(" "))
    }
}

pub fn all() -> Vec<Case> {
    let (mut cases, mut group) = (Vec::new(), "");
    for line in include_str!("../cases.txt").lines() {
        if let Some(name) = line.strip_prefix('[') {
            group = name.trim_end_matches(']');
            continue;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let &[operation, dtypes, operands, ..] = &columns[..] else {
            panic!("cases.txt: `{line}` has too few columns");
        };
        let dtypes = dtypes.split_whitespace().map(dtype).collect();
        let operands = operands.split_whitespace().collect();
        cases.push(Case {
            group,
            operation,
            dtypes,
            operands,
        });
    }
    cases
}

pub fn dtype(name: &str) -> DType {
    name.to_lowercase()
        .parse()
        .unwrap_or_else(|_| panic!("cases.txt: `{name}` is no dtype"))
}
