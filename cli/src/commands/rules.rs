//! `supremum rules`: the rule sets, with their versions and sources.

use std::fmt::Write;

use supremum::RuleSet;

use crate::page::{FAINT, HEADING, painted};

/// Lists the rule sets of the library.
pub(crate) fn run() -> String {
    let lines: Vec<_> = RuleSet::builtin()
        .iter()
        .map(|rules| {
            let source = rules.source();
            let version = source.map_or("", |source| source.version);
            let url = source.map_or("", |source| source.url);
            (rules.name(), version, url)
        })
        .collect();
    let name_width = lines.iter().map(|(name, ..)| name.len()).max();
    let version_width = lines.iter().map(|(_, version, _)| version.len()).max();
    let (name_width, version_width) = (
        name_width.unwrap_or_default(),
        version_width.unwrap_or_default(),
    );
    let mut text = String::new();
    for (name, version, url) in lines {
        let name = painted(HEADING, format_args!("{name:name_width$}"));
        let url = painted(FAINT, url);
        writeln!(text, "{name}  {version:version_width$}  {url}").expect("a string takes all");
    }
    text
}
