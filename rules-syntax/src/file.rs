//! Rule sets in a text file: the same parsing and checks as in the macro, with faults by line and column.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Path;
use syn::parse::Parser;

use crate::ast::MacroInput;
use crate::model::Checked;
use crate::{check, depth, parse, rules};

/// A fault, and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The first column, from 1, in characters.
    pub column: usize,
    /// The number of columns that the fault takes on its line, at least 1.
    pub width: usize,
    /// The message of the macro.
    pub message: String,
}

/// A rule set without faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRules {
    /// The name of the type.
    pub name: String,
    /// The name for messages: `struct Name = "title"`.
    pub title: String,
    /// The number of operands that are written.
    pub operands: usize,
    /// The number of pairs of these that promote; the two orders of a pair count as one if they agree.
    pub pairs: usize,
    /// The number of these promotions that are unsafe.
    pub unsafe_pairs: usize,
}

/// The macros in whose calls rule sets stand.
const MACROS: [&str; 2] = ["promotion_rules", "builtin_rules"];

/// Checks the rule sets of a text: what stands between the braces of `promotion_rules! { .. }`, or Rust source with such
/// calls. `libraries` are the source files of rule sets that a bare name after `like` or `extend` can name.
///
/// # Errors
/// The faults, in the order of the text, if there are any.
pub fn check_file(text: &str, libraries: &[&str]) -> Result<Vec<CheckedRules>, Vec<Fault>> {
    let tokens: TokenStream = text
        .parse()
        .map_err(|error: proc_macro2::LexError| vec![unbalanced(text, &error)])?;
    let invocations = match calls(tokens.clone()) {
        none if none.is_empty() => vec![tokens],
        calls => calls,
    };
    let mut checked = Vec::new();
    let mut faults = Vec::new();
    for invocation in &invocations {
        let find = |path: &Path| {
            let here = invocations
                .iter()
                .find_map(|other| tokens_of(path, other.clone()));
            let library = || {
                let mut texts = libraries.iter().filter(|_| path.get_ident().is_some());
                texts.find_map(|text| {
                    let calls = calls(text.parse().ok()?);
                    calls.into_iter().find_map(|call| tokens_of(path, call))
                })
            };
            here.filter(|_| path.get_ident().is_none()).or_else(library)
        };
        match check_invocation(invocation.clone(), find) {
            Ok(rules) => checked.extend(rules),
            Err(errors) => faults.extend(errors.into_iter().map(|error| Fault::new(&error))),
        }
    }
    if faults.is_empty() {
        Ok(checked)
    } else {
        faults.sort_by_key(|fault| (fault.line, fault.column));
        Err(faults)
    }
}

/// The fault of a text that cannot be split into tokens: a bracket without its partner, or a character that no token has.
fn unbalanced(text: &str, error: &proc_macro2::LexError) -> Fault {
    let start = error.span().start();
    let line = text.lines().nth(start.line.saturating_sub(1));
    let message = match line.and_then(|line| line.chars().nth(start.column)) {
        Some('(' | '[' | '{') => "this bracket is not closed",
        Some(')' | ']' | '}') => "this bracket closes none",
        _ => "this is not a token of Rust",
    };
    Fault {
        line: start.line,
        column: start.column + 1,
        width: 1,
        message: message.to_owned(),
    }
}

/// The tokens within calls of [`MACROS`], at any depth.
fn calls(tokens: TokenStream) -> Vec<TokenStream> {
    let mut found = Vec::new();
    // With a stack of its own: brackets can be nested deeper than the stack of the thread.
    let mut pending = vec![tokens];
    while let Some(tokens) = pending.pop() {
        let tokens: Vec<_> = tokens.into_iter().collect();
        for (position, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else {
                continue;
            };
            let called = position.checked_sub(2).is_some_and(|name| {
                let is_macro = matches!(&tokens[name], TokenTree::Ident(name) if MACROS.iter().any(|known| name == known));
                let is_call = matches!(&tokens[position - 1], TokenTree::Punct(mark) if mark.as_char() == '!');
                is_macro && is_call && group.delimiter() != Delimiter::None
            });
            if called {
                found.push(group.stream());
            } else {
                pending.push(group.stream());
            }
        }
    }
    found
}

/// The tokens of an invocation up to and including the rules that a path names by its last part.
fn tokens_of(path: &Path, invocation: TokenStream) -> Option<TokenStream> {
    let name = &path.segments.last()?.ident;
    depth::check(invocation.clone(), "").ok()?;
    let sets = parse::rule_sets.parse2(invocation).ok()?;
    let named = sets.iter().position(|set| set.name == *name)?;
    Some(
        sets[..=named]
            .iter()
            .map(|set| set.tokens.clone())
            .collect(),
    )
}

/// Checks the rule sets of one invocation. `find` has the tokens of rules that others are like.
fn check_invocation(
    tokens: TokenStream,
    find: impl Fn(&Path) -> Option<TokenStream>,
) -> Result<Vec<CheckedRules>, Vec<syn::Error>> {
    let mut bases = TokenStream::new();
    loop {
        let input = quote!([::supremum] #bases #tokens);
        let parsed = depth::check(input.clone(), rules::FEWER_BRACKETS)
            .and_then(|()| syn::parse2::<MacroInput>(input));
        let invocation = parsed.map_err(|error| error.into_iter().collect::<Vec<_>>())?;
        if let Some(base) = rules::missing_base(&invocation) {
            let Some(found) = find(base) else {
                let message = format!(
                    "the rules `{}` are in another file; only those of this file and of the library are known here",
                    base.to_token_stream().to_string().replace(' ', "")
                );
                return Err(vec![syn::Error::new_spanned(base, message)]);
            };
            bases = quote!(base #base { #found } #bases);
            continue;
        }
        let (checked, faults) = check::check(&invocation);
        let errors: Vec<_> = faults.into_errors().collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let sets = invocation.rule_sets.iter().zip(&checked);
        let sets = sets.filter_map(|(set, checked)| {
            Some(CheckedRules::new(
                set.name.to_string(),
                set.title.value(),
                checked.as_ref()?,
            ))
        });
        return Ok(sets.collect());
    }
}

impl CheckedRules {
    fn new(name: String, title: String, rules: &Checked) -> Self {
        let mut pairs = 0;
        let mut unsafe_pairs = 0;
        for (position, lhs) in rules.written.iter().enumerate() {
            for (other, rhs) in rules.written.iter().enumerate() {
                let promotion = rules.promotion(*lhs, *rhs);
                let back = rules.promotion(*rhs, *lhs);
                let agree = promotion.map(|one| one.result) == back.map(|one| one.result);
                if let Some(promotion) = promotion.filter(|_| !agree || position <= other) {
                    pairs += 1;
                    unsafe_pairs += usize::from(!promotion.verdict.is_safe());
                }
            }
        }
        Self {
            name,
            title,
            operands: rules.written.len(),
            pairs,
            unsafe_pairs,
        }
    }
}

impl Fault {
    fn new(error: &syn::Error) -> Self {
        let span: Span = error.span();
        let (start, end) = (span.start(), span.end());
        let width = if start.line == end.line {
            end.column.saturating_sub(start.column)
        } else {
            0
        };
        Self {
            line: start.line,
            column: start.column + 1,
            width: width.max(1),
            message: error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = r#"
        //! A system.
        super::builtin_rules! {
            pub struct Jax = "jax";
            lattice { I32 -> F32; }
            operations { Add {} }

            pub struct JaxX32 = "jax-x32";
            like Jax;
        }
    "#;

    fn places(text: &str) -> Vec<(usize, usize, usize, String)> {
        let faults = check_file(text, &[LIBRARY]).expect_err("faults");
        let place = |fault: Fault| (fault.line, fault.column, fault.width, fault.message);
        faults.into_iter().map(place).collect()
    }

    #[test]
    fn every_fault_has_its_place() {
        let text = "pub struct Mine = \"mine\";\n\
                    table {\n    _ => [I32, F33],\n    I31 => [I32, F32],\n}\n";
        let found = places(text);
        assert_eq!(found[0].0, 3);
        assert_eq!((found[0].1, found[0].2), (16, 3));
        assert!(found[0].3.starts_with("unknown dtype `F33`"), "{found:?}");
        assert_eq!((found[1].0, found[1].1), (4, 5));
    }

    #[test]
    fn rules_of_the_library_are_known() {
        let text = "pub struct Mine = \"mine\"; extend JaxX32 { I32 F32 => F64; } lattice { I32 -> F32 -> F64; }";
        assert!(check_file(text, &[LIBRARY]).is_err());
        let text = "pub struct Mine = \"mine\"; extend JaxX32 { I32 F32 => _; }";
        let rules = check_file(text, &[LIBRARY]).expect("no faults");
        assert_eq!((rules[0].operands, rules[0].pairs), (2, 2));
        let rules = check_file("struct Mine = \"mine\"; like Jax;", &[LIBRARY]).expect("no faults");
        assert_eq!((rules[0].pairs, rules[0].unsafe_pairs), (3, 1));
    }

    #[test]
    fn rust_source_is_searched_for_calls() {
        let text = "fn main() {\n    supremum::promotion_rules! {\n        struct A = \"a\"; lattice { F16 -> F32; }\n    }\n}\n\
                    mod m { promotion_rules! { struct B = \"b\"; like super::A; } }";
        let rules = check_file(text, &[]).expect("no faults");
        let names: Vec<_> = rules.iter().map(|rules| rules.name.as_str()).collect();
        assert!(names.contains(&"A") && names.contains(&"B"), "{names:?}");
        let wrong = text.replace("-> F32", "-> F33");
        assert_eq!(places(&wrong)[0].0, 3);
    }

    #[test]
    fn rules_of_other_files_are_a_fault() {
        let found = places("struct B = \"b\";\nlike their_crate::A;");
        assert_eq!((found[0].0, found[0].1), (2, 6));
        assert!(found[0].3.contains("`their_crate::A` are in another file"));
    }

    #[test]
    fn a_text_that_is_no_rust_has_a_place_too() {
        let of = |text: &str| places(text).swap_remove(0);
        let open = of("struct A = \"a\";\nlattice { F16 -> F32;\n");
        assert_eq!(open, (2, 9, 1, "this bracket is not closed".to_owned()));
        let closed = of("struct A = \"a\";\nlattice ) F16 -> F32;\n");
        assert_eq!(closed, (2, 9, 1, "this bracket closes none".to_owned()));
        assert_eq!(of("struct A = \"a").3, "this is not a token of Rust");
        assert_eq!(check_file("// nothing", &[]), Ok(Vec::new()));
        let deep = format!(
            "struct A = \"a\"; {}{}",
            "(".repeat(50_000),
            ")".repeat(50_000)
        );
        assert!(places(&deep)[0].3.contains("levels of brackets"));
    }
}
