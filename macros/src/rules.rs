//! `promotion_rules!` from tokens to tokens.

use proc_macro2::TokenStream;

use crate::parse::Invocation;
use crate::{check, expand, parse};

/// Expands rule sets; all faults are reported, and a rule set with faults becomes a stub.
pub(crate) fn promotion_rules(input: TokenStream) -> TokenStream {
    let Invocation { library, rule_sets } = match syn::parse2(input.clone()) {
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
    let (checked, faults) = check::check(&library, &rule_sets);
    let mut output = faults.into_compile_errors();
    output.extend(
        rule_sets
            .iter()
            .zip(&checked)
            .map(|(set, checked)| match checked {
                Some(rules) => expand::expand(&library, set, rules),
                None => expand::stub(&library, set),
            }),
    );
    output
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use quote::quote;

    use super::*;

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
