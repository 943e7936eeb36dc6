//! The stages of `promotion_rules!`: parse, check, expand; and fetching rules of other invocations.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::Path;

use crate::ast::MacroInput;
use crate::builtin::is_builtin;
use crate::path::path_from;
use crate::{check, depth, expand, parse};

/// The remedy for rule sets with too many brackets.
pub(crate) const FEWER_BRACKETS: &str = "rules are written with fewer; remove brackets";

/// Expands rule sets. It reports all faults, and expands a rule set with faults to a stub.
pub fn promotion_rules(input: TokenStream) -> TokenStream {
    let parsed =
        depth::check(input.clone(), FEWER_BRACKETS).and_then(|()| syn::parse2(input.clone()));
    let invocation: MacroInput = match parsed {
        Ok(invocation) => invocation,
        Err(fault) => {
            let (library, names) = parse::names(input);
            let mut output = fault.into_compile_error();
            output.extend(
                names
                    .iter()
                    .map(|name| expand::stub_of_name(&library, name)),
            );
            return output;
        }
    };
    if let Some(base) = missing_base(&invocation) {
        return fetch(&invocation.library, base, input);
    }
    let (checked, faults) = check::check(&invocation);
    let MacroInput {
        library, rule_sets, ..
    } = invocation;
    let mut output = faults.into_compile_errors();
    for (position, (set, checked)) in rule_sets.iter().zip(&checked).enumerate() {
        output.extend(match checked {
            Some(rules) => expand::expand(&library, &rule_sets[..position], set, rules),
            None => expand::stub(&library, set),
        });
    }
    output
}

/// Finds the first rules that others are `like` and that are neither in the invocation nor fetched yet. A bare name
/// that the library does not have is left to the checks, which report it with the other faults.
pub(crate) fn missing_base(invocation: &MacroInput) -> Option<&Path> {
    let bases = invocation.bases.iter().map(|base| &base.rule_sets);
    std::iter::once(&invocation.rule_sets)
        .chain(bases)
        .flat_map(|sets| {
            let likes = sets.iter().filter_map(|set| set.parts.like.as_ref());
            likes.filter(|like| !sets.iter().any(|set| like.is_ident(&set.name)))
        })
        .filter(|like| like.get_ident().is_none_or(is_builtin))
        .find(|like| !invocation.bases.iter().any(|base| base.is(like)))
}

/// Calls the macro of the base, which calls this one again with the base's tokens in front.
fn fetch(library: &TokenStream, base: &Path, input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let brackets = input.next();
    let (bases, rules) = split_bases(input);
    let path = match base.get_ident() {
        Some(_) => path_from(library, base),
        None => base.clone(),
    };
    quote!(#path! { #brackets [#base] { #bases } #rules })
}

/// Splits the tokens after the last `base path { .. }`.
fn split_bases(tokens: impl Iterator<Item = TokenTree>) -> (TokenStream, TokenStream) {
    let mut tokens = tokens.peekable();
    let mut bases = TokenStream::new();
    while matches!(tokens.peek(), Some(TokenTree::Ident(ident)) if ident == "base") {
        for token in tokens.by_ref() {
            let last =
                matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            bases.extend([token]);
            if last {
                break;
            }
        }
    }
    (bases, tokens.collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use quote::quote;

    use super::*;

    /// Found by the fuzz target `rules`: a stub was named `pub`, so that the expansion did not parse and hid the fault.
    #[test]
    fn a_keyword_in_the_place_of_a_name_gets_no_stub() {
        let input = quote!([::supremum] pub struct pub struct Named = "named"; lattice { F16 });
        let expansion = promotion_rules(input).to_string();
        syn::parse_str::<syn::File>(&expansion).expect("items");
        assert!(expansion.contains("struct Named") && !expansion.contains("struct pub"));
    }

    fn pretty(tokens: TokenStream) -> String {
        prettyplease::unparse(&syn::parse2(tokens).expect("items"))
    }

    /// Compares with `snapshots/lattice.rs`; writes it if `SUPREMUM_BLESS` is set.
    #[test]
    fn a_small_lattice_expands_to_this() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/snapshots/lattice.rs");
        let expansion = pretty(promotion_rules(quote! {
            [::supremum]
            /// Two floats.
            #[law(commutative, associative)]
            pub struct Small = "small";
            lattice { F16 -> Weak<F64>; }
            weak_pairs: replaced;
        }));
        if std::env::var_os("SUPREMUM_BLESS").is_some() {
            std::fs::write(&path, &expansion).expect("writing the snapshot");
        }
        let snapshot = std::fs::read_to_string(&path).expect("the snapshot");
        assert!(
            expansion == snapshot,
            "run with SUPREMUM_BLESS=1 and read the difference"
        );
    }

    #[test]
    fn rules_that_do_not_parse_leave_their_names() {
        let expansion = pretty(promotion_rules(quote! {
            [::supremum]
            pub struct First = "first";
            lattice { F16 => F32 }
            pub struct Second = "second";
        }));
        assert!(expansion.contains("compile_error!"));
        assert!(
            expansion.contains("pub struct First;") && expansion.contains("pub struct Second;")
        );
        assert!(expansion.contains("::supremum::__private::Rules for Second"));
    }
}
