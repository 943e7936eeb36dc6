//! Impls of the operation traits.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::names::Names;
use crate::model::{Checked, Class, Operand, Operations, Row};
use crate::operations::GROUPS;

/// Writes the impls of the operation traits, if these rules have operations of their own.
pub(super) fn operation_impls(names: &Names, rules: &Checked) -> TokenStream {
    let Operations::Own(rows) = &rules.operations else {
        return TokenStream::new();
    };
    let impls = GROUPS
        .iter()
        .zip(rows.iter())
        .map(|(group, row)| operation(names, &format_ident!("{}", group.name), row));
    quote!(#(#impls)*)
}

/// Writes the impls of one group. In the library itself, a group whose results have the dtype of the operand has one
/// blanket impl, which generic code can use too; the orphan rule forbids such impls in other crates.
fn operation(names: &Names, group: &Ident, row: &Row) -> TokenStream {
    let private = &names.private;
    let this = &names.this;
    let item = |generics: &TokenStream, operand: &TokenStream, output: &TokenStream| {
        quote! {
            #[doc(hidden)]
            #[diagnostic::do_not_recommend]
            impl #generics #private::operations::#group<#this> for #operand {
                type Output = #output;
            }
        }
    };
    let result = |operand: Operand| row[operand.index()];
    if names.in_library && Operand::without_ranks().all(|operand| result(operand) == Some(operand))
    {
        let generics = names.generics_with(&quote!(D: #private::StaticDType));
        return item(&generics, &quote!(D), &quote!(D));
    }
    // Most groups have the same result for a weak dtype as for the strong one, made strong or kept weak.
    let weak_as = |class: Class| {
        Operand::all()
            .filter(|operand| operand.is_weak())
            .all(|weak| {
                let strong = result(Operand::strong(weak.dtype));
                result(weak) == strong.map(|strong| Operand { class, ..strong })
            })
    };
    let (strong, weak) = (weak_as(Class::Strong), weak_as(Class::Weak));
    let every_weak = (strong || weak).then(|| {
        let generics = names.generics_with(&quote! {
            D: #private::StrongDType
                + #private::operations::#group<#this, Output: #private::StrongDType>
        });
        let output = quote!(<D as #private::operations::#group<#this>>::Output);
        let output = if strong {
            output
        } else {
            quote!(#private::Weak<#output>)
        };
        item(&generics, &quote!(#private::Weak<D>), &output)
    });
    let listed = Operand::without_ranks()
        .filter(|operand| every_weak.is_none() || !operand.is_weak())
        .filter_map(|operand| {
            let output = names.operand(result(operand)?);
            Some(item(&names.generics, names.operand(operand), output))
        });
    quote!(#(#listed)* #every_weak)
}
