//! `dispatch!`: expands the code once for each listed dtype.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Expr, ExprClosure, GenericArgument, Pat, PatType, PathArguments, ReturnType, Stmt, Token, Type,
    bracketed, parenthesized, parse_quote, token,
};

use crate::depth;
use crate::dtypes::DTYPES;

/// `x in [F16, F32], |t| body`; several operands stand in parentheses.
struct Input {
    operands: Vec<Operand>,
    closure: ExprClosure,
}

/// A dynamic tensor and its listed dtypes; all dtypes if none are listed.
struct Operand {
    tensor: Expr,
    listed: Option<Vec<Type>>,
}

impl Operand {
    /// The span of its last token.
    fn end(&self) -> Span {
        match self.listed.as_ref().and_then(|listed| listed.last()) {
            Some(dtype) => dtype.span(),
            None => self.tensor.span(),
        }
    }
}

impl Parse for Operand {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let tensor = input.parse()?;
        if !input.peek(Token![in]) {
            return Ok(Self {
                tensor,
                listed: None,
            });
        }
        input.parse::<Token![in]>()?;
        if !input.peek(token::Bracket) {
            return Err(input.error("expected the accepted dtypes, in brackets: `[F16, F32]`"));
        }
        let listed;
        let brackets = bracketed!(listed in input);
        let listed = Punctuated::<Type, Token![,]>::parse_terminated(&listed)?;
        if listed.is_empty() {
            let place = brackets.span.join();
            return Err(syn::Error::new(
                place,
                "no dtypes: the code would never run",
            ));
        }
        Ok(Self {
            tensor,
            listed: Some(listed.into_iter().collect()),
        })
    }
}

impl Parse for Input {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let operands: Vec<Operand> = if has_parentheses(input) {
            let inside;
            parenthesized!(inside in input);
            Punctuated::<Operand, Token![,]>::parse_terminated(&inside)?
                .into_iter()
                .collect()
        } else {
            vec![input.parse()?]
        };
        if input.is_empty() {
            let place = operands.last().map_or(Span::call_site(), Operand::end);
            return Err(syn::Error::new(
                place,
                "expected the code after this: `, |tensor| ..`",
            ));
        }
        if !input.peek(Token![,]) {
            return Err(input.error("expected `in [..]`, or `,` and the code: `|tensor| ..`"));
        }
        input.parse::<Token![,]>()?;
        if !input.peek(Token![|]) && !input.peek(Token![||]) && !input.peek(Token![move]) {
            return Err(input.error("expected the code as a closure: `|tensor| ..`"));
        }
        let closure = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        if !input.is_empty() {
            return Err(input.error("expected nothing after the closure"));
        }
        Ok(Self { operands, closure })
    }
}

/// Returns whether the input starts with several operands in parentheses, not with an expression in parentheses.
fn has_parentheses(input: ParseStream) -> bool {
    let ahead = input.fork();
    let group = ahead.parse::<TokenTree>();
    matches!(group, Ok(TokenTree::Group(_))) && input.peek(token::Paren) && ahead.peek(Token![,])
}

/// Expands `dispatch!`; faults are errors on their tokens.
///
/// Input: `[path::to::library]`, then the arguments of `dispatch!(..)`.
pub(crate) fn dispatch(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let library = match input.next() {
        Some(TokenTree::Group(library)) => library.stream(),
        _ => unreachable!("`dispatch!` passes the path of the library"),
    };
    let input: TokenStream = input.collect();
    let cure = "move an inner part into a function, or name it with `let part = ..;`";
    depth::check(input.clone(), cure)
        .and_then(|()| syn::parse2(input.clone()).map_err(|fault| arms(input).unwrap_or(fault)))
        .and_then(|input| expand(&library, input))
        .unwrap_or_else(|faults| {
            let faults = faults.to_compile_error();
            quote!({ #faults #library::__private::faulty() })
        })
}

/// Returns the fault of arms in place of the code, as `match` has them: `{ F32 => .. }`.
fn arms(input: TokenStream) -> Option<syn::Error> {
    let mut begins = false; // whether code may begin here
    for token in input {
        if let TokenTree::Group(group) = &token
            && begins
            && group.delimiter() == Delimiter::Brace
        {
            let mut inner = group.stream().into_iter().peekable();
            while let Some(token) = inner.next() {
                if is(&token, '=') && inner.peek().is_some_and(|next| is(next, '>')) {
                    return Some(syn::Error::new(
                        token.span(),
                        "there are no arms: one closure is the code for every accepted dtype, `dispatch!(x in [F32, F64], |t| ..)`",
                    ));
                }
            }
        }
        begins = is(&token, '|') || is(&token, ',');
    }
    None
}

fn is(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

fn expand(library: &TokenStream, input: Input) -> syn::Result<TokenStream> {
    let Input {
        operands,
        mut closure,
    } = input;
    check(&operands, &closure)?;
    for parameter in &mut closure.inputs {
        if !matches!(parameter, Pat::Type(_)) {
            *parameter = Pat::Type(PatType {
                attrs: Vec::new(),
                pat: Box::new(parameter.clone()),
                colon_token: parse_quote!(:),
                ty: parse_quote!(#library::Tensor<_>),
            });
        }
    }
    let path = quote!(#library::__private);
    let result = quote!(#path::core::result::Result);
    let dynamic = |position: usize| Ident::new(&format!("dynamic{position}"), Span::mixed_site());
    let names: Vec<_> = (0..operands.len()).map(dynamic).collect();
    let tensors = operands.iter().map(|operand| &operand.tensor);
    let lists: Vec<Vec<Type>> = operands.iter().map(|it| listed(it, library)).collect();
    let run = Ident::new(
        if names.len() == 1 { "run" } else { "run_both" },
        Span::mixed_site(),
    );
    let all = Ident::new("all", Span::mixed_site());
    let arms = combinations(&lists)
        .into_iter()
        .enumerate()
        .map(|(arm, select_arms)| {
            let numbers = select_arms.iter().map(|(number, _)| number);
            let enter_arm = select_arms
                .iter()
                .zip(&names)
                .map(|((_, dtype), name)| quote!(#path::enter_arm::<#dtype, _, _>(#name)));
            let value = quote!(#path::#run(#(#enter_arm,)* #closure));
            // The function names the cure if the second arm has another type than the first. Every arm in it would be an error of its own; of the
            // others, the compiler reports one.
            let value = match arm {
                0 | 1 => quote!(#path::given(&#all, #value)),
                _ => value,
            };
            quote!(#result::Ok([#(#numbers),*]) => #value,)
        });
    Ok(quote! {
        match (#(#path::borrowed(&#tensors),)*) {
            (#(#names,)*) => {
                let #all = #path::core::option::Option::None;
                match #path::select_arms([
                    #((#names, &[#(#library::listed_dtype::<#lists>()),*][..])),*
                ]) {
                    #(#arms)*
                    #result::Ok(_) => #path::core::unreachable!("every listed dtype has its code"),
                    #result::Err(error) => #result::Err(error),
                }
            }
        }
    })
}

fn check(operands: &[Operand], closure: &ExprClosure) -> syn::Result<()> {
    let (expected, found) = (operands.len(), closure.inputs.len());
    if !(1..=2).contains(&expected) {
        let place = operands
            .get(2)
            .map_or(Span::call_site(), |operand| operand.tensor.span());
        return Err(syn::Error::new(place, "one or two tensors are dispatched"));
    }
    if expected != found {
        let place = closure
            .inputs
            .iter()
            .nth(expected)
            .map_or(closure.inputs_begin.span(), Spanned::span);
        return Err(syn::Error::new(
            place,
            format!("{expected} dispatched, but the closure takes {found}"),
        ));
    }
    if let Some(place) = misplaced_try(closure) {
        return Err(syn::Error::new(
            place,
            "a `?` here would leave the code, whose value is no `Result`: end the code with a `Result` instead, such as `t.max().item()` or `Ok::<_, Error>(())`, and write `??` behind the macro: `dispatch!(..)??`",
        ));
    }
    if let Some(dtype) = closure.inputs.iter().find_map(dtype_as_type) {
        return Err(syn::Error::new(
            dtype.span(),
            "a dtype is not the type of a tensor: the accepted dtypes stand behind the operand, `dispatch!(x in [F32, F64], |t| ..)`",
        ));
    }
    for (operand, parameter) in operands.iter().zip(&closure.inputs) {
        let one = operand
            .listed
            .as_ref()
            .is_some_and(|listed| listed.len() == 1);
        if let Some(dtype) = stated_dtype(parameter).filter(|_| !one) {
            return Err(syn::Error::new(
                dtype.span(),
                "the code runs for each dtype, and `_` stands for it here: `|t: Tensor<_, Rank1>|`; a tensor of one dtype is `t.typed::<F32, Rank1, Jax>()?`, without `dispatch!`",
            ));
        }
    }
    for listed in operands
        .iter()
        .filter_map(|operand| operand.listed.as_ref())
    {
        for (position, dtype) in listed.iter().enumerate() {
            let text = dtype.to_token_stream().to_string();
            if listed[..position]
                .iter()
                .any(|other| other.to_token_stream().to_string() == text)
            {
                return Err(syn::Error::new(
                    dtype.span(),
                    format!("`{text}` is listed twice"),
                ));
            }
        }
    }
    Ok(())
}

/// Returns the type of a parameter, if it is a dtype: `|t: F32|`.
fn dtype_as_type(parameter: &Pat) -> Option<&Type> {
    let Pat::Type(PatType { ty, .. }) = parameter else {
        return None;
    };
    let Type::Path(path) = &**ty else { return None };
    let last = path.path.segments.last()?;
    let is_marker = DTYPES.iter().any(|dtype| last.ident == dtype.marker);
    is_marker.then_some(&**ty)
}

/// Returns the dtype in the type `Tensor<F32, ..>` of a parameter, if one is written there.
fn stated_dtype(parameter: &Pat) -> Option<&Type> {
    let Pat::Type(PatType { ty, .. }) = parameter else {
        return None;
    };
    let Type::Path(path) = &**ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(dtype @ Type::Path(_)) if last.ident == "Tensor" => Some(dtype),
        _ => None,
    }
}

/// Returns the place of a `?` in code that certainly returns no `Result`: rustc would report it once for each dtype.
///
/// The code ends with a call and `?`, or is a block without a value. (A macro's value may be a nested `Result`, as that of another
/// `dispatch!` is. A closure or a function within the block may have its own `?`.)
fn misplaced_try(closure: &ExprClosure) -> Option<Span> {
    if !matches!(closure.output, ReturnType::Default) {
        return None;
    }
    let value = match &*closure.body {
        Expr::Block(block) if block.label.is_none() => match block.block.stmts.last() {
            Some(Stmt::Expr(value, None)) => value,
            None | Some(Stmt::Item(_)) => return None,
            Some(Stmt::Macro(call)) if call.semi_token.is_none() => return None,
            Some(_) => return question_mark(block.block.to_token_stream()).ok()?,
        },
        value => value,
    };
    match value {
        Expr::Try(tried) if matches!(*tried.expr, Expr::Call(_) | Expr::MethodCall(_)) => {
            Some(tried.question_token.span())
        }
        _ => None,
    }
}

/// Returns the place of the first `?` among tokens.
///
/// # Errors
/// The tokens may have closures, functions, or a `return`.
fn question_mark(tokens: TokenStream) -> Result<Option<Span>, ()> {
    let mut found = None;
    for token in tokens {
        let place = match token {
            TokenTree::Punct(punct) if punct.as_char() == '?' => Some(punct.span()),
            TokenTree::Punct(punct) if punct.as_char() == '|' => return Err(()),
            TokenTree::Ident(word) if ["fn", "async", "return"].iter().any(|it| word == it) => {
                return Err(());
            }
            TokenTree::Group(group) => question_mark(group.stream())?,
            _ => None,
        };
        found = found.or(place);
    }
    Ok(found)
}

fn listed(operand: &Operand, library: &TokenStream) -> Vec<Type> {
    let all = || {
        let markers = DTYPES.iter().map(|dtype| {
            let marker = Ident::new(dtype.marker, Span::call_site());
            parse_quote!(#library::#marker)
        });
        markers.collect()
    };
    operand.listed.clone().unwrap_or_else(all)
}

/// Returns all combinations of one entry from each list, each entry with its position.
fn combinations(lists: &[Vec<Type>]) -> Vec<Vec<(usize, &Type)>> {
    let mut all = vec![Vec::new()];
    for list in lists {
        all = all
            .iter()
            .flat_map(|select_arms| {
                list.iter().enumerate().map(move |entry| {
                    let mut select_arms = select_arms.clone();
                    select_arms.push(entry);
                    select_arms
                })
            })
            .collect();
    }
    all
}
