//! The operation traits say what the run-time tables say, for every operation and operand.

use std::marker::PhantomData;

use supremum::__private::with_markers;
use supremum::*;

/// The operand type of a static dtype.
const fn operand_type<D: StaticDType>() -> OperandType {
    if D::WEAK {
        OperandType::weak(D::DTYPE)
    } else {
        OperandType::dimensioned(D::DTYPE)
    }
}

/// The result of a trait, if it is implemented: the inherent constant exists only then, and comes before
/// the trait's.
struct Probe<Operation, D, R>(PhantomData<(Operation, D, R)>);

trait Undefined {
    const RESULT: Option<OperandType> = None;
}
impl<Operation, D, R> Undefined for Probe<Operation, D, R> {}

/// Counts the results of one operation that differ or agree.
fn compare(operation: Operation, rules: &RuleSet, results: &[(OperandType, Option<OperandType>)]) {
    assert_eq!(results.len(), 2 * DType::ALL.len());
    for (operand, result) in results {
        let found = rules.operation(operation, *operand).ok();
        assert_eq!(found, *result, "{} of {operand}", operation.name());
    }
}

macro_rules! compare_all {
    ($($operation:ident)*) => {
        $(
            struct $operation;
            impl<D: operations::$operation<R>, R> Probe<$operation, D, R> {
                const RESULT: Option<OperandType> = Some(operand_type::<D::Output>());
            }
        )*

        fn compare_all() {
            let operations = [$(Operation::$operation),*];
            assert_eq!(operations, Operation::ALL);
            $(with_markers! { compare_on $operation })*
        }
    };
}

macro_rules! compare_on {
    ($operation:ident [$($marker:ident)*]) => {
        compare_on! { @each [Jax JaxX32 Numpy Torch TensorFlow OpenVino ArrayApi Anvil] $operation [$($marker)*] }
    };
    (@each [$($rules:ident)*] $operation:ident $markers:tt) => {
        $(compare_on! { @one $rules $operation $markers })*
    };
    (@one $rules:ident $operation:ident [$($marker:ident)*]) => {
        // A constant, so that no code is compiled that makes it.
        compare(Operation::$operation, <$rules as Rules>::RULE_SET, const { &[
            $((operand_type::<$marker>(), Probe::<$operation, $marker, $rules>::RESULT),)*
            $((operand_type::<Weak<$marker>>(), Probe::<$operation, Weak<$marker>, $rules>::RESULT),)*
        ] });
    };
}

compare_all! {
    Add Subtract Multiply Divide FloorDivide Power Atan2 MinMax Bitwise Shift Equality Ordering Join
    MatrixMultiply Negate Sign Round Floor Invert UnaryFloat Activation Reciprocal Absolute FloatClass
    Sum CumulativeSum Mean Variance MinMaxReduce ArgMinMax AnyAll
}

#[test]
fn every_operation_on_every_operand() {
    compare_all();
}

#[test]
fn strict_rules_follow_the_operations_of_jax() {
    static_assertions::assert_type_eq_all!(<JaxStrict as Rules>::Operations, Jax);
}
