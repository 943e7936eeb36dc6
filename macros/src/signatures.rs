//! Signatures of methods that a macro writes, which messages of the compiler quote.
//!
//! If a bound of a method does not hold, rustc quotes the bound and the name of the method. For methods that a
//! declarative macro writes it quotes three places: the bound in the macro, the name in the list of operations, and the
//! invocation. If all tokens of a signature have the location of the name, rustc quotes only the row of the list.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

/// Gives all tokens of each signature the location of the method's name. The first token is an identifier of the file that invokes the
/// declarative macros: as if written there, the signatures do not count as the expansion of a macro.
pub(crate) fn signatures(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    match input.next() {
        Some(TokenTree::Ident(here)) => located(input.collect(), here.span()),
        first => first.into_iter().chain(input).collect(),
    }
}

/// The tokens of items: those between `fn` and a body, or the `;` of a trait's method, are at the name.
fn located(items: TokenStream, here: Span) -> TokenStream {
    let mut located_items = TokenStream::new();
    let mut items = items.into_iter();
    while let Some(token) = items.next() {
        let is_fn = matches!(&token, TokenTree::Ident(word) if word == "fn");
        match token {
            TokenTree::Group(group) => {
                let content = located(group.stream(), here);
                located_items.extend([regrouped(&group, content, group.span())]);
            }
            token => located_items.extend([token]),
        }
        if !is_fn {
            continue;
        }
        let mut name = None;
        for token in items.by_ref() {
            let ends = match &token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(mark) => mark.as_char() == ';',
                _ => false,
            };
            if ends {
                located_items.extend([token]);
                break;
            }
            let name = *name.get_or_insert_with(|| innermost(&token).resolved_at(here));
            located_items.extend([at(token, name)]);
        }
    }
    located_items
}

/// The span of a token that may stand in groups without delimiters, as those of a macro's parameters do.
fn innermost(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group
            .stream()
            .into_iter()
            .next()
            .map_or(group.span(), |first| innermost(&first)),
        token => token.span(),
    }
}

fn at(token: TokenTree, place: Span) -> TokenTree {
    match token {
        TokenTree::Group(group) => {
            let mut content = TokenStream::new();
            let mut tokens = group.stream().into_iter().peekable();
            while let Some(token) = tokens.next() {
                let named = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if is_colon(next));
                // The name of a parameter has to be the same as in the body.
                let kept = named && matches!(token, TokenTree::Ident(_));
                content.extend([if kept { token } else { at(token, place) }]);
            }
            regrouped(&group, content, place)
        }
        // `$crate` names a crate by its span, and `self` the parameter of the body.
        TokenTree::Ident(word) if word == "$crate" || word == "self" => TokenTree::Ident(word),
        mut token => {
            token.set_span(place);
            token
        }
    }
}

fn is_colon(token: &Punct) -> bool {
    token.as_char() == ':' && token.spacing() == Spacing::Alone
}

fn regrouped(group: &Group, content: TokenStream, span: Span) -> TokenTree {
    let mut new = Group::new(group.delimiter(), content);
    new.set_span(span);
    TokenTree::Group(new)
}

/// Puts the name of the fallible form in place of each `[try_ name]`.
pub(crate) fn with_try_names(input: TokenStream) -> TokenStream {
    let token = |token| match token {
        TokenTree::Group(group) => match fallible_name(&group) {
            Some(name) => TokenTree::Ident(name),
            None => {
                let content = with_try_names(group.stream());
                regrouped(&group, content, group.span())
            }
        },
        other => other,
    };
    input.into_iter().map(token).collect()
}

/// The name that `[try_ name]` stands for.
fn fallible_name(group: &Group) -> Option<Ident> {
    let words: Vec<TokenTree> = group.stream().into_iter().collect();
    match &words[..] {
        [TokenTree::Ident(prefix), TokenTree::Ident(name)]
            if group.delimiter() == Delimiter::Bracket && prefix == "try_" =>
        {
            Some(Ident::new(&format!("try_{name}"), name.span()))
        }
        _ => None,
    }
}

/// Writes each method twice: for rustdoc as it is, and for the compiler with examples in place of its type parameters. `[To = F32]` before
/// the methods says which. Where the compiler proposes arguments, it takes the names of the parameters: `one_hot::<F32>(3)`.
pub(crate) fn with_example_types(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let examples = match input.next() {
        Some(TokenTree::Group(list)) => list.stream().into_iter().collect::<Vec<_>>(),
        _ => unreachable!("the examples stand first, in brackets"),
    };
    let pair = |pair: &[TokenTree]| match pair {
        [TokenTree::Ident(parameter), _, TokenTree::Ident(example)] => {
            (parameter.to_string(), example.to_string())
        }
        _ => unreachable!("a parameter, and the example behind `=`"),
    };
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    let examples: Vec<_> = examples.split(is_comma).map(pair).collect();
    let mut methods = TokenStream::new();
    let mut method = TokenStream::new();
    for token in input {
        let is_body =
            matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        method.extend([token]);
        if is_body {
            let read = std::mem::take(&mut method);
            let compiled = renamed(read.clone(), &examples);
            methods.extend(quote!(#[cfg(doc)] #read #[cfg(not(doc))] #compiled));
        }
    }
    methods
}

fn renamed(tokens: TokenStream, names: &[(String, String)]) -> TokenStream {
    let token = |token| match token {
        TokenTree::Group(group) => {
            let content = renamed(group.stream(), names);
            regrouped(&group, content, group.span())
        }
        TokenTree::Ident(word) => {
            let new = names.iter().find(|(name, _)| word == name);
            TokenTree::Ident(new.map_or(word.clone(), |(_, new)| Ident::new(new, word.span())))
        }
        other => other,
    };
    tokens.into_iter().map(token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::Ident;

    #[test]
    fn parameters_have_other_names_where_they_are_compiled() {
        let input = "[To = F32, N = AnyRank] fn f<To: A<N>, N>() -> Vec<To> { g::<To>() }";
        let input: TokenStream = input.parse().expect("tokens");
        let expected = "#[cfg(doc)] fn f<To: A<N>, N>() -> Vec<To> { g::<To>() } \
            #[cfg(not(doc))] fn f<F32: A<AnyRank>, AnyRank>() -> Vec<F32> { g::<F32>() }";
        let expected: TokenStream = expected.parse().expect("tokens");
        assert_eq!(with_example_types(input).to_string(), expected.to_string());
    }

    #[test]
    fn the_tokens_stay_the_same() {
        let items = "impl<T: Copy> A<T> { pub fn f<B: Into<T>>(&self, b: B) -> Self where T: Copy { fn g() {} b } } fn h();";
        let items: TokenStream = items.parse().expect("tokens");
        let input = TokenStream::from_iter(
            [TokenTree::Ident(Ident::new("here", Span::call_site()))]
                .into_iter()
                .chain(items.clone()),
        );
        assert_eq!(signatures(input).to_string(), items.to_string());
    }
}
