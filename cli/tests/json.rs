//! The JSON of the tables equals `RuleSet`, cell by cell.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::document;
use supremum::{Class, DType, OperandType, Operation, Promotion, RuleSet, Verdict};

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a position")).expect("a small position")
}

fn operand(name: &str) -> OperandType {
    let dtype = |name: &str| name.parse().expect("a dtype");
    if let Some(name) = name.strip_prefix("zero-dim ") {
        OperandType::zero_dim(dtype(name))
    } else if let Some(name) = name.strip_suffix('*') {
        OperandType::weak(dtype(name))
    } else {
        OperandType::dimensioned(dtype(name))
    }
}

/// The cell as the library's promotion.
fn promotion(cell: &Value) -> Option<Promotion> {
    let to = operand(cell.get("to")?.as_str().expect("a name"));
    let loses = || {
        cell["loses"]
            .as_str()
            .expect("a dtype")
            .parse()
            .expect("a dtype")
    };
    let verdict = match cell["verdict"].as_str().expect("a verdict") {
        "lossless" => Verdict::Lossless,
        "loses-precision" => Verdict::LosesPrecision(loses()),
        "loses-range" => Verdict::LosesRange(loses()),
        "accepted" => Verdict::Accepted,
        "refused" => {
            let reason = cell["reason"].as_str().expect("a reason").to_owned();
            Verdict::Refused(reason.leak())
        }
        other => panic!("no verdict {other}"),
    };
    Some(Promotion {
        dtype: to.dtype,
        weak: to.class == Class::Weak,
        verdict,
    })
}

/// A reader of a document, as a program in another language would be.
struct Reader {
    document: Value,
    operands: Vec<OperandType>,
    cells: Vec<Option<Promotion>>,
}

impl Reader {
    fn new(document: Value) -> Self {
        let names = document["operands"].as_array().expect("operands");
        let operands = names
            .iter()
            .map(|one| operand(one["name"].as_str().expect("a name")));
        let cells = document["cells"].as_array().expect("cells");
        Self {
            operands: operands.collect(),
            cells: cells.iter().map(promotion).collect(),
            document,
        }
    }

    /// Compares a table, and returns the number of defined cells.
    fn check(
        &self,
        table: &Value,
        expected: impl Fn(OperandType, OperandType) -> Option<Promotion>,
    ) -> usize {
        let rows = self.document["tables"][index(table)]
            .as_array()
            .expect("a table");
        assert_eq!(rows.len(), self.operands.len());
        let mut defined = 0;
        for (lhs, row) in self.operands.iter().zip(rows) {
            let cells = self.document["rows"][index(row)].as_array().expect("a row");
            assert_eq!(cells.len(), self.operands.len());
            for (rhs, cell) in self.operands.iter().zip(cells) {
                let found = self.cells[index(cell)];
                assert_eq!(found, expected(*lhs, *rhs), "{lhs} {rhs}");
                defined += usize::from(found.is_some());
            }
        }
        defined
    }

    /// Compares a system, and returns the number of defined cells.
    fn check_system(&self, system: &Value) -> usize {
        let rules = RuleSet::named(system["name"].as_str().expect("a name")).expect("rules");
        let rules = &rules.allowing_unsafe();
        let source = rules.source().expect("every system has a source");
        assert_eq!(system["version"], source.version);
        assert_eq!(system["url"], source.url);
        assert_eq!(system["looks_at_rank"], rules.looks_at_rank());
        let mut defined = self.check(&system["promotions"], |lhs, rhs| {
            rules.promote(lhs, rhs).ok()
        });
        for entry in system["operations"].as_array().expect("operations") {
            let name = entry["name"].as_str().expect("a name");
            let mut all = Operation::ALL.iter();
            let operation = *all.find(|one| one.name() == name).expect("an operation");
            assert_eq!(entry.get("promotions").is_some(), operation.is_binary());
            if let Some(table) = entry.get("promotions") {
                defined += self.check(table, |lhs, rhs| {
                    rules.promote_for(operation, lhs, rhs).ok()
                });
                assert_eq!(entry["promoted_by"].as_str(), rules.promoted_by(operation));
            }
            let results = &self.document["results"][index(&entry["results"])];
            for dtype in DType::ALL {
                for operand in [OperandType::dimensioned(*dtype), OperandType::weak(*dtype)] {
                    let expected = rules.operation(operation, operand).ok();
                    let found = results.get(operand.to_string());
                    let found = found.map(|name| name.as_str().expect("a name").to_owned());
                    assert_eq!(
                        found,
                        expected.map(|one| one.to_string()),
                        "{name} {operand}"
                    );
                    defined += usize::from(found.is_some());
                }
            }
        }
        defined
    }
}

#[test]
fn every_cell_of_every_system_equals_the_rule_set() {
    let reader = Reader::new(document("table --format json"));
    assert_eq!(reader.document["schema"], 1);
    let systems = reader.document["systems"].as_array().expect("systems");
    let names: Vec<_> = systems
        .iter()
        .map(|system| system["name"].as_str())
        .collect();
    let expected: Vec<_> = RuleSet::builtin()
        .iter()
        .map(|rules| Some(rules.name()))
        .collect();
    assert_eq!(names, expected);
    for system in systems {
        let operations = system["operations"].as_array().expect("operations");
        assert_eq!(operations.len(), Operation::ALL.len());
        let defined = reader.check_system(system);
        assert!(defined > 500, "{} has {defined} cells", system["name"]);
    }
    let operands: BTreeSet<_> = reader.operands.iter().map(ToString::to_string).collect();
    assert_eq!(operands.len(), 3 * DType::ALL.len());
}

#[test]
fn a_part_of_the_tables_has_the_same_cells() {
    let reader = Reader::new(document(
        "table torch --op / --class zero-dim --only integer,f16,bf16 --format json",
    ));
    assert_eq!(reader.operands.len(), 10);
    let systems = reader.document["systems"].as_array().expect("systems");
    assert_eq!(systems.len(), 1);
    assert_eq!(systems[0]["operations"].as_array().map(Vec::len), Some(1));
    assert!(reader.check_system(&systems[0]) > 100);
}

#[test]
fn the_document_is_small() {
    let bytes = support::stdout("table --format json").len();
    assert!(
        bytes < 300_000,
        "the page of all tables may have 1 MB; this is {bytes}"
    );
}

#[test]
fn csv_has_the_cells_too() {
    for rules in RuleSet::builtin() {
        let admitting = rules.allowing_unsafe();
        let text = support::stdout(&format!("table {} --class weak --format csv", rules.name()));
        let mut lines = text.lines();
        let header = "lhs,rhs,result,verdict,loses,reason,value,becomes";
        assert_eq!(lines.next(), Some(header));
        for line in lines {
            let fields: Vec<_> = line.split(',').collect();
            assert_eq!(fields.len(), header.split(',').count(), "{line}");
            let (lhs, rhs) = (operand(fields[0]), operand(fields[1]));
            let expected = admitting
                .promote(lhs, rhs)
                .ok()
                .map(|one| one.operand().to_string());
            assert_eq!(fields[2], expected.unwrap_or_default(), "{line}");
        }
    }
}

/// The three lines of Python in `docs/explorer-json.md`, where Python is installed.
#[test]
fn the_python_of_the_page_runs() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/explorer-json.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let (_, block) = page.split_once("```python\n").expect("a block of Python");
    let (program, _) = block.split_once("```").expect("its end");
    let folder = Path::new(env!("CARGO_BIN_EXE_supremum"))
        .parent()
        .expect("a folder");
    let mut path = folder.as_os_str().to_owned();
    path.push(if cfg!(windows) { ";" } else { ":" });
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let run = Command::new("python3")
        .args(["-c", program])
        .env("PATH", path)
        .output();
    let Ok(output) = run else {
        eprintln!("SKIPPED: python3 is not installed");
        return;
    };
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "bf16 lossless",
        "{error}"
    );
}
