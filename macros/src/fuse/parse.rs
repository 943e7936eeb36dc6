//! Parses the tokens of `fuse!` to the model.

use std::collections::HashMap;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprCall, ExprIf, ExprMethodCall, ExprUnary, GenericArgument,
    Ident, Local, Pat, Stmt, UnOp,
};

use super::model::{Node, Program, Reduction};
use super::names::{is_place, key, name_of, names_in, unwrapped};
use super::words::{Words, assigned, comparison, other_name};
use crate::dtypes::DTYPES;
use crate::literal::Literal;

/// Reads the input of the macro: `let` bindings, then an expression or an assignment.
///
/// # Errors
/// All faults, each on its token.
pub(super) fn parse(input: TokenStream, words: Words) -> syn::Result<Program> {
    // Try a whole expression first, because `if` at the start of a statement would end the statement.
    let statements = match syn::parse2(input.clone()) {
        Ok(expression) => vec![Stmt::Expr(expression, None)],
        Err(_) => Block::parse_within.parse2(input)?,
    };
    let mut reader = Reader {
        words,
        ..Reader::default()
    };
    let mut program = Program {
        leaves: Vec::new(),
        bindings: Vec::new(),
        result: Node::Target(Span::call_site()),
        reduction: None,
        target: None,
    };
    // Find the output first, because bindings before an assignment can read it too.
    if let Some(Stmt::Expr(last, None)) = statements.last() {
        program.target = match unwrapped(last) {
            Expr::Assign(assign) => Some((*assign.left).clone()),
            Expr::Binary(binary) if assigned(&binary.op).is_some() => Some((*binary.left).clone()),
            _ => None,
        };
        reader.target = program.target.as_ref().map(key);
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
    Literal(Literal),
}

#[derive(Default)]
struct Reader {
    words: Words,
    leaves: Vec<Expr>,
    /// The numbers of the leaves that are names or fields, by their [`key`].
    places: HashMap<String, usize>,
    bindings: Vec<Node>,
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
            other => {
                self.fault(other, "the last line has to be an expression, the value");
                None
            }
        }
    }

    fn binding(&mut self, statement: &Stmt) {
        let Stmt::Local(Local { pat, init, .. }) = statement else {
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
        if let Node::Literal(literal) = value {
            return Bound::Literal(literal);
        }
        if self.bindings.len() == MAX_BINDINGS {
            let message = format!(
                "more than {MAX_BINDINGS} bindings: evaluate the first ones by a `fuse!` of their own"
            );
            self.fault(pat, message);
        }
        self.bindings.push(value);
        Bound::Binding(self.bindings.len() - 1)
    }

    /// Reads the outermost expression, which may be a reduction.
    fn outermost(&mut self, expression: &Expr) -> (Node, Option<Reduction>) {
        match expression {
            Expr::MethodCall(call) if self.words.is_reduction(&call.method.to_string()) => {
                if let Some(turbofish) = &call.turbofish {
                    self.fault(turbofish, format!("`{}` takes no type", call.method));
                }
                self.check_names(&call.args.to_token_stream());
                let reduction = Reduction {
                    method: call.method.clone(),
                    arguments: call.args.to_token_stream(),
                };
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
            Expr::Call(call) => return self.call(call),
            Expr::If(choice) => return self.choice(choice),
            Expr::Block(block) if block.label.is_none() => return self.block(&block.block),
            Expr::Path(path) => {
                let name = path.path.get_ident();
                return match name.and_then(|name| self.bound(name)) {
                    Some(Bound::Binding(number)) => Node::Binding(number),
                    Some(Bound::Literal(literal)) => Node::Literal(literal),
                    None => self.leaf(expression),
                };
            }
            Expr::Field(_) | Expr::Index(_) => return self.leaf(expression),
            Expr::Reference(reference) if reference.mutability.is_none() => {
                return match unwrapped(&reference.expr) {
                    // `&name` means the same as `name`.
                    path @ Expr::Path(_) => self.node(path),
                    other => self.leaf(other),
                };
            }
            Expr::Cast(cast) => {
                let to = cast.ty.to_token_stream().to_string();
                let message = match marker_of(&to) {
                    Some(marker) => {
                        format!("`as` has no meaning here: `.cast::<{marker}>()` converts elements")
                    }
                    None => format!(
                        "`as` has no meaning here, and `{to}` is no dtype: `.cast::<I64>()` converts elements to `i64`"
                    ),
                };
                return self.fault(cast.as_token, message);
            }
            Expr::Let(binding) => {
                return self.fault(
                    binding.let_token,
                    "a binding without a value after it: `let name = ..; name + 1`",
                );
            }
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

    fn leaf(&mut self, expression: &Expr) -> Node {
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
            self.leaves.push(expression.clone());
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
            if let Some(Bound::Binding(_)) = self.bound(&name) {
                let message = format!(
                    "`{name}` is a binding of this expression, which ordinary code does not see"
                );
                self.fault(&name, message);
            }
        }
    }

    fn unary(&mut self, unary: &ExprUnary) -> Node {
        let x = match &unary.op {
            UnOp::Deref(star) if matches!(unwrapped(&unary.expr), Expr::Lit(_)) => {
                return self.fault(star, "`**` is not an operator: a power is `x.pow(2)`");
            }
            UnOp::Deref(_) => return self.leaf(&Expr::Unary(unary.clone())),
            _ => self.node(&unary.expr),
        };
        match (&unary.op, x) {
            (UnOp::Neg(minus), Node::Literal(literal)) => match literal.negate(minus.span) {
                Ok(literal) => Node::Literal(literal),
                Err(fault) => {
                    self.faults.push(fault);
                    Node::Target(Span::call_site())
                }
            },
            (_, Node::Literal(literal)) => self.lonely(&literal),
            (operator, x) => {
                let name = if matches!(operator, UnOp::Neg(_)) {
                    "neg"
                } else {
                    "not"
                };
                Node::Prefix {
                    name: Ident::new(name, operator.span()),
                    x: self.part(x),
                }
            }
        }
    }

    fn lonely(&mut self, literal: &Literal) -> Node {
        self.faults.push(syn::Error::new(
            literal.span(),
            "a literal alone has no dtype: compute with it before, or give it a type, as in `2.0f32`",
        ));
        Node::Target(Span::call_site())
    }

    fn binary(&mut self, binary: &ExprBinary) -> Node {
        if let Some(name) = comparison(&binary.op) {
            let (lhs, rhs) = (self.node(&binary.left), self.node(&binary.right));
            return self.of_two(Ident::new(name, binary.op.span()), lhs, rhs);
        }
        let operator = binary.op.to_token_stream();
        if self.words.operator(&operator.to_string()).is_none() {
            let message = match binary.op {
                BinOp::And(_) => {
                    "`&&` is between single booleans; between elements write `(..) & (..)`"
                }
                BinOp::Or(_) => {
                    "`||` is between single booleans; between elements write `(..) | (..)`"
                }
                _ => "an assignment is the outermost operation: `fuse!(out += ..)`",
            };
            return self.fault(binary.op, message);
        }
        let (lhs, rhs) = (self.node(&binary.left), self.node(&binary.right));
        self.infix(operator, lhs, rhs)
    }

    fn infix(&mut self, operator: TokenStream, lhs: Node, rhs: Node) -> Node {
        if let (Node::Literal(lhs), Node::Literal(rhs)) = (&lhs, &rhs) {
            let operator = operator.to_string();
            let symbol = operator.chars().next().unwrap_or_default();
            return match Literal::fold(symbol, lhs, rhs) {
                Ok(literal) => Node::Literal(literal),
                Err(fault) => {
                    self.faults.push(fault);
                    Node::Target(Span::call_site())
                }
            };
        }
        let group = self.words.operator(&operator.to_string());
        Node::Infix {
            operator,
            group: group.expect("an operator of the library's").to_owned(),
            lhs: self.part(lhs),
            rhs: self.part(rhs),
        }
    }

    fn of_two(&mut self, name: Ident, lhs: Node, rhs: Node) -> Node {
        if let (Node::Literal(literal), Node::Literal(_)) = (&lhs, &rhs) {
            return self.lonely(literal);
        }
        let group = self.words.method(&name.to_string());
        Node::Method {
            name,
            group: group.expect("a method of the library's").to_owned(),
            lhs: self.part(lhs),
            rhs: self.part(rhs),
        }
    }

    fn method(&mut self, call: &ExprMethodCall) -> Node {
        let name = call.method.to_string();
        if self.words.is_view(&name) {
            return self.view(call);
        }
        let of_two = self.words.method(&name).is_some();
        let expected = match name.as_str() {
            "clamp" => 2,
            _ => usize::from(of_two),
        };
        let converts = matches!(name.as_str(), "cast" | "cast_saturating" | "widen");
        let known = of_two || converts || name == "clamp" || self.words.is_function(&name);
        if !known {
            return self.unknown(call);
        }
        if call.args.len() != expected {
            let found = call.args.len();
            return self.fault(
                &call.method,
                format!(
                    "`{name}` takes {} here, found {found}",
                    ["no argument", "one argument", "two arguments"][expected]
                ),
            );
        }
        if let (false, Some(turbofish)) = (converts, &call.turbofish) {
            return self.fault(turbofish, format!("`{name}` takes no type"));
        }
        let x = self.node(&call.receiver);
        let mut arguments = call.args.iter();
        match (of_two, arguments.next(), arguments.next()) {
            (true, Some(argument), _) => {
                let argument = self.node(argument);
                self.of_two(call.method.clone(), x, argument)
            }
            (false, Some(low), Some(high)) => {
                // The same order as the eager method: `maximum(low)`, then `minimum(high)`.
                let (low, high) = (self.node(low), self.node(high));
                let method = |name| Ident::new(name, call.method.span());
                let raised = self.of_two(method("maximum"), x, low);
                self.of_two(method("minimum"), raised, high)
            }
            _ => match x {
                Node::Literal(literal) => self.lonely(&literal),
                x if converts => self.convert(call, x),
                x => Node::Function {
                    name: call.method.clone(),
                    x: self.part(x),
                },
            },
        }
    }

    fn convert(&mut self, call: &ExprMethodCall, x: Node) -> Node {
        match &call.turbofish {
            Some(to) if matches!(to.args.first(), Some(GenericArgument::Type(_))) => {
                Node::Convert {
                    name: call.method.clone(),
                    to: to.clone(),
                    x: self.part(x),
                }
            }
            _ => self.fault(
                &call.method,
                format!("to which dtype? As in `.{}::<F32>()`", call.method),
            ),
        }
    }

    fn unknown(&mut self, call: &ExprMethodCall) -> Node {
        let name = call.method.to_string();
        let message = if self.words.is_reduction(&name) {
            format!(
                "a reduction is the outermost operation: evaluate it in a statement before the macro, as in `let value = x.{name}(..);`"
            )
        } else if name == "promote_unsafe" {
            "`promote_unsafe!(..)` admits unsafe promotions in the whole expression".into()
        } else if let Some(method) = other_name(&name) {
            format!("it has another name here: {method}")
        } else {
            format!(
                "`{name}` is not an operation of this macro: compute it in a statement before, or insert its value with `&(..)`"
            )
        };
        self.fault(&call.method, message)
    }

    /// Reads a view; a view of a leaf is a leaf.
    fn view(&mut self, call: &ExprMethodCall) -> Node {
        if self.is_tensor(&call.receiver) {
            return self.leaf(&Expr::MethodCall(call.clone()));
        }
        self.fault(
            &call.method,
            format!(
                "`{}` is a view of a tensor, and this is an expression: take the view of its operands",
                call.method
            ),
        )
    }

    fn is_tensor(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_none_or(|name| self.bound(name).is_none()),
            Expr::Field(_) | Expr::Index(_) | Expr::Reference(_) => true,
            Expr::Paren(inner) => self.is_tensor(&inner.expr),
            Expr::Group(inner) => self.is_tensor(&inner.expr),
            Expr::MethodCall(call) => {
                self.words.is_view(&call.method.to_string()) && self.is_tensor(&call.receiver)
            }
            _ => false,
        }
    }

    fn call(&mut self, call: &ExprCall) -> Node {
        let Expr::Path(path) = &*call.func else {
            return self.fault(&call.func, "functions are called by their names here");
        };
        if let Some(of) = &path.qself {
            return self.fault(&of.ty, "functions are called by their names here");
        }
        if path.path.is_ident("select") && call.args.len() == 3 {
            let [condition, then, otherwise] = [0, 1, 2].map(|at| self.node(&call.args[at]));
            return self.select(path.span(), condition, then, otherwise);
        }
        if let Some(name) = path.path.get_ident().map(ToString::to_string)
            && (self.words.is_function(&name) || self.words.method(&name).is_some())
        {
            return self.fault(
                &path.path,
                format!("`{name}` is a method here: `x.{name}(..)`; a function of your own needs another name"),
            );
        }
        if !(1..=3).contains(&call.args.len()) {
            return self.fault(
                &path.path,
                "functions of elements take one, two or three arguments",
            );
        }
        let method = path
            .path
            .get_ident()
            .and_then(|name| other_name(&name.to_string()));
        let arguments = call.args.iter().map(|argument| match self.node(argument) {
            Node::Literal(literal) => {
                let message = match method {
                    Some(method) => format!("a function of elements takes no literal without a type: {method}"),
                    None => "a function of elements takes no literal without a type, as in `2.0f32`; the value of any other call is taken by `&f(..)`".into(),
                };
                self.faults.push(syn::Error::new(literal.span(), message));
                Node::Target(Span::call_site())
            }
            argument => *self.part(argument),
        });
        let arguments = arguments.collect();
        Node::Call {
            function: path.path.clone(),
            arguments,
        }
    }

    fn choice(&mut self, choice: &ExprIf) -> Node {
        if let Expr::Let(pattern) = &*choice.cond {
            return self.fault(
                pattern.let_token,
                "patterns have no meaning here: a condition is a boolean expression",
            );
        }
        let Some((_, otherwise)) = &choice.else_branch else {
            return self.fault(
                choice.if_token,
                "a choice between elements needs both sides: `if .. { .. } else { .. }`",
            );
        };
        let condition = match self.node(&choice.cond) {
            Node::Literal(literal) => self.lonely(&literal),
            condition => condition,
        };
        let then = self.block(&choice.then_branch);
        let otherwise = self.node(otherwise);
        self.select(choice.if_token.span, condition, then, otherwise)
    }

    fn select(&mut self, span: Span, condition: Node, then: Node, otherwise: Node) -> Node {
        Node::Select {
            span,
            condition: self.part(condition),
            then: self.part(then),
            otherwise: self.part(otherwise),
        }
    }

    /// Makes a part of another expression; a part of depth [`MAX_DEPTH`] becomes a binding.
    fn part(&mut self, node: Node) -> Box<Node> {
        if !node.is_deep(MAX_DEPTH) {
            return Box::new(node);
        }
        self.bindings.push(node);
        Box::new(Node::Binding(self.bindings.len() - 1))
    }
}

/// Returns the marker of a dtype, given its name or that of its elements.
fn marker_of(name: &str) -> Option<&'static str> {
    let found = DTYPES
        .iter()
        .find(|dtype| [dtype.marker, dtype.element].contains(&name));
    found.map(|dtype| dtype.marker)
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
