//! Expands the model to tokens.
//!
//! The expansion uses Rust's operators and methods of the library's `Fused`, as between tensors, so that the compiler's
//! messages are the same and point at the operator. Every name that is not the user's has mixed-site hygiene; calls
//! have the span of the source that they come from.
//!
//! This file writes the whole expansion, `places.rs` the code of operands and outputs, `passes.rs` the statements before the result, and
//! `node.rs` the expressions.

mod node;
mod passes;
mod places;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use self::node::Writer;
use super::model::{Node, Place, Program, Step};
use super::names::unwrapped;
use super::optimised;
use super::passes::{Uses, rank_with_rows};
use crate::literal;

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
    let rank_with_rows = rank_with_rows(program).filter(|_| !mode.explains);
    let uses = Uses::new(program);
    let expansion = Expansion {
        program,
        writer: Writer {
            library,
            // The closure that evaluates rows returns errors.
            mode: Mode {
                tries: mode.tries || rank_with_rows.is_some(),
                ..mode
            },
            in_pass: None,
            by_rows: rank_with_rows.is_some(),
            first_free: uses.first_free(),
        },
        uses,
        mode,
        rank_with_rows,
    };
    expansion.expression()
}

/// The expansion of a whole program.
struct Expansion<'a> {
    program: &'a Program,
    uses: Uses,
    writer: Writer<'a>,
    /// The mode of the macro.
    mode: Mode,
    /// The rank from which on the expression is evaluated for some rows at a time, if it is.
    rank_with_rows: Option<usize>,
}

/// An output that the expression is evaluated into.
struct Output {
    /// The output, if it has to live as long as the leaves do.
    place: Option<TokenStream>,
    /// The statements that borrow it, before the operands.
    borrow: TokenStream,
    /// The call that evaluates the expression.
    run: TokenStream,
}

impl Expansion<'_> {
    /// Expands everything: a `match` of the leaves, which extends the lifetime of temporaries that they borrow to that of the expression.
    fn expression(&self) -> TokenStream {
        let program = self.program;
        let leaves = program.leaves.iter().map(|leaf| {
            let code = self.writer.place(leaf, self.mode.tries);
            quote!(&#code)
        });
        let names = (0..program.leaves.len()).map(|number| name("leaf", number));
        let output = program.target.as_ref().map(|target| self.output(target));
        let statements = self.statements(output.as_ref());
        let statements = match self.rank_with_rows {
            None => self.writer.fallible(program, statements),
            Some(_) => statements,
        };
        let place = output.and_then(|output| output.place);
        let place_name = place.is_some().then(|| {
            let name = name("place", 0);
            quote!(#name,)
        });
        let expression = quote! {
            match (#(#leaves,)* #place) {
                (#(#names,)* #place_name) => { #statements }
            }
        };
        match self.mode.tries {
            true => places::with_views(program.leaves.iter().chain(&program.target), expression),
            false => expression,
        }
    }

    /// Expands what follows the leaves: the call site, the rules, the operands, and the evaluation.
    fn statements(&self, output: Option<&Output>) -> TokenStream {
        let (library, fuse, site) = (self.writer.library, self.fuse(), passes::site());
        let imports = literal::imports(library);
        let compiled = match optimised::is_optimised() {
            Some(optimised) => quote!(#optimised),
            // If the level is unknown: the default profiles have either optimisation or debug assertions.
            None => quote!(!#library::__private::core::cfg!(debug_assertions)),
        };
        let hoists = (self.program.hoistable > 0).then(|| {
            quote!(
                const HOISTS: bool = true;
            )
        });
        let rules = name("rules", 0);
        let rules_of = match (&self.program.target, self.program.leaves.first()) {
            (None, Some(leaf)) => known_rules(library, &fuse, leaf.code.span()),
            _ => quote!(#fuse::rules()),
        };
        let places = output.map(|_| quote!(use #fuse::OutputPlace as _;));
        let borrow = output.map(|output| &output.borrow);
        let operands = self.operands();
        let evaluation = self.evaluation(output);
        quote! {
            #imports
            enum #site {}
            impl #fuse::CallSite for #site {
                type Compilation = #fuse::Compiled<{ #compiled }>;
                #hoists
            }
            let #rules = #rules_of;
            #places
            #borrow
            #(#operands)*
            #evaluation
        }
    }

    /// Makes operands of all leaves, before the expression and under one rule set: what follows knows it, also after an element on the left.
    fn operands(&self) -> impl Iterator<Item = TokenStream> {
        let rules = name("rules", 0);
        let leaves = self.program.leaves.iter().enumerate();
        leaves.map(move |(number, leaf)| {
            let span = leaf.code.span();
            let place = span.resolved_at(Span::mixed_site());
            let (fuse, mut function) = (self.writer.fuse(span), self.writer.admitting("leaf"));
            function.set_span(place);
            let (bound, mut reference) = (name("leaf", number), name("leaf", number));
            reference.set_span(place);
            let input = self.uses.inputs[number];
            quote_spanned!(place=> let #bound = #fuse::#function::<#input, _, _, _, _>(#rules, #reference);)
        })
    }

    /// Expands bindings, passes and the result.
    fn evaluation(&self, output: Option<&Output>) -> TokenStream {
        let (program, uses, writer) = (self.program, &self.uses, &self.writer);
        let hoistable = (0..program.hoistable).map(|number| {
            let (fuse, elements) = (self.fuse(), name("hoisted", number));
            quote!(let #elements = #fuse::hoisted();)
        });
        let steps = program.steps.iter().map(|step| match step {
            Step::Binding(number) => writer.binding_of(program, uses, *number),
            Step::Pass(number) => writer.pass(program, uses, *number),
        });
        let run = match output {
            Some(output) => output.run.clone(),
            None => self.run(),
        };
        let run = writer.ended(program, run);
        match self.rank_with_rows {
            None => quote!(#(#hoistable)* #(#steps)* #run),
            Some(rank) => {
                let statements = (quote!(#(#hoistable)* #(#steps)*), run);
                writer.by_rows(program, uses, rank, self.mode.tries, statements)
            }
        }
    }

    /// Expands the call that evaluates the expression into a new tensor.
    fn run(&self) -> TokenStream {
        if let Some(tensor) = self.evaluated_tensor() {
            return tensor;
        }
        let (fuse, site, run) = (self.fuse(), passes::site(), self.function());
        let (bound, result) = (self.bound(), self.result());
        // The type arguments are the call site, the bindings, the expression and, here, the rules or the dtype of the result.
        let admitting = self.mode.admits.then(|| quote!(, _));
        match self.rank_with_rows {
            None if self.mode.explains => {
                quote!(#fuse::#run::<#site, _, _ #admitting>(&#bound, &#result))
            }
            None => quote!(#fuse::#run::<#site, _, _, _>(&#bound, &#result)),
            Some(_) => {
                let (run, (arguments, repeats)) =
                    (self.writer.admitting("run_part"), self.of_part());
                quote!(#fuse::#run::<#site, _, _ #admitting, #repeats>(#arguments, &#bound, &#result))
            }
        }
    }

    /// Expands the first arguments of the call that evaluates the result for a part of the operands: the part and the origin of each input.
    /// Also returns the inputs that repeat an element along rows.
    fn of_part(&self) -> (TokenStream, u32) {
        let part = name("part", 0);
        let inputs = self
            .writer
            .row_operands(&self.uses, self.program.passes.len());
        (quote!(#part, #inputs), self.uses.repeats(self.program))
    }

    /// The tensor that the last operation on whole tensors gave, if it is the result: that needs no loop to copy it.
    fn evaluated_tensor(&self) -> Option<TokenStream> {
        let Node::Evaluated(value, _) = &self.program.result else {
            return None;
        };
        let takes_a_call = self.mode.admits || self.mode.explains || self.rank_with_rows.is_some();
        if self.program.reduction.is_some() || takes_a_call {
            return None;
        }
        let (tensor, library) = (name("tensor", *value), self.writer.library);
        Some(match self.mode.tries {
            true => quote!(#library::__private::core::result::Result::Ok(#tensor)),
            false => quote!(#tensor),
        })
    }

    /// Expands an output and the call that evaluates the expression into it.
    fn output(&self, target: &Place) -> Output {
        let (writer, fuse, site) = (&self.writer, self.fuse(), passes::site());
        let (rules, out, target_name) = (name("rules", 0), name("out", 0), name("target", 0));
        let (written, code) = (writer.place(target, self.mode.tries), &target.code);
        // A view for writing that a call makes is a temporary, which has to live as long as the leaves do. It is made after them:
        // an operand that shares its elements keeps the former ones. A place is borrowed later, behind the leaves.
        let (place, written) = match is_call(code) {
            true => (
                Some(quote_spanned!(code.span()=> &mut #written,)),
                name("place", 0).to_token_stream(),
            ),
            // A method call borrows a tensor, and what a `&mut Tensor` refers to.
            false => (
                None,
                quote_spanned!(code.span()=> #written.supremum_place()),
            ),
        };
        let (read, number) = (writer.admitting("target"), self.uses.target());
        // A closure that evaluates parts makes it of each part.
        let former = match self.rank_with_rows {
            None => writer.former(self.program, &self.uses),
            Some(_) => None,
        };
        let (bound, result) = (self.bound(), self.result());
        let run = match self.rank_with_rows {
            None => {
                let run = format_ident!("{}_into", self.function());
                quote!(#fuse::#run::<#site, _, _, _>(&#bound, #out, &#result))
            }
            Some(_) => {
                let (run, (arguments, repeats)) = (writer.admitting("run_part"), self.of_part());
                let run = format_ident!("{run}_into");
                quote!(#fuse::#run::<#site, _, _, _, #repeats>(#arguments, &#bound, &#result))
            }
        };
        Output {
            place,
            borrow: quote! {
                let #out = #fuse::output(#rules, #written);
                let #target_name = #fuse::#read::<#number, _>(#out);
                #former
            },
            run,
        }
    }

    fn fuse(&self) -> TokenStream {
        self.writer.fuse(Span::call_site())
    }

    /// The name of the function that evaluates the expression.
    fn function(&self) -> Ident {
        match (self.mode.admits, self.mode.tries) {
            _ if self.mode.explains => format_ident!("backend"),
            (false, false) => format_ident!("run"),
            (false, true) => format_ident!("try_run"),
            (true, false) => format_ident!("run_admitting"),
            (true, true) => format_ident!("try_run_admitting"),
        }
    }

    /// The bindings that the result reads.
    fn bound(&self) -> TokenStream {
        self.writer.bound(&self.uses, self.program.passes.len())
    }

    fn result(&self) -> TokenStream {
        let result = self.writer.node(&self.program.result);
        match &self.program.reduction {
            None => result,
            Some(reduction) => {
                let (method, arguments) = (&reduction.method, &reduction.arguments);
                quote!(#result.#method(#arguments))
            }
        }
    }
}

fn name(kind: &str, number: usize) -> Ident {
    // A pattern that is the name of a caller's constant would match it; no item has a name like this one.
    Ident::new(&format!("__supremum_{kind}_{number}"), Span::mixed_site())
}

/// Writes the rules of an expression, which compiles if an operand or the code around the macro determines them.
/// `known_rules` of the library says how it works.
fn known_rules(library: &TokenStream, fuse: &TokenStream, place: Span) -> TokenStream {
    let known_rules = literal::imported("KnownRules", place);
    let known = quote_spanned!(place=> <_ as #known_rules>::KNOWN);
    quote!({
        #[allow(unreachable_code)]
        let rules = if false {
            #fuse::known_rules(#known, #library::__private::never())
        } else {
            #fuse::rules()
        };
        rules
    })
}

/// Returns whether an expression is a call, whose value is a temporary.
fn is_call(expression: &Expr) -> bool {
    matches!(unwrapped(expression), Expr::MethodCall(_) | Expr::Call(_))
}
