//! Parses reductions. One within an expression becomes a pass of its own, whose value the expression reads.

use quote::ToTokens;
use syn::ExprMethodCall;

use super::Reader;
use crate::fuse::model::{Node, Pass, Reduction, Step};
use crate::fuse::names::{is_repeatable, key_of};
use crate::fuse::words::other_name;

/// A reduction that stands in front, which an equal one shares.
pub(super) struct Known {
    /// The keys of its elements and of its arguments.
    of: (usize, String),
    method: String,
    pass: usize,
    value: usize,
}

impl Reader {
    /// Reads the method and the arguments of a reduction, or of another operation on whole tensors.
    pub(super) fn reduction(&mut self, call: &ExprMethodCall) -> Reduction {
        let name = call.method.to_string();
        let is_of_tensors = self.words.is_of_tensors(&name) || self.words.is_view(&name);
        if !is_of_tensors {
            self.check_axes(call);
        }
        let arguments = call.args.to_token_stream();
        self.check_names(&arguments);
        Reduction {
            method: call.method.clone(),
            turbofish: call.turbofish.clone(),
            arguments,
            is_of_tensors,
            is_promoting: self.words.is_promoting(&name),
        }
    }

    /// Checks that a reduction has as many arguments as its form takes.
    fn check_axes(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        if let Some(turbofish) = &call.turbofish {
            self.fault(turbofish, format!("`{name}` takes no type"));
        }
        let along_axes = name.ends_with("_axis") || name.ends_with("_keepdims");
        let found = call.args.len();
        if found != usize::from(along_axes) {
            let message = match (along_axes, other_name(&name)) {
                (true, _) => {
                    format!("`{name}` takes one argument, the axis or axes, and found {found}")
                }
                (false, Some(method)) => format!("`{name}` takes no argument: {method}"),
                (false, None) => format!(
                    "`{name}` takes no argument, found {found}: `{name}_axis(..)` reduces along an axis"
                ),
            };
            self.fault(&call.method, message);
        }
    }

    /// Reads a reduction within an expression.
    pub(super) fn inner_reduction(&mut self, call: &ExprMethodCall) -> Node {
        let of = self.node(&call.receiver);
        self.value_of_pass(call, of)
    }

    /// Makes a pass of a method of an expression, or shares the value of an equal one.
    pub(super) fn value_of_pass(&mut self, call: &ExprMethodCall, of: Node) -> Node {
        let reduction = self.reduction(call);
        if let Node::Literal(literal) = &of {
            return self.lonely(literal);
        }
        let (span, method) = (call.method.span(), call.method.to_string());
        let number = match is_repeatable(reduction.arguments.clone()) {
            false => self.pass(of, reduction).1,
            true => {
                let mut code = reduction.turbofish.to_token_stream();
                code.extend(reduction.arguments.clone());
                let key = (self.keys.of(&of), key_of(code));
                let equal = self.known.iter().filter(|known| known.of == key);
                let mut equal = equal.map(|known| (&*known.method, known.pass, known.value));
                if let Some((_, _, value)) = equal.clone().find(|(known, _, _)| *known == method) {
                    return Node::Evaluated(value, span);
                }
                let partner = equal.find(|(known, pass, _)| {
                    self.passes[*pass].values.len() == 1 && are_computed_together(known, &method)
                });
                let (pass, value) = match partner {
                    Some((_, pass, _)) => {
                        let value = self.results;
                        self.results += 1;
                        self.passes[pass].values.push((value, Some(reduction)));
                        (pass, value)
                    }
                    None => self.pass(of, reduction),
                };
                self.known.push(Known {
                    of: key,
                    method,
                    pass,
                    value,
                });
                value
            }
        };
        Node::Evaluated(number, span)
    }

    /// Makes a pass of a reduction; returns its number and that of its value.
    fn pass(&mut self, of: Node, reduction: Reduction) -> (usize, usize) {
        let (pass, value) = (self.passes.len(), self.results);
        self.passes.push(Pass {
            of,
            is_wide: false,
            values: vec![(value, Some(reduction))],
        });
        self.steps.push(Step::Pass(pass));
        self.results += 1;
        (pass, value)
    }
}

/// Returns whether two reductions of the same elements have one loop: a mean, and a variance or standard deviation, which needs the
/// mean anyway.
fn are_computed_together(a: &str, b: &str) -> bool {
    let parts = |name: &'_ str| match name.split_once('_') {
        Some((reduction, form)) => (reduction.to_owned(), form.to_owned()),
        None => (name.to_owned(), String::new()),
    };
    let ((a, form_of_a), (b, form_of_b)) = (parts(a), parts(b));
    let deviates = |name: &str| matches!(name, "var" | "std");
    form_of_a == form_of_b && (a == "mean" && deviates(&b) || deviates(&a) && b == "mean")
}

#[cfg(test)]
mod tests {
    use super::are_computed_together;

    #[test]
    fn a_variance_goes_with_its_mean() {
        assert!(are_computed_together("mean", "var"));
        assert!(are_computed_together("std_keepdims", "mean_keepdims"));
        assert!(!are_computed_together("mean_axis", "var_keepdims"));
        assert!(!are_computed_together("var", "std"));
        assert!(!are_computed_together("nan_mean", "var"));
    }
}
