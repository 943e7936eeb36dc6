//! `supremum table`: what a rule set promotes every pair of operands to.

use std::fmt::Write;

use anstyle::Style;
use supremum::{Class, DType, OperandType, Operation, RuleSet};

use crate::answer::{Answer, LEGEND, lost_values};
use crate::args::{Format, Table};
use crate::json::{CLASSES, Document, Selection, verdict_entry};
use crate::names;
use crate::page::{FAINT, Failure, HEADING, painted};

/// Shows a table in the format that is asked for.
pub(crate) fn run(arguments: &Table) -> Result<String, Failure> {
    let dtypes = match &arguments.only {
        Some(only) => names::dtypes(only)?,
        None => DType::ALL.to_vec(),
    };
    let operation = arguments.op.as_deref().map(names::operation).transpose()?;
    let rules = arguments.rules.as_deref().map(names::rules).transpose()?;
    if arguments.format == Format::Json {
        return json(arguments, rules, operation, &dtypes);
    }
    let Some(rules) = rules else {
        return Err(Failure::new(
            "name a rule set; only `--format json` has all of them in one answer",
        ));
    };
    let class = arguments.class.map_or(Class::Dimensioned, Class::from);
    let columns = match operation {
        Some(operation) if !operation.is_binary() => None,
        _ => Some(dtypes.iter().map(|dtype| OperandType {
            dtype: *dtype,
            class,
        })),
    };
    let Some(columns) = columns else {
        return Ok(one_operand(arguments, rules, operation, &dtypes));
    };
    let grid = Grid::of(rules, operation, &dtypes, columns);
    Ok(match arguments.format {
        Format::Text => grid.text(),
        Format::Markdown => grid.markdown(),
        Format::Csv | Format::Json => grid.csv(),
    })
}

/// The document of the selected tables.
fn json(
    arguments: &Table,
    rules: Option<&'static RuleSet>,
    operation: Option<Operation>,
    dtypes: &[DType],
) -> Result<String, Failure> {
    let class = arguments.class.map(|class| [Class::from(class)]);
    let all = Selection::all();
    let one_system = rules.map(|rules| [rules]);
    let one_operation = operation.map(|operation| [operation]);
    let document = Document::new(Selection {
        systems: one_system.as_ref().map_or(all.systems, |one| one),
        operations: one_operation.as_ref().map_or(all.operations, |one| one),
        dtypes,
        classes: class.as_ref().map_or(CLASSES, |class| class),
    });
    let mut text = serde_json::to_string(&document)
        .map_err(|error| Failure(format!("cannot write JSON: {error}")))?;
    text.push('\n');
    Ok(text)
}

/// Answers for pairs of operands.
struct Grid {
    rows: Vec<OperandType>,
    columns: Vec<OperandType>,
    /// Row by row.
    answers: Vec<Vec<Answer>>,
}

impl Grid {
    /// Asks for all pairs, and leaves out operands that promote with none.
    fn of(
        rules: &RuleSet,
        operation: Option<Operation>,
        dtypes: &[DType],
        columns: impl Iterator<Item = OperandType>,
    ) -> Self {
        let answer = |lhs: OperandType, rhs: OperandType| Answer::of(rules, operation, lhs, rhs);
        let defined = |lhs, rhs| answer(lhs, rhs).result().is_some();
        let all_columns: Vec<_> = columns.collect();
        let rows = dtypes.iter().copied().map(OperandType::dimensioned);
        let rows: Vec<_> = rows
            .filter(|lhs| all_columns.iter().any(|rhs| defined(*lhs, *rhs)))
            .collect();
        let columns: Vec<_> = all_columns
            .into_iter()
            .filter(|rhs| rows.iter().any(|lhs| defined(*lhs, *rhs)))
            .collect();
        let answers = rows
            .iter()
            .map(|lhs| columns.iter().map(|rhs| answer(*lhs, *rhs)).collect())
            .collect();
        Self {
            rows,
            columns,
            answers,
        }
    }

    fn text(&self) -> String {
        let cells: Vec<Vec<_>> = self
            .answers
            .iter()
            .map(|row| row.iter().map(|answer| answer.cell()).collect())
            .collect();
        let heads = self
            .columns
            .iter()
            .map(|operand| (operand.to_string(), HEADING));
        let mut lines = vec![
            [(String::new(), HEADING)]
                .into_iter()
                .chain(heads)
                .collect(),
        ];
        for (operand, cells) in self.rows.iter().zip(cells) {
            let head = (operand.to_string(), HEADING);
            lines.push([head].into_iter().chain(cells).collect::<Vec<_>>());
        }
        let mut text = aligned(&lines);
        writeln!(text, "\n{}", painted(FAINT, LEGEND)).expect("a string takes all");
        text
    }

    fn markdown(&self) -> String {
        let mut text = String::from("| |");
        for operand in &self.columns {
            write!(text, " `{operand}` |").expect("a string takes all");
        }
        text.push_str("\n| --- |");
        text.push_str(&" --- |".repeat(self.columns.len()));
        for (operand, answers) in self.rows.iter().zip(&self.answers) {
            write!(text, "\n| `{operand}` |").expect("a string takes all");
            for answer in answers {
                let (cell, _) = answer.cell();
                write!(text, " {cell} |").expect("a string takes all");
            }
        }
        writeln!(text, "\n\n{LEGEND}").expect("a string takes all");
        text
    }

    /// A line for each pair; no value has a comma or a quote in it.
    fn csv(&self) -> String {
        let mut text = String::from("lhs,rhs,result,verdict,loses,reason,value,becomes\n");
        for (lhs, answers) in self.rows.iter().zip(&self.answers) {
            for (rhs, answer) in self.columns.iter().zip(answers) {
                let Answer::Defined { promotion, result } = answer else {
                    writeln!(text, "{lhs},{rhs},,,,,,").expect("a string takes all");
                    continue;
                };
                let (verdict, loses, reason) = verdict_entry(promotion.verdict);
                let lost = lost_values(&[*lhs, *rhs], promotion.dtype, promotion.verdict);
                let named = |dtype: &str| loses.is_none_or(|loses| loses == dtype);
                let witness = lost.iter().find(|lost| named(lost.operand.dtype.name()));
                let (value, becomes) = witness.map_or_else(Default::default, |lost| {
                    (
                        lost.witness.value.to_string(),
                        lost.witness.becomes.to_string(),
                    )
                });
                let (loses, reason) = (loses.unwrap_or_default(), reason.unwrap_or_default());
                writeln!(
                    text,
                    "{lhs},{rhs},{result},{verdict},{loses},{reason},{value},{becomes}"
                )
                .expect("a string takes all");
            }
        }
        text
    }
}

/// Aligns cells in columns, separated by two spaces.
pub(crate) fn aligned(lines: &[Vec<(String, Style)>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<_> = (0..columns)
        .map(|column| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|(cell, _)| cell.len()).max().unwrap_or_default()
        })
        .collect();
    let mut text = String::new();
    for line in lines {
        let used = line.iter().rposition(|(cell, _)| !cell.is_empty());
        let line = &line[..used.map_or(0, |last| last + 1)];
        for (position, ((cell, style), width)) in line.iter().zip(&widths).enumerate() {
            let separator = if position == 0 { "" } else { "  " };
            let last = position + 1 == line.len();
            let padding = if last { 0 } else { width - cell.len() };
            write!(text, "{separator}{}{:padding$}", painted(*style, cell), "")
                .expect("a string takes all");
        }
        text.push('\n');
    }
    text
}

/// The results of an operation on one operand: dimensioned, and weak.
fn one_operand(
    arguments: &Table,
    rules: &RuleSet,
    operation: Option<Operation>,
    dtypes: &[DType],
) -> String {
    let class = arguments.class.map(Class::from);
    let classes = match class {
        Some(class) => vec![class],
        None => vec![Class::Dimensioned, Class::Weak],
    };
    let operands = classes.into_iter().flat_map(|class| {
        dtypes.iter().map(move |dtype| OperandType {
            dtype: *dtype,
            class,
        })
    });
    let results: Vec<_> = operands
        .map(|operand| {
            let result = operation.and_then(|operation| rules.operation(operation, operand).ok());
            (operand, result)
        })
        .collect();
    let shown = |result: Option<OperandType>, undefined: &str| {
        result.map_or_else(|| undefined.to_owned(), |result| result.to_string())
    };
    let mut text = String::new();
    match arguments.format {
        Format::Text => {
            let lines: Vec<_> = results
                .iter()
                .map(|(operand, result)| {
                    let style = if result.is_some() {
                        Style::new()
                    } else {
                        FAINT
                    };
                    vec![(operand.to_string(), HEADING), (shown(*result, "-"), style)]
                })
                .collect();
            text = aligned(&lines);
        }
        Format::Markdown => {
            text.push_str("| operand | result |\n| --- | --- |\n");
            for (operand, result) in results {
                writeln!(text, "| `{operand}` | {} |", shown(result, "-"))
                    .expect("a string takes all");
            }
        }
        Format::Csv | Format::Json => {
            text.push_str("operand,result\n");
            for (operand, result) in results {
                writeln!(text, "{operand},{}", shown(result, "")).expect("a string takes all");
            }
        }
    }
    text
}
