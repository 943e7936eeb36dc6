//! Limits, which `limit!` and `with_ranks!` hand to the library.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

/// The highest rank of a tensor.
pub(crate) const MAX_RANK: usize = 8;
/// The highest rank that has a type of its own.
pub(crate) const MAX_STATIC_RANK: usize = 6;
/// The largest number of bindings in a compiled loop of `fuse!`.
pub(crate) const MAX_BOUND: usize = 8;

/// The largest number of inputs of a compiled loop of `fuse!`.
pub(crate) const MAX_INPUTS: usize = 8;

/// The type of a rank: `Rank2`, or `AnyRank` above the highest that has its own.
pub(crate) fn rank_type(rank: usize) -> Ident {
    if rank > MAX_STATIC_RANK {
        format_ident!("AnyRank")
    } else {
        format_ident!("Rank{rank}")
    }
}

/// The number of that name.
pub(crate) fn limit(name: &TokenStream) -> TokenStream {
    let limit = match name.to_string().as_str() {
        "MAX_RANK" => MAX_RANK,
        "MAX_BOUND" => MAX_BOUND,
        "MAX_INPUTS" => MAX_INPUTS,
        other => return unknown(other),
    };
    let limit = Literal::usize_unsuffixed(limit);
    quote!(#limit)
}

fn unknown(name: &str) -> TokenStream {
    syn::Error::new(Span::call_site(), format!("no limit `{name}`")).to_compile_error()
}

/// `callback! { Rank0 0 Rank1 1 .. }`.
///
/// Input: `callback`.
pub(crate) fn with_ranks(callback: &TokenStream) -> TokenStream {
    let ranks = (0..=MAX_STATIC_RANK).map(|rank| {
        let (name, number) = (rank_type(rank), Literal::usize_unsuffixed(rank));
        quote!(#name #number)
    });
    quote!(#callback! { #(#ranks)* })
}
