//! Literals without a suffix: parsing, constant folding, and expansion to values and to types that the compiler checks.
//!
//! A literal's type has its value, for messages, and its *level*, for the range check. The bounds of all dtypes are
//! sorted and numbered; a level is a position among them. Each dtype has the literals up to some level, so the compiler
//! compares levels only. Non-negative integers, negative integers and floats have separate levels.

mod fold;
mod levels;
mod parse;
mod shown;
mod tokens;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Expr;

pub(crate) use self::levels::with_literal_levels;
use self::levels::{level_of_float, level_of_int};
use self::shown::Shown;
use crate::depth;

/// A literal of the source code, or several folded to one.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    value: Value,
    /// The spans of its first and last token: a sign and digits are two tokens, whose spans cannot be joined.
    start: Span,
    end: Span,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Bool(bool),
    Int(i128),
    Float { value: f64, shown: Shown },
    Complex { re: f64, im: f64 },
}

/// The class of a literal. If a dtype has the largest literal of a class, it has the others too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    Bool,
    NonNegative,
    Negative,
    Float,
    Complex,
}

/// Writes the imports for a block with checked literals. With paths that start with `$crate`, which has the span of the
/// expansion, rustc would point at the whole macro call. A path whose last name the caller has imported would cause a
/// lint.
pub(crate) fn imports(library: &TokenStream) -> TokenStream {
    quote! {
        #[allow(unused_imports, clippy::wildcard_imports)]
        use #library::__private::literal_names::*;
    }
}

/// Returns a name that [`imports`] brings into scope.
pub(crate) fn imported(name: &str, span: Span) -> Ident {
    Ident::new(&format!("__Supremum{name}"), span)
}

impl Literal {
    fn error(&self, message: &str) -> syn::Error {
        let mut tokens = TokenStream::from(TokenTree::Ident(Ident::new("start", self.start)));
        tokens.extend([TokenTree::Ident(Ident::new("end", self.end))]);
        syn::Error::new_spanned(tokens, message)
    }

    /// The span of the literal, or of its first token.
    pub(crate) fn span(&self) -> Span {
        self.start
    }

    pub(crate) fn class(&self) -> Class {
        match &self.value {
            Value::Bool(_) => Class::Bool,
            Value::Int(value) if *value < 0 => Class::Negative,
            Value::Int(_) => Class::NonNegative,
            Value::Float { .. } => Class::Float,
            Value::Complex { .. } => Class::Complex,
        }
    }

    /// Returns whether every dtype has the literal, so that it needs no check: booleans, `0` and `1`.
    pub(crate) fn lands_everywhere(&self) -> bool {
        matches!(self.class(), Class::Bool | Class::NonNegative) && self.level() == 0
    }

    /// Returns the literals to check: the one with the largest magnitude of each class. A dtype that has it has all of
    /// the class.
    pub(crate) fn largest<'a>(literals: impl Iterator<Item = &'a Self>) -> Vec<&'a Self> {
        let mut largest: Vec<&Self> = Vec::new();
        for literal in literals.filter(|literal| !literal.lands_everywhere()) {
            let class = literal.class();
            match largest.iter_mut().find(|other| other.class() == class) {
                Some(other) if literal.exceeds(other) => *other = literal,
                Some(_) => {}
                None => largest.push(literal),
            }
        }
        largest
    }

    /// Returns whether its magnitude is larger than that of another literal of the class. (It compares magnitudes, not levels,
    /// so that users can tell which literal generic code needs a bound for.)
    fn exceeds(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Int(value), Value::Int(other)) => value.unsigned_abs() > other.unsigned_abs(),
            (Value::Float { value, .. }, Value::Float { value: other, .. }) => {
                value.abs() > other.abs()
            }
            (Value::Complex { .. }, Value::Complex { .. }) => self.level() > other.level(),
            _ => false,
        }
    }

    fn level(&self) -> i8 {
        match &self.value {
            Value::Bool(_) => 0,
            Value::Int(value) => level_of_int(*value),
            Value::Float { value, .. } => level_of_float(*value),
            Value::Complex { re, im } => level_of_float(re.abs().max(im.abs())),
        }
    }
}

/// Expands `literal!` to the type of a literal; any other input is an error.
///
/// Input: `[path::to::library]`, then the literal.
pub(crate) fn literal(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let library = match input.next() {
        Some(TokenTree::Group(library)) => library.stream(),
        _ => unreachable!("`literal!` passes the path of the library"),
    };
    let input: TokenStream = input.collect();
    let expression = depth::check(input.clone(), "a literal needs none")
        .and_then(|()| syn::parse2::<Expr>(input));
    let literal = expression.and_then(|expression| {
        Literal::parse(&expression).unwrap_or_else(|| {
            let message = "`literal!` takes a literal without a suffix: `255`, `-1`, `0.5`, `true`";
            Err(syn::Error::new_spanned(
                expression.to_token_stream(),
                message,
            ))
        })
    });
    match literal {
        Ok(literal) => literal.type_tokens(&library),
        Err(fault) => fault.to_compile_error(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown::shown_value;
    use super::*;

    fn literal(text: &str) -> Literal {
        parsed(text).expect("a literal").expect("in range")
    }

    fn parsed(text: &str) -> Option<syn::Result<Literal>> {
        Literal::parse(&syn::parse_str(text).expect("an expression"))
    }

    fn tokens(text: &str) -> String {
        literal(text).type_tokens(&quote!(s)).to_string()
    }

    #[test]
    fn literals_are_types_of_their_value() {
        let private = "s :: __private ::";
        for (text, expected) in [
            ("true", "BoolLiteral < true >"),
            ("0", "IntLiteral < 0 , 0 >"),
            ("-0", "IntLiteral < 0 , 0 >"),
            ("0xff", "IntLiteral < 255 , 4 >"),
            ("0b1_0000_0000", "IntLiteral < 256 , 5 >"),
            ("(((0o12)))", "IntLiteral < 10 , 1 >"),
            ("-(1_000)", "IntLiteral < - 1000 , - 5 >"),
            ("1.5", "DecimalLiteral < 1 , 5 , 0 >"),
            ("1.", "DecimalLiteral < 1 , 0 , 0 >"),
            ("-0.5", "ScientificLiteral < - 5 , - 1 , 0 >"),
            ("0.05", "ScientificLiteral < 5 , - 2 , 0 >"),
            ("1e39", "ScientificLiteral < 1 , 39 , 7 >"),
            ("-1E-3", "ScientificLiteral < - 1 , - 3 , 0 >"),
            ("3.5e38", "FloatLiteral < 3 , 5 , 38 , 7 >"),
            ("-65_519.99", "DecimalLiteral < - 65519 , 99 , 4 >"),
        ] {
            assert_eq!(tokens(text), format!("{private} {expected}"), "{text}");
        }
        for text in ["1u8", "1.0f32", "x", "-x", "1 + 1", "\"1\"", "-true"] {
            assert!(parsed(text).is_none(), "{text}");
        }
        for text in ["170141183460469231731687303715884105728", "1e400", "-1e400"] {
            assert!(
                parsed(text).is_some_and(|literal| literal.is_err()),
                "{text}"
            );
        }
        let lowest = literal("-170141183460469231731687303715884105728");
        assert_eq!(lowest.value, Value::Int(i128::MIN));
        assert!(lowest.negate(Span::call_site()).is_err());
    }

    #[test]
    fn literals_fold_as_numbers() {
        let fold = |lhs: &str, operator, rhs: &str| {
            Literal::fold(operator, &literal(lhs), &literal(rhs)).map(|folded| folded.value)
        };
        let float = |value: f64| Value::Float {
            value,
            shown: shown_value(value),
        };
        let equal = |folded: syn::Result<Value>, expected| assert_eq!(folded.ok(), Some(expected));
        equal(fold("2", '*', "-3"), Value::Int(-6));
        equal(fold("2", '-', "3"), Value::Int(-1));
        equal(fold("1", '/', "4"), float(0.25));
        equal(fold("4", '/', "2"), float(2.0));
        equal(fold("0.1", '+', "2"), float(2.1));
        equal(fold("1e20", '*', "1e20"), float(1e40));
        for (lhs, operator, rhs) in [
            ("1", '/', "0"),
            ("170141183460469231731687303715884105727", '+', "1"),
            ("1e300", '*', "1e300"),
            ("true", '+', "1"),
            ("5", '%', "2"),
        ] {
            assert!(fold(lhs, operator, rhs).is_err(), "{lhs} {operator} {rhs}");
        }
    }
}
