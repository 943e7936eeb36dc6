//! Identity of names and places, including macro hygiene.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ExprMethodCall, ExprUnary, UnOp};

/// Removes parentheses, also the invisible ones of a macro's fragment.
pub(super) fn unwrapped(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => unwrapped(&inner.expr),
        Expr::Group(inner) => unwrapped(&inner.expr),
        other => other,
    }
}

/// Returns a key of a name that includes its hygiene: the same letters from another macro are another name.
pub(super) fn name_of(name: &Ident) -> String {
    // `#3 bytes(10..12)`: the `Debug` text is the only access to the syntax context.
    let span = format!("{:?}", name.span().unwrap());
    let context = span.split_once(' ').map_or("", |(context, _)| context);
    let context = if context.starts_with('#') {
        context
    } else {
        ""
    };
    format!("{name}{context}")
}

/// Returns a key of a place: its tokens and the names in it, without references.
pub(super) fn key(expression: &Expr) -> String {
    let mut place = unwrapped(expression);
    while let Expr::Unary(ExprUnary {
        op: UnOp::Deref(_),
        expr,
        ..
    }) = place
    {
        place = unwrapped(expr);
    }
    key_of(place.to_token_stream())
}

/// Returns a key of code: its tokens and the names in it.
pub(super) fn key_of(tokens: TokenStream) -> String {
    fn write(tokens: TokenStream, key: &mut String) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => key.push_str(&name_of(&name)),
                TokenTree::Group(group) => {
                    key.push_str(&format!("{:?}", group.delimiter()));
                    write(group.stream(), key);
                }
                other => key.push_str(&other.to_string()),
            }
            key.push(' ');
        }
    }
    let mut key = String::new();
    write(tokens, &mut key);
    key
}

/// Returns whether code may be evaluated twice or once for the same value: names, literals and arrays of them.
pub(super) fn is_repeatable(tokens: TokenStream) -> bool {
    tokens.into_iter().all(|token| match token {
        TokenTree::Group(group) => {
            matches!(group.delimiter(), Delimiter::Bracket | Delimiter::None)
                && is_repeatable(group.stream())
        }
        TokenTree::Punct(punct) => punct.as_char() != '!',
        TokenTree::Ident(_) | TokenTree::Literal(_) => true,
    })
}

/// Returns whether an expression can be ordinary code only, so that it is an operand without `&`: an element has no `?`, and neither macros
/// nor functions of `Tensor` such as `Tensor::ones` take elements.
pub(super) fn is_ordinary(expression: &Expr) -> bool {
    match expression {
        Expr::Try(_) | Expr::Macro(_) => true,
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) if path.qself.is_none() => {
                let mut inwards = path.path.segments.iter().rev().skip(1);
                inwards.next().is_some_and(|of| of.ident == "Tensor")
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether an expression is a name or a field of one. Its value is the same at each occurrence, so it is read once.
pub(super) fn is_place(expression: &Expr) -> bool {
    match unwrapped(expression) {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        _ => false,
    }
}

/// Returns the method calls of a chain, the last first.
pub(super) fn calls(chain: &Expr) -> impl Iterator<Item = &ExprMethodCall> {
    fn call(expression: &Expr) -> Option<&ExprMethodCall> {
        match unwrapped(expression) {
            Expr::MethodCall(call) => Some(call),
            _ => None,
        }
    }
    std::iter::successors(call(chain), |last| call(&last.receiver))
}

/// Collects all names in code.
pub(super) fn names_in(tokens: TokenStream, names: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => names.push(name),
            TokenTree::Group(group) => names_in(group.stream(), names),
            _ => {}
        }
    }
}
