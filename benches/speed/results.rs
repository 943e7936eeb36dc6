//! The files of measurements: one JSON file for each program that measures.

use std::path::Path;

use serde_json::{Value, json};

/// The time of one way of doing one thing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// `W1` and on.
    pub(crate) workload: String,
    pub(crate) case: String,
    /// Elements; of matrix products, rows.
    pub(crate) size: u64,
    /// The library.
    pub(crate) who: String,
    /// `eager`, `fused`, `into`, ..; of other libraries `fresh`, or `into` for an existing output. See [`alone`].
    pub(crate) way: String,
    /// The instruction set that it was limited to or built for.
    pub(crate) isa: String,
    pub(crate) threads: u64,
    /// Nanoseconds.
    pub(crate) least: f64,
    pub(crate) median: f64,
}

/// The name of a way on one thread that took turns with itself on several threads.
pub(crate) fn alone(way: &str) -> String {
    format!("{way} on one")
}

/// The rows of one program, with its versions and machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    pub(crate) about: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

impl Results {
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let parsed = serde_json::from_str(&text)
            .ok()
            .and_then(|value| Self::parse(&value));
        Some(parsed.unwrap_or_else(|| panic!("{} is not a file of results", path.display())))
    }

    pub(crate) fn parse(value: &Value) -> Option<Self> {
        let about = value["about"].as_array()?.iter();
        let rows = value["rows"].as_array()?.iter();
        Some(Self {
            about: about
                .map(|line| line.as_str().map(String::from))
                .collect::<Option<_>>()?,
            rows: rows.map(Row::parse).collect::<Option<_>>()?,
        })
    }

    /// One row per line, so that diffs are readable.
    pub(crate) fn to_json(&self) -> String {
        let lines = |lines: Vec<String>| lines.join(",\n");
        let about = lines(
            self.about
                .iter()
                .map(|line| json!(line).to_string())
                .collect(),
        );
        let rows = lines(
            self.rows
                .iter()
                .map(|row| row.to_json().to_string())
                .collect(),
        );
        format!("{{\"about\": [\n{about}\n], \"rows\": [\n{rows}\n]}}\n")
    }
}

impl Row {
    fn parse(value: &Value) -> Option<Self> {
        let text = |key: &str| value[key].as_str().map(String::from);
        Some(Self {
            workload: text("workload")?,
            case: text("case")?,
            size: value["size"].as_u64()?,
            who: text("who")?,
            way: text("way")?,
            isa: text("isa")?,
            threads: value["threads"].as_u64()?,
            least: value["least"].as_f64()?,
            median: value["median"].as_f64()?,
        })
    }

    fn to_json(&self) -> Value {
        // A tenth of a nanosecond is below all noise.
        let [least, median] = [self.least, self.median].map(|time| (time * 10.0).round() / 10.0);
        json!({
            "workload": self.workload, "case": self.case, "size": self.size, "who": self.who, "way": self.way,
            "isa": self.isa, "threads": self.threads, "least": least, "median": median,
        })
    }
}
