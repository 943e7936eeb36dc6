//! Expands the model to tokens.
//!
//! The expansion uses Rust's operators and methods of the library's `Fused`, as between tensors, so that the compiler's
//! messages are the same and point at the operator. Every name that is not the user's has mixed-site hygiene; calls
//! have the span of the source that they come from.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use super::model::{Node, Program};
use super::names::unwrapped;
use super::optimised;
use crate::limits::MAX_BOUND;
use crate::literal::{self, Literal};

/// The variant of the macro.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    /// `true` if unsafe promotions are admitted.
    pub(super) admits: bool,
    /// `true` if the expansion returns a `Result`.
    pub(super) tries: bool,
    /// `true` if the expansion returns the backend instead of the value.
    pub(super) explains: bool,
}

pub(super) fn expand(library: &TokenStream, mode: Mode, program: &Program) -> TokenStream {
    let writer = Writer { library, mode };
    let fuse = writer.fuse(Span::call_site());
    let leaves = program.leaves.iter().map(reference);
    let names = (0..program.leaves.len()).map(|number| name("leaf", number));
    // All leaves are made before the expression, under one rule set: what follows knows it, also after an element on the left.
    let rules = name("rules", 0);
    let operands = program.leaves.iter().enumerate().map(|(number, leaf)| {
        let place = leaf.span().resolved_at(Span::mixed_site());
        let (fuse, mut function) = (writer.fuse(leaf.span()), writer.admitting("leaf"));
        function.set_span(place);
        let (bound, mut reference) = (name("leaf", number), name("leaf", number));
        reference.set_span(place);
        quote_spanned!(place=> let #bound = #fuse::#function::<#number, _, _, _>(#rules, #reference);)
    });
    let bindings = program.bindings.iter().enumerate().map(|(number, value)| {
        let (name, value) = (name("binding", number), writer.node(value));
        quote!(let #name = #value;)
    });
    let result = writer.node(&program.result);
    let result = match &program.reduction {
        None => result,
        Some(reduction) => {
            let (method, arguments) = (&reduction.method, &reduction.arguments);
            quote!(#result.#method(#arguments))
        }
    };
    let number = program.leaves.len();
    // An expression with more bindings never compiles to a loop, and the nested type would be too deep for rustc.
    let bound = match program.bindings.len() {
        ..=MAX_BOUND => (0..program.bindings.len()).fold(quote!(()), |before, number| {
            let binding = name("binding", number);
            quote!((#before, &#binding))
        }),
        _ => quote!(#fuse::TooMany),
    };
    let site = Ident::new("__SupremumSite", Span::mixed_site());
    let run = match (mode.admits, mode.tries) {
        _ if mode.explains => quote!(backend),
        (false, false) => quote!(run),
        (false, true) => quote!(try_run),
        (true, false) => quote!(run_admitting),
        (true, true) => quote!(try_run_admitting),
    };
    let mut place = None;
    let (target, run) = match &program.target {
        None => {
            // The type arguments are the call site, the bindings, the expression and, here, the rules.
            let admitting = mode.admits.then(|| quote!(, _));
            (
                None,
                quote!(#fuse::#run::<#site, _, _ #admitting>(&#bound, &#result)),
            )
        }
        Some(target) => {
            let (out, target_name) = (name("out", 0), name("target", 0));
            let written = parenthesised(target);
            // A view for writing that a call makes is a temporary, which has to live as long as the leaves do. It is made after them:
            // an operand that shares its elements keeps the former ones. A place is borrowed later, behind the leaves.
            let written = match is_call(target) {
                true => {
                    place = Some(quote_spanned!(target.span()=> &mut #written,));
                    name("place", 0).to_token_stream()
                }
                // A method call borrows a tensor, and what a `&mut Tensor` refers to.
                false => quote_spanned!(target.span()=> #written.supremum_place()),
            };
            let run = format_ident!("{}_into", run.to_string());
            let read = writer.admitting("target");
            (
                Some(quote! {
                    let #out = #fuse::output(#rules, #written);
                    let #target_name = #fuse::#read::<#number, _>(#out);
                }),
                quote!(#fuse::#run::<#site, _, _, _>(&#bound, #out, &#result)),
            )
        }
    };
    let place_name = place.is_some().then(|| {
        let name = name("place", 0);
        quote!(#name,)
    });
    let places = target
        .is_some()
        .then(|| quote!(use #fuse::OutputPlace as _;));
    let imports = literal::imports(library);
    let compiled = match optimised::is_optimised() {
        Some(optimised) => quote!(#optimised),
        // If the level is unknown: the default profiles have either optimisation or debug assertions.
        None => quote!(!#library::__private::core::cfg!(debug_assertions)),
    };
    // `match` extends the lifetime of temporaries that the leaves borrow to that of the expression.
    quote! {
        match (#(#leaves,)* #place) {
            (#(#names,)* #place_name) => {
                #imports
                enum #site {}
                impl #fuse::CallSite for #site {
                    const COMPILED: bool = #compiled;
                }
                let #rules = #fuse::rules();
                #places
                #target
                #(#operands)*
                #(#bindings)*
                #run
            }
        }
    }
}

fn name(kind: &str, number: usize) -> Ident {
    // A pattern that is the name of a caller's constant would match it; no item has a name like this one.
    Ident::new(&format!("__supremum_{kind}_{number}"), Span::mixed_site())
}

/// Returns whether an expression is a call, whose value is a temporary.
fn is_call(expression: &Expr) -> bool {
    matches!(unwrapped(expression), Expr::MethodCall(_) | Expr::Call(_))
}

fn parenthesised(expression: &Expr) -> TokenStream {
    match expression {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) | Expr::Lit(_) => {
            quote!(#expression)
        }
        _ => quote!((#expression)),
    }
}

fn reference(expression: &Expr) -> TokenStream {
    let expression = parenthesised(expression);
    quote!(&#expression)
}

struct Writer<'a> {
    library: &'a TokenStream,
    mode: Mode,
}

impl Writer<'_> {
    /// The path of the module with the functions that build expressions.
    fn fuse(&self, span: Span) -> TokenStream {
        let library = self.library;
        let path = quote!(#library::__private::fuse).into_iter();
        path.map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
    }

    /// The name of a function, in the form that admits unsafe promotions if the mode does.
    fn admitting(&self, function: &str) -> Ident {
        if self.mode.admits {
            format_ident!("{function}_admitting")
        } else {
            format_ident!("{function}")
        }
    }

    fn node(&self, node: &Node) -> TokenStream {
        match node {
            Node::Leaf(number, span) => {
                // A call, because rustc does not point at a name that the macro made.
                let (fuse, place) = (self.fuse(*span), span.resolved_at(Span::mixed_site()));
                let mut name = name("leaf", *number);
                name.set_span(place);
                quote_spanned!(place=> #fuse::operand::<_>(#name))
            }
            Node::Target(span) => {
                let mut name = name("target", 0);
                name.set_span(span.resolved_at(Span::mixed_site()));
                quote!(#name)
            }
            Node::Binding(number) => {
                let (fuse, name) = (self.fuse(Span::call_site()), name("binding", *number));
                quote!(#fuse::shared::<#number, _>(&#name))
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
            } => self.of_two(lhs, rhs, group, &|lhs, rhs| quote!((#lhs #operator #rhs))),
            Node::Method {
                name,
                group,
                lhs,
                rhs,
            } => self.of_two(lhs, rhs, group, &|lhs, rhs| quote!(#lhs.#name(#rhs))),
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
