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
