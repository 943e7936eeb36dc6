//! Names in the library's sources.

use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::path::Path;

/// Collects the words of the Rust files below a folder that begin with `try_`.
pub(crate) fn fallible(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            fallible(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = read_to_string(&path).expect("a source");
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let names = words.filter(|word| word.starts_with("try_") && word.len() > 4);
            found.extend(names.map(str::to_owned));
        }
    }
}
