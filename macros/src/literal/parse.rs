//! Parses expressions of the source code to literals.

use proc_macro2::{Literal as Token, Span};
use syn::{BinOp, Expr, ExprBinary, ExprGroup, ExprLit, ExprParen, ExprUnary, Lit, LitFloat, UnOp};

use super::shown::{shown, shown_value};
use super::{Class, Literal, Value};

impl Literal {
    /// Parses an expression as a literal, if it is one: an integer or float without suffix or a boolean, possibly with a minus sign
    /// or in parentheses; a number with the suffix `i`, or the sum or difference of one and another literal. A literal that no
    /// number type holds is an error.
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
        let (digits, suffix) = match lit {
            Lit::Int(digits) => (digits.base10_digits(), digits.suffix()),
            Lit::Float(digits) => (digits.base10_digits(), digits.suffix()),
            _ => return None,
        };
        match suffix {
            "i" => {}
            "j" => {
                let message = format!("an imaginary literal ends in `i`: `{digits}i`");
                return Some(Err(syn::Error::new(lit.span(), message)));
            }
            _ => return None,
        }
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
}
