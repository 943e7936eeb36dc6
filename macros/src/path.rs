//! Paths of rule sets and of reasons, as they are written and as an expansion names them.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Path, parse_quote_spanned};

/// Whether two paths are written alike.
pub(crate) fn same(one: &Path, other: &Path) -> bool {
    one.to_token_stream().to_string() == other.to_token_stream().to_string()
}

/// The path of other rules, from anywhere: a bare name is of this library, whatever is imported.
pub(crate) fn path_from(library: &TokenStream, path: &Path) -> Path {
    match path.get_ident() {
        Some(name) => parse_quote_spanned!(name.span()=> #library::#name),
        None => generated(path),
    }
}

/// A path that is written in rules as one of the expansion. Those of extensible rules are longer than the
/// caller's own crate needs, which is no reason for a lint.
pub(crate) fn generated(path: &Path) -> Path {
    let mut path = path.clone();
    // `$crate` says by its span which crate it is.
    let named = |segment: &&mut syn::PathSegment| segment.ident != "$crate";
    for segment in path.segments.iter_mut().filter(named) {
        let span = Span::call_site().located_at(segment.ident.span());
        segment.ident.set_span(span);
    }
    path
}
