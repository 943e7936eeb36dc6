//! Expands expressions.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::passes::site;
use super::{Mode, name};
use crate::fuse::model::Node;
use crate::literal::Literal;

/// Writes parts of an expression.
pub(super) struct Writer<'a> {
    pub(super) library: &'a TokenStream,
    pub(super) mode: Mode,
    /// The bindings that read the output, if the part belongs to a pass: there the output is an operand like others.
    pub(super) in_pass: Option<&'a [bool]>,
    /// `true` if the expression is evaluated for some rows at a time.
    pub(super) by_rows: bool,
    /// The lowest number that no operand has as an input of loops.
    pub(super) first_free: usize,
}

impl Writer<'_> {
    /// The path of the module with the functions that build expressions.
    pub(super) fn fuse(&self, span: Span) -> TokenStream {
        let library = self.library;
        let path = quote!(#library::__private::fuse).into_iter();
        path.map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
    }

    /// The name of a function, in the form that admits unsafe promotions if the mode does.
    pub(super) fn admitting(&self, function: &str) -> Ident {
        if self.mode.admits {
            format_ident!("{function}_admitting")
        } else {
            format_ident!("{function}")
        }
    }

    /// The name of a binding: one that reads the output has another form in passes.
    pub(super) fn binding(&self, number: usize) -> Ident {
        match self.in_pass {
            Some(reads_target) if reads_target[number] => name("former_binding", number),
            _ => name("binding", number),
        }
    }

    pub(super) fn node(&self, node: &Node) -> TokenStream {
        match node {
            Node::Leaf(number, span) => {
                // A call, because rustc does not point at a name that the macro made.
                let (fuse, place) = (self.fuse(*span), span.resolved_at(Span::mixed_site()));
                let mut name = name("leaf", *number);
                name.set_span(place);
                quote_spanned!(place=> #fuse::operand::<_>(#name))
            }
            Node::Target(span) => {
                let mut name = match self.in_pass {
                    Some(_) => name("former", 0),
                    None => name("target", 0),
                };
                name.set_span(span.resolved_at(Span::mixed_site()));
                quote!(#name)
            }
            Node::Binding(number) => {
                let (fuse, name) = (self.fuse(Span::call_site()), self.binding(*number));
                quote!(#fuse::shared::<#number, _>(&#name))
            }
            Node::Evaluated(number, span) => {
                let (fuse, place) = (self.fuse(*span), span.resolved_at(Span::mixed_site()));
                let mut name = name("value", *number);
                name.set_span(place);
                quote_spanned!(place=> #fuse::operand::<_>(#name))
            }
            Node::Literal(literal) => self.alone(literal),
            Node::Prefix { name, x } => {
                let (fuse, x) = (self.fuse(name.span()), self.node(x));
                quote!(#fuse::#name(#x))
            }
            Node::Infix {
                operator,
                group,
                lhs,
                rhs,
            } => self.of_two(lhs, rhs, group, &|lhs, rhs| {
                let fuse = self.fuse(Span::call_site());
                let [l, r] = ["left", "right"].map(|side| name(side, 0));
                // The operator judges types without values: see `OperandTypes` of the library.
                let types = quote!(#fuse::types_of(&#l) #operator #fuse::types_of(&#r));
                quote!(match (#lhs, #rhs) { (#l, #r) => #fuse::infix(#types, #l, #r) })
            }),
            Node::Method {
                name,
                group,
                of_clamp,
                lhs,
                rhs,
            } => self.of_two(lhs, rhs, group, &|lhs, rhs| {
                let value = quote!(#lhs.#name(#rhs));
                let fuse = self.fuse(Span::call_site());
                match of_clamp {
                    true => quote!(#fuse::of_clamp(#value)),
                    false => value,
                }
            }),
            Node::Function { name, x } => {
                let x = self.node(x);
                quote!(#x.#name())
            }
            Node::Convert { name, to, x } => {
                let x = self.node(x);
                quote!(#x.#name #to())
            }
            Node::Select {
                span,
                condition,
                then,
                otherwise,
            } => {
                let condition = self.node(condition);
                let fuse = self.fuse(*span);
                let place = span.resolved_at(Span::mixed_site());
                self.of_two(
                    then,
                    otherwise,
                    "Join",
                    &|then, otherwise| quote_spanned!(place=> #fuse::select(#condition, #then, #otherwise)),
                )
            }
            Node::Hoistable(number, x) => {
                let (fuse, x) = (self.fuse(Span::call_site()), self.node(x));
                let (input, elements) = (self.first_free + number, name("hoisted", *number));
                let site = site();
                quote!(#fuse::hoistable::<#site, #input, _>(&#elements, #x))
            }
            Node::Call {
                function,
                arguments,
            } => {
                let fuse = self.fuse(function.span());
                let call = format_ident!("call{}", arguments.len());
                let arguments = arguments.iter().map(|argument| self.node(argument));
                quote!(#fuse::#call(#function, #(#arguments),*))
            }
        }
    }

    /// Expands a binary operation. A literal on one side converts to the dtype that both sides promote to.
    fn of_two(
        &self,
        lhs: &Node,
        rhs: &Node,
        group: &str,
        operation: &dyn Fn(TokenStream, TokenStream) -> TokenStream,
    ) -> TokenStream {
        let (x, literal) = (name("operand", 0), name("literal", 0));
        match (lhs, rhs) {
            (lhs, Node::Literal(rhs)) if !matches!(lhs, Node::Literal(_)) => {
                let (lhs, rhs) = (self.node(lhs), self.beside("right", group, rhs));
                let operation = operation(quote!(#x), quote!(#literal));
                quote!({ let #x = #lhs; let #literal = #rhs; #operation })
            }
            (Node::Literal(lhs), rhs) if !matches!(rhs, Node::Literal(_)) => {
                let (lhs, rhs) = (self.beside("left", group, lhs), self.node(rhs));
                let operation = operation(quote!(#literal), quote!(#x));
                quote!({ let #x = #rhs; let #literal = #lhs; #operation })
            }
            (lhs, rhs) => operation(self.node(lhs), self.node(rhs)),
        }
    }

    /// Expands a literal that promotes with `x`.
    fn beside(&self, side: &str, group: &str, literal: &Literal) -> TokenStream {
        let place = literal.span().resolved_at(Span::mixed_site());
        let fuse = self.fuse(literal.span());
        // Exponents convert to the dtype in which powers are computed, which is known at run time only.
        let (function, judged) = match group {
            "Power" => ("exponent", None),
            _ => (side, Some(literal.judged_tokens(self.library))),
        };
        let (function, group) = (Ident::new(function, place), Ident::new(group, place));
        let judged = judged.map(|judged| quote!(, #judged));
        let mut x = name("operand", 0);
        x.set_span(place);
        let kind = literal.type_tokens(self.library);
        let value = literal.scalar_tokens();
        quote_spanned!(place=> #fuse::#function::<_, #kind, _>(&#x, #value, #fuse::groups::#group #judged))
    }

    /// Expands a literal beside another literal.
    fn alone(&self, literal: &Literal) -> TokenStream {
        let place = literal.span().resolved_at(Span::mixed_site());
        let fuse = self.fuse(literal.span());
        let kind = literal.type_tokens(self.library);
        let value = literal.scalar_tokens();
        quote_spanned!(place=> #fuse::alone::<#kind, _>(#value))
    }
}
