//! Writes literals as tokens: as types that the compiler checks, and as values.

use proc_macro2::{Ident, Literal as Token, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use super::{Literal, Value, imported};

impl Literal {
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
