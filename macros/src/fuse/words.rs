//! The operators and methods of the language.
//!
//! The names of operations come from the library's lists: the library's `fuse!` passes them in front of each
//! expression. This file says how Rust's operators are read.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::BinOp;
use syn::spanned::Spanned;

/// The names of the library's operations. A list is a string with a space before and after each word.
#[derive(Default)]
pub(super) struct Words {
    /// Functions of one operand, by element.
    functions: String,
    /// Methods of two operands, and the groups of operations by which they promote: `pow = Power ..`.
    methods: String,
    /// Operators between two operands, and their groups: `+ = Add ..`.
    operators: String,
    /// The forms of reductions.
    reductions: String,
    /// Methods whose results are operands, such as views; they are called before the expression is evaluated.
    views: String,
    /// Methods of a tensor whose elements must be known before the method is called, such as `softmax`. Those that copy elements, such as
    /// `sort`, are views too: on an operand they need no pass.
    tensors: String,
    /// Methods of a whole tensor that promote with their first argument, a reference to a tensor: `matmul`.
    promoting: String,
}

impl Words {
    /// Reads `functions ".." methods ".." operators ".." reductions ".." views ".." tensors ".." promoting ".."`.
    pub(super) fn new(lists: TokenStream) -> Self {
        let mut words = Self::default();
        let mut lists = lists.into_iter().map(|token| token.to_string());
        while let (Some(name), Some(list)) = (lists.next(), lists.next()) {
            let words = match name.as_str() {
                "functions" => &mut words.functions,
                "methods" => &mut words.methods,
                "operators" => &mut words.operators,
                "reductions" => &mut words.reductions,
                "views" => &mut words.views,
                "tensors" => &mut words.tensors,
                "promoting" => &mut words.promoting,
                other => unreachable!("a list of the library's: {other}"),
            };
            *words = list;
        }
        words
    }

    pub(super) fn is_function(&self, name: &str) -> bool {
        find(&self.functions, name).is_some()
    }

    pub(super) fn is_reduction(&self, name: &str) -> bool {
        find(&self.reductions, name).is_some()
    }

    pub(super) fn is_of_tensors(&self, name: &str) -> bool {
        find(&self.tensors, name).is_some() || self.is_promoting(name)
    }

    pub(super) fn is_promoting(&self, name: &str) -> bool {
        find(&self.promoting, name).is_some()
    }

    pub(super) fn is_view(&self, name: &str) -> bool {
        find(&self.views, name).is_some()
    }

    /// Returns whether a method makes a view for writing.
    pub(super) fn is_view_mut(&self, name: &str) -> bool {
        let reading = name.strip_suffix("_mut");
        reading.is_some_and(|reading| reading == "view" || self.is_view(reading))
    }

    /// Returns the group of a method of two operands.
    pub(super) fn method(&self, name: &str) -> Option<&str> {
        group(&self.methods, name)
    }

    /// Returns up to three names of operations that begin with the same three letters, in backquotes.
    pub(super) fn similar(&self, name: &str) -> Vec<String> {
        let Some(beginning) = name.get(..3) else {
            return Vec::new();
        };
        // Names of groups, which stand in a list too, begin with a capital.
        let beginning = beginning.to_lowercase();
        [&self.functions, &self.methods, &self.reductions]
            .into_iter()
            .flat_map(|list| list.split(' '))
            .filter(|word| word.starts_with(&beginning))
            .take(3)
            .map(|word| format!("`{word}`"))
            .collect()
    }

    /// Returns the group of an operator: `+`.
    pub(super) fn operator(&self, symbol: &str) -> Option<&str> {
        group(&self.operators, symbol)
    }
}

/// Returns the rest of a list after some words.
fn find<'a>(list: &'a str, words: &str) -> Option<&'a str> {
    // The search for a string is compiled with optimisations, in the standard library; by default the macros are not.
    let words = format!(" {words} ");
    list.find(&words).map(|at| &list[at + words.len()..])
}

/// Returns the group behind a name: that of `pow` in `pow = Power`.
fn group<'a>(list: &'a str, name: &str) -> Option<&'a str> {
    find(list, &format!("{name} ="))?.split(' ').next()
}

/// Makes one string of each list in brackets, which takes less time in every use of the macro than its tokens.
///
/// Input: any tokens, among them lists in brackets.
pub(crate) fn with_strings(input: TokenStream) -> TokenStream {
    let token = |token| match token {
        TokenTree::Group(list) if list.delimiter() == Delimiter::Bracket => {
            let words = list.stream().into_iter().map(|word| word.to_string());
            let words: Vec<_> = words
                .map(|word| word.trim_matches('"').to_owned())
                .collect();
            Literal::string(&format!(" {} ", words.join(" "))).into()
        }
        TokenTree::Group(group) => {
            Group::new(group.delimiter(), with_strings(group.stream())).into()
        }
        other => other,
    };
    input.into_iter().map(token).collect()
}

/// Returns the operator of `op=`.
pub(super) fn assigned(operator: &BinOp) -> Option<TokenStream> {
    let span = operator.span();
    Some(match operator {
        BinOp::AddAssign(_) => quote_spanned!(span=> +),
        BinOp::SubAssign(_) => quote_spanned!(span=> -),
        BinOp::MulAssign(_) => quote_spanned!(span=> *),
        BinOp::DivAssign(_) => quote_spanned!(span=> /),
        BinOp::RemAssign(_) => quote_spanned!(span=> %),
        BinOp::BitAndAssign(_) => quote_spanned!(span=> &),
        BinOp::BitOrAssign(_) => quote_spanned!(span=> |),
        BinOp::BitXorAssign(_) => quote_spanned!(span=> ^),
        BinOp::ShlAssign(_) => quote_spanned!(span=> <<),
        BinOp::ShrAssign(_) => quote_spanned!(span=> >>),
        _ => return None,
    })
}

/// Returns the method that a comparison becomes, because Rust's own operators return a single `bool`.
pub(super) fn comparison(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::Eq(_) => "equal",
        BinOp::Ne(_) => "not_equal",
        BinOp::Lt(_) => "lt",
        BinOp::Le(_) => "le",
        BinOp::Gt(_) => "gt",
        BinOp::Ge(_) => "ge",
        _ => return None,
    })
}

/// Returns the method to write for a name of Rust or of other libraries.
pub(super) fn other_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "max" | "maximum" => "`a.maximum(b)` is the greater of two elements",
        "min" | "minimum" => "`a.minimum(b)` is the less of two elements",
        "clip" => "`a.clamp(low, high)` limits elements",
        "into" | "astype" | "to" => {
            "`a.cast::<F32>()` converts elements, `a.widen::<F32>()` only if nothing is lost"
        }
        "saturate" | "saturating_cast" | "saturate_cast" => {
            "`a.cast_saturating::<I8>()` converts elements, and limits them to the values of the dtype"
        }
        "log" => "`a.ln()` is the natural logarithm",
        "add" | "sub" | "mul" | "div" | "rem" | "neg" => {
            "the operators are `a + b`, `a - b`, `a * b`, `a / b`, `a % b` and `-a`"
        }
        "powi" | "powf" | "power" => "`a.pow(2)` and `a.pow(b)` are powers",
        "square" => "`a.pow(2)` is the square",
        "contains" => "`(low <= a) & (a < high)` is true of elements within a range",
        "where_" => "`select(condition, a, b)` chooses by element",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn words_are_found_whole() {
        let lists = quote!(functions [exp2 ln] methods [pow = Power lt = Ordering] operators ["<<" = Shift "<" = Ordering]);
        let words = Words::new(with_strings(lists));
        assert!(words.is_function("exp2") && words.is_function("ln"));
        assert!(!words.is_function("exp") && !words.is_function("n") && !words.is_function("pow"));
        assert_eq!(words.method("pow"), Some("Power"));
        assert_eq!(words.method("lt"), Some("Ordering"));
        assert_eq!(words.method("Power"), None);
        assert_eq!(words.operator("<"), Some("Ordering"));
        assert_eq!(words.operator("<<"), Some("Shift"));
        assert_eq!(words.similar("exponent"), ["`exp2`"]);
        assert_eq!(words.similar("Power"), ["`pow`"]);
        assert!(words.similar("po").is_empty());
        assert!(!words.is_view("transpose") && !words.is_reduction("sum"));
    }
}
