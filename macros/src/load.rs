//! `#[derive(LoadTensors)]`: loads the fields of a record from the tensors of their names.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Expr, Field, Fields, Generics, LitStr, Path, Token, Type,
    bracketed, parse_quote,
};

use crate::{depth, manifest};

/// A field and its requirements.
struct Entry {
    field: Ident,
    ty: Type,
    /// Its name in the file, relative to that of the record.
    name: String,
    /// The span of the name.
    place: Span,
    /// The required sizes; `None` for any size.
    shape: Option<Vec<Option<Expr>>>,
}

/// The contents of a field's `#[tensor(..)]`.
#[derive(Default)]
struct FieldWords {
    name: Option<LitStr>,
    shape: Option<Vec<Option<Expr>>>,
}

/// The contents of a record's `#[tensor(..)]`.
#[derive(Default)]
struct RecordWords {
    allow_extra: bool,
    library: Option<Path>,
}

impl Parse for FieldWords {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut words = Self::default();
        while !input.is_empty() {
            if input.peek(LitStr) && words.name.is_none() {
                words.name = Some(input.parse()?);
            } else if input.peek(Ident::peek_any) {
                let word: Ident = input.call(Ident::parse_any)?;
                if word != "shape" || words.shape.is_some() {
                    return Err(unknown(&word));
                }
                input.parse::<Token![=]>()?;
                words.shape = Some(sizes(input)?);
            } else {
                return Err(
                    input.error("expected a name, as in `\"fc1.weight\"`, or `shape = [..]`")
                );
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(words)
    }
}

fn unknown(word: &Ident) -> syn::Error {
    let message = format!(
        "`{word}` says nothing more about a field; write `#[tensor(\"name\", shape = [64, _])]` or one of the two; a tensor that may be missing is an `Option<Tensor<..>>`"
    );
    syn::Error::new_spanned(word, message)
}

/// `[64, _]`
fn sizes(input: ParseStream<'_>) -> syn::Result<Vec<Option<Expr>>> {
    let listed;
    bracketed!(listed in input);
    let sizes = Punctuated::<Expr, Token![,]>::parse_terminated(&listed)?;
    let any = |size| match size {
        Expr::Infer(_) => None,
        size => Some(size),
    };
    Ok(sizes.into_iter().map(any).collect())
}

impl Parse for RecordWords {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut words = Self::default();
        while !input.is_empty() {
            if input.peek(Token![crate]) {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                words.library = Some(input.call(Path::parse_mod_style)?);
            } else {
                let word: TokenTree = input.parse()?;
                if word.to_string() != "allow_extra" {
                    let message = format!(
                        "`{word}` says nothing about a record; write `#[tensor(allow_extra)]`, or give fields names"
                    );
                    return Err(syn::Error::new_spanned(word, message));
                }
                words.allow_extra = true;
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(words)
    }
}

/// All faults, which are reported together.
#[derive(Default)]
struct Faults(Option<syn::Error>);

impl Faults {
    fn add(&mut self, fault: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(fault),
            None => self.0 = Some(fault),
        }
    }

    /// Parses the `#[tensor(..)]` among these attributes, which may occur once.
    fn words<T: Parse + Default>(&mut self, attributes: &[Attribute]) -> T {
        let mut ours = attributes.iter().filter(|it| it.path().is_ident("tensor"));
        let words = ours.next().map(Attribute::parse_args::<T>);
        for second in ours {
            let message = "a second `#[tensor(..)]`; everything stands in one";
            self.add(syn::Error::new_spanned(second, message));
        }
        match words {
            None => T::default(),
            Some(Ok(words)) => words,
            Some(Err(fault)) => {
                self.add(fault);
                T::default()
            }
        }
    }
}

const NO_DEPENDENCY: &str = "`supremum` is not a dependency of this crate. If another crate exports it, \
    name the path above the struct: `#[tensor(crate = other::supremum)]`";

/// Expands to the impl for a record. For a record with faults it loads nothing, so that uses of the record cause no
/// further errors.
pub(crate) fn load_tensors(input: TokenStream) -> TokenStream {
    let cure = "name an inner part by a type or a constant of its own";
    let parsed = depth::check(input.clone(), cure).and_then(|()| syn::parse2(input));
    let input: DeriveInput = match parsed {
        Ok(input) => input,
        Err(fault) => return fault.into_compile_error(),
    };
    let mut faults = Faults::default();
    let words: RecordWords = faults.words(&input.attrs);
    let entries = entries(&input, &mut faults);
    let path = words.library.as_ref().map(ToTokens::to_token_stream);
    let Some(library) = path.or_else(manifest::library) else {
        faults.add(syn::Error::new_spanned(&input.ident, NO_DEPENDENCY));
        return faults
            .0
            .map(syn::Error::into_compile_error)
            .unwrap_or_default();
    };
    let (entries, mut output) = match faults.0 {
        Some(faults) => (None, faults.into_compile_error()),
        None => (Some(entries), TokenStream::new()),
    };
    output.extend(expand(&library, &input, &words, entries.as_deref()));
    output
}

fn entries(input: &DeriveInput, faults: &mut Faults) -> Vec<Entry> {
    let fields = match &input.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(_) | Data::Union(_) => {
            let message =
                "only a struct is a record of tensors; which variant a file holds is not in it";
            faults.add(syn::Error::new_spanned(&input.ident, message));
            return Vec::new();
        }
    };
    if matches!(fields, Fields::Unnamed(_)) {
        let message = "the fields of a record need names: `struct Layer { weight: Tensor<..> }`";
        faults.add(syn::Error::new_spanned(fields, message));
        return Vec::new();
    }
    let mut entries: Vec<Entry> = Vec::new();
    for field in fields {
        let entry = entry(field, faults);
        let first = entries.iter().find(|other| other.name == entry.name);
        if let Some(first) = first.filter(|first| !first.name.is_empty()) {
            let message = format!(
                "two fields take `{}`: `{}` and `{}`; a tensor is in one",
                entry.name, first.field, entry.field
            );
            faults.add(syn::Error::new(entry.place, message));
        }
        entries.push(entry);
    }
    entries
}

fn entry(field: &Field, faults: &mut Faults) -> Entry {
    let words: FieldWords = faults.words(&field.attrs);
    let ident = field.ident.clone().unwrap_or_else(|| format_ident!("_"));
    if words.name.is_none() {
        let of_serde = field.attrs.iter().filter(|it| it.path().is_ident("serde"));
        of_serde.for_each(|attribute| faults.add(says_nothing(attribute, &ident)));
    }
    let (name, place) = match &words.name {
        Some(name) => (name.value(), name.span()),
        None => (ident.unraw().to_string(), ident.span()),
    };
    Entry {
        field: ident,
        ty: field.ty.clone(),
        name,
        place,
        shape: words.shape,
    }
}

/// The fault of an attribute of `serde` on a field whose tensor has no name of its own.
fn says_nothing(attribute: &Attribute, field: &Ident) -> syn::Error {
    let name = renamed(attribute).unwrap_or_else(|| field.unraw().to_string());
    let message = format!(
        "`#[serde(..)]` says nothing about tensors in a file; name the tensor too: `#[tensor({name:?})]`; one that may be missing is an `Option<Tensor<..>>`"
    );
    syn::Error::new_spanned(attribute, message)
}

/// The name in `#[serde(rename = "..")]`.
fn renamed(attribute: &Attribute) -> Option<String> {
    let mut name = None;
    // Faults are for `serde` to report.
    let _ = attribute.parse_nested_meta(|meta| {
        let value: LitStr = meta.value()?.parse()?;
        if meta.path.is_ident("rename") {
            name = Some(value.value());
        }
        Ok(())
    });
    name
}

fn expand(
    library: &TokenStream,
    input: &DeriveInput,
    words: &RecordWords,
    entries: Option<&[Entry]>,
) -> TokenStream {
    let DeriveInput {
        ident, generics, ..
    } = input;
    let private = quote!(#library::__private);
    let option = quote!(#private::core::option::Option);
    let part = Ident::new("part", Span::mixed_site());
    let body = match entries {
        None => quote!(#option::None),
        Some(entries) => {
            let locals: Vec<_> = (0..entries.len())
                .map(|number| Ident::new(&format!("field{number}"), Span::mixed_site()))
                .collect();
            let loaded = entries.iter().map(|entry| load(library, &part, entry));
            let fields = entries.iter().map(|entry| &entry.field);
            // Load every field before returning, so that all mismatches are collected.
            quote! {
                #(let #locals = #loaded;)*
                #option::Some(Self { #(#fields: #locals?),* })
            }
        }
    };
    let generics = bounded(library, generics, entries.unwrap_or_default());
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let allow_extra = words.allow_extra;
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #impl_generics #library::LoadTensors for #ident #type_generics #where_clause {
            const ALLOW_EXTRA: #private::core::primitive::bool = #allow_extra;

            #[allow(unused_mut, unused_qualifications, unused_variables)]
            fn load_part(mut #part: #private::LoadCursor<'_, '_>) -> #option<Self> {
                #body
            }
        }
    }
}

/// Writes the expression that loads one field. Errors about missing traits have the span of the field's type.
fn load(library: &TokenStream, part: &Ident, entry: &Entry) -> TokenStream {
    let Entry {
        ty, name, shape, ..
    } = entry;
    let place = ty.span().resolved_at(Span::mixed_site());
    match shape {
        None => quote_spanned! {place=>
            <#ty as #library::LoadTensors>::load_part(#part.at(#name))
        },
        Some(sizes) => {
            let option = quote!(#library::__private::core::option::Option);
            let rank = sizes.len();
            let sizes = sizes.iter().map(|size| match size {
                Some(size) => quote!(#option::Some(#size)),
                None => quote!(#option::None),
            });
            // With the span of the type itself: rustc would quote the `derive`, too, and say where the error originates. (Lints then judge
            // the type once more, so the method allows `unused_qualifications`.)
            quote_spanned! {ty.span()=>
                <#ty as #library::__private::ShapedField>::load_sized::<#rank>(#part.at(#name), [#(#sizes),*])
            }
        }
    }
}

/// Adds the bounds on types that depend on the record's generic parameters.
fn bounded(library: &TokenStream, generics: &Generics, entries: &[Entry]) -> Generics {
    let parameters: Vec<_> = generics.type_params().map(|it| it.ident.clone()).collect();
    let mut bounded = generics.clone();
    for entry in entries {
        let ty = &entry.ty;
        if !names_any(ty.to_token_stream(), &parameters) {
            continue;
        }
        let predicates = &mut bounded.make_where_clause().predicates;
        predicates.push(parse_quote!(#ty: #library::LoadTensors));
        if let Some(rank) = entry.shape.as_ref().map(Vec::len) {
            let private = quote!(#library::__private);
            let sized = quote!(#private::ShapedField);
            predicates.push(parse_quote!(#ty: #sized));
            predicates.push(parse_quote! {
                [#private::core::primitive::usize; #rank]: #private::IntoShape<<#ty as #sized>::Rank>
            });
        }
    }
    bounded
}

fn names_any(tokens: TokenStream, names: &[Ident]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.contains(&ident),
        TokenTree::Group(group) => names_any(group.stream(), names),
        _ => false,
    })
}
