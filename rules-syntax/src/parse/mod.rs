//! Parses the tokens of `promotion_rules!` to the syntax tree.
//!
//! This file parses whole rule sets, `parts.rs` a part of one, such as `table { .. }`, and `items.rs` what stands in its braces.

mod items;
mod parts;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token, bracketed};

use self::items::in_braces;
use self::parts::{at_part, end};
use crate::ast::{Base, MacroInput, Operations, Parameter, Parts, RuleSet};
use crate::builtin::is_builtin;
use crate::path::path_from;

impl Parse for MacroInput {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let library;
        bracketed!(library in input);
        let library = library.parse()?;
        let mut bases = Vec::new();
        while input.peek(keyword::base) {
            input.parse::<keyword::base>()?;
            let path = input.parse()?;
            let rule_sets = in_braces(input, rule_sets)?;
            bases.push(Base { path, rule_sets });
        }
        let mut invocation = Self {
            library,
            bases,
            rule_sets: rule_sets(input)?,
        };
        for base in &mut invocation.bases {
            name_builtin_rules(&invocation.library, &mut base.rule_sets);
        }
        name_builtin_rules(&invocation.library, &mut invocation.rule_sets);
        Ok(invocation)
    }
}

/// Resolves bare names of the library's rules after `operations` and `under`, unless the invocation has rules of that
/// name.
fn name_builtin_rules(library: &TokenStream, rule_sets: &mut [RuleSet]) {
    let own: Vec<_> = rule_sets.iter().map(|set| set.name.clone()).collect();
    let name = |path: &mut Path| {
        let bare = path.get_ident();
        if bare.is_some_and(|name| is_builtin(name) && !own.contains(name)) {
            *path = path_from(library, path);
        }
    };
    for operations in rule_sets
        .iter_mut()
        .filter_map(|set| set.parts.operations.as_mut())
    {
        match operations {
            Operations::Of(path) => name(path),
            Operations::Lines { lines, .. } => {
                let under = lines.iter_mut().filter_map(|line| line.under.as_mut());
                under.for_each(name);
            }
        }
    }
}

mod keyword {
    syn::custom_keyword!(base);
}

/// Parses rule sets to the end of the input.
pub(crate) fn rule_sets(input: ParseStream<'_>) -> syn::Result<Vec<RuleSet>> {
    let mut rule_sets = Vec::new();
    while !input.is_empty() {
        let start = input.cursor();
        let mut set: RuleSet = input.parse()?;
        set.tokens = between(start, input.cursor());
        rule_sets.push(set);
    }
    Ok(rule_sets)
}

/// Returns the tokens from one position of a stream to another.
fn between(mut start: Cursor<'_>, end: Cursor<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    while start != end {
        let Some((token, next)) = start.token_tree() else {
            break;
        };
        tokens.extend([token]);
        start = next;
    }
    tokens
}

impl Parse for RuleSet {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut laws = Vec::new();
        let mut asymmetric = false;
        let mut extensible = false;
        let mut part_of = None;
        let mut attributes = Vec::new();
        for attribute in input.call(Attribute::parse_outer)? {
            if attribute.path().is_ident("law") {
                let list =
                    attribute.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated)?;
                laws.extend(list);
            } else if attribute.path().is_ident("asymmetric") {
                attribute.meta.require_path_only()?;
                asymmetric = true;
            } else if attribute.path().is_ident("extensible") {
                attribute.meta.require_path_only()?;
                extensible = true;
            } else if attribute.path().is_ident("part_of") {
                part_of = Some(attribute.parse_args()?);
            } else {
                attributes.push(attribute);
            }
        }
        let visibility = input.parse()?;
        if !input.peek(Token![struct]) {
            return Err(input.error(
                "a rule set begins with `struct` and a name for messages, as in `pub struct Mine = \"mine\";`, and its parts follow, as in `like Jax; cells { I64 F32 => F64 }`",
            ));
        }
        input.parse::<Token![struct]>()?;
        let name: Ident = input.parse()?;
        let parameter = input.peek(Token![<]).then(|| input.parse()).transpose()?;
        if !input.peek(Token![=]) {
            let message = format!(
                "rules have a name for messages, `struct {name} = \"name\";`, and their parts follow, as in `like Jax; cells {{ I64 F32 => F64 }}`"
            );
            return Err(input.error(message));
        }
        input.parse::<Token![=]>()?;
        let title = input.parse()?;
        end(input)?;
        let mut parts = Parts::default();
        while at_part(input) {
            parts.parse_part(input)?;
        }
        Ok(Self {
            attributes,
            laws,
            asymmetric,
            extensible,
            part_of,
            visibility,
            name,
            parameter,
            title,
            parts,
            tokens: TokenStream::new(),
        })
    }
}

impl Parse for Parameter {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![<]>()?;
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let default = input.parse()?;
        input.parse::<Token![>]>()?;
        Ok(Self { name, default })
    }
}

/// Finds the library's path and the names after each `struct` in tokens that do not parse, so that stubs can replace
/// the rule sets.
pub(crate) fn names(tokens: TokenStream) -> (TokenStream, Vec<Ident>) {
    let mut tokens = tokens.into_iter().peekable();
    let library = match tokens.next() {
        Some(TokenTree::Group(library)) => library.stream(),
        _ => TokenStream::new(),
    };
    let mut names = Vec::new();
    while let Some(token) = tokens.next() {
        if let (TokenTree::Ident(keyword), Some(TokenTree::Ident(name))) = (token, tokens.peek())
            && keyword == "struct"
            // A keyword is an identifier token, but no name.
            && syn::parse2::<Ident>(TokenTree::from(name.clone()).into()).is_ok()
        {
            names.push(name.clone());
        }
    }
    (library, names)
}
