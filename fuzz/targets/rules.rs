//! `promotion_rules!` of any tokens: rule sets, or errors at their places; always items that parse, never a panic.
//!
//! A crate of macros cannot be linked, so its modules are compiled here again, with the tokens that `proc_macro2` has
//! outside of the compiler.
#![no_main]
#![allow(dead_code, reason = "the other macros use the rest")]

#[path = "../../macros/src/ast.rs"]
mod ast;
#[path = "../../macros/src/builtin.rs"]
mod builtin;
#[path = "../../macros/src/bytecode.rs"]
mod bytecode;
#[path = "../../macros/src/check/mod.rs"]
mod check;
#[path = "../../macros/src/depth.rs"]
mod depth;
#[path = "../../macros/src/dtypes.rs"]
mod dtypes;
#[path = "../../macros/src/expand.rs"]
mod expand;
#[path = "../../macros/src/grid.rs"]
mod grid;
#[path = "../../macros/src/lattice.rs"]
mod lattice;
#[path = "../../macros/src/model.rs"]
mod model;
#[path = "../../macros/src/operations.rs"]
mod operations;
#[path = "../../macros/src/parse.rs"]
mod parse;
#[path = "../../macros/src/path.rs"]
mod path;
#[path = "../../macros/src/rules.rs"]
mod rules;

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;
use quote::quote;

fuzz_target!(|text: &str| {
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return;
    };
    let expansion = rules::promotion_rules(quote!([::supremum] #tokens));
    if let Err(error) = syn::parse2::<syn::File>(expansion.clone()) {
        panic!("{error}: {expansion}");
    }
});
