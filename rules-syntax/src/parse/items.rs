//! Parses what stands in the braces of a part: cells, entries, literals, marks and operations.

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Token, braced, bracketed};

use crate::ast::{Cell, CellSafety, Edges, Entry, Form, Line, Literal, Map, Mark, Name, Pair, Row};

mod keyword {
    syn::custom_keyword!(safe);
    syn::custom_keyword!(under);
}

/// Parses the input between braces, to its end.
pub(super) fn in_braces<T>(
    input: ParseStream<'_>,
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    let inner;
    braced!(inner in input);
    parse(&inner)
}

/// `A -> B, C; B;`
pub(super) fn lattice(input: ParseStream<'_>) -> syn::Result<Form> {
    let lines = Punctuated::<Edges, Token![;]>::parse_terminated(input)?;
    Ok(Form::Lattice(lines.into_iter().collect()))
}

/// `_ => [A, B], A => [..], B => [..]`
pub(super) fn table(input: ParseStream<'_>) -> syn::Result<Form> {
    if !input.peek(Token![_]) {
        return Err(input.error("a table starts with its header, as in `_ => [F32, F64],`"));
    }
    input.parse::<Token![_]>()?;
    let header = cells(input)?;
    let mut rows = Vec::new();
    while input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        if !input.is_empty() {
            let operand = input.parse()?;
            let cells = cells(input)?;
            rows.push(Row { operand, cells });
        }
    }
    Ok(Form::Table { header, rows })
}

/// `=> [A, B]`
fn cells<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    input.parse::<Token![=>]>()?;
    let cells;
    bracketed!(cells in input);
    let cells = Punctuated::<T, Token![,]>::parse_terminated(&cells)?;
    Ok(cells.into_iter().collect())
}

/// `A B: C; D: _`
pub(super) fn entries(input: ParseStream<'_>) -> syn::Result<Vec<Entry>> {
    let entries = Punctuated::<Entry, Token![;]>::parse_terminated(input)?;
    Ok(entries.into_iter().collect())
}

/// `A: B; C: D`, also with commas
pub(super) fn separated<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        items.push(input.parse()?);
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
        } else if !input.is_empty() {
            input.parse::<Token![;]>()?;
        }
    }
    Ok(items)
}

/// `A B => C; D E => F`
pub(super) fn pairs(input: ParseStream<'_>) -> syn::Result<Vec<Pair>> {
    separated(input)
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let lhs = input.parse()?;
        if !input.peek(syn::Ident) {
            return Err(input.error("a cell names its operands side by side: `F16 BF16 => F32;`"));
        }
        let rhs = input.parse()?;
        if !input.peek(Token![=>]) {
            return Err(input.error("the result of a cell stands behind `=>`: `F16 BF16 => F32;`"));
        }
        input.parse::<Token![=>]>()?;
        let cell = input.parse()?;
        Ok(Self { lhs, rhs, cell })
    }
}

impl Parse for Literal {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let kind = input.parse()?;
        input.parse::<Token![:]>()?;
        let operand = input.parse()?;
        let beyond = input.peek(syn::Ident).then(|| input.parse()).transpose()?;
        Ok(Self {
            kind,
            operand,
            beyond,
        })
    }
}

impl Parse for Mark {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let reason = input.parse()?;
        Ok(Self { name, reason })
    }
}

/// Parses the contents of `operations { .. }`.
pub(super) fn lines(input: ParseStream<'_>) -> syn::Result<Vec<Line>> {
    let mut lines = Vec::new();
    while !input.is_empty() {
        let first: Ident = input.parse()?;
        let strong = first == "strong";
        let name = if strong { input.parse()? } else { first };
        let under = if input.peek(keyword::under) {
            input.parse::<keyword::under>()?;
            Some(input.parse()?)
        } else {
            None
        };
        let map = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Map::SameAs(input.parse()?)
        } else {
            Map::Entries(in_braces(input, entries)?)
        };
        lines.push(Line {
            strong,
            name,
            under,
            map,
        });
    }
    Ok(lines)
}

impl Parse for Edges {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let from = input.parse()?;
        let mut to = Vec::new();
        if input.peek(Token![->]) {
            input.parse::<Token![->]>()?;
            to = Punctuated::<Name, Token![,]>::parse_separated_nonempty(input)?
                .into_iter()
                .collect();
        }
        Ok(Self { from, to })
    }
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut keys = vec![input.parse()?];
        while !input.peek(Token![:]) {
            keys.push(input.parse()?);
        }
        input.parse::<Token![:]>()?;
        let value = input.parse()?;
        Ok(Self { keys, value })
    }
}

impl Parse for Cell {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![_]) {
            return input.parse().map(Self::Undefined);
        }
        let mut safety = CellSafety::Unsaid;
        if input.peek(Token![unsafe]) {
            input.parse::<Token![unsafe]>()?;
            safety = CellSafety::Unsafe;
        } else if input.peek(keyword::safe) {
            input.parse::<keyword::safe>()?;
            safety = CellSafety::Safe;
        }
        let result = input.parse()?;
        if input.peek(Token![^]) {
            input.parse::<Token![^]>()?;
            safety = CellSafety::Marked(input.parse()?);
        }
        Ok(Self::Defined { result, safety })
    }
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ident: Ident = input.parse()?;
        if ident != "Weak" {
            return Ok(Self {
                weak: None,
                dtype: ident,
            });
        }
        let open = input.parse()?;
        let dtype = input.parse()?;
        let close = input.parse()?;
        Ok(Self {
            weak: Some((ident, open, close)),
            dtype,
        })
    }
}
