//! `fuse!`, `promote_unsafe!` and their fallible forms.
//!
//! `parse` reads the language into a model, collects the leaves and resolves names. `share` finds slow parts that are equal,
//! `passes` the parts that are evaluated before the result, and `hoistable` those that may be, as shapes tell at run time. `expand` writes the calls of the library that build the expression as a
//! type and run it. Every fault is an error on its token.

mod expand;
mod hoistable;
mod keys;
mod model;
mod names;
mod optimised;
mod parse;
mod passes;
mod share;
pub(crate) mod words;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use crate::depth;
use crate::fuse::expand::Mode;
use crate::fuse::model::Program;
use crate::fuse::words::Words;

/// Expands a macro of expressions.
///
/// Input: `[path::to::library] { words } mode`, then the arguments of the macro.
pub(crate) fn fuse(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let (library, words, mode) = match (input.next(), input.next(), input.next()) {
        (
            Some(TokenTree::Group(library)),
            Some(TokenTree::Group(words)),
            Some(TokenTree::Ident(mode)),
        ) => (library.stream(), Words::new(words.stream()), mode),
        _ => unreachable!("the macros pass the path of the library, the words and their mode"),
    };
    let input: TokenStream = input.collect();
    if input.is_empty() {
        return fault(
            &library,
            &syn::Error::new(mode.span(), "no expression here"),
        );
    }
    let mode = mode_of(&mode);
    let cure = "name an inner part with `let part = ..;` in front, and write the name in its place";
    match depth::check(input.clone(), cure).and_then(|()| parse::parse(input, words)) {
        Ok(Program {
            target: Some(target),
            ..
        }) if mode.explains => {
            let message = "`fuse_backend!` takes an expression, without an output";
            fault(&library, &syn::Error::new_spanned(target.code, message))
        }
        Ok(mut program) => {
            share::share(&mut program);
            passes::hoist(&mut program);
            hoistable::mark(&mut program);
            expand::expand(&library, mode, &program)
        }
        Err(faults) => fault(&library, &faults),
    }
}

fn fault(library: &TokenStream, faults: &syn::Error) -> TokenStream {
    // A block, because an expression may be only one error; it ends in a value of any type.
    let faults = faults.to_compile_error();
    quote!({ #faults #library::__private::faulty() })
}

fn mode_of(mode: &Ident) -> Mode {
    let (admits, tries, explains) = match mode.to_string().as_str() {
        "fuse" => (false, false, false),
        "try_fuse" => (false, true, false),
        "promote_unsafe" => (true, false, false),
        "try_promote_unsafe" => (true, true, false),
        "fuse_backend" => (false, true, true),
        other => unreachable!("a mode of the library's: {other}"),
    };
    Mode {
        admits,
        tries,
        explains,
    }
}
