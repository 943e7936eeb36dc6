//! `supremum site`: the explorer as a page that needs no server. Its parts are in `cli/site/`, and its data is the document of
//! `table --format json`, as a script: a page of the file system may not read other files.

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

macro_rules! parts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../site/", $name)))),*]
    };
}

/// The files that are the same in every site.
const PARTS: &[(&str, &str)] = parts![
    "index.html",
    "style.css",
    "dom.js",
    "model.js",
    "state.js",
    "explain.js",
    "grid.js",
    "table.js",
    "calculator.js",
    "search.js",
    "main.js",
];

/// Writes the page into a folder, which is made if it is missing. Files of these names are replaced, and others stay.
pub(crate) fn run(arguments: &Site) -> Result<String, Failure> {
    let folder = &arguments.out;
    let files = files()?;
    for (name, text) in &files {
        write(&folder.join(name), text)?;
    }
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    Ok(format!(
        "{} files, {} kB: open {}\n",
        files.len(),
        bytes.div_ceil(1000),
        folder.join("index.html").display()
    ))
}

/// Every file of the page, by its path.
fn files() -> Result<Vec<(String, String)>, Failure> {
    let parts = PARTS
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    Ok(parts.chain([("data.js".to_owned(), data()?)]).collect())
}

/// What the scripts read.
#[derive(Serialize)]
struct Data {
    data: Document,
    /// The dtypes by the names that other libraries have for them.
    aliases: BTreeMap<&'static str, &'static str>,
    /// A drawing for each rule set, as SVG.
    lattices: BTreeMap<&'static str, String>,
}

/// The script that the other scripts build on.
fn data() -> Result<String, Failure> {
    let drawing = |rules: &&RuleSet| (rules.name(), hasse::svg(rules.name(), &Relation::of(rules)));
    let data = Data {
        data: Document::new(Selection::all()),
        aliases: DTYPE_ALIASES
            .iter()
            .map(|(alias, dtype)| (*alias, dtype.name()))
            .collect(),
        lattices: RuleSet::builtin().iter().map(drawing).collect(),
    };
    let json = serde_json::to_string(&data)
        .map_err(|error| Failure(format!("cannot write JSON: {error}")))?;
    Ok(format!(
        "// Written by `supremum site`.\n\"use strict\";\nconst Explorer = {json};\n"
    ))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = match path.parent() {
        Some(folder) => fs::create_dir_all(folder).and_then(|()| fs::write(path, text)),
        None => fs::write(path, text),
    };
    written.map_err(|error| Failure(format!("cannot write {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_below_a_megabyte_and_has_every_part_that_it_names() {
        let files = files().expect("the tables can be written");
        let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
        assert!(bytes < 1_000_000, "{bytes} bytes");
        let (_, page) = &files[0];
        let scripts: Vec<_> = page
            .split("<script src=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect();
        let written = files.iter().map(|(name, _)| name.as_str());
        let written: Vec<_> = written.filter(|name| name.ends_with(".js")).collect();
        assert_eq!(scripts.len(), written.len());
        assert!(scripts.iter().all(|script| written.contains(script)));
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for (name, text) in files().expect("the tables can be written") {
            for call in ["fetch(", "XMLHttpRequest", "import ", "innerHTML", "eval(", "@import", "url("] {
                assert!(!text.contains(call), "{name} has {call}");
            }
        }
    }
}
