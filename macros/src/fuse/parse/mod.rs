//! Parses the tokens of `fuse!` to the model.
//!
//! This file has the statements, names and leaves; `operations.rs` has operators, methods and functions, `reductions.rs` has
//! the reductions within an expression, and `not_rust.rs` the faults of input that is no Rust.

mod not_rust;
mod operations;
mod reductions;

use std::collections::HashMap;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprCast, Ident, Local, Pat, Stmt};

use self::not_rust::explained;
use self::reductions::Known;
use crate::dtypes::DTYPES;
use crate::fuse::keys::Keys;
use crate::fuse::model::{Node, Pass, Place, Program, Reduction, Step};
use crate::fuse::names::{is_ordinary, is_place, key, name_of, names_in, unwrapped};
use crate::fuse::words::{Words, assigned};
use crate::literal::Literal;

/// The fault of a binding without a value after it.
fn binding_without_value(pattern: &Pat) -> String {
    let name = match pattern {
        Pat::Ident(name) => name.ident.to_string(),
        _ => "name".into(),
    };
    format!(
        "this binding ends with the macro: write `let {name} = fuse!(..);`, or within an expression a value after it, `let {name} = ..; {name} + 1`"
    )
}

/// Reads the input of the macro: `let` bindings, then an expression or an assignment.
///
/// # Errors
/// All faults, each on its token.
pub(super) fn parse(input: TokenStream, words: Words) -> syn::Result<Program> {
    // Try a whole expression first, because `if` at the start of a statement would end the statement.
    let statements = match syn::parse2(input.clone()) {
        Ok(expression) => vec![Stmt::Expr(expression, None)],
        Err(_) => match Block::parse_within.parse2(input.clone()) {
            Ok(statements) => statements,
            Err(fault) => return Err(explained(input, fault)),
        },
    };
    let mut reader = Reader {
        words,
        ..Reader::default()
    };
    let mut program = Program {
        leaves: Vec::new(),
        bindings: Vec::new(),
        passes: Vec::new(),
        results: 0,
        steps: Vec::new(),
        hoistable: 0,
        result: Node::Target(Span::call_site()),
        reduction: None,
        target: None,
    };
    // Find the output first, because bindings before an assignment can read it too.
    if let Some(Stmt::Expr(last, None)) = statements.last() {
        let target = output(unwrapped(last)).cloned();
        reader.target = target.as_ref().map(key);
        program.target =
            target.map(|code| Place::with_views(code, |name| reader.words.is_view_mut(name)));
    }
    match reader
        .last_of(&statements, Span::call_site())
        .map(unwrapped)
    {
        Some(Expr::Assign(assign)) => program.result = reader.node(&assign.right),
        Some(Expr::Binary(binary)) if assigned(&binary.op).is_some() => {
            let operator = assigned(&binary.op).unwrap_or_default();
            let lhs = Node::Target(binary.left.span());
            let rhs = reader.node(&binary.right);
            program.result = reader.infix(operator, lhs, rhs);
        }
        Some(last) => (program.result, program.reduction) = reader.outermost(last),
        None => {}
    }
    program.leaves = reader.leaves;
    program.bindings = reader.bindings;
    program.passes = reader.passes;
    program.results = reader.results;
    program.steps = reader.steps;
    if let Node::Literal(literal) = &program.result {
        let message = if program.target.is_some() {
            "a literal alone has no shape: `Tensor::full(..)` makes a tensor of one value"
        } else {
            "a literal alone has no dtype: there is no tensor here for it to meet"
        };
        reader.faults.push(syn::Error::new(literal.span(), message));
    }
    match reader.faults.into_iter().reduce(|mut all, fault| {
        all.combine(fault);
        all
    }) {
        Some(faults) => Err(faults),
        None => Ok(program),
    }
}

/// The depth of an expression's tree from which a part becomes a binding of its own.
///
/// Compile time grows faster than the square of the depth: 100 operations in one chain took 16 times as long as 30. The
/// compiler's recursion limits are reached at about 32 operations for loops and at about 120 for types. A binding costs
/// a store and a load in the first-level cache for each element.
const MAX_DEPTH: usize = 16;

/// The limit on bindings. Recording a binding at run time recurses into the binding that it reads, which takes about 2
/// kB of stack each in unoptimised builds, and threads have 2 MB.
const MAX_BINDINGS: usize = 500;

/// The meaning of a name that `let` binds.
#[derive(Clone)]
enum Bound {
    Binding(usize),
    /// A value of a pass.
    Evaluated(usize),
    Literal(Literal),
}

#[derive(Default)]
struct Reader {
    words: Words,
    leaves: Vec<Place>,
    /// The numbers of the leaves that are names or fields, by their [`key`].
    places: HashMap<String, usize>,
    bindings: Vec<Node>,
    keys: Keys,
    passes: Vec<Pass>,
    /// The number of values that the passes give.
    results: usize,
    steps: Vec<Step>,
    /// The reductions so far that another one may equal.
    known: Vec<Known>,
    /// The names in scope, the innermost last.
    scope: Vec<(String, Bound)>,
    /// The [`key`] of the output.
    target: Option<String>,
    faults: Vec<syn::Error>,
}

impl Reader {
    /// Records a fault; the returned node is never expanded.
    fn fault(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) -> Node {
        self.faults.push(syn::Error::new_spanned(tokens, message));
        Node::Target(Span::call_site())
    }

    /// Reads the bindings of a block and returns its last expression.
    fn last_of<'a>(&mut self, statements: &'a [Stmt], block: Span) -> Option<&'a Expr> {
        let Some((last, before)) = statements.split_last() else {
            self.faults
                .push(syn::Error::new(block, "no expression here"));
            return None;
        };
        for statement in before {
            self.binding(statement);
        }
        match last {
            Stmt::Expr(expression, None) => Some(expression),
            Stmt::Expr(_, Some(semicolon)) => {
                self.fault(
                    semicolon,
                    "the last expression is the value: without a semicolon",
                );
                None
            }
            Stmt::Local(binding) => {
                self.fault(binding.let_token, binding_without_value(&binding.pat));
                None
            }
            other => {
                self.fault(other, "the last line has to be an expression, the value");
                None
            }
        }
    }

    fn binding(&mut self, statement: &Stmt) {
        let Stmt::Local(Local { pat, init, .. }) = statement else {
            if let Stmt::Expr(expression, _) = statement
                && is_loop(expression)
            {
                self.fault(first_token(expression), LOOP);
                return;
            }
            if let Stmt::Expr(assignment, _) = statement
                && output(assignment).is_some()
            {
                self.fault(
                    first_token(assignment),
                    "an expression has one output: `fuse!(a = ..); fuse!(b = ..);` for two, and `let name = ..;` to name a value",
                );
                return;
            }
            self.fault(
                statement,
                "only `let name = ..;` can stand before the value",
            );
            return;
        };
        let name = match pat {
            Pat::Ident(name)
                if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() =>
            {
                name_of(&name.ident)
            }
            Pat::Type(typed) => {
                self.fault(
                    &typed.ty,
                    "a binding has no type here: the compiler finds its dtype; `.cast::<D>()` changes it",
                );
                return;
            }
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                let message = format!(
                    "a binding does not change here: `let {0} = ..;`, and a new one for a new value",
                    name.ident
                );
                self.fault(name.mutability, message);
                return;
            }
            other => {
                self.fault(other, "a binding is one name here: `let name = ..;`");
                return;
            }
        };
        let Some(init) = init else {
            self.fault(pat, "a binding needs a value: `let name = ..;`");
            return;
        };
        if let Some((otherwise, _)) = &init.diverge {
            self.fault(otherwise, "`let .. else` has no meaning here");
            return;
        }
        let value = self.node(&init.expr);
        let bound = self.bound_as(pat, value);
        self.scope.push((name, bound));
    }

    /// Returns the meaning of the name in a pattern that is bound to a value.
    fn bound_as(&mut self, pat: &Pat, value: Node) -> Bound {
        match value {
            Node::Literal(literal) => return Bound::Literal(literal),
            Node::Evaluated(number, _) => return Bound::Evaluated(number),
            _ => {}
        }
        if self.bindings.len() == MAX_BINDINGS {
            let message = format!(
                "more than {MAX_BINDINGS} bindings: evaluate the first ones by a `fuse!` of their own"
            );
            self.fault(pat, message);
        }
        Bound::Binding(self.bind(value))
    }

    /// Makes a binding of a value, and returns its number.
    fn bind(&mut self, value: Node) -> usize {
        let number = self.bindings.len();
        let key = self.keys.of(&value);
        self.keys.bind(key);
        self.bindings.push(value);
        self.steps.push(Step::Binding(number));
        number
    }

    /// Reads the outermost expression, which may be a reduction.
    fn outermost(&mut self, expression: &Expr) -> (Node, Option<Reduction>) {
        match expression {
            Expr::MethodCall(call) if self.words.is_reduction(&call.method.to_string()) => {
                let reduction = self.reduction(call);
                (self.node(&call.receiver), Some(reduction))
            }
            Expr::Paren(inner) => self.outermost(&inner.expr),
            Expr::Group(inner) => self.outermost(&inner.expr),
            Expr::Block(block) if block.label.is_none() => {
                match self.last_of(&block.block.stmts, block.span()) {
                    Some(last) => self.outermost(last),
                    None => (Node::Target(Span::call_site()), None),
                }
            }
            other => (self.node(other), None),
        }
    }

    fn block(&mut self, block: &Block) -> Node {
        let outside = self.scope.len();
        let value = match self.last_of(&block.stmts, block.span()) {
            Some(last) => self.node(last),
            None => Node::Target(Span::call_site()),
        };
        self.scope.truncate(outside);
        value
    }

    fn node(&mut self, expression: &Expr) -> Node {
        match expression {
            Expr::Paren(inner) => return self.node(&inner.expr),
            Expr::Group(inner) => return self.node(&inner.expr),
            Expr::Lit(_) => {}
            Expr::Unary(unary) => return self.unary(unary),
            Expr::Binary(binary) => return self.binary(binary),
            Expr::MethodCall(call) => return self.method(call),
            Expr::If(choice) => return self.choice(choice),
            Expr::Block(block) if block.label.is_none() => return self.block(&block.block),
            Expr::Path(path) => {
                let name = path.path.get_ident();
                return match name.and_then(|name| self.bound(name)) {
                    Some(Bound::Binding(number)) => Node::Binding(number),
                    Some(Bound::Evaluated(number)) => Node::Evaluated(number, path.span()),
                    Some(Bound::Literal(literal)) => Node::Literal(literal),
                    None => self.leaf(expression),
                };
            }
            Expr::Field(_) | Expr::Index(_) => return self.leaf(expression),
            other if is_ordinary(other) => return self.leaf(other),
            Expr::Call(call) => return self.call(call),
            Expr::Reference(reference) if reference.mutability.is_none() => {
                return match unwrapped(&reference.expr) {
                    // `&name` means the same as `name`.
                    path @ Expr::Path(_) => self.node(path),
                    other => self.leaf(other),
                };
            }
            Expr::Cast(cast) => return self.cast(cast),
            Expr::Closure(closure) => {
                return self.fault(
                    first_token(&Expr::Closure(closure.clone())),
                    "a closure has no meaning here: write its expression, in which tensors stand for their elements: `fuse!(x * 2.0)`",
                );
            }
            Expr::Match(choice) => {
                return self.fault(
                    choice.match_token,
                    "`match` has no meaning here: `if .. { .. } else { .. }` chooses between elements",
                );
            }
            Expr::Tuple(_) => {
                return self.fault(
                    first_token(expression),
                    "an expression has one result: write the macro for each, `(fuse!(..), fuse!(..))`",
                );
            }
            Expr::Let(binding) => {
                return self.fault(binding.let_token, binding_without_value(&binding.pat));
            }
            other if is_loop(other) => return self.fault(first_token(other), LOOP),
            other => {
                return self.fault(
                    first_token(other),
                    "not part of the language of this macro: compute it in a statement before, or insert its value with `&(..)`",
                );
            }
        }
        match Literal::parse(expression) {
            Some(Ok(literal)) => Node::Literal(literal),
            Some(Err(fault)) => {
                self.faults.push(fault);
                Node::Target(Span::call_site())
            }
            // A literal with a suffix is an element of that type.
            None => self.leaf(expression),
        }
    }

    fn bound(&self, name: &Ident) -> Option<Bound> {
        let name = name_of(name);
        let mut inwards = self.scope.iter().rev();
        let found = inwards.find(|(bound, _)| *bound == name);
        found.map(|(_, bound)| bound.clone())
    }

    /// Reads `count as f32`. In Rust `as` converts no tensor, so it is a number that ordinary code computes.
    fn cast(&mut self, cast: &ExprCast) -> Node {
        let to = cast.ty.to_token_stream().to_string();
        let mut names = Vec::new();
        names_in(cast.expr.to_token_stream(), &mut names);
        let has_binding = names.iter().any(|name| self.bound(name).is_some());
        let message = match marker_of(&to) {
            Some(marker) if is_primitive(&to) && !has_binding => {
                // A literal is a number, and Rust gives it the type that it is converted to.
                let is_literal = is_literal(&cast.expr);
                return self.leaf_at(Place {
                    code: Expr::Cast(cast.clone()),
                    views: 0,
                    number_of: (!is_literal).then_some(marker),
                });
            }
            Some(marker) => {
                format!("`as` has no meaning here: `.cast::<{marker}>()` converts elements")
            }
            None => format!(
                "`as` has no meaning here, and `{to}` is not a dtype: `.cast::<I64>()` converts elements to `i64`"
            ),
        };
        self.fault(cast.as_token, message)
    }

    fn leaf(&mut self, expression: &Expr) -> Node {
        self.leaf_at(Place {
            code: expression.clone(),
            views: 0,
            number_of: None,
        })
    }

    fn leaf_at(&mut self, place: Place) -> Node {
        let expression = &place.code;
        let span = expression.span();
        let is_target = |target: &String| *target == key(expression);
        if self.target.as_ref().is_some_and(is_target) {
            return Node::Target(span);
        }
        self.check_names(&expression.to_token_stream());
        let next = self.leaves.len();
        // Other code is evaluated at each occurrence.
        let number = match is_place(expression) {
            true => *self.places.entry(key(expression)).or_insert(next),
            false => next,
        };
        if number == next {
            self.leaves.push(place);
        }
        Node::Leaf(number, span)
    }

    /// Reports names of bindings in ordinary code, which cannot see them.
    fn check_names(&mut self, code: &TokenStream) {
        if self.scope.is_empty() {
            return;
        }
        let mut names = Vec::new();
        names_in(code.clone(), &mut names);
        for name in names {
            if let Some(Bound::Binding(_) | Bound::Evaluated(_)) = self.bound(&name) {
                let message = format!(
                    "`{name}` is a binding of this expression, which ordinary code does not see"
                );
                self.fault(&name, message);
            }
        }
    }

    /// Makes a part of another expression; a part of depth [`MAX_DEPTH`] becomes a binding.
    fn part(&mut self, node: Node) -> Box<Node> {
        if !node.is_deep(MAX_DEPTH) {
            return Box::new(node);
        }
        Box::new(Node::Binding(self.bind(node)))
    }
}

/// Returns whether an expression is a literal, possibly negative.
fn is_literal(expression: &Expr) -> bool {
    match unwrapped(expression) {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => is_literal(&unary.expr),
        _ => false,
    }
}

/// Returns whether a type is one that Rust's `as` converts numbers to.
fn is_primitive(name: &str) -> bool {
    let primitive = [
        "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64",
    ];
    primitive.contains(&name)
}

/// Returns the marker of a dtype, given its name or that of its elements.
fn marker_of(name: &str) -> Option<&'static str> {
    let found = DTYPES
        .iter()
        .find(|dtype| [dtype.marker, dtype.element].contains(&name));
    found.map(|dtype| dtype.marker)
}

const LOOP: &str = "a loop has no meaning here: write `fuse!` within the loop, as in `for _ in 0..3 { fuse!(x = x * 0.5); }`; a function of elements in `elementwise!` has loops";

fn is_loop(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_)
    )
}

/// Returns the left side of an assignment.
fn output(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Assign(assign) => Some(&assign.left),
        Expr::Binary(binary) if assigned(&binary.op).is_some() => Some(&binary.left),
        _ => None,
    }
}

/// Returns the first token of an expression that is not in the language.
fn first_token(expression: &Expr) -> TokenStream {
    let mut tokens = expression.to_token_stream().into_iter();
    tokens.next().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_have_a_limit() {
        let with = |count: usize| {
            let bindings = "let a = -x;".repeat(count);
            let names = format!("{bindings} a").parse().expect("tokens");
            let statements = Block::parse_within.parse2(names).expect("statements");
            let mut reader = Reader::default();
            for statement in &statements[..count] {
                let Stmt::Local(local) = statement else {
                    panic!("a binding")
                };
                reader.bound_as(&local.pat, Node::Target(Span::call_site()));
            }
            reader.faults.len()
        };
        assert_eq!((with(MAX_BINDINGS), with(MAX_BINDINGS + 2)), (0, 1));
    }
}
