//! Literals without a suffix: parsing, constant folding, and expansion to values and to types that the compiler checks.
//!
//! A literal's type has its value, for messages, and its *level*, for the range check. The bounds of all dtypes are
//! sorted and numbered; a level is a position among them. Each dtype has the literals up to some level, so the compiler
//! compares levels only. Non-negative integers, negative integers and floats have separate levels.

mod levels;

use proc_macro2::{Ident, Literal as Token, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{BinOp, Expr, ExprBinary, ExprGroup, ExprLit, ExprParen, ExprUnary, Lit, LitFloat, UnOp};

use crate::depth;

pub(crate) use self::levels::with_literal_levels;
use self::levels::{level_of_float, level_of_int};

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

/// A float as messages print it: integers around a point and an `e`.
#[derive(Clone, Debug, PartialEq)]
enum Shown {
    /// `1.5`
    Decimal { whole: i128, fraction: i128 },
    /// `1e39`
    Scientific { mantissa: i128, exponent: i128 },
    /// `3.5e38`
    DecimalScientific {
        whole: i128,
        fraction: i128,
        exponent: i128,
    },
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
    /// Parses an expression as a literal, if it is one: an integer or float without suffix or a boolean, possibly with
    /// a minus sign or in parentheses; a number with the suffix `i`, or the sum or difference of one and another literal. A literal that no number type holds is an error.
    pub(crate) fn parse(expression: &Expr) -> Option<syn::Result<Self>> {
        match expression {
            Expr::Lit(ExprLit { lit, .. }) => Self::parse_lit(lit),
            Expr::Paren(ExprParen { expr, .. }) | Expr::Group(ExprGroup { expr, .. }) => {
                Self::parse(expr)
            }
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(minus),
                expr,
                ..
            }) => match Self::unwrapped(expr) {
                // The lowest `i128` has no positive counterpart.
                Expr::Lit(ExprLit {
                    lit: Lit::Int(digits),
                    ..
                }) if digits.suffix().is_empty() => {
                    let value = format!("-{}", digits.base10_digits());
                    Some(Self::integer(
                        &value,
                        minus.spans[0],
                        digits.span(),
                        &digits.token(),
                    ))
                }
                Expr::Lit(ExprLit {
                    lit: lit @ Lit::Float(_),
                    ..
                }) => {
                    let literal = Self::parse_lit(lit)?;
                    Some(literal.and_then(|literal| literal.negate(minus.spans[0])))
                }
                Expr::Lit(ExprLit { lit, .. }) => {
                    let imaginary = Self::parse_imaginary(lit)?;
                    Some(imaginary.and_then(|literal| literal.negate(minus.spans[0])))
                }
                _ => None,
            },
            Expr::Binary(binary) => Self::parse_complex(binary),
            _ => None,
        }
    }

    /// Parses a sum or difference of literals of which one has the suffix `i`.
    fn parse_complex(binary: &ExprBinary) -> Option<syn::Result<Self>> {
        let operator = match binary.op {
            BinOp::Add(_) => '+',
            BinOp::Sub(_) => '-',
            _ => return None,
        };
        let (lhs, rhs) = (Self::parse(&binary.left)?, Self::parse(&binary.right)?);
        match (lhs, rhs) {
            (Ok(lhs), Ok(rhs)) => [&lhs, &rhs]
                .iter()
                .any(|literal| literal.class() == Class::Complex)
                .then(|| Self::fold(operator, &lhs, &rhs)),
            (Err(fault), _) | (_, Err(fault)) => Some(Err(fault)),
        }
    }

    /// Parses a number with the suffix `i`.
    fn parse_imaginary(lit: &Lit) -> Option<syn::Result<Self>> {
        let digits = match lit {
            Lit::Int(digits) if digits.suffix() == "i" => digits.base10_digits(),
            Lit::Float(digits) if digits.suffix() == "i" => digits.base10_digits(),
            _ => return None,
        };
        Some(match digits.parse::<f64>() {
            Ok(im) if im.is_finite() => Ok(Self::at(Value::Complex { re: 0.0, im }, lit.span())),
            _ => {
                let message = format!("the literal `{digits}i` is beyond the range of every dtype");
                Err(syn::Error::new(lit.span(), message))
            }
        })
    }

    fn unwrapped(expression: &Expr) -> &Expr {
        match expression {
            Expr::Paren(ExprParen { expr, .. }) | Expr::Group(ExprGroup { expr, .. }) => {
                Self::unwrapped(expr)
            }
            other => other,
        }
    }

    fn parse_lit(lit: &Lit) -> Option<syn::Result<Self>> {
        let span = lit.span();
        match lit {
            Lit::Bool(value) => Some(Ok(Self::at(Value::Bool(value.value), span))),
            Lit::Int(digits) if digits.suffix().is_empty() => {
                let token = digits.token();
                Some(Self::integer(digits.base10_digits(), span, span, &token))
            }
            Lit::Float(digits) if digits.suffix().is_empty() => Some(Self::float(digits)),
            imaginary => Self::parse_imaginary(imaginary),
        }
    }

    fn at(value: Value, span: Span) -> Self {
        Self {
            value,
            start: span,
            end: span,
        }
    }

    fn integer(value: &str, start: Span, end: Span, token: &Token) -> syn::Result<Self> {
        let value = value.parse().map_err(|_| {
            let message = format!(
                "the literal `{token}` is beyond 128 bits; write it as a float: `{token}.0`"
            );
            syn::Error::new_spanned(token, message)
        })?;
        Ok(Self {
            value: Value::Int(value),
            start,
            end,
        })
    }

    fn float(digits: &LitFloat) -> syn::Result<Self> {
        let text = digits.base10_digits();
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => {
                let shown = shown(text).unwrap_or_else(|| shown_value(value));
                Ok(Self::at(Value::Float { value, shown }, digits.span()))
            }
            _ => {
                let message = format!("the literal `{digits}` is beyond the range of every dtype");
                Err(syn::Error::new(digits.span(), message))
            }
        }
    }

    /// Negates the literal; `minus` is the span of the sign.
    pub(crate) fn negate(&self, minus: Span) -> syn::Result<Self> {
        let value = match &self.value {
            Value::Bool(_) => return Err(self.error("a truth value has no negative")),
            Value::Int(value) => Value::Int(
                value
                    .checked_neg()
                    .ok_or_else(|| self.error("its negative is beyond 128 bits"))?,
            ),
            Value::Float { value, shown } => Value::Float {
                value: -value,
                shown: shown.negated().unwrap_or_else(|| shown_value(-value)),
            },
            Value::Complex { re, im } => Value::Complex { re: -re, im: -im },
        };
        Ok(Self {
            value,
            start: minus,
            end: self.end,
        })
    }

    /// Folds two literals with `+`, `-`, `*` or `/` between them. Integers are computed exactly, except `/`, which is
    /// true division and gives a float. Floats are computed as `f64`.
    #[allow(dead_code, reason = "for `fuse!`")]
    pub(crate) fn fold(operator: char, lhs: &Self, rhs: &Self) -> syn::Result<Self> {
        let mut folded = Self {
            value: Value::Bool(false),
            start: lhs.start,
            end: rhs.end,
        };
        folded.value = match (&lhs.value, &rhs.value) {
            (Value::Int(lhs), Value::Int(rhs)) if operator != '/' => {
                let value = match operator {
                    '+' => lhs.checked_add(*rhs),
                    '-' => lhs.checked_sub(*rhs),
                    '*' => lhs.checked_mul(*rhs),
                    _ => return Err(folded.no_operator(operator)),
                };
                Value::Int(value.ok_or_else(|| folded.error("the result is beyond 128 bits"))?)
            }
            (Value::Complex { .. }, _) | (_, Value::Complex { .. }) => {
                let ([a, b], [c, d]) = (lhs.parts()?, rhs.parts()?);
                let square = c * c + d * d;
                let [re, im] = match operator {
                    '+' => [a + c, b + d],
                    '-' => [a - c, b - d],
                    '*' => [a * c - b * d, a * d + b * c],
                    '/' if square == 0.0 => return Err(folded.error("division by zero")),
                    '/' => [(a * c + b * d) / square, (b * c - a * d) / square],
                    _ => return Err(folded.no_operator(operator)),
                };
                if !(re.is_finite() && im.is_finite()) {
                    return Err(folded.error("the result is beyond the range of every dtype"));
                }
                Value::Complex { re, im }
            }
            _ => {
                let (lhs, rhs) = (lhs.as_f64()?, rhs.as_f64()?);
                let value = match operator {
                    '+' => lhs + rhs,
                    '-' => lhs - rhs,
                    '*' => lhs * rhs,
                    '/' if rhs == 0.0 => return Err(folded.error("division by zero")),
                    '/' => lhs / rhs,
                    _ => return Err(folded.no_operator(operator)),
                };
                if !value.is_finite() {
                    return Err(folded.error("the result is beyond the range of every dtype"));
                }
                let shown = shown_value(value);
                Value::Float { value, shown }
            }
        };
        Ok(folded)
    }

    fn as_f64(&self) -> syn::Result<f64> {
        match &self.value {
            Value::Bool(_) => Err(self.error("there is no arithmetic on truth values in literals")),
            Value::Int(value) => Ok(to_f64(*value)),
            Value::Float { value, .. } => Ok(*value),
            Value::Complex { .. } => Err(self.error("a complex literal is no real number")),
        }
    }

    /// The real and the imaginary part.
    fn parts(&self) -> syn::Result<[f64; 2]> {
        match &self.value {
            Value::Complex { re, im } => Ok([*re, *im]),
            _ => Ok([self.as_f64()?, 0.0]),
        }
    }

    fn no_operator(&self, operator: char) -> syn::Error {
        self.error(&format!(
            "literals have no `{operator}`; give one side a dtype"
        ))
    }

    fn error(&self, message: &str) -> syn::Error {
        let mut tokens = TokenStream::from(TokenTree::Ident(Ident::new("start", self.start)));
        tokens.extend([TokenTree::Ident(Ident::new("end", self.end))]);
        syn::Error::new_spanned(tokens, message)
    }

    /// The span of the literal, or of its first token.
    #[allow(dead_code, reason = "for `fuse!`")]
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

    /// Writes the literal's type.
    pub(crate) fn type_tokens(&self, library: &TokenStream) -> TokenStream {
        let (name, arguments) = self.type_parts();
        let name = Ident::new(name, self.start);
        self.locate(quote!(#library::__private::#name<#arguments>))
    }

    /// Returns the name of the literal's type, and its generic arguments.
    fn type_parts(&self) -> (&'static str, TokenStream) {
        let level = Token::i8_unsuffixed(self.level());
        let (name, arguments) = match &self.value {
            Value::Bool(value) => ("BoolLiteral", quote!(#value)),
            Value::Int(value) => {
                let value = Token::i128_unsuffixed(*value);
                ("IntLiteral", quote!(#value, #level))
            }
            Value::Float { shown, .. } => {
                let (name, numbers) = shown.parts();
                let numbers = numbers.into_iter().map(Token::i128_unsuffixed);
                (name, quote!(#(#numbers,)* #level))
            }
            Value::Complex { .. } => ("ComplexLiteral", quote!(#level)),
        };
        (name, arguments)
    }

    /// Writes an expression of type `Judged<D>`, which compiles if the inferred dtype `D` has the literal. It stands in
    /// a block that starts with [`imports`]. Compiler messages on it point at the literal.
    pub(crate) fn judged_tokens(&self, library: &TokenStream) -> TokenStream {
        if self.lands_everywhere() {
            return self.locate(quote!(#library::__private::Judged::EVERYWHERE));
        }
        let (start, end) = (self.start, self.end);
        let (name, arguments) = self.type_parts();
        let literal = imported(name, end);
        // The compiler points at the dtype, from its first token to its last, if both come from one expansion. (It
        // takes adjacent angle brackets as one token.)
        let dtype = imported("DType", start);
        let open = quote_spanned!(start=> <#dtype<_);
        let holds = imported("FitsLiteral", end);
        let close = quote_spanned!(end=> > as #holds<#literal<#arguments> > >::JUDGED);
        quote!(#open #close)
    }

    /// Writes the value as a `Scalar`, in a block that starts with [`imports`]. It takes as few tokens as possible,
    /// because a tensor may have thousands of literals.
    pub(crate) fn scalar_tokens(&self) -> TokenStream {
        let (variant, value) = match &self.value {
            Value::Bool(value) => ("Bool", quote!(#value)),
            Value::Int(value) => ("Int", Token::i128_unsuffixed(*value).into_token_stream()),
            Value::Float { value, .. } => {
                let minus = value.is_sign_negative().then(|| quote!(-));
                let value = Token::f64_unsuffixed(value.abs());
                ("Float", quote!(#minus #value))
            }
            Value::Complex { re, im } => {
                let parts = [re, im].map(|part| {
                    let minus = part.is_sign_negative().then(|| quote!(-));
                    let part = Token::f64_unsuffixed(part.abs());
                    quote!(#minus #part)
                });
                ("Complex", quote!(#(#parts),*))
            }
        };
        let variant = imported(variant, Span::call_site());
        quote!(#variant(#value))
    }

    /// Gives tokens the span of the literal, so that messages point at it, and keeps their name resolution.
    fn locate(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens: Vec<_> = tokens.into_iter().collect();
        let last = tokens.len().saturating_sub(1);
        for (position, token) in tokens.iter_mut().enumerate() {
            let at = if position == last {
                self.end
            } else {
                self.start
            };
            if let TokenTree::Group(group) = token {
                let inner = self.locate(group.stream());
                let delimiter = group.delimiter();
                *group = proc_macro2::Group::new(delimiter, inner);
            }
            token.set_span(token.span().located_at(at));
        }
        tokens.into_iter().collect()
    }
}

impl Shown {
    /// Returns the name of the literal's type, and its numbers.
    fn parts(&self) -> (&'static str, Vec<i128>) {
        match *self {
            Self::Decimal { whole, fraction } => ("DecimalLiteral", vec![whole, fraction]),
            Self::Scientific { mantissa, exponent } => {
                ("ScientificLiteral", vec![mantissa, exponent])
            }
            Self::DecimalScientific {
                whole,
                fraction,
                exponent,
            } => ("FloatLiteral", vec![whole, fraction, exponent]),
        }
    }

    /// Negates the number; `None` for an integer zero, which has no sign.
    fn negated(&self) -> Option<Self> {
        let mut negated = self.clone();
        let first = match &mut negated {
            Self::Decimal { whole, .. } | Self::DecimalScientific { whole, .. } => whole,
            Self::Scientific { mantissa, .. } => mantissa,
        };
        *first = -*first;
        (*first != 0).then_some(negated)
    }
}

/// Splits a non-negative float as it is written, if integers around a point and an `e` can print it: not if the
/// fraction has leading zeros, or more digits than an `i128`.
fn shown(text: &str) -> Option<Shown> {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (text, None),
    };
    let exponent = exponent.map(|exponent| exponent.parse::<i16>().ok());
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    let whole: i128 = whole.parse().ok()?;
    let fraction = match fraction {
        Some("" | "0") => Some(0),
        Some(digits) if digits.starts_with('0') => return None,
        Some(digits) => Some(digits.parse().ok()?),
        None => None,
    };
    Some(match (fraction, exponent) {
        (fraction, None) => Shown::Decimal {
            whole,
            fraction: fraction.unwrap_or(0),
        },
        (None, Some(exponent)) => Shown::Scientific {
            mantissa: whole,
            exponent: exponent?.into(),
        },
        (Some(fraction), Some(exponent)) => Shown::DecimalScientific {
            whole,
            fraction,
            exponent: exponent?.into(),
        },
    })
}

/// Splits a value in its shortest decimal form, like [`shown`] if possible.
fn shown_value(value: f64) -> Shown {
    let negative = value.is_sign_negative();
    let magnitude = format!("{:?}", value.abs());
    let written = shown(&magnitude)
        .map(|shown| {
            if negative {
                shown.negated()
            } else {
                Some(shown)
            }
        })
        .unwrap_or_default();
    written.unwrap_or_else(|| {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').expect("an exponent");
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let number = |text: &str| text.parse::<i128>().expect("at most 17 digits");
        let places = i128::try_from(fraction.len()).expect("at most 16 digits");
        Shown::Scientific {
            mantissa: number(&format!("{whole}{fraction}")),
            exponent: number(exponent) - places,
        }
    })
}

#[expect(clippy::as_conversions, reason = "rounds to nearest, which is meant")]
fn to_f64(value: i128) -> f64 {
    value as f64
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
