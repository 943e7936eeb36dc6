//! The name under which the crate that is being compiled knows the library.
//!
//! A derive macro gets no `$crate`, so a dependency that is renamed in Cargo.toml (`tensors = { package = "supremum" }`) has to be
//! looked up there. The search reads lines, not TOML: a table of one line and a section are the two forms in which Cargo's users
//! write a rename. What it does not find is named by `#[tensor(crate = ..)]`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

const LIBRARY: &str = "supremum";

/// The path of the library: `::supremum`, or `::` and its other name. `None` if the crate reaches the library through another crate only.
pub(crate) fn library() -> Option<TokenStream> {
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    if folder.as_deref().is_some_and(|folder| !mentions(folder)) {
        return None;
    }
    let renamed = folder.and_then(|folder| renamed(&folder));
    let name = renamed.unwrap_or_else(|| LIBRARY.to_owned());
    let name = Ident::new(&name, Span::call_site());
    Some(quote!(::#name))
}

/// Returns whether a folder has no manifest, or its manifest or one above it has the library's name in any place: as a dependency, however
/// that is written.
fn mentions(folder: &Path) -> bool {
    let read = |folder: &Path| fs::read_to_string(folder.join("Cargo.toml")).ok();
    let mut manifests = folder.ancestors().filter_map(read).peekable();
    manifests.peek().is_none() || manifests.any(|manifest| manifest.contains(LIBRARY))
}

/// The other name in the manifest of a folder; in the manifests above it, if it is inherited from a workspace.
fn renamed(folder: &Path) -> Option<String> {
    let read = |folder: &Path| fs::read_to_string(folder.join("Cargo.toml")).ok();
    let manifest = read(folder)?;
    if let Some(name) = renamed_in(&manifest) {
        return (!dependencies(&manifest).any(|(name, _)| name == LIBRARY)).then_some(name);
    }
    let inherited = |name: &String| {
        dependencies(&manifest).any(|(other, rest)| other == *name && rest.contains("workspace"))
    };
    let workspaces = folder.ancestors().skip(1).filter_map(read);
    let mut names = workspaces.filter_map(|manifest| renamed_in(&manifest));
    names.find(inherited)
}

/// The name of the dependency whose package is the library, in a manifest.
fn renamed_in(manifest: &str) -> Option<String> {
    let is_library = |rest: &str| {
        let words: String = rest.chars().filter(|c| !c.is_whitespace()).collect();
        words.contains(&format!("package=\"{LIBRARY}\""))
    };
    let found = dependencies(manifest).find(|(_, rest)| is_library(rest));
    found.map(|(name, _)| name)
}

/// Returns the lines of a manifest that describe a dependency, each with the dependency's name in code.
fn dependencies(manifest: &str) -> impl Iterator<Item = (String, &str)> {
    let mut section = "";
    manifest.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            section = header.split(']').next().unwrap_or_default().trim();
        }
        // `[dependencies.name]` and its keys, or `name = ..` in `[dependencies]`.
        let (_, of) = section.rsplit_once("dependencies")?;
        let name = match of.strip_prefix('.') {
            Some(name) => name,
            None if of.is_empty() && !line.starts_with(['[', '#']) => {
                line.split(['=', '.']).next()?
            }
            None => return None,
        };
        let name = name.trim().trim_matches('"').replace('-', "_");
        syn::parse_str::<Ident>(&name)
            .is_ok()
            .then_some((name, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, text: &str) {
        fs::write(folder.join("Cargo.toml"), text).expect("a manifest");
    }

    #[test]
    fn a_renamed_dependency_is_found() {
        for (manifest, expected) in [
            (
                "[dependencies]\npromo = { package = \"supremum\", path = \"..\" }",
                Some("promo"),
            ),
            (
                "[dependencies]\nmy-tensors={version=\"1\",package=\"supremum\"}",
                Some("my_tensors"),
            ),
            (
                "[dependencies.t]\nversion = \"1\"\npackage = \"supremum\"\n[features]\n",
                Some("t"),
            ),
            (
                "[target.'cfg(unix)'.dev-dependencies]\nt = { package = \"supremum\" }",
                Some("t"),
            ),
            (
                "[dependencies]\n# t = { package = \"supremum\" }\nsupremum = \"1\"",
                None,
            ),
            (
                "[package]\nname = \"t\"\n[metadata]\nt = { package = \"supremum\" }",
                None,
            ),
            (
                "[dependencies]\nt = { package = \"supremum-macros\" }",
                None,
            ),
        ] {
            assert_eq!(renamed_in(manifest).as_deref(), expected, "{manifest}");
        }
    }

    #[test]
    fn a_workspace_may_rename() {
        let folder = env::temp_dir().join(format!("supremum-manifest-{}", std::process::id()));
        let member = folder.join("member");
        fs::create_dir_all(&member).expect("a folder");
        write(
            &folder,
            "[workspace.dependencies]\nt = { package = \"supremum\" }",
        );
        let mut found = Vec::new();
        for text in [
            "[dependencies]\nt.workspace = true",
            "[dependencies]\nt = { workspace = true }",
            "[dependencies]\nsupremum = \"1\"",
            "[dependencies]\nsupremum = \"1\"\nold = { package = \"supremum\" }",
        ] {
            write(&member, text);
            found.push(renamed(&member));
        }
        fs::remove_dir_all(&folder).expect("the folder");
        assert_eq!(
            found,
            [Some("t".to_owned()), Some("t".to_owned()), None, None]
        );
    }

    #[test]
    fn a_crate_without_the_dependency_does_not_mention_it() {
        let folder = env::temp_dir().join(format!("supremum-mentions-{}", std::process::id()));
        let member = folder.join("member");
        fs::create_dir_all(&member).expect("a folder");
        let mut found = vec![mentions(&member)];
        write(&member, "[dependencies]\nmodels = \"1\"");
        found.push(mentions(&member));
        write(
            &folder,
            "[workspace.dependencies.t]\npackage = \"supremum\"",
        );
        found.push(mentions(&member));
        write(&folder, "[workspace]");
        write(&member, "dependencies.supremum.version = \"1\"");
        found.push(mentions(&member));
        fs::remove_dir_all(&folder).expect("the folder");
        assert_eq!(found, [true, false, true, true]);
    }
}
