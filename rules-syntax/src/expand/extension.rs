//! The macro that makes `#[extensible]` rules available as a base in other invocations.

use proc_macro2::{Group, Punct, Spacing, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::Visibility;

use crate::ast::RuleSet;

/// Writes the macro by which another invocation uses these rules as its base. It has the name of the rule set.
///
/// An exported macro stands at the root of its crate, but its own crate may not name it by a path if it comes from an
/// expansion. So it is imported beside the rules, under their name, and is imported and re-exported together with them.
pub(super) fn extension(earlier: &[RuleSet], set: &RuleSet) -> TokenStream {
    let RuleSet {
        name, visibility, ..
    } = set;
    let exported_name = format_ident!("__rules_{name}");
    let export = matches!(visibility, Visibility::Public(_)).then(|| quote!(#[macro_export]));
    let dollar = Punct::new('$', Spacing::Alone);
    let tokens = earlier
        .iter()
        .chain([set])
        .map(|set| exported(set.tokens.clone(), &dollar));
    quote! {
        #[doc(hidden)]
        #export
        macro_rules! #exported_name {
            (
                [#dollar (#dollar library:tt)*] [#dollar (#dollar path:tt)*] { #dollar (#dollar bases:tt)* }
                #dollar (#dollar rules:tt)*
            ) => {
                #dollar (#dollar library)*::promotion_rules_impl! {
                    [#dollar (#dollar library)*]
                    #dollar (#dollar bases)*
                    base #dollar (#dollar path)* { #(#tokens)* }
                    #dollar (#dollar rules)*
                }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #visibility use #exported_name as #name;
    }
}

/// Rewrites tokens for an exported macro, in which `$crate` is the crate of the macro.
fn exported(tokens: TokenStream, dollar: &Punct) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) if ident == "crate" => {
                vec![TokenTree::from(dollar.clone()), ident.into()]
            }
            // A visibility such as `pub(crate)`, which has no effect there.
            TokenTree::Group(group) if group.stream().to_string() == "crate" => {
                vec![group.into()]
            }
            TokenTree::Group(group) => {
                let inner = exported(group.stream(), dollar);
                let mut exported = Group::new(group.delimiter(), inner);
                exported.set_span(group.span());
                vec![exported.into()]
            }
            other => vec![other],
        })
        .collect()
}
