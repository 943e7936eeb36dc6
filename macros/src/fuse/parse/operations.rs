//! Parses operators, methods, functions and choices.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprBinary, ExprCall, ExprIf, ExprMethodCall, ExprUnary, GenericArgument, Ident,
    Stmt, UnOp,
};

use super::{Reader, first_token};
use crate::fuse::model::{Node, Place};
use crate::fuse::names::{is_ordinary, unwrapped};
use crate::fuse::words::{comparison, other_name};
use crate::literal::Literal;

impl Reader {
    pub(super) fn unary(&mut self, unary: &ExprUnary) -> Node {
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

    pub(super) fn lonely(&mut self, literal: &Literal) -> Node {
        self.faults.push(syn::Error::new(
            literal.span(),
            "a literal alone has no dtype: compute with it before, or give it a type, as in `2.0f32`",
        ));
        Node::Target(Span::call_site())
    }

    pub(super) fn binary(&mut self, binary: &ExprBinary) -> Node {
        if let Some(name) = comparison(&binary.op) {
            if let Some(bitwise) = computed_before(binary) {
                let (first, then) = (bitwise.to_token_stream(), binary.op.to_token_stream());
                let message = format!(
                    "`{first}` is computed before `{then}`: each comparison needs brackets, `(x > 1) {first} (x < 5)`"
                );
                return self.fault(bitwise, message);
            }
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

    pub(super) fn infix(&mut self, operator: TokenStream, lhs: Node, rhs: Node) -> Node {
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
            of_clamp: false,
            lhs: self.part(lhs),
            rhs: self.part(rhs),
        }
    }

    /// Makes one of the two operations of `.clamp(.., ..)`, in the place of that method.
    fn step_of_clamp(&mut self, name: &str, clamp: &Ident, lhs: Node, rhs: Node) -> Node {
        let mut step = self.of_two(Ident::new(name, clamp.span()), lhs, rhs);
        if let Node::Method { of_clamp, .. } = &mut step {
            *of_clamp = true;
        }
        step
    }

    pub(super) fn method(&mut self, call: &ExprMethodCall) -> Node {
        let name = call.method.to_string();
        if self.words.is_view(&name) {
            return self.view(call);
        }
        if self.words.is_reduction(&name) || self.words.is_of_tensors(&name) {
            return self.inner_reduction(call);
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
        if converts && call.turbofish.is_none() && !call.args.is_empty() {
            return self.fault(
                &call.method,
                format!("the dtype is a type and not an argument, as in `.{name}::<F32>()`"),
            );
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
                let raised = self.step_of_clamp("maximum", &call.method, x, low);
                self.step_of_clamp("minimum", &call.method, raised, high)
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
        let message = if name == "promote_unsafe" {
            "`promote_unsafe!(..)` admits unsafe promotions in the whole expression".into()
        } else if ["map", "mapv", "apply"].contains(&name.as_str()) {
            "the macro computes by element: write the body of the function with tensors in place of its parameters, `if x > 0.0 { x } else { 0.1 * x }`, or call a function of elements, `f(x)`".into()
        } else if ["iter", "into_iter", "rows", "axis_iter"].contains(&name.as_str()) {
            "the macro computes by element, without iterators: a sum of all elements is `x.sum()`, of each row `x.sum_keepdims(-1)`, and other reductions are written the same way".into()
        } else if let Some(second) = second_result(&name) {
            let tensor = match unwrapped(&call.receiver) {
                tensor @ Expr::Path(_) => tensor.to_token_stream().to_string(),
                _ => "x".into(),
            };
            let arguments = call.args.iter().map(|it| it.to_token_stream().to_string());
            let arguments = Vec::from_iter(arguments).join(", ");
            format!(
                "`{name}` has two results: write `let (values, {second}) = {tensor}.{name}({arguments});` in a statement before, and `values` here"
            )
        } else if name.starts_with("try_") {
            "`try_fuse!(..)` and `supremum::try_promote_unsafe!(..)` return the errors of a whole expression; in it the forms are those without `try_`: `a.matmul(&b)`, `a + b`".into()
        } else if let Some(method) = other_name(&name) {
            format!("it has another name here: {method}")
        } else {
            let similar = self.words.similar(&name);
            let advice = match &similar[..] {
                [] => ": compute it in a statement before, or insert its value with `&(..)`".into(),
                names => format!("; similar names are {}", names.join(", ")),
            };
            format!("`{name}` is not an operation of this macro{advice}")
        };
        self.fault(&call.method, message)
    }

    /// Reads a view; a view of a leaf is a leaf, and that of the value of a pass is another value. A method that copies elements, such as
    /// `sort`, is a pass if it is called on an expression.
    fn view(&mut self, call: &ExprMethodCall) -> Node {
        if self.is_tensor(&call.receiver) {
            let code = Expr::MethodCall(call.clone());
            let place = Place::with_views(code, |name| self.words.is_view(name));
            return self.leaf_at(place);
        }
        let of = self.node(&call.receiver);
        if matches!(of, Node::Evaluated(..)) || self.words.is_of_tensors(&call.method.to_string()) {
            return self.value_of_pass(call, of);
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
            other => is_ordinary(other),
        }
    }

    pub(super) fn call(&mut self, call: &ExprCall) -> Node {
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
            && (self.words.is_function(&name)
                || self.words.method(&name).is_some()
                || name == "clamp"
                // Of several operands it may be a function of elements: `max(x, y)`.
                || call.args.len() == 1
                    && (self.words.is_reduction(&name)
                        || self.words.is_view(&name)
                        || self.words.is_of_tensors(&name)))
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
        if let Some(argument) = call.args.iter().find(|argument| is_list(argument)) {
            return self.fault(
                first_token(argument),
                "a function of elements takes no list; the value of any other call is taken by `&f(..)`",
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

    pub(super) fn choice(&mut self, choice: &ExprIf) -> Node {
        if let Expr::Let(pattern) = &*choice.cond {
            return self.fault(
                pattern.let_token,
                "patterns have no meaning here: a condition is a boolean expression",
            );
        }
        let Some((_, otherwise)) = &choice.else_branch else {
            let message = match choice.then_branch.stmts.last() {
                Some(Stmt::Expr(Expr::Assign(_), _)) => {
                    "an output stands before the choice, which has two sides: `fuse!(x = if x < 0.0 { 0.0 } else { x })`"
                }
                _ => "a choice between elements needs both sides: `if .. { .. } else { .. }`",
            };
            return self.fault(choice.if_token, message);
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
}

/// Returns what a method has as its second result, behind values.
fn second_result(method: &str) -> Option<&'static str> {
    match method {
        "top_k" | "unique_index" => Some("positions"),
        "unique_counts" => Some("counts"),
        "unique_inverse" => Some("inverse"),
        _ => None,
    }
}

/// Returns the operator between comparisons that Rust reads as part of one of them: `&` of `a > 2 & (b < 1)`, which is `a > (2 & (b < 1))`
/// and may even compile. Between numbers, as in `flags & 4 != 0`, that order is meant.
fn computed_before(comparison: &ExprBinary) -> Option<&BinOp> {
    [&comparison.left, &comparison.right]
        .into_iter()
        .find_map(|side| match &**side {
            Expr::Binary(part) if is_bitwise(&part.op) && has_comparison(part) => Some(&part.op),
            _ => None,
        })
}

/// Returns true for a list of values, such as the tensors that `concat` joins.
fn is_list(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::Array(_) | Expr::Repeat(_) | Expr::Tuple(_) | Expr::Range(_)
    )
}

fn is_bitwise(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_)
    )
}

/// Returns whether a side of a bitwise operator is a comparison, possibly negated.
fn has_comparison(bitwise: &ExprBinary) -> bool {
    [&bitwise.left, &bitwise.right]
        .into_iter()
        .any(|side| is_condition(side))
}

fn is_condition(expression: &Expr) -> bool {
    match unwrapped(expression) {
        Expr::Unary(ExprUnary {
            op: UnOp::Not(_),
            expr,
            ..
        }) => is_condition(expr),
        Expr::Binary(part) => {
            comparison(&part.op).is_some() || is_bitwise(&part.op) && has_comparison(part)
        }
        _ => false,
    }
}
