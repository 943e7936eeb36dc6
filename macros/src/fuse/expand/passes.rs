//! Expands bindings and passes, the statements before the result.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Lifetime, Token};

use super::name;
use super::node::Writer;
use super::places::fallible_form;
use crate::fuse::model::{Node, Pass, Program, Reduction, Step};
use crate::fuse::passes::{Operand, Uses};
use crate::limits::MAX_BOUND;

/// The type that stands for the place of the expression.
pub(super) fn site() -> Ident {
    Ident::new("__SupremumSite", Span::mixed_site())
}

/// The former elements of the output for a part of the operands.
fn former_rows() -> Ident {
    name("former_rows", 0)
}

/// The label of the block that an error in a pass leaves.
fn label() -> Lifetime {
    Lifetime::new("'__supremum", Span::mixed_site())
}

impl Writer<'_> {
    /// Writes a part of a pass.
    fn for_passes<'a>(&'a self, uses: &'a Uses) -> Writer<'a> {
        Writer {
            in_pass: Some(&uses.reads_target),
            ..*self
        }
    }

    /// Expands a binding; also as passes read it if it reads the output.
    pub(super) fn binding_of(&self, program: &Program, uses: &Uses, number: usize) -> TokenStream {
        let value = &program.bindings[number];
        let passes = self.for_passes(uses);
        let forms = [
            (true, self),
            (
                uses.reads_target[number] && uses.passes_read(number),
                &passes,
            ),
        ];
        let forms = forms.into_iter().filter(|(is_read, _)| *is_read);
        let forms = forms.map(|(_, writer)| {
            let (name, value) = (writer.binding(number), writer.node(value));
            quote!(let #name = #value;)
        });
        quote!(#(#forms)*)
    }

    /// Expands the bindings that an expression computes, by its number in [`Uses`].
    pub(super) fn bound(&self, uses: &Uses, expression: usize) -> TokenStream {
        let fuse = self.fuse(Span::call_site());
        let read = &uses.bindings[expression];
        let count = read
            .iter()
            .rposition(|read| *read)
            .map_or(0, |last| last + 1);
        // An expression with more bindings never compiles to a loop, and the nested type would be too deep for rustc.
        if count > MAX_BOUND {
            return quote!(#fuse::TooMany);
        }
        let read = read[..count].iter().enumerate();
        read.fold(quote!(()), |before, (number, read)| match read {
            true => {
                let binding = self.binding(number);
                quote!((#before, &#binding))
            }
            false => quote!((#before, #fuse::Unread)),
        })
    }

    /// Expands the output as an operand of passes, if any reads it.
    pub(super) fn former(&self, program: &Program, uses: &Uses) -> Option<TokenStream> {
        uses.passes_read_target.then(|| {
            let (fuse, number) = (self.fuse(Span::call_site()), uses.target());
            let (former, out) = (name("former", 0), name("out", 0));
            debug_assert!(program.target.is_some(), "only an output is read as one");
            if self.by_rows {
                let (function, part) = (self.admitting("former_leaf"), name("part", 0));
                let (rows, leaves) = (former_rows(), program.leaves.len());
                return quote! {
                    let #rows = #fuse::former_of(#part, #leaves);
                    let #former = #fuse::#function::<#number, _>(&#rows);
                };
            }
            let function = self.admitting("former");
            quote!(let #former = #fuse::#function::<#number, _>(#out);)
        })
    }

    /// Expands a pass: evaluates its values, and makes operands of them.
    pub(super) fn pass(&self, program: &Program, uses: &Uses, number: usize) -> TokenStream {
        let (fuse, site) = (self.fuse(Span::call_site()), site());
        let Pass { of, values, .. } = &program.passes[number];
        let writer = self.for_passes(uses);
        let bound = writer.bound(uses, number);
        let of = writer.node(of);
        let operand = name("elements", 0);
        let forms = values.iter().map(|(_, reduction)| match reduction {
            None => quote!(#operand),
            Some(reduction) => {
                let (method, arguments) = (&reduction.method, &reduction.arguments);
                quote!(#operand.#method(#arguments))
            }
        });
        // A row program records the loop of the pass, and needs to know the origin of each of its inputs.
        let of_rows = self.by_rows.then(|| {
            let (part, inputs) = (name("part", 0), self.row_operands(uses, number));
            let values = values.iter().map(|(value, _)| value);
            match values.len() {
                1 => quote!(#part, #inputs, #(#values)*,),
                _ => quote!(#part, #inputs, [#(#values),*],),
            }
        });
        let function = match (values.len(), self.mode.tries, self.mode.explains) {
            (1, ..) if self.by_rows => "run_pass",
            _ if self.by_rows => "run_pass_together",
            (1, _, true) => "pass_backend",
            (1, true, _) => "try_run",
            (1, false, _) => "run",
            (_, _, true) => "passes_backend",
            (_, true, _) => "try_run_together",
            (_, false, _) => "run_together",
        };
        let function = Ident::new(function, Span::mixed_site());
        let inferred = match self.mode.explains {
            true => quote!(_, _, _),
            false if self.by_rows => quote!(_, _, _),
            false => quote!(_, _),
        };
        let dtype = (!self.mode.explains).then(|| match self.by_rows {
            true => quote!(, _, _),
            false => quote!(, _),
        });
        let both = match self.mode.explains {
            true => quote!(#(&#forms),*),
            false => quote!((#(&#forms),*)),
        };
        let value = match &values[..] {
            [(_, Some(reduction))] if reduction.is_of_tensors => {
                return self.of_tensors(program, uses, number, reduction);
            }
            [(_, Some(reduction))] => {
                // One expression, so that a message shows what it is about.
                let (method, arguments) = (&reduction.method, &reduction.arguments);
                quote!(#fuse::#function::<#site, _, _ #dtype>(#of_rows &#bound, &#of.#method(#arguments)))
            }
            [_] => quote!(#fuse::#function::<#site, _, _ #dtype>(#of_rows &#bound, &#of)),
            _ => quote!({
                let #operand = #of;
                #fuse::#function::<#site, #inferred>(#of_rows &#bound, #both)
            }),
        };
        let value = self.or_leave(value);
        let tensors = values.iter().map(|(value, _)| name("tensor", *value));
        let tensors = match values.len() {
            1 => quote!(#(#tensors)*),
            _ => quote!((#(#tensors),*)),
        };
        let backend = name("backend", number);
        let pattern = match self.mode.explains {
            true => quote!((#tensors, #backend)),
            false => tensors,
        };
        let operands = values.iter().map(|(value, _)| self.operand(uses, *value));
        quote! {
            let #pattern = #value;
            #(#operands)*
        }
    }

    /// Expands what the inputs of the loop of an expression are, by its number in [`Uses`].
    pub(super) fn row_operands(&self, uses: &Uses, expression: usize) -> TokenStream {
        let fuse = self.fuse(Span::call_site());
        let operands = uses
            .operands(expression)
            .map(|(input, operand)| match operand {
                Operand::Leaf(leaf) => quote!((#input, #fuse::RowOperand::Given(#leaf))),
                Operand::Value(value) => quote!((#input, #fuse::RowOperand::Computed(#value))),
            });
        quote!(&[#(#operands),*])
    }

    /// Makes an operand of a value.
    fn operand(&self, uses: &Uses, value: usize) -> TokenStream {
        let fuse = self.fuse(Span::call_site());
        let (tensor, operand) = (name("tensor", value), name("value", value));
        let input = uses.value(value);
        quote!(let #operand = #fuse::evaluated::<#input, _, _, _>(&#tensor);)
    }

    /// Takes the value of a `Result` if the mode has them, or leaves the statements with its error.
    fn or_leave(&self, value: TokenStream) -> TokenStream {
        if !self.mode.tries {
            return value;
        }
        self.or_break(&label(), value)
    }

    /// Takes the value of a `Result`, or leaves the block with that label with its error.
    pub(super) fn or_break(&self, label: &Lifetime, value: TokenStream) -> TokenStream {
        let (core, found, error) = (self.core(), name("found", 0), name("error", 0));
        quote! {
            match #value {
                #core::result::Result::Ok(#found) => #found,
                #core::result::Result::Err(#error) => {
                    break #label #core::result::Result::Err(#error)
                }
            }
        }
    }

    /// Expands a pass that evaluates an expression, unless it is a tensor already, and calls a method of the tensor.
    fn of_tensors(
        &self,
        program: &Program,
        uses: &Uses,
        number: usize,
        method: &Reduction,
    ) -> TokenStream {
        let (fuse, site) = (self.fuse(Span::call_site()), site());
        let Pass { of, values, .. } = &program.passes[number];
        let (tensor, backend) = (name("tensor", values[0].0), name("backend", number));
        let writer = self.for_passes(uses);
        let (bound, value) = (writer.bound(uses, number), writer.node(of));
        let whole = match of {
            Node::Leaf(..) | Node::Evaluated(..) => quote!(#fuse::tensor_of(&#value)),
            _ if self.mode.explains => quote!(#fuse::pass_backend::<#site, _, _>(&#bound, &#value)),
            _ if self.mode.tries => quote!(#fuse::try_run::<#site, _, _, _>(&#bound, &#value)),
            _ => quote!(#fuse::run::<#site, _, _, _>(&#bound, &#value)),
        };
        let whole = match of {
            Node::Leaf(..) | Node::Evaluated(..) => match self.mode.explains {
                true => quote!((#whole, #fuse::FuseBackend::Compiled)),
                false => whole,
            },
            _ => self.or_leave(whole),
        };
        let pattern = match self.mode.explains {
            true => quote!((#tensor, #backend)),
            false => quote!(#tensor),
        };
        let (plain, turbofish) = (&method.method, &method.turbofish);
        let arguments = self.arguments(method);
        let value = match fallible_form(plain).filter(|_| self.mode.tries) {
            Some(fallible) => self.or_leave(quote!(#tensor.#fallible #turbofish(#arguments))),
            None => quote!(#tensor.#plain #turbofish(#arguments)),
        };
        let operand = self.operand(uses, values[0].0);
        quote! {
            let #pattern = #whole;
            let #tensor = #value;
            #operand
        }
    }

    /// The arguments of a method of tensors. If unsafe promotions are admitted, the tensor that the method promotes with admits them too.
    fn arguments(&self, method: &Reduction) -> TokenStream {
        let arguments = method.arguments.clone();
        if !self.mode.admits || !method.is_promoting {
            return arguments;
        }
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let mut list = parser.parse2(arguments).expect("arguments of a call");
        if let Some(operand) = list.first_mut() {
            let fuse = self.fuse(Span::call_site());
            let admitting = quote_spanned!(operand.span()=> &#fuse::tensor_admitting(#operand));
            *operand = Expr::Verbatim(admitting);
        }
        list.to_token_stream()
    }

    /// Expands the end of the statements: the result after the passes.
    pub(super) fn ended(&self, program: &Program, run: TokenStream) -> TokenStream {
        if !self.mode.explains || program.passes.is_empty() {
            return run;
        }
        let fuse = self.fuse(Span::call_site());
        let passes = program.steps.iter().filter_map(|step| match step {
            Step::Pass(number) => Some(name("backend", *number)),
            Step::Binding(_) => None,
        });
        quote!(#fuse::backend_of_passes(&[#(#passes),*], #run))
    }

    /// Puts statements with passes into a block that errors leave.
    pub(super) fn fallible(&self, program: &Program, statements: TokenStream) -> TokenStream {
        match self.mode.tries && !program.passes.is_empty() {
            true => {
                let label = label();
                quote!(#label: { #statements })
            }
            false => statements,
        }
    }

    /// Puts the statements behind the leaves into a closure, which evaluates them for all rows or for some.
    pub(super) fn by_rows(
        &self,
        program: &Program,
        uses: &Uses,
        rank: usize,
        tries: bool,
        (steps, run): (TokenStream, TokenStream),
    ) -> TokenStream {
        let (fuse, site, part) = (self.fuse(Span::call_site()), site(), name("part", 0));
        let leaves = (0..program.leaves.len()).map(|number| name("leaf", number));
        let rows = leaves
            .clone()
            .enumerate()
            .map(|(number, leaf)| quote!(let #leaf = #fuse::leaf_of(&#leaf, #number, #part);));
        let former = self.former(program, uses);
        // The result overwrites these elements.
        let end_of_former = former.is_some().then(|| {
            let (core, rows) = (self.core(), former_rows());
            quote!(#core::mem::drop(#rows);)
        });
        let statements = quote!(#(#rows)* #former #steps #end_of_former #run);
        let statements = self.fallible(program, statements);
        let arrays = quote!(&[#(#fuse::array_of(&#leaves)),*]);
        let run = Ident::new(
            if tries {
                "try_run_by_rows"
            } else {
                "run_by_rows"
            },
            Span::mixed_site(),
        );
        match &program.target {
            None => quote! {
                #fuse::#run::<#site, _, _, _, _>(#rank, #arrays, |#part: &#fuse::Part<'_>| #statements)
            },
            Some(_) => {
                let (run, out) = (format_ident!("{run}_into"), name("out", 0));
                let reads_output = uses.read_target();
                quote! {
                    #fuse::#run::<#site, _, _>(
                        #rank,
                        #reads_output,
                        #out,
                        #arrays,
                        |#part: &#fuse::Part<'_, _>| #statements,
                    )
                }
            }
        }
    }

    fn core(&self) -> TokenStream {
        let library = self.library;
        quote!(#library::__private::core)
    }
}
