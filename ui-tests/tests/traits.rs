//! A type that lacks a public trait gets a message of ours, which lists no types that have the trait. The program
//! `tests/traits/lacking/every_public_trait.rs` asks each trait of such a type.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose traits no other crate can name.
const PRIVATE_FOLDERS: [&str; 3] = ["kernel", "simd", "pjrt/raw"];

/// The other public traits without a message of their own, with the reason.
const WITHOUT_MESSAGE: &[(&str, &[&str])] = &[
    (
        "no other crate can name it, and a bound in front of it has a message",
        &[
            "AcceptedVerdict",
            "Around",
            "CastElement",
            "Cells",
            "Column",
            "CommonOf",
            "Compiles",
            "ComputeType",
            "ComputedIn",
            "ConversionByWidths",
            "Defined",
            "ElementFunction",
            "Exactly",
            "FoldedOnto",
            "Format",
            "Group",
            "GroupHeight",
            "Height",
            "Highest",
            "HoldsAllOf",
            "ImpliedBound",
            "ImpliedBoundAs",
            "Itself",
            "List",
            "Literal",
            "LiteralTarget",
            "Lookup",
            "Meet",
            "NoOutcome",
            "NumbersOfDType",
            "Observer",
            "Position",
            "PowerGroup",
            "Ranked",
            "Row",
            "Saved",
            "Sealed",
            "Slice",
            "StaticLoss",
            "UnsafeOutcome",
        ],
    ),
    (
        "hidden: `fuse!` asks it of types that it writes itself",
        &[
            "Bindings",
            "Compile",
            "CutLeaf",
            "Evaluate",
            "Expression",
            "Function",
            "Operation",
            "OutputPlace",
            "Record",
            "Together",
            "WholeTensor",
        ],
    ),
    (
        "hidden: a step of another trait, which has the message",
        &[
            "ArrayOf",
            "Equals",
            "Is",
            "KnownRank",
            "Level",
            "LiteralOf",
            "NoRank",
            "RankItself",
            "TargetTensor",
            "WindowPadding",
        ],
    ),
    (
        "hidden: its methods give the messages, not its bounds",
        &[
            "CompareBehindMut",
            "ElementOfLoop",
            "FallibleAnswer",
            "NumberToPower",
            "WholeAnswer",
        ],
    ),
    (
        "its only bound, `LandsIn`, has the message",
        &["FitsLiteral"],
    ),
];

/// The traits with a message that the program does not ask, with the reason.
const NOT_ASKED: &[(&str, &[&str])] = &[
    (
        "no other crate can name it; a method or a macro asks it",
        &[
            "ByElement",
            "CallResult",
            "ChangesNumber",
            "ChangesNumberOtherwise",
            "ComputesAsNumber",
            "DynIndex",
            "ElementsAndShape",
            "FileIndex",
            "FileKeys",
            "LeftDynOperand",
            "LoadFeature",
            "NamedNumber",
            "NamedTyped",
            "OfAnyDType",
            "Part",
            "PromotedByRules",
            "RaisedByTensor",
            "RandFeature",
            "ReadView",
            "ReadsMutable",
            "Summand",
            "TakenOut",
            "WholeDynTensor",
        ],
    ),
    (
        "it needs a feature that is off in this crate",
        &[
            "ElementOfArray",
            "FilePath",
            "IntegerRange",
            "NdarrayDim",
            "NdarrayRank",
            "OfAnyArray",
            "OrderOf",
            "RankOfArray",
            "Sampled",
            "Samples",
            "SamplesOf",
        ],
    ),
    (
        "it is asked of a verdict or an outcome, and its message is about the dtypes",
        &["IsExpected", "IsRefused", "LandsIn", "SafeIn"],
    ),
];

const PROGRAM: &str = "tests/traits/lacking/every_public_trait";

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file of the program: its code, or the messages.
fn program(extension: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PROGRAM);
    read(&path.with_extension(extension))
}

/// The public traits of a source file, and whether each has a message. Macros that write traits (`pub trait $name`) have the attribute
/// in their rows.
fn traits(source: &str) -> Vec<(String, bool)> {
    let mut traits = Vec::new();
    let mut has_message = false;
    for line in source.lines().map(str::trim_start) {
        has_message |= ["#[diagnostic::on_unimplemented", "with_operand_message! {"]
            .iter()
            .any(|attribute| line.starts_with(attribute));
        let declared = line.strip_prefix("pub unsafe trait ");
        if let Some(rest) = declared.or(line.strip_prefix("pub trait "))
            && !rest.starts_with('$')
        {
            let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
            let name = rest.split(is_end).next().expect("a name");
            traits.push((name.to_owned(), has_message));
        }
        if line.is_empty() {
            has_message = false;
        }
    }
    traits
}

/// The public traits of the library but for those in private folders: those with a message, and those without one.
fn all_traits() -> [BTreeSet<String>; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    let mut folders = vec![root.clone()];
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the library") {
            let path: PathBuf = entry.expect("an entry").path();
            let below = path.strip_prefix(&root).expect("below the root");
            let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
            if path.is_dir() && !PRIVATE_FOLDERS.iter().any(|folder| below.ends_with(folder)) {
                folders.push(path);
            } else if path.extension().is_some_and(|rs| rs == "rs") && !is_test {
                for (name, has_message) in traits(&read(&path)) {
                    found[usize::from(!has_message)].insert(name);
                }
            }
        }
    }
    assert!(found[0].len() > 100, "{} traits", found[0].len());
    found
}

fn listed(list: &[(&str, &[&str])]) -> BTreeSet<String> {
    let names = list.iter().flat_map(|(_, names)| *names);
    names.map(|name| (*name).to_owned()).collect()
}

#[test]
fn traits_and_their_messages_are_found() {
    let source = "#[diagnostic::on_unimplemented(\n    message = \"..\"\n)]\n// why\npub trait A<T>: B {}\n\npub trait B {}\n    \
                  pub unsafe trait C: D {}\npub trait $name {}\npub(crate) trait E {}\n";
    let found = traits(source);
    let found: Vec<_> = found
        .iter()
        .map(|(name, has)| (name.as_str(), *has))
        .collect();
    assert_eq!(found, [("A", true), ("B", false), ("C", false)]);
}

#[test]
fn every_public_trait_has_a_message() {
    let [_, without] = all_traits();
    assert_eq!(
        without,
        listed(WITHOUT_MESSAGE),
        "give the trait on the left `#[diagnostic::on_unimplemented(..)]`, or list it with the reason"
    );
}

#[test]
fn every_public_trait_is_asked() {
    let [with, _] = all_traits();
    let code = program("rs");
    let is_asked = |name: &String| {
        code.contains(&format!("::{name}<")) || code.contains(&format!("::{name}>"))
    };
    let missing: BTreeSet<_> = with
        .iter()
        .filter(|name| !is_asked(name))
        .cloned()
        .collect();
    assert_eq!(
        missing,
        listed(NOT_ASKED),
        "ask the trait on the left in {PROGRAM}.rs, or list it with the reason"
    );
}

#[test]
fn their_messages_are_ours() {
    let (code, messages) = (program("rs"), program("stderr"));
    let errors: Vec<_> = messages.split("\n\n").collect();
    for (number, line) in code.lines().enumerate() {
        let place = format!("every_public_trait.rs:{}:", number + 1);
        let is_of_line = |error: &&&str| error.lines().nth(1).is_some_and(|at| at.contains(&place));
        let of_line: Vec<_> = errors.iter().filter(is_of_line).collect();
        assert_eq!(of_line.is_empty(), !line.contains("needs::<"), "{line}");
        for error in of_line {
            assert!(error.starts_with("error[E0277]: "), "{error}");
            for of_rustc in ["the trait bound `", "other types implement"] {
                assert!(!error.contains(of_rustc), "{of_rustc}: {error}");
            }
        }
    }
}
