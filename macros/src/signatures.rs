//! Signatures of methods that a macro writes, which messages of the compiler quote.
//!
//! If a bound of a method does not hold, rustc quotes the bound and the name of the method. For methods that a
//! declarative macro writes it quotes three places: the bound in the macro, the name in the list of operations, and the
//! invocation. If all tokens of a signature have the location of the name, rustc quotes only the row of the list.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

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
        // rustdoc prints the source of a number in a type, `ConvOptions<1>`, by its location.
        TokenTree::Literal(mut number) => {
            number.set_span(number.span().resolved_at(place));
            TokenTree::Literal(number)
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::Ident;

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
