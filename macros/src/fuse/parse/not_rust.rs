//! The faults of input that Rust cannot parse: what other languages and libraries write.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Explains the fault of the parser, if the input looks like a known mistake.
pub(super) fn explained(input: TokenStream, fault: syn::Error) -> syn::Error {
    matrix_product(input.clone())
        .or_else(|| connective(input.clone()))
        .or_else(|| choice_function(input.clone()))
        .or_else(|| conditional(input.clone()))
        .or_else(|| index_by_several(input.clone()))
        .or_else(|| list_of_operands(input))
        .or_else(|| chained_comparisons(&fault))
        .unwrap_or(fault)
}

/// The fault of Python's `a @ b`, which is not Rust.
fn matrix_product(input: TokenStream) -> Option<syn::Error> {
    input.into_iter().find_map(|token| match token {
        TokenTree::Punct(at) if at.as_char() == '@' => Some(syn::Error::new(
            at.span(),
            "`@` is not an operator: a matrix product is computed before or inserted, as in `&x.matmul(&w)`",
        )),
        TokenTree::Group(group) => matrix_product(group.stream()),
        _ => None,
    })
}

/// The fault of NumPy's `x[0, 1]` and `x[:, 1]`: Rust has one index.
fn index_by_several(input: TokenStream) -> Option<syn::Error> {
    let mut operand = false; // whether the token before ends an operand
    for token in input {
        if let TokenTree::Group(group) = &token {
            let is_index = operand && group.delimiter() == Delimiter::Bracket;
            let has_comma = || {
                let mut tokens = group.stream().into_iter();
                tokens.any(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ','))
            };
            if is_index && has_comma() {
                return Some(syn::Error::new(
                    group.span(),
                    "an index is an array of positions, as in `x[[0, 1]]`; a part of a tensor is inserted, as in `&x.slice_axes(s![.., 1])`; an axis of size 1 is `x.unsqueeze(0)`",
                ));
            }
            if let Some(fault) = index_by_several(group.stream()) {
                return Some(fault);
            }
        }
        operand = match &token {
            TokenTree::Ident(word) => word != "in" && word != "else",
            TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
            TokenTree::Literal(_) | TokenTree::Punct(_) => false,
        };
    }
    None
}

/// The fault of operands behind an expression or a closure, as other libraries list them: `fuse!(|a, b| a + b, x, y)`. Behind a `let`
/// without its `;` the comma stands for that.
fn list_of_operands(input: TokenStream) -> Option<syn::Error> {
    const LIST: &str = "an expression has one result and no list of operands: it reads tensors by their names, as in `fuse!(a + b)`";
    const BINDING: &str =
        "a `let` ends in `;`, and the expression behind it is the result: `let x = w + b; x * 2.0`";
    let mut parameters = false;
    let mut message = LIST;
    for token in input {
        match token {
            TokenTree::Ident(word) if word == "let" => message = BINDING,
            TokenTree::Punct(mark) => match mark.as_char() {
                '|' => parameters = !parameters,
                ';' => message = LIST,
                ',' if !parameters => return Some(syn::Error::new(mark.span(), message)),
                _ => {}
            },
            _ => {}
        }
    }
    None
}

/// The fault of comparisons without brackets, which Rust reads as `x > (1 & x) < 5`.
fn chained_comparisons(fault: &syn::Error) -> Option<syn::Error> {
    let is_chained = fault.to_string() == "comparison operators cannot be chained";
    is_chained.then(|| {
        syn::Error::new(
            fault.span(),
            "each of several comparisons needs brackets: `(x > 1) & (x < 5)`",
        )
    })
}

/// The fault of Python's `a if c else b` and of C's `c ? a : b`.
fn conditional(input: TokenStream) -> Option<syn::Error> {
    const CURE: &str = "a choice begins with its condition, as in `if x > 0.0 { x } else { 0.0 }`";
    let mut operand = false; // whether the token before ends an operand
    let mut question = None;
    for token in input {
        match &token {
            TokenTree::Ident(word) if word == "if" && operand => {
                return Some(syn::Error::new(word.span(), CURE));
            }
            TokenTree::Punct(mark) if mark.as_char() == '?' => question = Some(mark.span()),
            TokenTree::Punct(mark) if mark.as_char() == ':' && mark.spacing() == Spacing::Alone => {
                if let Some(question) = question {
                    return Some(syn::Error::new(question, CURE));
                }
            }
            TokenTree::Group(group) => {
                if let Some(fault) = conditional(group.stream()) {
                    return Some(fault);
                }
            }
            _ => {}
        }
        operand = match &token {
            TokenTree::Ident(word) => word != "else",
            TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
            TokenTree::Literal(_) => true,
            TokenTree::Punct(_) => false,
        };
    }
    None
}

/// The fault of Python's `and`, `or` and `not`.
fn connective(input: TokenStream) -> Option<syn::Error> {
    input.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) if ["and", "or", "not"].iter().any(|other| word == other) => {
            Some(syn::Error::new(
                word.span(),
                "conditions are combined by `&`, `|` and `!`, and comparisons among them need brackets: `(x > 1) & (x < 5)`",
            ))
        }
        TokenTree::Group(group) => connective(group.stream()),
        _ => None,
    })
}

/// The fault of NumPy's `where(condition, a, b)`, whose name is a keyword of Rust.
fn choice_function(input: TokenStream) -> Option<syn::Error> {
    let mut keyword = None; // the span of `where`, if it is the token before
    for token in input {
        if let TokenTree::Group(group) = &token {
            if let (Some(keyword), Delimiter::Parenthesis) = (keyword, group.delimiter()) {
                return Some(syn::Error::new(
                    keyword,
                    "`where` is a keyword: `select(condition, a, b)` chooses by element",
                ));
            }
            if let Some(fault) = choice_function(group.stream()) {
                return Some(fault);
            }
        }
        keyword = match &token {
            TokenTree::Ident(word) if word == "where" => Some(word.span()),
            _ => None,
        };
    }
    None
}
