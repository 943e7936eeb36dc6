//! Expands the code of operands and outputs.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCast, ExprMethodCall, Lifetime};

use super::node::Writer;
use crate::fuse::model::Place;
use crate::fuse::names::unwrapped;

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
        if let (Some(marker), Expr::Cast(cast)) = (place.number_of, &place.code) {
            return self.number(marker, cast);
        }
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

    /// Expands `count as f32`: a call around `count` has the compiler check that it is a number.
    fn number(&self, marker: &str, cast: &ExprCast) -> TokenStream {
        let (library, marker) = (self.library, Ident::new(marker, Span::mixed_site()));
        let (number, to) = (unwrapped(&cast.expr), &cast.ty);
        // Single names, whose place is that of the number: rustc takes a path from `$crate` on for the whole invocation.
        let place = number.span().resolved_at(Span::mixed_site());
        let [function, dtype] =
            ["__supremum_number", "__supremum_dtype"].map(|name| Ident::new(name, place));
        let number = quote_spanned!(place=> #function::<#dtype, _, _>(#number));
        quote!({
            use #library::__private::{#marker as #dtype, fuse::number as #function};
            #number as #to
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
