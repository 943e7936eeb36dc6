//! Limits on nesting, checked before anything is parsed.
//!
//! Parsers recurse. `syn` takes up to 25 kB of stack for each level of brackets, and up to 6 kB for each operation of a
//! chain (`a + a + ..`, `a.exp().exp()..`), whose syntax tree is as deep as the chain is long. The compiler's stack has
//! 8 MB, and its own parser ends without a message at about 3,000 brackets. So this module first counts nesting in the
//! tokens, without recursion.

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// The limit on nested brackets of any kind, including those of generic arguments.
pub const MAX_BRACKETS: usize = 64;
/// The limit on operations in one chain. A chain ends at a `,`, a `;` or a bracket.
pub const MAX_CHAIN: usize = 256;

/// The tokens within one pair of brackets.
struct Level {
    tokens: IntoIter,
    /// The number of open generic arguments: `Weak<`.
    generics: usize,
    /// The operations of the chain so far, plus those of the chains around the brackets.
    chain: usize,
    /// The operations of the chains around the brackets.
    outside: usize,
    last: Last,
}

/// The class of the previous token.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// A name of a type, or `::`, after which `<` begins generic arguments.
    Type,
    /// Braces, which may end a statement.
    Braces,
    /// `#`, which begins an attribute.
    Hash,
    /// `-` or `=`, after which `>` ends nothing.
    Arrow,
    Other,
}

impl Level {
    fn new(tokens: TokenStream, outside: usize) -> Self {
        Self {
            tokens: tokens.into_iter(),
            generics: 0,
            chain: outside,
            outside,
            last: Last::Other,
        }
    }

    /// Counts a token that is not a group.
    fn count(&mut self, token: &TokenTree) {
        let last = std::mem::replace(&mut self.last, Last::Other);
        match token {
            TokenTree::Punct(punct) => match punct.as_char() {
                ',' => self.chain = self.outside,
                ';' => {
                    self.chain = self.outside;
                    self.generics = 0;
                }
                '#' => {
                    self.chain = self.outside;
                    self.last = Last::Hash;
                }
                symbol => {
                    self.chain += 1;
                    match symbol {
                        '<' if last == Last::Type => self.generics += 1,
                        '>' if last != Last::Arrow => {
                            self.generics = self.generics.saturating_sub(1);
                        }
                        '-' | '=' => self.last = Last::Arrow,
                        ':' => self.last = Last::Type,
                        _ => {}
                    }
                }
            },
            TokenTree::Ident(name) => {
                let name = name.to_string();
                match name.as_str() {
                    "else" | "as" | "return" | "break" => self.chain += 1,
                    _ if last == Last::Braces => self.chain = self.outside,
                    _ => {}
                }
                let is_type = name.starts_with(char::is_uppercase)
                    && (name.len() == 1 || name.contains(char::is_lowercase));
                if is_type {
                    self.last = Last::Type;
                }
            }
            TokenTree::Literal(_) if last == Last::Braces => self.chain = self.outside,
            TokenTree::Literal(_) | TokenTree::Group(_) => {}
        }
    }
}

/// Returns an error at input that is nested deeper than [`MAX_BRACKETS`] or at a chain longer than [`MAX_CHAIN`];
/// `cure` is the remedy for the message.
pub fn check(input: TokenStream, cure: &str) -> syn::Result<()> {
    let mut levels = vec![Level::new(input, 0)];
    let mut generics = 0;
    while let Some(level) = levels.last_mut() {
        let Some(token) = level.tokens.next() else {
            generics -= level.generics;
            levels.pop();
            continue;
        };
        let mut inside = None;
        if let TokenTree::Group(group) = &token {
            if level.last == Last::Braces {
                level.chain = level.outside;
            }
            // Calls and indices are operations of a chain too.
            level.chain += usize::from(level.last != Last::Hash);
            level.last = match group.delimiter() {
                Delimiter::Brace => Last::Braces,
                _ => Last::Other,
            };
            inside = Some(Level::new(group.stream(), level.chain));
        } else {
            let before = level.generics;
            level.count(&token);
            generics = generics + level.generics - before;
        }
        let chain = level.chain;
        levels.extend(inside);
        let depth = levels.len() - 1 + generics;
        if depth > MAX_BRACKETS {
            let message =
                format!("more than {MAX_BRACKETS} levels of brackets in one another: {cure}");
            return Err(syn::Error::new(begin(&token), message));
        }
        if chain > MAX_CHAIN {
            let message = format!("more than {MAX_CHAIN} operations in one chain: {cure}");
            return Err(syn::Error::new(begin(&token), message));
        }
    }
    Ok(())
}

fn begin(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_open(),
        other => other.span(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Option<String> {
        let tokens = text.parse().expect("tokens");
        check(tokens, "cure").err().map(|fault| fault.to_string())
    }

    fn around(open: &str, inner: &str, close: &str, times: usize) -> String {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    }

    #[test]
    fn brackets_of_every_kind_are_counted() {
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("{", "}"),
            ("if c { a } else { ", " }"),
            ("f(a, ", ")"),
            ("(a + ", ")"),
            ("Weak<", ">"),
            ("(A::<", ">)"),
        ] {
            let levels = if open == "(A::<" { 2 } else { 1 };
            let most = MAX_BRACKETS / levels;
            assert_eq!(refused(&around(open, "a", close, most)), None, "{open}");
            let deeper = refused(&around(open, "a", close, most + 1));
            let expected = "more than 64 levels of brackets in one another: cure";
            assert_eq!(deeper.as_deref(), Some(expected), "{open}");
        }
    }

    #[test]
    fn chains_of_every_kind_are_counted() {
        for link in [
            "+ a ",
            ".exp() ",
            "as f32 ",
            "[0] ",
            "- ",
            "else if c { a } ",
        ] {
            let long = format!("a {}", link.repeat(MAX_CHAIN + 1));
            let expected = "more than 256 operations in one chain: cure";
            assert_eq!(refused(&long).as_deref(), Some(expected), "{link}");
        }
        let sum = |terms: usize| format!("a{}", " + a".repeat(terms));
        assert_eq!(refused(&sum(MAX_CHAIN)), None);
        // A chain continues inside brackets, as the syntax tree does.
        let inner = format!("{} + ({})", sum(MAX_CHAIN / 2), sum(MAX_CHAIN / 2));
        assert!(refused(&inner).is_some());
    }

    #[test]
    fn lists_and_statements_are_as_long_as_they_like() {
        for part in [
            "-1.0, ",
            "a < b, ",
            "a = a + 1; ",
            "if a < b { c } ",
            "_ => { a } ",
            "/// A line.\n",
            "0 => { a } ",
            "for a in 0..9 { c } ",
            "Tensor<Weak<F32>>, ",
            "F16 -> F32; ",
            "F16 => [F16, F32], ",
        ] {
            assert_eq!(refused(&part.repeat(2_000)), None, "{part}");
        }
    }

    #[test]
    fn depth_does_not_end_the_process() {
        assert!(refused(&around("(", "a", ")", 1_000)).is_some());
        assert!(refused(&format!("a{}", " + a".repeat(100_000))).is_some());
    }
}
