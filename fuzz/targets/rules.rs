//! `promotion_rules!` of any tokens: rule sets, or errors at their places; always items that parse, never a panic.
//!
//! The crate behind the macro works on the tokens that `proc_macro2` has outside of the compiler. The same text as a file gets
//! faults, or none.
#![no_main]

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;
use quote::quote;
use supremum_rules_syntax::{check_file, promotion_rules};

fuzz_target!(|text: &str| {
    let _ = check_file(text, &[]);
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return;
    };
    let expansion = promotion_rules(quote!([::supremum] #tokens));
    if let Err(error) = syn::parse2::<syn::File>(expansion.clone()) {
        panic!("{error}: {expansion}");
    }
});
