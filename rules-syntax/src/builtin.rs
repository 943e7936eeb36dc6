//! The library's rule sets, which `with_builtin_rules!` hands to it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The rule sets that a bare name after `like` or `extend` can name, in the order of `RuleSet::builtin`.
pub(crate) const BUILTIN: &[&str] = &[
    "Jax",
    "JaxX32",
    "JaxStrict",
    "Numpy",
    "NumpyUfunc",
    "NumpyArctan2",
    "Torch",
    "TorchSubtract",
    "TorchEqual",
    "TensorFlow",
    "TensorFlowOperators",
    "TensorFlowMultiply",
    "TensorFlowLegacy",
    "OpenVino",
    "OpenVinoScalar",
    "ArrayApi",
    "Anvil",
];

pub(crate) fn is_builtin(name: &Ident) -> bool {
    BUILTIN.iter().any(|builtin| name == builtin)
}

/// `callback! { Jax JaxX32 .. }`.
///
/// Input: `callback`.
pub fn with_builtin_rules(callback: &TokenStream) -> TokenStream {
    let names = BUILTIN
        .iter()
        .map(|name| Ident::new(name, Span::call_site()));
    quote!(#callback! { #(#names)* })
}
