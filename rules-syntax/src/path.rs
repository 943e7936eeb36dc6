//! Paths of rule sets and of reasons, in the source and in expansions.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Path, parse_quote_spanned};

/// Returns whether two paths have the same text.
pub(crate) fn same(one: &Path, other: &Path) -> bool {
    one.to_token_stream().to_string() == other.to_token_stream().to_string()
}

/// Resolves the path of other rules: a bare name is a rule set of the library, regardless of imports.
pub(crate) fn path_from(library: &TokenStream, path: &Path) -> Path {
    match path.get_ident() {
        Some(name) => parse_quote_spanned!(name.span()=> #library::#name),
        None => generated(path),
    }
}

/// Gives a path of the source the span of the expansion, so that lints ignore it: paths in extensible rules are longer
/// than their own crate needs. A bare name keeps its span, so that messages on it name no macro.
pub(crate) fn generated(path: &Path) -> Path {
    let mut path = path.clone();
    if path.get_ident().is_some() {
        return path;
    }
    // Keep the span of `$crate`, which determines the crate.
    let named = |segment: &&mut syn::PathSegment| segment.ident != "$crate";
    for segment in path.segments.iter_mut().filter(named) {
        let span = Span::call_site().located_at(segment.ident.span());
        segment.ident.set_span(span);
    }
    path
}
