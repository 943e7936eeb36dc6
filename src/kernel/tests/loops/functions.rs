//! Functions of one operand.

use super::{CheckOf, check_baseline, check_once, lend, only, sources_of, values};
use crate::array::Array;
use crate::kernel::UnaryOp;
use crate::kernel::fused::operations::{self, UnaryOperation};
use crate::kernel::fused::{Input, Loop, LoopBody, LoopExpression, PackByPack, Unary};
use crate::kernel::tests::elementwise::for_each_element;
use crate::kernel::tests::oracle::Oracle;
use crate::kernel::tests::unary;
use crate::op::each_unary;
use crate::simd::Baseline;

check_once! {
    check_unary<O: UnaryOperation, E: Oracle>: Unary<O, Input<0, E>>, Unary::new(Input::NEW);
}

fn unary_of<E: Oracle>() {
    macro_rules! functions {
        ($($name:ident: $Op:ident $text:literal, $cost:literal => $Result:ident $kinds:tt)*) => {
            const { &[$((UnaryOp::$Op, only(UnaryOp::$Op.is_defined(E::DTYPE), E::DTYPE, check_unary::<operations::$Op, E>))),*] }
        };
    }
    let functions: &[(UnaryOp, Option<CheckOf>)] = each_unary!(kernels functions!);
    check_functions(functions, &values::<E>());
}

fn check_functions(functions: &[(UnaryOp, Option<CheckOf>)], x: &Array) {
    for (op, check) in functions {
        if let Some(check) = check {
            let expected = unary(*op, x.dtype(), lend(x));
            check(&[x], &expected, op.name());
        }
    }
}

#[test]
fn functions_agree() {
    for_each_element!(unary_of());
}
