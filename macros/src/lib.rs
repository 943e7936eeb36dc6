//! The macros of [supremum](https://docs.rs/supremum). Use them through that crate.

mod dtypes;

use proc_macro::TokenStream;

/// Calls a macro with the list of all dtypes; the library's own single source of dtype facts.
#[doc(hidden)]
#[proc_macro]
pub fn with_dtypes(input: TokenStream) -> TokenStream {
    let input = proc_macro2::TokenStream::from(input);
    let mut callback = input.into_iter();
    let name = callback
        .by_ref()
        .take_while(|t| t.to_string() != ",")
        .collect();
    let typenum = callback.collect();
    dtypes::with_dtypes(&name, &typenum).into()
}
