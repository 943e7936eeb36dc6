//! Parses the tokens of `promotion_rules!` to the syntax tree.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token, braced, bracketed, token};

use crate::ast::{
    Base, Cell, CellSafety, CommonTypeRule, Edges, Entry, Form, Line, Literal, MacroInput, Map,
    Mark, Name, Operations, Pair, Parameter, Parts, Row, RuleSet, Safety, Source, WeakPairs,
};
use crate::builtin::is_builtin;
use crate::dtypes::DTYPES;
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
            let rule_sets = in_braces(input)?.call(rule_sets)?;
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
    syn::custom_keyword!(safe);
    syn::custom_keyword!(under);
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
                "a rule set begins with `struct` and a name for messages, as in `pub struct Mine = \"mine\";`, and its parts follow, as in `like Jax;`",
            ));
        }
        input.parse::<Token![struct]>()?;
        let name: Ident = input.parse()?;
        let parameter = input.peek(Token![<]).then(|| input.parse()).transpose()?;
        if !input.peek(Token![=]) {
            let message = format!(
                "rules have a name for messages, `struct {name} = \"name\";`, and their parts follow, as in `like Jax;`"
            );
            return Err(input.error(message));
        }
        input.parse::<Token![=]>()?;
        let title = input.parse()?;
        input.parse::<Token![;]>()?;
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

/// Returns whether another part follows, instead of the next rule set or the end.
fn at_part(input: ParseStream<'_>) -> bool {
    let next_set = input.peek(Token![#]) || input.peek(Token![pub]) || input.peek(Token![struct]);
    !input.is_empty() && !next_set
}

/// The syntax of a single cell, as messages show it.
const SINGLE_CELL: &str = "a single cell is written `cells { F16 BF16 => F32 }`";

/// The names of the parts of a rule set, for messages.
const PARTS: &str = "`source`, `lattice`, `table`, `cells`, `zero_dim`, `weak`, `weak_pairs`, `literals`, `narrow`, `only`, \
                     `safety`, `deny`, `marks`, `common`, `operations`, `like` and `extend`";

impl Parts {
    fn parse_part(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
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
        let given = match keyword.to_string().as_str() {
            "source" => {
                let version = input.parse()?;
                let url = input.parse()?;
                input.parse::<Token![;]>()?;
                self.source.replace(Source { version, url }).is_some()
            }
            "like" => {
                let like = input.parse()?;
                input.parse::<Token![;]>()?;
                self.like.replace(like).is_some()
            }
            "extend" => {
                let like = input.parse()?;
                let cells = in_braces(input)?.call(pairs)?;
                let twice = self.like.replace(like).is_some();
                self.cells.replace(cells).is_some() || twice
            }
            "lattice" => {
                let lines = in_braces(input)?.call(|lines| {
                    let lines = Punctuated::<Edges, Token![;]>::parse_terminated(lines)?;
                    Ok(Form::Lattice(lines.into_iter().collect()))
                })?;
                self.form.replace(lines).is_some()
            }
            "table" => self.form.replace(in_braces(input)?.call(table)?).is_some(),
            "zero_dim" => self
                .zero_dim
                .replace(in_braces(input)?.call(table)?)
                .is_some(),
            "cells" => self.cells.replace(in_braces(input)?.call(pairs)?).is_some(),
            "weak" => self
                .weak
                .replace(in_braces(input)?.call(entries)?)
                .is_some(),
            "literals" => {
                let literals = in_braces(input)?.call(separated)?;
                self.literals.replace(literals).is_some()
            }
            "marks" => {
                let marks = in_braces(input)?.call(separated)?;
                self.marks.replace(marks).is_some()
            }
            "narrow" => self
                .narrow
                .replace(in_braces(input)?.call(entries)?)
                .is_some(),
            "only" => {
                let listed;
                bracketed!(listed in input);
                let mut names = Vec::new();
                while !listed.is_empty() {
                    names.push(listed.parse()?);
                    listed.parse::<Option<Token![,]>>()?;
                }
                input.parse::<Option<Token![;]>>()?;
                self.only.replace(names).is_some()
            }
            "weak_pairs" => {
                let how = choice(
                    input,
                    &[
                        ("strong", WeakPairs::Strong),
                        ("replaced", WeakPairs::Replaced),
                    ],
                )?;
                self.weak_pairs.replace(how).is_some()
            }
            "safety" => {
                let how = choice(
                    input,
                    &[("values", Safety::Values), ("marks", Safety::Marks)],
                )?;
                self.safety.replace(how).is_some()
            }
            "common" => {
                let how = choice(
                    input,
                    &[
                        ("folded", CommonTypeRule::Folded),
                        ("around_highest", CommonTypeRule::AroundHighest),
                        ("by_class", CommonTypeRule::ByClass),
                    ],
                )?;
                self.common.replace(how).is_some()
            }
            "deny" => {
                let what: Ident = input.parse()?;
                input.parse::<Token![;]>()?;
                if what != "widening" {
                    return Err(syn::Error::new_spanned(
                        what,
                        "only widening can be denied; write `deny widening;`",
                    ));
                }
                self.deny.replace(what).is_some()
            }
            "operations" => {
                let operations = if input.peek(token::Brace) {
                    let lines = in_braces(input)?.call(lines)?;
                    Operations::Lines {
                        keyword: keyword.clone(),
                        lines,
                    }
                } else {
                    let path = input.parse()?;
                    input.parse::<Token![;]>()?;
                    Operations::Of(path)
                };
                self.operations.replace(operations).is_some()
            }
            other => {
                let is_dtype = DTYPES.iter().any(|dtype| dtype.marker == other);
                let cell = match is_dtype {
                    true => format!("{SINGLE_CELL}; "),
                    false => String::new(),
                };
                let message =
                    format!("`{other}` is not part of a rule set; {cell}the parts are {PARTS}");
                return Err(syn::Error::new_spanned(keyword, message));
            }
        };
        if given {
            let message = match keyword.to_string().as_str() {
                "lattice" | "table" => {
                    "these rules have a table or lattice already; one form states them all"
                        .to_owned()
                }
                "like" | "extend" | "cells" => format!(
                    "a second `{keyword}`; `extend Other {{ .. }}` is `like Other;` with `cells {{ .. }}`, so write all cells that \
                     change in one place"
                ),
                other => format!("these rules have `{other}` already"),
            };
            return Err(syn::Error::new_spanned(keyword, message));
        }
        Ok(())
    }
}

/// Parses `: word;` with one of these words.
fn choice<T: Copy>(input: ParseStream<'_>, choices: &[(&str, T)]) -> syn::Result<T> {
    input.parse::<Token![:]>()?;
    let word: Ident = input.parse()?;
    input.parse::<Token![;]>()?;
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

/// The input between braces, which must be parsed to its end.
struct Inner<'a>(syn::parse::ParseBuffer<'a>);

fn in_braces<'a>(input: ParseStream<'a>) -> syn::Result<Inner<'a>> {
    let inner;
    braced!(inner in input);
    Ok(Inner(inner))
}

impl Inner<'_> {
    fn call<T>(&self, parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>) -> syn::Result<T> {
        parse(&self.0)
    }
}

/// `_ => [A, B], A => [..], B => [..]`
fn table(input: ParseStream<'_>) -> syn::Result<Form> {
    if !input.peek(Token![_]) {
        return Err(input.error("a table starts with its header: `_ => [Bool, I32, ..],`"));
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
fn entries(input: ParseStream<'_>) -> syn::Result<Vec<Entry>> {
    let entries = Punctuated::<Entry, Token![;]>::parse_terminated(input)?;
    Ok(entries.into_iter().collect())
}

/// `A: B; C: D`, also with commas
fn separated<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
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
fn pairs(input: ParseStream<'_>) -> syn::Result<Vec<Pair>> {
    separated(input)
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let lhs = input.parse()?;
        if !input.peek(syn::Ident) {
            return Err(input.error("a cell names its operands side by side: `F16 BF16 => F32;`"));
        }
        let rhs = input.parse()?;
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
fn lines(input: ParseStream<'_>) -> syn::Result<Vec<Line>> {
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
            Map::Entries(in_braces(input)?.call(entries)?)
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
