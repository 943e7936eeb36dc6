//! The macros of [supremum](https://docs.rs/supremum). Use them through that crate.

mod ast;
mod builtin;
mod check;
mod depth;
mod dispatch;
mod dtypes;
mod expand;
mod fuse;
mod grid;
mod lattice;
mod literal;
mod load;
mod model;
mod operations;
mod parse;
mod path;
mod rules;
mod tensor;

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

/// Calls a macro with the markers of all dtypes in brackets, after what else it is called with; for tests.
#[doc(hidden)]
#[proc_macro]
pub fn with_markers(input: TokenStream) -> TokenStream {
    dtypes::with_markers(input.into()).into()
}

/// Calls a macro with the list of the 8-bit floats, whose elements the library makes itself.
#[doc(hidden)]
#[proc_macro]
pub fn with_float8(input: TokenStream) -> TokenStream {
    dtypes::with_float8(&input.into()).into()
}

/// Behind `supremum::promotion_rules!`, which see.
#[doc(hidden)]
#[proc_macro]
pub fn promotion_rules_impl(input: TokenStream) -> TokenStream {
    rules::promotion_rules(input.into()).into()
}

/// The names of all groups of operations, for the library to compare with its own.
#[doc(hidden)]
#[proc_macro]
pub fn operation_names(_: TokenStream) -> TokenStream {
    expand::operation_names().into()
}

/// The names of the rule sets of the library, for it to compare with its own.
#[doc(hidden)]
#[proc_macro]
pub fn builtin_names(_: TokenStream) -> TokenStream {
    rules::builtin_names().into()
}

/// Behind `supremum::tensor!`, which see.
#[doc(hidden)]
#[proc_macro]
pub fn tensor_impl(input: TokenStream) -> TokenStream {
    tensor::tensor(input.into()).into()
}

/// Behind `supremum::dispatch!`, which see.
#[doc(hidden)]
#[proc_macro]
pub fn dispatch_impl(input: TokenStream) -> TokenStream {
    dispatch::dispatch(input.into()).into()
}

/// Calls a macro with what each dtype makes of literals, level by level.
#[doc(hidden)]
#[proc_macro]
pub fn with_literal_levels(input: TokenStream) -> TokenStream {
    literal::with_literal_levels(&input.into()).into()
}

/// Behind `supremum::literal!`, which see.
#[doc(hidden)]
#[proc_macro]
pub fn literal_impl(input: TokenStream) -> TokenStream {
    literal::literal(input.into()).into()
}

/// Behind `supremum::fuse!` and `supremum::promote_unsafe!`, which see.
#[doc(hidden)]
#[proc_macro]
pub fn fuse_impl(input: TokenStream) -> TokenStream {
    fuse::fuse(input.into()).into()
}

/// The methods that `fuse!` knows, for the library to compare with its own.
#[doc(hidden)]
#[proc_macro]
pub fn fuse_words(_: TokenStream) -> TokenStream {
    fuse::words::words().into()
}

/// The highest rank and the number of bindings in a loop, for the library to compare with its own.
#[doc(hidden)]
#[proc_macro]
pub fn limits(_: TokenStream) -> TokenStream {
    let (rank, bound) = (tensor::MAX_RANK, fuse::expand::MAX_BOUND);
    quote::quote!((#rank, #bound)).into()
}

/// Behind the trait `supremum::LoadTensors`, which see.
#[proc_macro_derive(LoadTensors, attributes(tensor))]
pub fn load_tensors(input: TokenStream) -> TokenStream {
    load::load_tensors(input.into()).into()
}
