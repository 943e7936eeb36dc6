//! `tensor!`: converts nested brackets to a shape and a list of elements.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprArray, Path, Token};

use crate::depth;
use crate::dtypes::DTYPES;
use crate::limits::{MAX_RANK, rank_type};
use crate::literal::{Literal, imported, imports};

/// The input of `tensor![..]`: `F32; 1.0, 2.0` or just `1.0, 2.0`.
struct Input {
    dtype: Option<Path>,
    elements: Punctuated<Expr, Token![,]>,
}

/// The fault of a `;` behind elements.
const SEMICOLON: &str = "a `;` stands only behind the dtype: `tensor![F32; 1.0, 2.0]`; \
    many equal elements are `Tensor::<F32, Rank1>::full([10], 0.5)`";

/// The fault of NumPy's `dtype=..`, of other arguments by name, and of a dtype behind elements.
const BY_NAME: &str = "`tensor!` takes no arguments by name or behind the elements: the dtype stands before them, `tensor![F32; 1.0, 2.0]`";

/// The fault of a `,` behind the dtype.
const COMMA: &str = "a `;` stands behind the dtype: `tensor![F32; 1.0, 2.0]`";

/// Returns whether an expression names a dtype: by its marker, `F32`, or its tag, `DType::F32`.
fn is_dtype(element: &Expr) -> bool {
    let Expr::Path(path) = element else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| DTYPES.iter().any(|dtype| last.ident == dtype.marker))
}

impl Parse for Input {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let ahead = input.fork();
        let dtype = if ahead.parse::<Path>().is_ok() && ahead.peek(Token![;]) {
            let dtype: Path = input.parse()?;
            let element = dtype.get_ident().map(Ident::to_string);
            let of_element = DTYPES
                .iter()
                .find(|of| element.as_deref() == Some(of.element));
            if let Some(of) = of_element {
                let (element, marker) = (of.element, of.marker);
                let message = format!(
                    "`{element}` is the type of elements, and their dtype stands here: `tensor![{marker}; 1.0, 2.0]`"
                );
                return Err(syn::Error::new(dtype.span(), message));
            }
            input.parse::<Token![;]>()?;
            Some(dtype)
        } else {
            None
        };
        let mut elements = Punctuated::new();
        while !input.is_empty() {
            let element: Expr = input.parse()?;
            if elements.is_empty() && is_dtype(&element) && input.peek(Token![,]) {
                return Err(input.error(COMMA));
            }
            if matches!(element, Expr::Assign(_)) || !elements.is_empty() && is_dtype(&element) {
                return Err(syn::Error::new(element.span(), BY_NAME));
            }
            elements.push_value(element);
            if input.is_empty() {
                break;
            }
            if input.peek(Token![;]) {
                return Err(input.error(SEMICOLON));
            }
            elements.push_punct(input.parse()?);
        }
        Ok(Self { dtype, elements })
    }
}

/// Expands `tensor!`; faults are errors on their brackets.
///
/// Input: `[path::to::library]`, then the contents of `tensor![..]`.
pub(crate) fn tensor(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let library = match input.next() {
        Some(TokenTree::Group(library)) => library.stream(),
        _ => unreachable!("`tensor!` passes the path of the library"),
    };
    let input: TokenStream = input.collect();
    check_rank(input.clone())
        .and_then(|()| {
            let cure = "evaluate an inner part before the macro, with `let part = ..;`";
            depth::check(input.clone(), cure)
        })
        .and_then(|()| syn::parse2(input))
        .and_then(|input| expand(&library, &input))
        .unwrap_or_else(|faults| {
            // A block, because an expression may be only one error; it ends in a value of any type.
            let faults = faults.to_compile_error();
            quote!({ #faults #library::__private::faulty() })
        })
}

/// Returns an error at brackets that are nested deeper than the highest rank. Checks the first element of each row.
fn check_rank(mut tokens: TokenStream) -> syn::Result<()> {
    let mut rank = 1;
    loop {
        let mut elements: Vec<_> = tokens.into_iter().collect();
        let dtype = elements.iter().position(|token| is_punct(token, ';'));
        elements.drain(..dtype.map_or(0, |semicolon| semicolon + 1));
        let mut elements = elements.into_iter();
        let (Some(TokenTree::Group(row)), after) = (elements.next(), elements.next()) else {
            return Ok(());
        };
        let whole = after.is_none_or(|token| is_punct(&token, ','));
        if row.delimiter() != Delimiter::Bracket || !whole {
            return Ok(());
        }
        rank += 1;
        if rank > MAX_RANK {
            let message = format!(
                "a tensor has at most {MAX_RANK} axes, and this row would be of axis {rank}: remove brackets, or make \
                 tensors of the rows and `stack` or `concat` them along an axis that there is"
            );
            return Err(syn::Error::new(row.span_open(), message));
        }
        tokens = row.stream();
    }
}

fn is_punct(token: &TokenTree, symbol: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == symbol)
}

fn expand(library: &TokenStream, input: &Input) -> syn::Result<TokenStream> {
    let mut shape = vec![input.elements.len()];
    measure(input.elements.first(), &mut shape);
    let mut leaves = Vec::new();
    let mut faults: Option<syn::Error> = None;
    collect(&input.elements, &shape, &mut leaves, &mut |fault| {
        add_fault(&mut faults, fault)
    });
    let rank = rank_type(shape.len());
    let literals: Vec<_> = leaves
        .iter()
        .map(|leaf| literal(leaf, &mut faults))
        .collect();
    if let Some(faults) = faults {
        return Err(faults);
    }
    let judged = Literal::largest(literals.iter().flatten())
        .into_iter()
        .map(|literal| literal.judged_tokens(library));
    let elements = leaves.iter().zip(&literals);
    let elements = elements.map(|(leaf, literal)| match literal {
        Some(literal) => {
            let scalar = literal.scalar_tokens();
            quote!(__SupremumLiteral(#scalar))
        }
        None => element_tokens(leaf, library),
    });
    let (start, end) = ends(&input.elements, library);
    let nested = nested_tokens(&rank, start, end);
    let phantom = quote!(#library::__private::core::marker::PhantomData);
    let (inferred, rules) = match &input.dtype {
        Some(dtype) => (
            quote!(__SupremumInferred::<#dtype, #library::#rank>::STATED),
            quote!(#phantom::<#library::Jax>),
        ),
        None => (inferred_tokens(start, end), phantom),
    };
    let imports = imports(library);
    // At the place of `inferred_tokens`: rustc says once that a type is no dtype.
    let of_tensor = imported("Inferred", start);
    let arguments = quote! {
        &[#(#shape),*],
        &[#(#elements),*],
        &[#(#judged),*],
        #nested,
        #inferred,
        #rules,
    };
    let call = quote_spanned!(end=> ::tensor(#arguments));
    Ok(quote!({
        #imports
        #of_tensor #call
    }))
}

/// Writes an element that is not a literal. A message about its type points at it.
fn element_tokens(leaf: &Expr, library: &TokenStream) -> TokenStream {
    let (start, end) = ends(leaf, library);
    let is_element = imported("IsElement", end);
    let open = quote_spanned!(start=> <_);
    let close = quote_spanned!(end=> as #is_element<_> >::FROM);
    quote!(__SupremumElement((#open #close)(#leaf)))
}

/// Writes an expression of type `Nested<N>`, which compiles if a tensor of rank `N` can have brackets of this rank.
fn nested_tokens(rank: &Ident, start: Span, end: Span) -> TokenStream {
    let rank = imported(&rank.to_string(), start);
    let may_be = imported("MayBe", end);
    let open = quote_spanned!(start=> <#rank);
    let close = quote_spanned!(end=> as #may_be<_> >::NESTED);
    quote!(#open #close)
}

/// Writes an expression of type `Inferred<D, N>`, which compiles if the dtype `D` and the rank `N` are inferred from the code around
/// the macro. `Inferred::known` says how it works.
fn inferred_tokens(start: Span, end: Span) -> TokenStream {
    let inferred = imported("InferredTensor", end);
    let open = quote_spanned!(start=> <_);
    let close = quote_spanned!(end=> as #inferred>::INFERRED);
    // At the place of `nested_tokens`: rustc says once that a type is no rank or no dtype.
    let of_known = imported("Inferred", start);
    let known = quote_spanned!(end=> ::known);
    let known = quote!(#of_known #known);
    quote!({
        #[allow(unreachable_code)]
        let inferred = if false {
            let known = #known;
            known(#open #close, __supremum_never())
        } else {
            __SupremumInferred::STATED
        };
        inferred
    })
}

/// Returns the spans of the first and of the last token; without tokens that of the macro.
fn ends(tokens: &impl ToTokens, library: &TokenStream) -> (Span, Span) {
    let mut spans = tokens
        .to_token_stream()
        .into_iter()
        .map(|token| token.span());
    let start = spans.next().unwrap_or_else(|| library.span());
    (start, spans.last().unwrap_or(start))
}

fn add_fault(faults: &mut Option<syn::Error>, fault: syn::Error) {
    match faults {
        Some(all) => all.combine(fault),
        None => *faults = Some(fault),
    }
}

/// Parses a leaf as a literal, if it is one.
fn literal(leaf: &Expr, faults: &mut Option<syn::Error>) -> Option<Literal> {
    match Literal::parse(leaf)? {
        Ok(literal) => Some(literal),
        Err(fault) => {
            add_fault(faults, fault);
            None
        }
    }
}

/// Measures the sizes of the nested brackets, by the first element of each.
fn measure(first: Option<&Expr>, shape: &mut Vec<usize>) {
    if let Some(Expr::Array(ExprArray { elems, .. })) = first {
        shape.push(elems.len());
        measure(elems.first(), shape);
    }
}

/// Collects the leaves in row-major order; brackets that are missing, superfluous or of another length are faults.
fn collect<'a>(
    elements: &'a Punctuated<Expr, Token![,]>,
    shape: &[usize],
    leaves: &mut Vec<&'a Expr>,
    fault: &mut impl FnMut(syn::Error),
) {
    for element in elements {
        match (element, &shape[1..]) {
            (Expr::Array(row), [expected, ..]) => {
                if row.elems.len() == *expected {
                    collect(&row.elems, &shape[1..], leaves, fault);
                } else {
                    let found = row.elems.len();
                    let elements = if found == 1 { "element" } else { "elements" };
                    fault(syn::Error::new(
                        row.span(),
                        format!(
                            "ragged tensor: this row has {found} {elements}, and the first row has {expected}; rows have equal lengths: fill the missing elements, e.g. with `0`"
                        ),
                    ));
                }
            }
            (Expr::Array(row), []) => {
                fault(syn::Error::new(
                    row.span(),
                    "ragged tensor: a row among elements",
                ));
            }
            (leaf, [_, ..]) => {
                fault(syn::Error::new(
                    leaf.span(),
                    "ragged tensor: an element among rows",
                ));
            }
            (leaf, []) => leaves.push(leaf),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages about a literal, in order.
    fn faults(elements: TokenStream) -> Vec<String> {
        let input: Input = syn::parse2(elements).expect("elements");
        match expand(&quote!(supremum), &input) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.into_iter().map(|fault| fault.to_string()).collect(),
        }
    }

    #[test]
    fn rows_have_one_length_and_depth() {
        assert!(faults(quote!([1, 2], [3, 4])).is_empty());
        assert!(faults(quote!([], [])).is_empty());
        for (elements, expected) in [
            (
                quote!([1, 2], [3]),
                "this row has 1 element, and the first row has 2; rows have equal lengths: fill the missing elements, e.g. with `0`",
            ),
            (
                quote!([1], [2, 3]),
                "this row has 2 elements, and the first row has 1; rows have equal lengths: fill the missing elements, e.g. with `0`",
            ),
            (
                quote!([[1], [2]], [[3], []]),
                "this row has 0 elements, and the first row has 1; rows have equal lengths: fill the missing elements, e.g. with `0`",
            ),
            (quote!(1, [2]), "a row among elements"),
            (quote!([1], 2), "an element among rows"),
        ] {
            assert_eq!(faults(elements), [format!("ragged tensor: {expected}")]);
        }
    }
}
