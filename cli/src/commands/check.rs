//! `supremum check`: the faults of rule sets in a file.

use std::fmt::Write;
use std::io::Read;
use std::path::Path;

use supremum_rules_syntax::{CheckedRules, Fault, check_file};

use crate::args::Check;
use crate::page::{BAD, FAINT, Failure, GOOD, HEADING, Page, painted};

/// The largest file that is read, in bytes. The largest rule sets of the library have 20,000.
const MAX_BYTES: u64 = 4 << 20;

/// Checks the rule sets of a file.
pub(crate) fn run(arguments: &Check) -> Result<Page, Failure> {
    let (name, text) = read(&arguments.file)?;
    match check_file(&text, supremum::__private::SYSTEM_SOURCES) {
        Ok(rules) if rules.is_empty() => Err(Failure(format!("{name} has no rule sets"))),
        Ok(rules) => Ok(sound(&rules).into()),
        Err(faults) => Ok(Page {
            text: shown(&name, &text, &faults),
            differs: true,
        }),
    }
}

/// The name of a file for messages, and its text.
fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| Failure(format!("cannot read {name}: {error}"));
    let mut text = String::new();
    let read = if name == "-" {
        let mut input = std::io::stdin().take(MAX_BYTES + 1);
        input.read_to_string(&mut text)
    } else {
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(MAX_BYTES + 1).read_to_string(&mut text)
    };
    let bytes = read.map_err(unreadable)?;
    if u64::try_from(bytes).is_ok_and(|bytes| bytes > MAX_BYTES) {
        let message = format!("{name} has more than {MAX_BYTES} bytes; rule sets are shorter");
        return Err(Failure(message));
    }
    Ok((name, text))
}

/// A line for each rule set.
fn sound(rules: &[CheckedRules]) -> String {
    let mut text = String::new();
    for CheckedRules {
        name,
        title,
        operands,
        pairs,
        unsafe_pairs,
    } in rules
    {
        let name = painted(HEADING, format_args!("{name} \"{title}\""));
        let sound = painted(GOOD, "no faults");
        writeln!(
            text,
            "{name}: {sound}; {operands} operands, {pairs} promotions, {unsafe_pairs} of them unsafe"
        )
        .expect("a string takes all");
    }
    text
}

/// The faults as the compiler shows them, each with its line.
fn shown(name: &str, text: &str, faults: &[Fault]) -> String {
    let mut page = String::new();
    for fault in faults {
        let line = text.lines().nth(fault.line.saturating_sub(1));
        let line = line.unwrap_or_default();
        let margin = " ".repeat(fault.line.to_string().len());
        let before = line.chars().take(fault.column.saturating_sub(1));
        let before: String = before
            .map(|character| if character == '\t' { '\t' } else { ' ' })
            .collect();
        let marks = painted(BAD, "^".repeat(fault.width));
        let [arrow, bar] = ["-->", "|"].map(|sign| painted(FAINT, sign));
        let lines = [
            format!("{}: {}", painted(BAD, "error"), fault.message),
            format!("{margin}{arrow} {name}:{}:{}", fault.line, fault.column),
            format!("{margin} {bar}"),
            format!("{} {bar} {line}", fault.line),
            format!("{margin} {bar} {before}{marks}"),
        ];
        page += &lines.join("\n");
        page += "\n\n";
    }
    let count = faults.len();
    let what = if count == 1 { "fault" } else { "faults" };
    writeln!(page, "{name}: {count} {what}").expect("a string takes all");
    page
}
