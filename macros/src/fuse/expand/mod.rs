//! Expands the model to tokens.
//!
//! The expansion uses Rust's operators and methods of the library's `Fused`, as between tensors, so that the compiler's
//! messages are the same and point at the operator. Every name that is not the user's has mixed-site hygiene; calls
//! have the span of the source that they come from.
//!
//! This file writes the whole expansion, `places.rs` the code of operands and outputs, `passes.rs` the statements before the result, and
//! `node.rs` the expressions.

mod node;
mod passes;
mod places;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use self::node::Writer;
use super::model::{Node, Program, Step};
use super::names::unwrapped;
use super::optimised;
use super::passes::{Uses, rank_with_rows};
use crate::literal;

/// The variant of the macro.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    /// `true` if unsafe promotions are admitted.
    pub(super) admits: bool,
    /// `true` if the expansion returns a `Result`.
    pub(super) tries: bool,
    /// `true` if the expansion returns the backend instead of the value.
    pub(super) explains: bool,
}

pub(super) fn expand(library: &TokenStream, mode: Mode, program: &Program) -> TokenStream {
    let uses = Uses::new(program);
    let rank_with_rows = rank_with_rows(program).filter(|_| !mode.explains);
    let writer = Writer {
        library,
        // The closure that evaluates rows returns errors.
        mode: Mode {
            tries: mode.tries || rank_with_rows.is_some(),
            ..mode
        },
        in_pass: None,
    };
    let fuse = writer.fuse(Span::call_site());
    let leaves = program.leaves.iter().map(|leaf| {
        let code = writer.place(leaf, mode.tries);
        quote!(&#code)
    });
    let names = (0..program.leaves.len()).map(|number| name("leaf", number));
    // All leaves are made before the expression, under one rule set: what follows knows it, also after an element on the left.
    let rules = name("rules", 0);
    let operands = program.leaves.iter().enumerate().map(|(number, leaf)| {
        let span = leaf.code.span();
        let place = span.resolved_at(Span::mixed_site());
        let (fuse, mut function) = (writer.fuse(span), writer.admitting("leaf"));
        function.set_span(place);
        let (bound, mut reference) = (name("leaf", number), name("leaf", number));
        reference.set_span(place);
        let input = uses.inputs[number];
        quote_spanned!(place=> let #bound = #fuse::#function::<#input, _, _, _>(#rules, #reference);)
    });
    let steps = program.steps.iter().map(|step| match step {
        Step::Binding(number) => writer.binding_of(program, &uses, *number),
        Step::Pass(number) => writer.pass(program, &uses, *number),
    });
    let result = writer.node(&program.result);
    let result = match &program.reduction {
        None => result,
        Some(reduction) => {
            let (method, arguments) = (&reduction.method, &reduction.arguments);
            quote!(#result.#method(#arguments))
        }
    };
    let number = uses.target();
    let bound = writer.bound(&uses, program.passes.len());
    let site = passes::site();
    let run = match (mode.admits, mode.tries) {
        _ if mode.explains => quote!(backend),
        _ if rank_with_rows.is_some() => quote!(run),
        (false, false) => quote!(run),
        (false, true) => quote!(try_run),
        (true, false) => quote!(run_admitting),
        (true, true) => quote!(try_run_admitting),
    };
    let mut place = None;
    let (target, run) = match &program.target {
        None => {
            // The type arguments are the call site, the bindings, the expression and, here, the rules or the dtype of the result.
            let admitting = mode.admits.then(|| quote!(, _));
            let run = match rank_with_rows {
                None if mode.explains => {
                    quote!(#fuse::#run::<#site, _, _ #admitting>(&#bound, &#result))
                }
                None => quote!(#fuse::#run::<#site, _, _, _>(&#bound, &#result)),
                Some(_) => {
                    let (run, part) = (writer.admitting("run_part"), name("part", 0));
                    quote!(#fuse::#run::<#site, _, _ #admitting>(#part, &#bound, &#result))
                }
            };
            (None, run)
        }
        Some(target) => {
            let (out, target_name) = (name("out", 0), name("target", 0));
            let (written, target) = (writer.place(target, mode.tries), &target.code);
            // A view for writing that a call makes is a temporary, which has to live as long as the leaves do. It is made after them:
            // an operand that shares its elements keeps the former ones. A place is borrowed later, behind the leaves.
            let written = match is_call(target) {
                true => {
                    place = Some(quote_spanned!(target.span()=> &mut #written,));
                    name("place", 0).to_token_stream()
                }
                // A method call borrows a tensor, and what a `&mut Tensor` refers to.
                false => quote_spanned!(target.span()=> #written.supremum_place()),
            };
            let run = format_ident!("{}_into", run.to_string());
            let read = writer.admitting("target");
            let former = writer.former(program, &uses);
            (
                Some(quote! {
                    let #out = #fuse::output(#rules, #written);
                    let #target_name = #fuse::#read::<#number, _>(#out);
                    #former
                }),
                quote!(#fuse::#run::<#site, _, _, _>(&#bound, #out, &#result)),
            )
        }
    };
    let place_name = place.is_some().then(|| {
        let name = name("place", 0);
        quote!(#name,)
    });
    let places = target
        .is_some()
        .then(|| quote!(use #fuse::OutputPlace as _;));
    let imports = literal::imports(library);
    let compiled = match optimised::is_optimised() {
        Some(optimised) => quote!(#optimised),
        // If the level is unknown: the default profiles have either optimisation or debug assertions.
        None => quote!(!#library::__private::core::cfg!(debug_assertions)),
    };
    // The value of the last operation on whole tensors is the result, and needs no loop to copy it.
    let run = match (&program.result, &program.reduction, &program.target) {
        (Node::Evaluated(value, _), None, None)
            if !mode.admits && !mode.explains && rank_with_rows.is_none() =>
        {
            let (tensor, library) = (name("tensor", *value), writer.library);
            match mode.tries {
                true => quote!(#library::__private::core::result::Result::Ok(#tensor)),
                false => quote!(#tensor),
            }
        }
        _ => run,
    };
    let run = writer.ended(program, run);
    let statements = quote!(#(#steps)* #run);
    let statements = match rank_with_rows {
        None => statements,
        Some(rank) => writer.by_rows(program, rank, mode.tries, statements),
    };
    let rules_of = match (&program.target, program.leaves.first()) {
        (None, Some(leaf)) => known_rules(library, &fuse, leaf.code.span()),
        _ => quote!(#fuse::rules()),
    };
    // `match` extends the lifetime of temporaries that the leaves borrow to that of the expression.
    let statements = quote! {
        #imports
        enum #site {}
        impl #fuse::CallSite for #site {
            const COMPILED: bool = #compiled;
        }
        let #rules = #rules_of;
        #places
        #target
        #(#operands)*
        #statements
    };
    let statements = match rank_with_rows {
        None => writer.fallible(program, statements),
        Some(_) => statements,
    };
    let expression = quote! {
        match (#(#leaves,)* #place) {
            (#(#names,)* #place_name) => { #statements }
        }
    };
    match mode.tries {
        true => places::with_views(program.leaves.iter().chain(&program.target), expression),
        false => expression,
    }
}

fn name(kind: &str, number: usize) -> Ident {
    // A pattern that is the name of a caller's constant would match it; no item has a name like this one.
    Ident::new(&format!("__supremum_{kind}_{number}"), Span::mixed_site())
}

/// Writes the rules of an expression, which compiles if an operand or the code around the macro determines them.
/// `known_rules` of the library says how it works.
fn known_rules(library: &TokenStream, fuse: &TokenStream, place: Span) -> TokenStream {
    let known_rules = literal::imported("KnownRules", place);
    let known = quote_spanned!(place=> <_ as #known_rules>::KNOWN);
    quote!({
        #[allow(unreachable_code)]
        let rules = if false {
            #fuse::known_rules(#known, #library::__private::never())
        } else {
            #fuse::rules()
        };
        rules
    })
}

/// Returns whether an expression is a call, whose value is a temporary.
fn is_call(expression: &Expr) -> bool {
    matches!(unwrapped(expression), Expr::MethodCall(_) | Expr::Call(_))
}
