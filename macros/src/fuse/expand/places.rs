//! Expands the code of operands and outputs.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Expr, ExprMethodCall, Lifetime};

use super::node::Writer;
use crate::fuse::model::Place;

/// The methods of tensors that have no fallible form.
const HAVE_NO_ERRORS: [&str; 4] = ["transpose", "flatten", "with_rules", "strong"];

/// Returns the name of the fallible form of a method of tensors, if it has one.
pub(super) fn fallible_form(method: &Ident) -> Option<Ident> {
    let can_fail = !HAVE_NO_ERRORS.contains(&&*method.to_string());
    can_fail.then(|| Ident::new(&format!("try_{method}"), method.span()))
}

/// The label of the block that an error of a view leaves.
fn label() -> Lifetime {
    Lifetime::new("'__supremum_views", Span::mixed_site())
}

impl Writer<'_> {
    /// Expands the code of a place. If `tries`, views are made by their fallible forms.
    pub(super) fn place(&self, place: &Place, tries: bool) -> TokenStream {
        if !tries {
            return parenthesised(&place.code);
        }
        let views: Vec<_> = place.views().collect();
        let of = views.last().map_or(&place.code, |first| &*first.receiver);
        views.iter().rev().fold(parenthesised(of), |of, view| {
            let ExprMethodCall {
                method,
                turbofish,
                args,
                ..
            } = view;
            match fallible_form(method) {
                Some(fallible) => self.or_break(&label(), quote!(#of.#fallible #turbofish(#args))),
                None => quote!(#of.#method #turbofish(#args)),
            }
        })
    }
}

/// Puts an expression into a block that errors of views leave, if any of the places has views that can fail.
pub(super) fn with_views<'a>(
    mut places: impl Iterator<Item = &'a Place>,
    expression: TokenStream,
) -> TokenStream {
    let can_fail = |place: &Place| {
        let mut views = place.views();
        views.any(|view| fallible_form(&view.method).is_some())
    };
    match places.any(can_fail) {
        true => {
            let label = label();
            quote!(#label: { #expression })
        }
        false => expression,
    }
}

fn parenthesised(expression: &Expr) -> TokenStream {
    match expression {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) | Expr::Lit(_) => {
            quote!(#expression)
        }
        _ => quote!((#expression)),
    }
}
