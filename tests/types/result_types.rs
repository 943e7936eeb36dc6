//! The static dtype of every operation's result: the compiler says whether an operator or method exists for
//! its operands, and of which dtype its result is; the run-time tables have to say the same. (Those are
//! compared with what the systems answer in `conformance.rs`.)

use core::marker::PhantomData;
use core::ops;
use std::collections::HashMap;

use crate::common::{all_operands, group, literal_kind};
use supremum::operations::{
    Absolute, AnyAll, ArgMinMax, Atan2, CumulativeSum, Equality, FloatClass, Floor, FloorDivide,
    Join, MatrixMultiply, Mean, MinMax, MinMaxReduce, Ordering, Power, Reciprocal, Round, Sign,
    Sum, UnaryFloat, Variance,
};
use supremum::rank::Broadcast;
use supremum::results::Joining;
use supremum::{
    AllowUnsafe, BF16, Bool, C64, F16, I32, I64, Jax, Numpy, Operand, OperandType, Operation,
    Promoted, Rank, Rank1, RuleSet, Rules, SafePromote, StaticDType, Tensor, TensorFlow, Torch,
    U64, Weak, c128, select,
};

/// The dtype of a result, `None` where the compiler finds no such operation.
type Cell = Option<String>;

/// Reads the dtype of a type.
trait Typed {
    fn cell() -> Cell;
}
impl<D: StaticDType, N: Rank, R: Rules> Typed for Tensor<D, N, R> {
    fn cell() -> Cell {
        Some(format!("{}{}", D::DTYPE, if D::WEAK { "*" } else { "" }))
    }
}

/// The dtype of what a function would return; it is not called.
fn of<Arguments, Out: Typed>(_: impl FnOnce(Arguments) -> Out) -> Cell {
    Out::cell()
}

type T<D, R> = Tensor<D, Rank1, R>;

/// A question about operands. Where the bounds of the inherent functions below hold they hide the
/// answers of this trait.
trait Missing {
    fn answer() -> Cell {
        None
    }
}

/// A kind of operation on its operands.
macro_rules! questions {
    ($($question:ident<$($parameter:ident),+> $([$($generics:tt)*] [$($self:ty),+] $(where [$($bound:tt)+])?)? => $body:expr;)*) => {$(
        struct $question<$($parameter),+>(PhantomData<($($parameter,)+)>);
        impl<$($parameter),+> Missing for $question<$($parameter),+> {}
        $(impl<$($generics)*> $question<$($self),+> $(where $($bound)+)? {
            fn answer() -> Cell {
                $body
            }
        })?
    )*};
}

macro_rules! operators {
    ($($question:ident: $operator:ident;)*) => {
        questions! {$(
            $question<L, M> [L: ops::$operator<M, Output: Typed>, M] [L, M] => <L::Output as Typed>::cell();
        )*}
    };
}

operators! {
    AddOf: Add;
    SubOf: Sub;
    MulOf: Mul;
    DivOf: Div;
    RemOf: Rem;
    AndOf: BitAnd;
    ShlOf: Shl;
}

/// Methods of a tensor and an operand, with the table that they follow.
macro_rules! methods {
    ($($question:ident: $method:ident, $table:ident;)*) => {
        questions! {$(
            $question<L, M>
            [D: StaticDType, R: Rules, M: Operand<R>] [&'static T<D, R>, M]
            where [
                Rank1: Broadcast<M::Rank>,
                R::Operand<D, Rank1>: SafePromote<M::DType, <M::Under as Rules>::$table>,
                Promoted<R::Operand<D, Rank1>, M::DType, <M::Under as Rules>::$table>:
                    $table<<M::Under as Rules>::Operations>
            ] => of(|(lhs, rhs): (&'static T<D, R>, M)| lhs.$method(rhs));
        )*}
    };
}

methods! {
    FloorDivOf: floor_div, FloorDivide;
    Atan2Of: atan2, Atan2;
    MinimumOf: minimum, MinMax;
    LessOf: lt, Ordering;
    PowOf: pow, Power;
    EqualOf: equal, Equality;
}

questions! {
    MatmulOf<L, M>
    [A: StaticDType, B: StaticDType, R: Rules] [&'static T<A, R>, &'static T<B, R>]
    where [
        R::Operand<A, Rank1>: SafePromote<R::Operand<B, Rank1>, R::MatrixMultiply>,
        Promoted<R::Operand<A, Rank1>, R::Operand<B, Rank1>, R::MatrixMultiply>: MatrixMultiply<R::Operations>
    ]
    => of(|(lhs, rhs): (&'static T<A, R>, &'static T<B, R>)| lhs.matmul(rhs));

    ConcatOf<L, M>
    [A: StaticDType, B: StaticDType, R: Rules] [&'static T<A, R>, &'static T<B, R>]
    where [
        R::Operand<A, Rank1>: SafePromote<R::Operand<B, Rank1>, R::Join>,
        Promoted<R::Operand<A, Rank1>, R::Operand<B, Rank1>, R::Join>: Join<R::Operations>
    ]
    => of(|(lhs, rhs): (&'static T<A, R>, &'static T<B, R>)| lhs.concat(rhs, 0));

    SelectOf<L, M, R>
    [L: Operand<R>, M: Operand<R>, R: Rules] [L, M, R]
    where [
        Rank1: Broadcast<L::Rank, Output: Broadcast<M::Rank>>,
        L::DType: SafePromote<M::DType, Joining<R, L, M>>,
        Promoted<L::DType, M::DType, Joining<R, L, M>>: Join<R::Operations>
    ] => of(|(condition, lhs, rhs): (&'static T<Bool, R>, L, M)| select(condition, lhs, rhs));
}

macro_rules! functions {
    ($($question:ident: $method:ident, $table:ident;)*) => {
        questions! {$(
            $question<L> [D: StaticDType + $table<R::Operations>, R: Rules] [&'static T<D, R>]
            => of(|x: &'static T<D, R>| x.$method());
        )*}
    };
}

functions! {
    SignOf: sign, Sign;
    RoundOf: round, Round;
    FloorOf: floor, Floor;
    SqrtOf: sqrt, UnaryFloat;
    ExpOf: exp, UnaryFloat;
    LnOf: ln, UnaryFloat;
    SinOf: sin, UnaryFloat;
    TanhOf: tanh, UnaryFloat;
    RecipOf: recip, Reciprocal;
    AbsOf: abs, Absolute;
    IsNanOf: is_nan, FloatClass;
    SumOf: sum, Sum;
    ProdOf: prod, Sum;
    MeanOf: mean, Mean;
    VarOf: var, Variance;
    StdOf: std, Variance;
    MaxOf: max, MinMaxReduce;
    ArgmaxOf: argmax, ArgMinMax;
    AnyOf: any, AnyAll;
    AllOf: all, AnyAll;
}

questions! {
    NegOf<L> [L: ops::Neg<Output: Typed>] [L] => <L::Output as Typed>::cell();
    NotOf<L> [L: ops::Not<Output: Typed>] [L] => <L::Output as Typed>::cell();
    CumsumOf<L> [D: StaticDType + CumulativeSum<R::Operations>, R: Rules] [&'static T<D, R>]
    => of(|x: &'static T<D, R>| x.cumsum(0));
}

/// The compiler's answers, by operation and operands.
type Answers = HashMap<[&'static str; 3], Cell>;

/// Calls a macro with the operands: names and types. They are not all dtypes, because the compiler takes its time for each pair:
/// that the traits behind operations give what the run-time tables say is tested for all of them in `rules_static.rs` and
/// `rules_operations_static.rs`. Here it is the operations that are asked which of those traits they follow, and
/// [`the_operands_tell_groups_apart`] shows that these operands suffice.
macro_rules! tensors {
    ($callback:ident [$($arguments:tt)*]) => {
        $callback! { [$($arguments)*]
            ("bool" Bool) ("u64" U64) ("i32" I32) ("bf16" BF16) ("f16" F16) ("c64" C64) ("i64*" Weak<I64>)
        }
    };
}

macro_rules! ask_unary {
    ([$answers:ident $rules:ty] $(($name:literal $dtype:ty))*) => {$({
        fn ask(answers: &mut Answers) {
            type L = &'static T<$dtype, $rules>;
            let mut add = |operation, cell| answers.insert([operation, $name, ""], cell);
            add("neg", NegOf::<L>::answer());
            add("invert", NotOf::<L>::answer());
            add("sign", SignOf::<L>::answer());
            add("round", RoundOf::<L>::answer());
            add("floor", FloorOf::<L>::answer());
            add("sqrt", SqrtOf::<L>::answer());
            add("exp", ExpOf::<L>::answer());
            add("log", LnOf::<L>::answer());
            add("sin", SinOf::<L>::answer());
            add("tanh", TanhOf::<L>::answer());
            add("reciprocal", RecipOf::<L>::answer());
            add("abs", AbsOf::<L>::answer());
            add("isnan", IsNanOf::<L>::answer());
            add("sum", SumOf::<L>::answer());
            add("prod", ProdOf::<L>::answer());
            add("mean", MeanOf::<L>::answer());
            add("var", VarOf::<L>::answer());
            add("std", StdOf::<L>::answer());
            add("max", MaxOf::<L>::answer());
            add("argmax", ArgmaxOf::<L>::answer());
            add("any", AnyOf::<L>::answer());
            add("all", AllOf::<L>::answer());
            add("cumsum", CumsumOf::<L>::answer());
        }
        ask(&mut $answers);
    })*};
}

/// Asks the questions that operators and `select` have for two operands of given types.
macro_rules! ask_operators {
    ($answers:ident $rules:ty, $left:literal $L:ty, $right:literal $M:ty) => {{
        let mut add = |operation, cell| $answers.insert([operation, $left, $right], cell);
        add("add", AddOf::<$L, $M>::answer());
        add("subtract", SubOf::<$L, $M>::answer());
        add("multiply", MulOf::<$L, $M>::answer());
        add("true_divide", DivOf::<$L, $M>::answer());
        add("remainder", RemOf::<$L, $M>::answer());
        add("bitwise_and", AndOf::<$L, $M>::answer());
        add("left_shift", ShlOf::<$L, $M>::answer());
        add("where", SelectOf::<$L, $M, $rules>::answer());
    }};
}

macro_rules! ask_methods {
    ($answers:ident $rules:ty, $left:literal $L:ty, $right:literal $M:ty) => {{
        let mut add = |operation, cell| $answers.insert([operation, $left, $right], cell);
        add("floor_divide", FloorDivOf::<$L, $M>::answer());
        add("arctan2", Atan2Of::<$L, $M>::answer());
        add("minimum", MinimumOf::<$L, $M>::answer());
        add("less", LessOf::<$L, $M>::answer());
        add("power", PowOf::<$L, $M>::answer());
        add("equal", EqualOf::<$L, $M>::answer());
    }};
}

macro_rules! ask_binary {
    ([$answers:ident $rules:ty] $($operand:tt)*) => {
        $(tensors!(ask_row [$answers $rules, $operand]);)*
    };
}

macro_rules! ask_row {
    ([$answers:ident $rules:ty, ($left:literal $a:ty)] $(($right:literal $b:ty))*) => {{
        fn ask(answers: &mut Answers) {
            type L = &'static T<$a, $rules>;
            $(
                ask_operators!(answers $rules, $left L, $right &'static T<$b, $rules>);
                ask_methods!(answers $rules, $left L, $right &'static T<$b, $rules>);
                answers.insert(["matmul", $left, $right], MatmulOf::<L, &'static T<$b, $rules>>::answer());
                answers.insert(["concatenate", $left, $right], ConcatOf::<L, &'static T<$b, $rules>>::answer());
            )*
            ask_literals!(answers $rules, $left L, "pybool" bool);
            ask_literals!(answers $rules, $left L, "int" i64);
            ask_literals!(answers $rules, $left L, "float" f64);
            ask_literals!(answers $rules, $left L, "complex" c128);
        }
        ask(&mut $answers);
    }};
}

macro_rules! ask_literals {
    ($answers:ident $rules:ty, $tensor:literal $L:ty, $literal:literal $M:ty) => {
        ask_operators!($answers $rules, $tensor $L, $literal $M);
        ask_methods!($answers $rules, $tensor $L, $literal $M);
        ask_operators!($answers $rules, $literal $M, $tensor $L);
    };
}

/// An operand by its name.
fn operand(name: &str, rules: &RuleSet) -> OperandType {
    if let Some(kind) = literal_kind(name) {
        return rules.literal(kind);
    }
    let dtype = name.trim_end_matches('*').parse().expect("a dtype");
    if name.ends_with('*') {
        OperandType::weak(dtype)
    } else {
        OperandType::dimensioned(dtype)
    }
}

/// Compares all answers with the run-time tables of the rules.
fn compare(rules: &RuleSet, answers: &Answers) {
    let mut undefined = 0;
    for ([operation, lhs, rhs], found) in answers {
        let group = group(operation).expect("a group");
        let lhs_type = operand(lhs, rules);
        let expected = if rhs.is_empty() {
            rules.operation(group, lhs_type).ok()
        } else {
            let promotion = rules.binary(group, lhs_type, operand(rhs, rules));
            promotion.ok().map(|promotion| promotion.operand())
        };
        undefined += usize::from(expected.is_none());
        let expected = expected.map(|operand| operand.to_string());
        assert_eq!(
            *found,
            expected,
            "{operation}({lhs}, {rhs}) under {}",
            rules.name()
        );
    }
    println!(
        "{:12} {} operations on operands, {undefined} of them undefined",
        rules.name(),
        answers.len()
    );
    let [unary, binary] = [23 * 7, 16 * 7 * 7 + 7 * 4 * (14 + 8)];
    assert!([unary, unary + binary].contains(&answers.len()));
}

macro_rules! agree {
    ($($test:ident $rules:ty: $($ask:ident)*;)*) => {
        $(
            #[test]
            fn $test() {
                let mut answers = Answers::new();
                $(tensors!($ask [answers $rules]);)*
                compare(<$rules as Rules>::RULE_SET, &answers);
            }
        )*

        /// The rule sets, and what is asked of each.
        const ASKED: &[(&RuleSet, &[&str])] = &[$((<$rules as Rules>::RULE_SET, &[$(stringify!($ask)),*])),*];
    };
}

agree! {
    jax AllowUnsafe<Jax>: ask_unary;
    numpy AllowUnsafe<Numpy>: ask_unary ask_binary;
    torch AllowUnsafe<Torch>: ask_unary ask_binary;
    tensorflow AllowUnsafe<TensorFlow>: ask_unary;
}

/// Operations follow the tables of their group, whatever the rules are. If two groups give different dtypes for any operands under
/// any rule set, they do for some of the operands above under one of the rule sets above: an operation that followed another group's
/// tables would be found out.
#[test]
fn the_operands_tell_groups_apart() {
    macro_rules! names {
        ([] $(($name:literal $dtype:ty))*) => { [$($name),*] };
    }
    let asked: Vec<String> = tensors!(names []).map(str::to_owned).to_vec();
    let all: Vec<String> = all_operands().map(|operand| operand.to_string()).collect();
    let admitting = RuleSet::builtin()
        .iter()
        .map(|rules| rules.allowing_unsafe());
    let admitting: Vec<RuleSet> = admitting.collect();
    let every_rule_set: Vec<&RuleSet> = admitting.iter().collect();
    // The results of a group, for every operand and every rule set.
    let answers = |group: Operation, names: &[String], rules: &[&RuleSet]| {
        let mut answers = Vec::new();
        for rules in rules {
            for lhs in names {
                let lhs = operand(lhs, rules);
                if !BINARY.contains(&group) {
                    answers.push(rules.operation(group, lhs).ok());
                    continue;
                }
                for rhs in names.iter().map(String::as_str).chain(LITERALS) {
                    let promotion = rules.binary(group, lhs, operand(rhs, rules));
                    answers.push(promotion.ok().map(|promotion| promotion.operand()));
                }
            }
        }
        answers
    };
    let groups: Vec<_> = Operation::ALL
        .iter()
        .map(|group| {
            let everywhere = answers(*group, &all, &every_rule_set);
            let ask = match BINARY.contains(group) {
                true => "ask_binary",
                false => "ask_unary",
            };
            let rules = ASKED.iter().filter(|(_, asked)| asked.contains(&ask));
            let rules: Vec<_> = rules.map(|(rules, _)| *rules).collect();
            (group, everywhere, answers(*group, &asked, &rules))
        })
        .collect();
    let (mut apart, mut alike) = (0, Vec::new());
    for (at, (one, everywhere, here)) in groups.iter().enumerate() {
        for (other, other_everywhere, other_here) in &groups[..at] {
            if BINARY.contains(one) == BINARY.contains(other) && everywhere != other_everywhere {
                apart += 1;
                if here == other_here {
                    alike.push([one, other]);
                }
            }
        }
    }
    println!("{apart} pairs of groups differ");
    assert!(alike.is_empty(), "{alike:?}");
    assert!(apart > 100, "{apart}");
}

const LITERALS: [&str; 4] = ["pybool", "int", "float", "complex"];

/// The groups of two operands.
const BINARY: [Operation; 14] = {
    use Operation::*;
    [
        Add,
        Subtract,
        Multiply,
        Divide,
        FloorDivide,
        Power,
        Atan2,
        MinMax,
        Bitwise,
        Shift,
        Equality,
        Ordering,
        Join,
        MatrixMultiply,
    ]
};
