//! The compiler and the run-time tables agree: for every rule set, every pair of operands in every class,
//! with and without unsafe promotions.
//!
//! (The run-time tables are compared with what the systems answer in `conformance.rs`.)
//!
//! Code that is the same for all rule sets finds the cell of a pair and asks whether it has a promotion, and the compiler takes its time
//! for each pair. So pairs are asked under the rule sets that differ in how they come to a cell (`promoted`), or in their verdicts
//! (`accepted`, `admitted`). Of the others the rows are read as a whole (`tabled`).

use std::marker::PhantomData;

use crate::rows::{self, Found, NoRow as _, RowCells, TableRow, promotion};
use supremum::__private::with_markers;
use supremum::*;

/// The compiler's answer for a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    promotion: Found,
    /// `true` if operators accept it, and if they do under `AllowUnsafe`, where that is asked. It follows from the verdict, whatever
    /// the rules are, and the compiler takes its time for each question.
    accepted: Option<bool>,
    admitted: Option<bool>,
}

/// An operand in the type system. (Of unknown rank it is dimensioned at run time.)
const fn operand<D: StaticDType>(class: Class) -> OperandType {
    OperandType {
        dtype: D::DTYPE,
        class,
    }
}

/// Asks for trait impls: the inherent constants exist only where the bounds hold, and come before those of
/// `Missing`.
struct Promotes<Lhs, Rhs, R>(PhantomData<(Lhs, Rhs, R)>);
struct Accepts<Lhs, Rhs, R>(PhantomData<(Lhs, Rhs, R)>);

trait Missing {
    const PROMOTION: Found = None;
    const ACCEPTED: bool = false;
}
impl<Lhs, Rhs, R> Missing for Promotes<Lhs, Rhs, R> {}
impl<Lhs, Rhs, R> Missing for Accepts<Lhs, Rhs, R> {}

impl<Lhs, Rhs, R> Promotes<Lhs, Rhs, R>
where
    Lhs: Promote<Rhs, R, Verdict: StaticVerdict>,
{
    const PROMOTION: Found = promotion::<Lhs::Output, Lhs::Verdict>();
}

impl<Lhs: SafePromote<Rhs, R>, Rhs, R> Accepts<Lhs, Rhs, R> {
    const ACCEPTED: bool = true;
}

/// An operand on the left, and its answers for every one on the right. Answers for pairs are constants: the compiler takes a quarter
/// longer for code that makes them.
type Row = (OperandType, Vec<(OperandType, Answer)>);
type Rows = Vec<Row>;

/// The answers in a row, for right operands of some classes.
fn read_row(cells: RowCells, classes: &[Class]) -> Vec<(OperandType, Answer)> {
    let answer = |promotion| Answer {
        promotion,
        accepted: None,
        admitted: None,
    };
    let classes = classes
        .iter()
        .flat_map(|class| rows::of_class(cells, *class));
    classes.map(|(rhs, found)| (rhs, answer(found))).collect()
}

/// Every operand of these classes with every other.
macro_rules! answers {
    ($rules:ty: $asks:ident $lhs:tt $rhs:tt) => {
        answers!(@rows $asks $rules, $lhs $rhs)
    };
    (@rows $asks:ident $rules:ty, [$($class:ident)*] $classes:tt) => {
        [$(with_markers!(answers @each $asks $rules, $class $classes)),*].concat()
    };
    (@each $asks:ident $rules:ty, $class:ident $classes:tt [$($dtype:ident)*]) => {
        vec![$((class!($class $dtype as operand), answers!(@row $asks $rules, class!($class $dtype), $classes))),*]
    };
    (@row tabled $rules:ty, $lhs:ty, [$($class:ident)*]) => {
        read_row(TableRow::<$lhs, $rules>::CELLS, &[$(Class::$class),*])
    };
    (@row $asks:ident $rules:ty, $lhs:ty, [$($class:ident)*]) => {{
        const ROW: &[&[(OperandType, Answer)]] = &[$(with_markers!(answers @cells $asks $rules, $lhs, $class)),*];
        ROW.concat()
    }};
    (@cells $asks:ident $rules:ty, $lhs:ty, $class:ident [$($dtype:ident)*]) => {
        &[$((class!($class $dtype as operand), Answer {
            promotion: Promotes::<$lhs, class!($class $dtype), $rules>::PROMOTION,
            accepted: accepts!(accepted $asks $lhs, class!($class $dtype), $rules),
            admitted: accepts!(admitted $asks $lhs, class!($class $dtype), AllowUnsafe<$rules>),
        }),)*]
    };
}

macro_rules! accepts {
    (accepted promoted $lhs:ty, $rhs:ty, $rules:ty) => {
        None
    };
    (admitted promoted $lhs:ty, $rhs:ty, $rules:ty) => {
        None
    };
    (admitted accepted $lhs:ty, $rhs:ty, $rules:ty) => {
        None
    };
    ($asked:ident $asks:ident $lhs:ty, $rhs:ty, $rules:ty) => {
        Some(Accepts::<$lhs, $rhs, $rules>::ACCEPTED)
    };
}

macro_rules! class {
    (Dimensioned $dtype:ident) => { $dtype };
    ($class:ident $dtype:ident) => { $class<$dtype> };
    (Unranked $dtype:ident as operand) => { operand::<$dtype>(Class::Dimensioned) };
    ($class:ident $dtype:ident as operand) => { operand::<$dtype>(Class::$class) };
}

/// Compares every pair; gives how many are defined.
fn compare(rules: &RuleSet, rows: &Rows) -> usize {
    let mut defined = 0;
    for (lhs, row) in rows {
        for (rhs, found) in row {
            let promotion = rules.promote(*lhs, *rhs).ok();
            let expected = Answer {
                promotion: promotion.map(|promotion| (promotion.operand(), promotion.verdict)),
                accepted: (found.accepted).map(|_| rules.safe_promote(*lhs, *rhs).is_ok()),
                admitted: (found.admitted)
                    .map(|_| rules.allowing_unsafe().safe_promote(*lhs, *rhs).is_ok()),
            };
            assert_eq!(*found, expected, "{lhs} with {rhs} under {}", rules.name());
            defined += usize::from(promotion.is_some());
        }
    }
    println!(
        "{:22} {:5} pairs, {defined:5} defined",
        rules.name(),
        rows.iter().map(|(_, row)| row.len()).sum::<usize>()
    );
    defined
}

/// A test for each rule set, with the number of defined pairs.
macro_rules! agree {
    ($($test:ident $rules:ty, $asks:ident $lhs:tt with $rhs:tt => $defined:literal;)*) => {
        $(
            #[test]
            fn $test() {
                let rules = <$rules as Rules>::RULE_SET;
                assert_eq!(compare(rules, &answers!($rules: $asks $lhs $rhs)), $defined);
            }
        )*

        /// No built-in rule set is left out.
        #[test]
        fn all_built_in_rules_are_compared() {
            let compared = [$(<$rules as Rules>::NAME),*];
            for rules in RuleSet::builtin() {
                assert!(compared.contains(&rules.name()), "{}", rules.name());
            }
        }
    };
}

// Of rules that are made from others, pairs are asked only for tensors with axes on the left, and the rows of the other operands are read.
agree! {
    jax Jax, admitted [Dimensioned Weak] with [Dimensioned Weak] => 1420;
    jax_x32 JaxX32, tabled [Dimensioned Weak] with [Dimensioned Weak] => 1420;
    jax_strict JaxStrict, accepted [Dimensioned Weak] with [Dimensioned Weak] => 894;
    numpy Numpy, promoted [Dimensioned Weak] with [Dimensioned Weak] => 441;
    numpy_ufunc NumpyUfunc, promoted [Dimensioned] with [Dimensioned Weak] => 460;
    numpy_ufunc_weak NumpyUfunc, tabled [Weak] with [Dimensioned Weak] => 69;
    numpy_arctan2 NumpyArctan2, tabled [Dimensioned Weak] with [Dimensioned Weak] => 529;
    numpy_comparisons ExactIntegers<NumpyUfunc>, promoted [Dimensioned] with [Dimensioned Weak] => 460;
    torch Torch, tabled [Dimensioned ZeroDim Weak] with [Dimensioned ZeroDim Weak] => 1266;
    torch_subtract TorchSubtract, tabled [Dimensioned ZeroDim Weak] with [Dimensioned ZeroDim Weak] => 1065;
    torch_equal TorchEqual, tabled [Dimensioned Weak] with [Dimensioned Weak] => 19;
    tensorflow TensorFlow, tabled [Dimensioned Weak] with [Dimensioned Weak] => 441;
    tensorflow_operators TensorFlowOperators, tabled [Dimensioned Weak] with [Dimensioned Weak] => 427;
    tensorflow_multiply TensorFlowMultiply, promoted [Dimensioned] with [Dimensioned Weak] => 308;
    tensorflow_multiply_weak TensorFlowMultiply, tabled [Weak] with [Dimensioned Weak] => 119;
    tensorflow_legacy TensorFlowLegacy, tabled [Dimensioned Weak] with [Dimensioned Weak] => 109;
    openvino OpenVino, tabled [Dimensioned Weak] with [Dimensioned Weak] => 269;
    openvino_to_i64 OpenVino<I64>, tabled [Dimensioned] with [Dimensioned Weak] => 245;
    openvino_scalar OpenVinoScalar, tabled [Dimensioned ZeroDim Weak] with [Dimensioned ZeroDim Weak] => 984;
    array_api ArrayApi, tabled [Dimensioned Weak] with [Dimensioned Weak] => 125;
    anvil Anvil, tabled [Dimensioned Weak] with [Dimensioned Weak] => 484;
}

/// Which sides of a pair are of unknown rank.
#[derive(Clone, Copy)]
struct Unknown {
    lhs: bool,
    rhs: bool,
}

/// Compares pairs with an operand of unknown rank: they are accepted where they are at every rank, and meet
/// in one dtype.
fn compare_unranked(rules: &RuleSet, rows: &Rows, unknown: Unknown) -> [usize; 2] {
    let [mut same, mut decided] = [0; 2];
    let ranks = |operand: OperandType, unknown: bool| match unknown {
        true => vec![operand, OperandType::zero_dim(operand.dtype)],
        false => vec![operand],
    };
    for (lhs, row) in rows {
        for (rhs, found) in row {
            let promotions: Option<Vec<_>> = ranks(*lhs, unknown.lhs)
                .into_iter()
                .flat_map(|lhs| {
                    ranks(*rhs, unknown.rhs)
                        .into_iter()
                        .map(move |rhs| (lhs, rhs))
                })
                .map(|(lhs, rhs)| rules.promote(lhs, rhs).ok())
                .collect();
            let agreed = promotions.as_ref().is_some_and(|promotions| {
                promotions
                    .iter()
                    .all(|one| one.operand() == promotions[0].operand())
            });
            let expected = promotions.filter(|_| agreed).map(|promotions| {
                let unsafe_somewhere = promotions.iter().any(|one| !one.verdict.is_safe());
                assert_eq!(
                    unsafe_somewhere,
                    !promotions[0].verdict.is_safe(),
                    "{lhs} with {rhs}"
                );
                promotions[0]
            });
            let answer = Answer {
                promotion: expected.map(|one| (one.operand(), one.verdict)),
                accepted: (found.accepted)
                    .map(|_| expected.is_some_and(|one| one.verdict.is_safe())),
                admitted: found.admitted.map(|_| expected.is_some()),
            };
            assert_eq!(*found, answer, "{lhs} with {rhs} under {}", rules.name());
            same += usize::from(agreed);
            decided += usize::from(!agreed);
        }
    }
    [same, decided]
}

macro_rules! agree_without_ranks {
    ($($test:ident $rules:ty, $asks:ident => $same:literal and $decided:literal;)*) => {$(
        #[test]
        fn $test() {
            let rules = <$rules as Rules>::RULE_SET;
            let mut total = [0; 2];
            let mut add = |rows, unknown| {
                let [same, decided] = compare_unranked(rules, &rows, unknown);
                total = [total[0] + same, total[1] + decided];
            };
            add(
                answers!(@rows $asks $rules, [Unranked] [Dimensioned ZeroDim Weak]),
                Unknown { lhs: true, rhs: false },
            );
            add(
                answers!(@rows $asks $rules, [Dimensioned ZeroDim Weak] [Unranked]),
                Unknown { lhs: false, rhs: true },
            );
            add(answers!(@rows $asks $rules, [Unranked] [Unranked]), Unknown { lhs: true, rhs: true });
            println!("{:22} {} pairs the same at every rank, {} not", rules.name(), total[0], total[1]);
            assert_eq!(total, [$same, $decided]);
        }
    )*};
}

agree_without_ranks! {
    torch_without_ranks Torch, admitted => 869 and 1931;
    openvino_scalar_without_ranks OpenVinoScalar, promoted => 859 and 1941;
}
