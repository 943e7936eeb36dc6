//! The names that an expansion uses.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Path;

use crate::ast::RuleSet;
use crate::model::{Class, Operand, Promotion, Verdict};

/// Tokens of the library's items and of the rule set's own type.
pub(super) struct Names {
    pub(super) library: TokenStream,
    pub(super) private: TokenStream,
    /// The type of each operand, by the operand's index.
    pub(super) operands: Vec<TokenStream>,
    /// The generic parameters of impls.
    pub(super) generics: TokenStream,
    /// The rule set as a type.
    pub(super) this: TokenStream,
    pub(super) title: TokenStream,
    pub(super) parameter: Option<Ident>,
    /// `true` if the rules belong to the library itself, whose path is `crate`.
    pub(super) in_library: bool,
}

impl Names {
    pub(super) fn new(library: &TokenStream, set: &RuleSet) -> Self {
        let parameter = set.parameter.as_ref().map(|parameter| &parameter.name);
        let title = set.title.to_token_stream();
        Self {
            title,
            ..Self::of(library, &set.name, parameter)
        }
    }

    pub(super) fn of(library: &TokenStream, name: &Ident, parameter: Option<&Ident>) -> Self {
        let private = quote!(#library::__private);
        let operand = |operand: Operand| {
            let marker = format_ident!("{}", operand.facts().marker);
            let marker = quote!(#private::#marker);
            match operand.class {
                Class::Strong => marker,
                Class::ZeroDim => quote!(#private::ZeroDim<#marker>),
                Class::Weak => quote!(#private::Weak<#marker>),
            }
        };
        let operands = Operand::all().map(operand).collect();
        let (generics, this) = match parameter {
            None => (TokenStream::new(), name.to_token_stream()),
            Some(parameter) => (
                quote!(<#parameter: #private::StrongDType>),
                quote!(#name<#parameter>),
            ),
        };
        Self {
            library: library.clone(),
            private,
            operands,
            generics,
            this,
            title: name.to_string().into_token_stream(),
            parameter: parameter.cloned(),
            in_library: library.to_string() == "crate",
        }
    }

    pub(super) fn operand(&self, operand: Operand) -> &TokenStream {
        &self.operands[operand.index()]
    }

    /// Writes the result of a promotion as a type.
    pub(super) fn result(&self, promotion: Promotion) -> TokenStream {
        match &self.parameter {
            Some(parameter) if promotion.parameter => parameter.to_token_stream(),
            _ => self.operand(promotion.result).clone(),
        }
    }

    /// Writes the generic parameters of an impl with one more parameter.
    pub(super) fn generics_with(&self, more: &TokenStream) -> TokenStream {
        let private = &self.private;
        match &self.parameter {
            None => quote!(<#more>),
            Some(parameter) => quote!(<#more, #parameter: #private::StrongDType>),
        }
    }

    pub(super) fn derives(&self) -> TokenStream {
        let core = {
            let private = &self.private;
            quote!(#private::core)
        };
        quote! {
            #[derive(#core::clone::Clone, #core::marker::Copy, #core::fmt::Debug, #core::default::Default)]
        }
    }

    /// Writes the default literals: `Bool`, `Weak<I64>`, `Weak<F64>`, `Weak<C128>`.
    pub(super) fn default_literals(&self) -> [TokenStream; 4] {
        let private = &self.private;
        [
            quote!(#private::Bool),
            quote!(#private::Weak<#private::I64>),
            quote!(#private::Weak<#private::F64>),
            quote!(#private::Weak<#private::C128>),
        ]
    }

    /// Writes a verdict as a type; the dtype that loses values is named without its rank.
    pub(super) fn verdict(&self, verdict: Verdict, reasons: &[Path]) -> TokenStream {
        let private = &self.private;
        let dtype = |operand: Operand| self.operand(operand.without_rank());
        match verdict {
            Verdict::Lossless => quote!(#private::Lossless),
            Verdict::LosesPrecision(operand) => {
                let operand = dtype(operand);
                quote!(#private::LosesPrecision<#operand>)
            }
            Verdict::LosesRange(operand) => {
                let operand = dtype(operand);
                quote!(#private::LosesRange<#operand>)
            }
            Verdict::Accepted => quote!(#private::Accepted),
            Verdict::Marked => quote!(#private::MarkedUnsafe),
            Verdict::WidensBoth => quote!(#private::WidensBoth),
            Verdict::Reason(reason) => reasons[reason].to_token_stream(),
        }
    }
}
