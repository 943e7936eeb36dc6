//! Parses the parts of a rule set.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Token, bracketed, token};

use super::items::{entries, in_braces, lattice, lines, pairs, separated, table};
use crate::ast::{CommonTypeRule, Name, Operations, Parts, Safety, Source, WeakPairs};
use crate::dtypes::DTYPES;

/// Returns whether another part follows, instead of the next rule set or the end.
pub(super) fn at_part(input: ParseStream<'_>) -> bool {
    let next_set = input.peek(Token![#]) || input.peek(Token![pub]) || input.peek(Token![struct]);
    !input.is_empty() && !next_set
}

/// The syntax of a single cell, as messages show it.
const SINGLE_CELL: &str = "a single cell is written `cells { F16 BF16 => F32 }`";

/// The names of the parts of a rule set, for messages.
const PARTS: &str = "`source`, `lattice`, `table`, `cells`, `zero_dim`, `weak`, `weak_pairs`, `literals`, `narrow`, `only`, \
                     `safety`, `deny`, `marks`, `common`, `operations`, `like` and `extend`, as in `like Jax; cells { I64 F32 => F64 }`";

impl Parts {
    pub(super) fn parse_part(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let keyword = keyword(input)?;
        let is_repeated = match keyword.to_string().as_str() {
            "source" => self.source.replace(ended(input)?).is_some(),
            "like" => self.like.replace(ended(input)?).is_some(),
            "extend" => {
                let like = input.parse()?;
                let cells = in_braces(input, pairs)?;
                let is_repeated = self.like.replace(like).is_some();
                self.cells.replace(cells).is_some() || is_repeated
            }
            "lattice" => self.form.replace(in_braces(input, lattice)?).is_some(),
            "table" => self.form.replace(in_braces(input, table)?).is_some(),
            "zero_dim" => self.zero_dim.replace(in_braces(input, table)?).is_some(),
            "cells" => self.cells.replace(in_braces(input, pairs)?).is_some(),
            "weak" => self.weak.replace(in_braces(input, entries)?).is_some(),
            "literals" => self
                .literals
                .replace(in_braces(input, separated)?)
                .is_some(),
            "marks" => self.marks.replace(in_braces(input, separated)?).is_some(),
            "narrow" => self.narrow.replace(in_braces(input, entries)?).is_some(),
            "only" => self.only.replace(dtypes(input)?).is_some(),
            "weak_pairs" => self
                .weak_pairs
                .replace(choice(input, &WEAK_PAIRS)?)
                .is_some(),
            "safety" => self.safety.replace(choice(input, &SAFETY)?).is_some(),
            "common" => self.common.replace(choice(input, &COMMON)?).is_some(),
            "deny" => self.deny.replace(denied(input)?).is_some(),
            "operations" => self
                .operations
                .replace(operations(&keyword, input)?)
                .is_some(),
            _ => return Err(unknown(keyword)),
        };
        match is_repeated {
            true => Err(repeated(keyword)),
            false => Ok(()),
        }
    }
}

/// Parses the name of a part.
fn keyword(input: ParseStream<'_>) -> syn::Result<Ident> {
    if input.peek(token::Paren) {
        return Err(input.error(format!("{SINGLE_CELL}; the parts are {PARTS}")));
    }
    let keyword = input.call(Ident::parse_any)?;
    let chooses = ["weak_pairs", "safety", "common"].map(|name| keyword == name);
    if input.peek(Token![:]) && !chooses.contains(&true) {
        let message = format!(
            "no `:` stands behind `{keyword}`: parts are written `like Jax;`, `extend Jax {{ I32 F32 => F64 }}`, `table {{ .. }}`"
        );
        return Err(input.error(message));
    }
    Ok(keyword)
}

/// The error of a name that no part has.
fn unknown(keyword: Ident) -> syn::Error {
    let is_dtype = DTYPES.iter().any(|dtype| keyword == dtype.marker);
    let cell = match is_dtype {
        true => format!("{SINGLE_CELL}; "),
        false => String::new(),
    };
    let message = format!("`{keyword}` is not part of a rule set; {cell}the parts are {PARTS}");
    syn::Error::new_spanned(keyword, message)
}

/// The error of a part that stands a second time.
fn repeated(keyword: Ident) -> syn::Error {
    let message = match keyword.to_string().as_str() {
        "lattice" | "table" => {
            "these rules have a table or lattice already; one form states them all".to_owned()
        }
        "like" | "extend" | "cells" => format!(
            "a second `{keyword}`; `extend Other {{ .. }}` is `like Other;` with `cells {{ .. }}`, so write all cells that \
             change in one place"
        ),
        other => format!("these rules have `{other}` already"),
    };
    syn::Error::new_spanned(keyword, message)
}

/// Parses what stands before a `;`.
fn ended<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    let value = input.parse()?;
    end(input)?;
    Ok(value)
}

/// Parses the `;` behind the name of rules and behind most of their parts.
pub(super) fn end(input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(Token![;]) {
        return Err(input.error(
            "write a `;` here, as behind the name and the rules in `struct Mine = \"mine\"; like Jax; cells { I64 F32 => F64 }`",
        ));
    }
    input.parse::<Token![;]>()?;
    Ok(())
}

impl Parse for Source {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let version = input.parse()?;
        let url = input.parse()?;
        Ok(Self { version, url })
    }
}

/// `[A, B]`, also with `;`
fn dtypes(input: ParseStream<'_>) -> syn::Result<Vec<Name>> {
    let listed;
    bracketed!(listed in input);
    let mut names = Vec::new();
    while !listed.is_empty() {
        names.push(listed.parse()?);
        listed.parse::<Option<Token![,]>>()?;
    }
    input.parse::<Option<Token![;]>>()?;
    Ok(names)
}

/// `widening;`
fn denied(input: ParseStream<'_>) -> syn::Result<Ident> {
    let what: Ident = ended(input)?;
    match what == "widening" {
        true => Ok(what),
        false => Err(syn::Error::new_spanned(
            what,
            "only widening can be denied; write `deny widening;`",
        )),
    }
}

/// `{ .. }`, or `Path;`
fn operations(keyword: &Ident, input: ParseStream<'_>) -> syn::Result<Operations> {
    if !input.peek(token::Brace) {
        return ended(input).map(Operations::Of);
    }
    Ok(Operations::Lines {
        keyword: keyword.clone(),
        lines: in_braces(input, lines)?,
    })
}

const WEAK_PAIRS: [(&str, WeakPairs); 2] = [
    ("strong", WeakPairs::Strong),
    ("replaced", WeakPairs::Replaced),
];

const SAFETY: [(&str, Safety); 2] = [("values", Safety::Values), ("marks", Safety::Marks)];

const COMMON: [(&str, CommonTypeRule); 3] = [
    ("folded", CommonTypeRule::Folded),
    ("around_highest", CommonTypeRule::AroundHighest),
    ("by_class", CommonTypeRule::ByClass),
];

/// Parses `: word;` with one of these words.
fn choice<T: Copy>(input: ParseStream<'_>, choices: &[(&str, T)]) -> syn::Result<T> {
    input.parse::<Token![:]>()?;
    let word: Ident = input.parse()?;
    end(input)?;
    let found = choices.iter().find(|(name, _)| word == name);
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<_> = choices
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let message = format!("write {}, not `{word}`", names.join(" or "));
        syn::Error::new_spanned(word, message)
    })
}
