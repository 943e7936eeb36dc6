//! The text that a command prints, or the reason why it cannot answer.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

/// The answer of a command.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The text, with colours as ANSI sequences.
    pub(crate) text: String,
    /// `true` if the answer is negative, which the exit code 1 says: `check` found faults, or `diff` differences.
    pub(crate) differs: bool,
}

impl From<String> for Page {
    fn from(text: String) -> Self {
        Self {
            text,
            differs: false,
        }
    }
}

/// Bad input, in one line: the command ends with exit code 2.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl From<supremum::Error> for Failure {
    fn from(error: supremum::Error) -> Self {
        Self(error.to_string())
    }
}

/// Headings.
pub(crate) const HEADING: Style = Style::new().bold();
/// Undefined cells, and remarks.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Losses of range, and refusals.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// Losses of precision.
pub(crate) const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
/// Lossless promotions in sentences.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();

/// Paints a text.
pub(crate) fn painted(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
