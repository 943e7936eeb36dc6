//! The checked model to tokens; the only stage that quotes.
//!
//! Every path starts at the library's `__private` module or is the name of the rule set, so that
//! nothing in the caller's scope matters. Impls have the span of the row that they come from.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use crate::grid::grid;
use crate::model::{Checked, Operand, Operations, Row, Verdict};
use crate::operations::OPERATIONS;
use crate::parse::RuleSet;

/// All items of a rule set.
pub(crate) fn expand(library: &TokenStream, set: &RuleSet, rules: &Checked) -> TokenStream {
    let names = Names::new(library);
    let documentation = format!("\n# Promotions\n{}", grid(rules));
    let marker = marker(&names, set, &documentation);
    let rules_impl = rules_impl(&names, set, rules);
    let promotions = Operand::all().map(|lhs| promotions(&names, set, rules, lhs));
    let operations = operations(&names, set, rules);
    let proofs = proofs(&names, set, rules);
    quote! {
        #marker
        #rules_impl
        #(#promotions)*
        #operations
        #proofs
    }
}

/// The marker of rules with faults, and rules without any promotion, so that uses of the name do
/// not add errors of their own.
pub(crate) fn stub(library: &TokenStream, set: &RuleSet) -> TokenStream {
    let marker = marker(&Names::new(library), set, "");
    let rules = stub_rules(library, &set.name);
    quote!(#marker #rules)
}

/// The same for a rule set of which only the name is known.
pub(crate) fn stub_of_name(library: &TokenStream, name: &Ident) -> TokenStream {
    let derives = Names::new(library).derives();
    let rules = stub_rules(library, name);
    quote!(#derives #[allow(missing_docs, unreachable_pub)] pub struct #name; #rules)
}

fn stub_rules(library: &TokenStream, name: &Ident) -> TokenStream {
    let private = &Names::new(library).private;
    let title = name.to_string();
    quote! {
        impl #private::Rules for #name {
            const NAME: &'static #private::core::primitive::str = #title;
            const RULE_SET: &'static #private::RuleSet = &#private::RuleSet::new(
                #title, &#private::NO_PROMOTIONS, &#private::NO_OPERATIONS
            );
            type Operations = Self;
        }
    }
}

/// Tokens of the library's items.
struct Names {
    private: TokenStream,
    /// The type of every operand.
    operands: Vec<TokenStream>,
}

impl Names {
    fn new(library: &TokenStream) -> Self {
        let private = quote!(#library::__private);
        let operand = |operand: Operand| {
            let marker = format_ident!("{}", operand.facts().marker);
            let marker = quote!(#private::#marker);
            if operand.weak {
                quote!(#private::Weak<#marker>)
            } else {
                marker
            }
        };
        let operands = Operand::all().map(operand).collect();
        Self { private, operands }
    }

    fn operand(&self, operand: Operand) -> &TokenStream {
        &self.operands[operand.index()]
    }

    fn derives(&self) -> TokenStream {
        let core = {
            let private = &self.private;
            quote!(#private::core)
        };
        quote! {
            #[derive(#core::clone::Clone, #core::marker::Copy, #core::fmt::Debug, #core::default::Default)]
        }
    }

    /// The verdict as a type.
    fn verdict(&self, verdict: Verdict) -> TokenStream {
        let private = &self.private;
        match verdict {
            Verdict::Lossless => quote!(#private::Lossless),
            Verdict::LosesPrecision(operand) => {
                let operand = self.operand(operand);
                quote!(#private::LosesPrecision<#operand>)
            }
            Verdict::LosesRange(operand) => {
                let operand = self.operand(operand);
                quote!(#private::LosesRange<#operand>)
            }
        }
    }
}

fn marker(names: &Names, set: &RuleSet, documentation: &str) -> TokenStream {
    let RuleSet {
        attributes,
        visibility,
        name,
        ..
    } = set;
    let derives = names.derives();
    quote! {
        #(#attributes)*
        #[doc = #documentation]
        #derives
        #visibility struct #name;
    }
}

/// The rules at run time: the defined cells as numbers, which the library decodes.
fn rules_impl(names: &Names, set: &RuleSet, rules: &Checked) -> TokenStream {
    let private = &names.private;
    let RuleSet { name, title, .. } = set;
    let promotions = Operand::all().flat_map(|lhs| {
        let cells = Operand::all().map(move |rhs| (rhs, rules.promotion(lhs, rhs)));
        cells.filter_map(move |(rhs, result)| {
            let verdict = code(Verdict::new(lhs, rhs, result?), lhs);
            let [lhs, rhs, result] = [lhs, rhs, result?].map(index);
            Some(quote!((#lhs, #rhs, #result, #verdict)))
        })
    });
    let (followed, operations) = match &rules.operations {
        Operations::Of(followed) => (
            followed.to_token_stream(),
            quote!(<#followed as #private::Rules>::RULE_SET.operations()),
        ),
        Operations::Own(rows) => {
            let cells = rows.iter().enumerate().flat_map(|(operation, row)| {
                let operation = Literal::usize_unsuffixed(operation);
                Operand::all().filter_map(move |operand| {
                    let [operand, result] = [operand, row[operand.index()]?].map(index);
                    Some(quote!((#operation, #operand, #result)))
                })
            });
            let decoded = quote!({
                static OPERATIONS: #private::OperationTable =
                    #private::decode_operations(&[#(#cells),*]);
                &OPERATIONS
            });
            (quote!(Self), decoded)
        }
    };
    quote! {
        impl #private::Rules for #name {
            const NAME: &'static #private::core::primitive::str = #title;
            const RULE_SET: &'static #private::RuleSet = {
                static PROMOTIONS: #private::PromotionTable =
                    #private::decode_promotions(&[#(#promotions),*]);
                &#private::RuleSet::new(#title, &PROMOTIONS, #operations)
            };
            type Operations = #followed;
        }
    }
}

fn index(operand: Operand) -> Literal {
    Literal::usize_unsuffixed(operand.index())
}

/// A verdict as a number: lossless, the precision of the left or right operand lost, the range of
/// the left or right operand lost.
fn code(verdict: Verdict, lhs: Operand) -> Literal {
    let side = |loser: Operand| if loser == lhs { 0 } else { 1 };
    Literal::usize_unsuffixed(match verdict {
        Verdict::Lossless => 0,
        Verdict::LosesPrecision(loser) => 1 + side(loser),
        Verdict::LosesRange(loser) => 3 + side(loser),
    })
}

/// The `Promote` impls of one left operand: one for each cell, and a hidden one, so that no row has
/// a single impl from which inference would guess the right operand.
fn promotions(names: &Names, set: &RuleSet, rules: &Checked, lhs: Operand) -> TokenStream {
    let private = &names.private;
    let name = &set.name;
    let span = row_span(rules, lhs);
    let lhs_type = names.operand(lhs);
    let cells = Operand::all().filter_map(|rhs| {
        let result = rules.promotion(lhs, rhs)?;
        let rhs_type = names.operand(rhs);
        let result_type = names.operand(result);
        let verdict = names.verdict(Verdict::new(lhs, rhs, result));
        Some(quote_spanned! {span=>
            #[doc(hidden)]
            #[diagnostic::do_not_recommend]
            impl #private::Promote<#rhs_type, #name> for #lhs_type {
                type Output = #result_type;
                type Verdict = #verdict;
            }
        })
    });
    let mut cells = cells.peekable();
    if cells.peek().is_none() {
        return TokenStream::new();
    }
    quote_spanned! {span=>
        #(#cells)*
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl #private::Promote<#private::Unnamed, #name> for #lhs_type {
            type Output = Self;
            type Verdict = #private::Lossless;
        }
    }
}

/// The impls of the operation traits, if these rules have operations of their own.
fn operations(names: &Names, set: &RuleSet, rules: &Checked) -> TokenStream {
    let Operations::Own(rows) = &rules.operations else {
        return TokenStream::new();
    };
    let private = &names.private;
    let name = &set.name;
    let impls = OPERATIONS
        .iter()
        .zip(rows.iter())
        .map(|(operation, row): (_, &Row)| {
            let operation = format_ident!("{operation}");
            let impls = Operand::all().filter_map(|operand| {
                let result = names.operand(row[operand.index()]?);
                let operand = names.operand(operand);
                Some(quote! {
                    #[doc(hidden)]
                    #[diagnostic::do_not_recommend]
                    impl #private::operations::#operation<#name> for #operand {
                        type Output = #result;
                    }
                })
            });
            quote!(#(#impls)*)
        });
    quote!(#(#impls)*)
}

/// The proof that the verdicts are those of the type system: for every row, the list of the right
/// operands that it is defined with.
fn proofs(names: &Names, set: &RuleSet, rules: &Checked) -> TokenStream {
    let private = &names.private;
    let name = &set.name;
    let rows = Operand::all().map(|lhs| {
        let span = row_span(rules, lhs);
        let defined = |rhs: &Operand| rules.promotion(lhs, *rhs).is_some();
        let lhs_type = names.operand(lhs);
        let cells = Operand::all().filter(defined).map(|rhs| {
            let rhs_type = names.operand(rhs);
            quote_spanned!(span=> #private::verdict_is_proved::<#lhs_type, #rhs_type, #name>();)
        });
        quote!(#(#cells)*)
    });
    quote!(const _: fn() = || { #(#rows)* };)
}

/// The span of a row, resolving names as the macro's own tokens do.
fn row_span(rules: &Checked, operand: Operand) -> Span {
    Span::call_site().located_at(rules.spans[operand.index()])
}

/// The names of all operation groups, as an array of strings.
pub(crate) fn operation_names() -> TokenStream {
    let names = OPERATIONS;
    quote!([#(#names),*])
}
