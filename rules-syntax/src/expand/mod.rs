//! Expands the checked model to tokens; the only stage that quotes.
//!
//! Every path starts at the library's `__private` module or is the name of the rule set, so the expansion does not
//! depend on the caller's scope. Impls have the span of their row.

mod extension;
mod names;
mod operations;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use self::extension::extension;
use self::names::Names;
use self::operations::operation_impls;
use crate::ast::{CommonTypeRule, RuleSet, Source};
use crate::bytecode;
use crate::grid::grid;
use crate::model::{Checked, Class, Operand, Operations, OverflowPolicy, Under};
use crate::operations::{BINARY, GROUPS, position};
use crate::path::path_from;

/// Expands a rule set to all its items; `earlier` are the rules above it in its invocation.
pub(crate) fn expand(
    library: &TokenStream,
    earlier: &[RuleSet],
    set: &RuleSet,
    rules: &Checked,
) -> TokenStream {
    let names = Names::new(library, set);
    let documentation = format!("\n# Promotions\n{}", grid(rules));
    let marker = marker(&names, set, &documentation);
    let rules_impl = rules_impl(&names, set, rules);
    let defined = |lhs: &Operand| {
        rules
            .operands()
            .any(|rhs| rules.promotion(*lhs, rhs).is_some())
    };
    let rows = rules
        .operands()
        .filter(defined)
        .map(|lhs| row(&names, rules, lhs));
    let defines = defines(&names, set);
    let operations = operation_impls(&names, rules);
    let extension = set.extensible.then(|| extension(earlier, set));
    quote! {
        #marker
        #rules_impl
        #(#rows)*
        #defines
        #operations
        #extension
    }
}

/// Expands rules with faults to a marker type, so that uses of the name cause no further errors: its tensors promote as under `Jax`.
pub(crate) fn stub(library: &TokenStream, set: &RuleSet) -> TokenStream {
    let names = Names::new(library, set);
    let marker = marker(&names, set, "");
    let rules = stub_rules(&names);
    quote!(#marker #rules)
}

/// [`stub`] for a rule set of which only the name is known.
pub(crate) fn stub_of_name(library: &TokenStream, name: &Ident) -> TokenStream {
    let names = Names::of(library, name, None);
    let derives = names.derives();
    let rules = stub_rules(&names);
    quote!(#derives #[allow(missing_docs, unreachable_pub)] pub struct #name; #rules)
}

fn stub_rules(names: &Names) -> TokenStream {
    let private = &names.private;
    let title = names.title.clone();
    let (generics, this) = (&names.generics, &names.this);
    // Any promotion: the ones of the rules are not known, and a program with faults never runs.
    let any = syn::parse_quote!(#private::AllowUnsafe<#private::Jax>);
    let under = vec![Under::Other(any); BINARY];
    let types = rules_types(names, false, &under, None);
    let [bool, int, float, complex] = names.default_literals();
    quote! {
        #[diagnostic::do_not_recommend]
        impl #generics #private::DefinedRules for #this {}

        #[diagnostic::do_not_recommend]
        impl #generics #private::Rules for #this {
            fn only_the_macro_promotion_rules_implements_this_trait() {}
            const NAME: &'static #private::core::primitive::str = #title;
            const PROMOTIONS: #private::PromotionTable = #private::PromotionTable::NONE;
            const OPERATIONS: #private::OperationTable = #private::OperationTable::NONE;
            const COMMON_TYPE_RULE: #private::CommonTypeRule = #private::CommonTypeRule::Folded;
            const OVERFLOW_POLICY: #private::OverflowPolicy = #private::OverflowPolicy::REFUSED;
            type CommonTypeRule = #private::Folded;
            type Operations = #private::Jax;
            type System = Self;
            type LiteralRange<D> = D;
            type Bool = #bool;
            type Int = #int;
            type Float = #float;
            type Complex = #complex;
            #types
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
    let private = &names.private;
    let body = set.parameter.as_ref().map(|parameter| {
        let default = format_ident!("{}", parameter.default.dtype);
        let name = &parameter.name;
        let default = quote_spanned!(parameter.default.dtype.span()=> #private::#default);
        (
            quote!(<#name = #default>),
            quote!((#private::core::marker::PhantomData<#name>)),
        )
    });
    let (generics, fields) = body.unzip();
    // With the caller's span on `struct`, messages show its line and not the whole table.
    let keyword = quote_spanned!(name.span()=> struct);
    let end = quote_spanned!(name.span()=> ;);
    quote! {
        #(#attributes)*
        #[doc = #documentation]
        #derives
        #visibility #keyword #name #generics #fields #end
    }
}

/// Writes the impl of `Rules`, with the tables as bytes, which the library decodes at run time.
fn rules_impl(names: &Names, set: &RuleSet, rules: &Checked) -> TokenStream {
    let private = &names.private;
    let RuleSet { title, .. } = set;
    let (generics, this) = (&names.generics, &names.this);
    let cells = rules.operands().flat_map(|lhs| {
        let rhs = rules.operands();
        rhs.flat_map(move |rhs| bytecode::cell(rules.promotion(lhs, rhs), lhs))
    });
    let cells = Literal::byte_string(&cells.collect::<Vec<_>>());
    let looks_at_rank = rules.looks_at_rank;
    // With the span of the reason from the first token to the last, so that messages point at it and at no macro.
    let reasons = rules.reasons.iter().map(
        |reason| quote_spanned!(reason.span()=> <#reason as #private::StaticVerdict>::VERDICT),
    );
    let parameter = match &names.parameter {
        Some(parameter) => quote!(<#parameter as #private::StaticDType>::DTYPE),
        None => quote!(#private::DType::Bool),
    };
    let system = match &set.part_of {
        Some(path) => path_from(&names.library, path).into_token_stream(),
        None => quote!(Self),
    };
    let (followed, operations) = match &rules.operations {
        Operations::Of(followed) => (
            quote!(<#followed as #private::Rules>::Operations),
            quote!(<#followed as #private::Rules>::OPERATIONS),
        ),
        Operations::Own(rows) => {
            let results = rows.iter().flat_map(|row| {
                let operands = Operand::without_ranks();
                operands.map(|operand| bytecode::operation(row[operand.index()]))
            });
            let results = Literal::byte_string(&results.collect::<Vec<_>>());
            (quote!(Self), quote!(#private::OperationTable(#results)))
        }
    };
    // In the type system all operands are of one class, so `ByClass` is the same as `Folded`.
    let (common_rule, common_type) = match rules.common {
        CommonTypeRule::Folded => (quote!(Folded), quote!(Folded)),
        CommonTypeRule::AroundHighest => (quote!(AroundHighest), quote!(AroundHighest)),
        CommonTypeRule::ByClass => (quote!(ByClass), quote!(Folded)),
    };
    let follows = match &rules.operations {
        Operations::Of(followed) => Some(followed),
        Operations::Own(_) => None,
    };
    let types = rules_types(names, looks_at_rank, &rules.under, follows);
    let OverflowPolicy {
        ints_wrap,
        floats_overflow,
    } = rules.overflow_policy;
    let [bool, int, float, complex] = rules.literals.map(|operand| names.operand(operand));
    let source = rules.source.as_ref().map(|Source { version, url }| {
        quote! {
            const SOURCE: #private::core::option::Option<#private::RuleSource> =
                #private::core::option::Option::Some(#private::RuleSource { version: #version, url: #url });
        }
    });
    quote! {
        #[diagnostic::do_not_recommend]
        impl #generics #private::DefinedRules for #this {}

        #[diagnostic::do_not_recommend]
        impl #generics #private::Rules for #this {
            fn only_the_macro_promotion_rules_implements_this_trait() {}
            const NAME: &'static #private::core::primitive::str = #title;
            const PROMOTIONS: #private::PromotionTable = #private::PromotionTable {
                cells: #cells,
                looks_at_rank: #looks_at_rank,
                parameter: #parameter,
                reasons: &[#(#reasons),*],
                ..#private::PromotionTable::NONE
            };
            const OPERATIONS: #private::OperationTable = #operations;
            #source
            const COMMON_TYPE_RULE: #private::CommonTypeRule = #private::CommonTypeRule::#common_rule;
            const OVERFLOW_POLICY: #private::OverflowPolicy = #private::OverflowPolicy {
                ints_wrap: #ints_wrap,
                floats_overflow: #floats_overflow,
            };
            type CommonTypeRule = #private::#common_type;
            type Operations = #followed;
            type System = #system;
            type LiteralRange<D> = D;
            type Bool = #bool;
            type Int = #int;
            type Float = #float;
            type Complex = #complex;
            #types
        }
    }
}

/// Writes the operand types by rank, and the rules that promote for each group; powers use the rules whose operations
/// these rules use.
fn rules_types(
    names: &Names,
    looks_at_rank: bool,
    under: &[Under],
    follows: Option<&Path>,
) -> TokenStream {
    let private = &names.private;
    let operand = if looks_at_rank {
        quote!(<N as #private::Rank>::Operand<D>)
    } else {
        quote!(D)
    };
    let groups = GROUPS[..BINARY].iter().zip(under).map(|(group, under)| {
        let name = format_ident!("{}", group.name);
        let rules = match (group.name, follows, under) {
            ("Power", Some(followed), _) => {
                quote!(<#followed as #private::Rules>::PowerRules<Self>)
            }
            (_, _, Under::These) => quote!(Self),
            (_, _, Under::PowKeepsBase) => quote!(#private::PowKeepsBase<Self>),
            (_, _, Under::Other(path)) => path.to_token_stream(),
        };
        quote!(type #name = #rules;)
    });
    let power = position("Power");
    let raise = match (follows, power.map(|power| &under[power])) {
        (Some(followed), _) => quote!(<#followed as #private::Rules>::PowerRules<R>),
        (None, Some(Under::PowKeepsBase)) => quote!(#private::PowKeepsBase<R>),
        (None, Some(Under::Other(path))) => path.to_token_stream(),
        (None, Some(Under::These) | None) => quote!(R),
    };
    quote! {
        type Operand<D: #private::StaticDType, N: #private::Rank> = #operand;
        #(#groups)*
        type PowerRules<R: #private::Rules> = #raise;
    }
}

/// Writes the row of one left operand: a tuple of cells for each class of right operands.
fn row(names: &Names, rules: &Checked, lhs: Operand) -> TokenStream {
    let private = &names.private;
    let (generics, this) = (&names.generics, &names.this);
    let span = row_span(rules, lhs);
    let cells = |class: Class| {
        let columns = Operand::all().filter(|rhs| rhs.class == class);
        let cells: Vec<_> = columns.map(|rhs| rules.promotion(lhs, rhs)).collect();
        if cells.iter().all(Option::is_none) {
            return quote!(());
        }
        let cells = cells.into_iter().map(|cell| match cell {
            None => quote!(#private::Undefined),
            Some(promotion) => {
                let result = names.result(promotion);
                let verdict = names.verdict(promotion.verdict, &rules.reasons);
                quote!(#private::To<#result, #verdict>)
            }
        });
        quote!((#(#cells,)*))
    };
    let dimensioned = cells(Class::Strong);
    let weak = cells(Class::Weak);
    let zero_dim = if rules.looks_at_rank {
        cells(Class::ZeroDim)
    } else {
        quote!(())
    };
    let lhs = names.operand(lhs);
    quote_spanned! {span=>
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl #generics #private::Row<#this> for #lhs {
            type Dimensioned = #dimensioned;
            type ZeroDim = #zero_dim;
            type Weak = #weak;
        }
    }
}

/// Writes the impl that looks up promotions in the rows.
fn defines(names: &Names, set: &RuleSet) -> TokenStream {
    let private = &names.private;
    let this = &names.this;
    let generics = names.generics_with(&quote!(Lhs, Rhs));
    let cell = quote!(<Lhs as #private::Lookup<Rhs, #this>>::Cell);
    let (defines, part) = match &set.part_of {
        None => (quote!(Defines<Lhs, Rhs> for #this), None),
        Some(system) => {
            let system = path_from(&names.library, system);
            let part = {
                let generics = &names.generics;
                quote! {
                    #[doc(hidden)]
                    #[diagnostic::do_not_recommend]
                    impl #generics #private::PartOf for #this {
                        type System = #system;
                    }
                }
            };
            (quote!(DefinesFor<Lhs, Rhs, #this> for #system), Some(part))
        }
    };
    quote! {
        #part

        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl #generics #private::#defines
        where
            Lhs: #private::Lookup<Rhs, #this>,
            #cell: #private::Defined,
        {
            type Output = <#cell as #private::Defined>::Output;
            type Verdict = <#cell as #private::Defined>::Verdict;
        }
    }
}

/// Returns the span of a row, with name resolution at the macro's definition.
fn row_span(rules: &Checked, operand: Operand) -> Span {
    Span::call_site().located_at(rules.spans[operand.without_rank().index()])
}
