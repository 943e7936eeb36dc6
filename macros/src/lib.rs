//! The procedural macros of [supremum](https://docs.rs/supremum). Use them through that crate.

mod dispatch;
mod fuse;
mod limits;
mod literal;
mod load;
mod manifest;
mod signatures;
mod tensor;

use proc_macro::TokenStream;
use supremum_rules_syntax::{depth, dtypes};

/// Calls a macro with the list of all dtypes, the single source of dtype facts.
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

/// Calls a macro with the caller's tokens and the markers of all dtypes in brackets; for tests.
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

/// Calls a macro with each dtype, its kind and the other dtypes that have all its values.
#[doc(hidden)]
#[proc_macro]
pub fn with_widenings(input: TokenStream) -> TokenStream {
    dtypes::with_widenings(&input.into()).into()
}

/// Implements `supremum::promotion_rules!`; see there.
#[doc(hidden)]
#[proc_macro]
pub fn promotion_rules_impl(input: TokenStream) -> TokenStream {
    supremum_rules_syntax::promotion_rules(input.into()).into()
}

/// Calls a macro with the groups of operations: names, documentation and messages.
#[doc(hidden)]
#[proc_macro]
pub fn with_operations(input: TokenStream) -> TokenStream {
    supremum_rules_syntax::with_operations(&input.into()).into()
}

/// Calls a macro with the names of the library's rule sets.
#[doc(hidden)]
#[proc_macro]
pub fn with_builtin_rules(input: TokenStream) -> TokenStream {
    supremum_rules_syntax::with_builtin_rules(&input.into()).into()
}

/// Calls a macro with the codes in the tables at run time.
#[doc(hidden)]
#[proc_macro]
pub fn with_bytecode(input: TokenStream) -> TokenStream {
    supremum_rules_syntax::with_bytecode(&input.into()).into()
}

/// Calls a macro with the ranks that have types of their own.
#[doc(hidden)]
#[proc_macro]
pub fn with_ranks(input: TokenStream) -> TokenStream {
    limits::with_ranks(&input.into()).into()
}

/// Expands to a limit by its name.
#[doc(hidden)]
#[proc_macro]
pub fn limit(input: TokenStream) -> TokenStream {
    limits::limit(&input.into()).into()
}

/// Implements `supremum::tensor!`; see there.
#[doc(hidden)]
#[proc_macro]
pub fn tensor_impl(input: TokenStream) -> TokenStream {
    tensor::tensor(input.into()).into()
}

/// Implements `supremum::dispatch!`; see there.
#[doc(hidden)]
#[proc_macro]
pub fn dispatch_impl(input: TokenStream) -> TokenStream {
    dispatch::dispatch(input.into()).into()
}

/// Calls a macro with the verdict of each dtype on the literals of each level.
#[doc(hidden)]
#[proc_macro]
pub fn with_literal_levels(input: TokenStream) -> TokenStream {
    literal::with_literal_levels(&input.into()).into()
}

/// Implements `supremum::literal!`; see there.
#[doc(hidden)]
#[proc_macro]
pub fn literal_impl(input: TokenStream) -> TokenStream {
    literal::literal(input.into()).into()
}

/// Implements `supremum::fuse!` and `supremum::promote_unsafe!`; see there.
#[doc(hidden)]
#[proc_macro]
pub fn fuse_impl(input: TokenStream) -> TokenStream {
    fuse::fuse(input.into()).into()
}

/// Expands to its input with one string in place of each list in brackets.
#[doc(hidden)]
#[proc_macro]
pub fn with_strings(input: TokenStream) -> TokenStream {
    fuse::words::with_strings(input.into()).into()
}

/// Expands to the items behind the first token, with the location of each method's name for its whole signature.
#[doc(hidden)]
#[proc_macro]
pub fn signatures(input: TokenStream) -> TokenStream {
    signatures::signatures(input.into()).into()
}

/// Expands to its input with `try_exp` in place of each `[try_ exp]`.
#[doc(hidden)]
#[proc_macro]
pub fn with_try_names(input: TokenStream) -> TokenStream {
    signatures::with_try_names(input.into()).into()
}

/// Derives `supremum::LoadTensors`; see there. It reports the attribute `serde`, for which the compiler would propose to derive traits of
/// `serde`.
#[proc_macro_derive(LoadTensors, attributes(tensor, serde))]
pub fn load_tensors(input: TokenStream) -> TokenStream {
    load::load_tensors(input.into()).into()
}
