//! `supremum site`: the explorer as a page that needs no server. Its parts are in `cli/site/`, and its data is the
//! document of `table --format json`, as a script, because a page that is opened as a file may not read other files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Serialize;
use supremum::RuleSet;

use crate::args::Site;
use crate::hasse;
use crate::json::{Document, Selection};
use crate::names::DTYPE_ALIASES;
use crate::page::Failure;
use crate::relation::Relation;
use crate::spelling::{Templates, templates};

/// The scripts, in the order in which they build on one another. The page has them as one file, behind the data: it is interactive a
/// fifth sooner than with a file for each.
const SCRIPTS: &[&str] = &[
    include_str!("../../site/dom.js"),
    include_str!("../../site/model.js"),
    include_str!("../../site/common.js"),
    include_str!("../../site/state.js"),
    include_str!("../../site/purpose.js"),
    include_str!("../../site/explain.js"),
    include_str!("../../site/grid.js"),
    include_str!("../../site/table.js"),
    include_str!("../../site/calculator.js"),
    include_str!("../../site/search.js"),
    include_str!("../../site/main.js"),
];

/// Writes the page into a folder, which is made if it is missing. Files of these names are replaced, and others stay.
pub(crate) fn run(arguments: &Site) -> Result<String, Failure> {
    let folder = &arguments.out;
    let files = files()?;
    let cannot = |path: &Path, error| Failure(format!("cannot write {}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
    for (name, text) in &files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| cannot(&path, error))?;
    }
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    Ok(format!(
        "{} files, {} kB: open {}\n",
        files.len(),
        bytes.div_ceil(1000),
        folder.join("index.html").display()
    ))
}

/// Every file of the page, by its name.
fn files() -> Result<[(&'static str, String); 3], Failure> {
    let script = data()? + &SCRIPTS.join("\n");
    Ok([
        (
            "index.html",
            include_str!("../../site/index.html").to_owned(),
        ),
        ("style.css", include_str!("../../site/style.css").to_owned()),
        ("explorer.js", script),
    ])
}

/// The data that the scripts read.
#[derive(Serialize)]
struct Data {
    data: Document,
    /// The dtypes by the names that other libraries have for them.
    aliases: BTreeMap<&'static str, &'static str>,
    /// The conversions and operations of each library.
    templates: Vec<Templates>,
    /// A drawing for each rule set, as SVG.
    lattices: BTreeMap<&'static str, String>,
}

/// The script that the others build on.
fn data() -> Result<String, Failure> {
    let drawing = |rules: &&RuleSet| (rules.name(), hasse::svg(rules.name(), &Relation::of(rules)));
    let data = Data {
        data: Document::new(Selection::all()),
        aliases: DTYPE_ALIASES
            .iter()
            .map(|(alias, dtype)| (*alias, dtype.name()))
            .collect(),
        templates: templates(),
        lattices: RuleSet::builtin().iter().map(drawing).collect(),
    };
    let json = serde_json::to_string(&data)
        .map_err(|error| Failure(format!("cannot write JSON: {error}")))?;
    Ok(format!(
        "// Written by `supremum site`.\n\"use strict\";\nconst Explorer = {json};\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_below_a_megabyte_and_has_every_script() {
        let files = files().expect("the tables can be written");
        let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
        assert!(bytes < 1_000_000, "{bytes} bytes");
        let parts = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("site"));
        let parts = parts.expect("the page's folder").map(|part| {
            let path = part.expect("a part").path();
            fs::read_to_string(path).expect("a part is text")
        });
        for part in parts {
            assert!(
                files.iter().any(|(_, text)| text.contains(&part)),
                "{part:.60}"
            );
        }
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for (name, text) in files().expect("the tables can be written") {
            for call in [
                "fetch(",
                "XMLHttpRequest",
                "import ",
                "innerHTML",
                "eval(",
                "@import",
                "url(",
            ] {
                assert!(!text.contains(call), "{name} has {call}");
            }
        }
    }
}
