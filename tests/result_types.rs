//! The static dtype of every operation's result under JAX's rules, with and without 64-bit dtypes,
//! against what JAX answers. The compiler says whether an operator or method exists for its operands,
//! and of which dtype its result is; the published tables (`data/oracles/`) decide.

use core::marker::PhantomData;
use core::ops;
use std::collections::HashMap;

use supremum::operations::{
    Absolute, AnyAll, Arctangent, Classify, CumulativeSum, Equality, Extremum, ExtremumIndex,
    FloatFunction, Floor, FloorDivide, Join, MatrixMultiply, Mean, Minimum, Ordering, Reciprocal,
    Round, Sign, Sum, Variance,
};
use supremum::rank::Broadcast;
use supremum::{
    AllowUnsafe, AnyRank, BF16, Bool, C64, C128, DType, F8E4M3FN, F8E5M2, F16, F32, F64, I8, I16,
    I32, I64, Jax, JaxX32, Kind, Operand, Promoted, Rank, Rules, SafePromote, StaticDType, Tensor,
    U8, U16, U32, U64, Weak, c128, select,
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

type T<D, R> = Tensor<D, AnyRank, R>;

/// What is asked of operands. Where the bounds of the inherent functions below hold they hide the
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
            [D: StaticDType, R: Rules, M: Operand<'static, R>] [&'static T<D, R>, M]
            where [
                AnyRank: Broadcast<M::Rank>,
                R::Operand<D, AnyRank>: SafePromote<M::DType, <M::Under as Rules>::$table>,
                Promoted<R::Operand<D, AnyRank>, M::DType, <M::Under as Rules>::$table>:
                    $table<<M::Under as Rules>::Operations>
            ] => of(|(lhs, rhs): (&'static T<D, R>, M)| lhs.$method(rhs));
        )*}
    };
}

methods! {
    FloorDivOf: floor_div, FloorDivide;
    Atan2Of: atan2, Arctangent;
    MinimumOf: minimum, Minimum;
    LessOf: lt, Ordering;
    EqualOf: eq_elements, Equality;
}

questions! {
    MatmulOf<L, M>
    [A: StaticDType, B: StaticDType, R: Rules] [&'static T<A, R>, &'static T<B, R>]
    where [
        R::Operand<A, AnyRank>: SafePromote<R::Operand<B, AnyRank>, R::MatrixMultiply>,
        Promoted<R::Operand<A, AnyRank>, R::Operand<B, AnyRank>, R::MatrixMultiply>: MatrixMultiply<R::Operations>
    ]
    => of(|(lhs, rhs): (&'static T<A, R>, &'static T<B, R>)| lhs.matmul(rhs));

    ConcatOf<L, M>
    [A: StaticDType, B: StaticDType, R: Rules] [&'static T<A, R>, &'static T<B, R>]
    where [
        R::Operand<A, AnyRank>: SafePromote<R::Operand<B, AnyRank>, R::Join>,
        Promoted<R::Operand<A, AnyRank>, R::Operand<B, AnyRank>, R::Join>: Join<R::Operations>
    ]
    => of(|(lhs, rhs): (&'static T<A, R>, &'static T<B, R>)| lhs.concat(rhs, 0));

    SelectOf<L, M, R>
    [L: Operand<'static, R>, M: Operand<'static, R>, R: Rules] [L, M, R]
    where [
        AnyRank: Broadcast<L::Rank, Output: Broadcast<M::Rank>>,
        L::DType: SafePromote<M::DType, <L::Under as Rules>::Join>,
        Promoted<L::DType, M::DType, <L::Under as Rules>::Join>: Join<<L::Under as Rules>::Operations>
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
    SqrtOf: sqrt, FloatFunction;
    ExpOf: exp, FloatFunction;
    LnOf: ln, FloatFunction;
    SinOf: sin, FloatFunction;
    TanhOf: tanh, FloatFunction;
    RecipOf: recip, Reciprocal;
    AbsOf: abs, Absolute;
    IsNanOf: is_nan, Classify;
    SumOf: sum, Sum;
    ProdOf: prod, Sum;
    MeanOf: mean, Mean;
    VarOf: var, Variance;
    StdOf: std, Variance;
    MaxOf: max, Extremum;
    ArgmaxOf: argmax, ExtremumIndex;
    AnyOf: any, AnyAll;
    AllOf: all, AnyAll;
}

questions! {
    NegOf<L> [L: ops::Neg<Output: Typed>] [L] => <L::Output as Typed>::cell();
    NotOf<L> [L: ops::Not<Output: Typed>] [L] => <L::Output as Typed>::cell();
    CumsumOf<L> [D: StaticDType + CumulativeSum<R::Operations>, R: Rules] [&'static T<D, R>]
    => of(|x: &'static T<D, R>| x.cumsum(0));
}

/// What the compiler answers, by operation and operands.
type Answers = HashMap<[&'static str; 3], Cell>;

/// Calls a macro with every operand: names and types.
macro_rules! tensors {
    ($callback:ident [$($arguments:tt)*]) => {
        $callback! { [$($arguments)*]
            ("bool" Bool) ("u8" U8) ("u16" U16) ("u32" U32) ("u64" U64) ("i8" I8) ("i16" I16) ("i32" I32) ("i64" I64)
            ("f8e4m3fn" F8E4M3FN) ("f8e5m2" F8E5M2) ("bf16" BF16) ("f16" F16) ("f32" F32) ("f64" F64) ("c64" C64) ("c128" C128)
            ("i32*" Weak<I32>) ("i64*" Weak<I64>) ("f32*" Weak<F32>) ("f64*" Weak<F64>) ("c128*" Weak<C128>)
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

fn answers_of_jax() -> Answers {
    let mut answers = Answers::new();
    tensors!(ask_unary [answers AllowUnsafe<Jax>]);
    tensors!(ask_binary [answers AllowUnsafe<Jax>]);
    answers
}

fn answers_of_jax_x32() -> Answers {
    let mut answers = Answers::new();
    tensors!(ask_unary [answers AllowUnsafe<JaxX32>]);
    tensors!(ask_binary [answers AllowUnsafe<JaxX32>]);
    answers
}

/// Where this library means to differ from JAX.
fn is_intended(operation: &str, operands: &[&str], expected: &str, found: &str) -> bool {
    let is_weak = |operand: &&str| {
        operand.ends_with('*') || *operand == "int" || *operand == "float" || *operand == "complex"
    };
    let is_complex = |operand: &&str| {
        let dtype = operand.trim_end_matches('*').parse::<DType>();
        *operand == "complex" || dtype.is_ok_and(|dtype| dtype.kind() == Kind::Complex)
    };
    match operation {
        "less" | "minimum" | "max" | "argmax" => {
            found == "error" && operands.iter().any(is_complex)
        }
        "matmul" => expected == "error" && operands.iter().any(is_weak),
        // JAX fails to divide two weak arrays, or widens them, where `%` keeps them.
        "floor_divide" => operands.iter().all(is_weak),
        _ => false,
    }
}

fn compare(files: &[(&str, &str)], column: &str, answers: &Answers) {
    let (mut checked, mut refused, mut intended, mut outside) = (0, 0, 0, 0);
    let mut wrong = vec![];
    for (name, text) in files {
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
        let at = header
            .iter()
            .position(|name| *name == column)
            .expect("the column");
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            let operands = if header[1] == "operand" {
                vec![cells[1]]
            } else {
                vec![cells[1], cells[2]]
            };
            let key = [
                cells[0],
                operands[0],
                operands.get(1).copied().unwrap_or(""),
            ];
            let (expected, answer) = (cells[at], answers.get(&key));
            let (Some(answer), false) = (answer, expected.is_empty()) else {
                outside += 1;
                continue;
            };
            let found = answer.as_deref().unwrap_or("error");
            checked += 1;
            refused += usize::from(expected == "error");
            if found != expected {
                if is_intended(cells[0], &operands, expected, found) {
                    intended += 1;
                } else {
                    wrong.push(format!(
                        "{name}: {}({}) is {found}, in JAX {expected}",
                        cells[0],
                        operands.join(", ")
                    ));
                }
            }
        }
    }
    println!(
        "{column}: {checked} cells checked ({refused} of them refused by JAX), {intended} differ as intended; \
         {outside} have no such form here"
    );
    assert!(
        wrong.is_empty(),
        "{} of {checked} cells: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(40)]
    );
}

const UNARY: &[(&str, &str)] = &[
    ("op_unary", include_str!("data/oracles/op_unary.csv")),
    ("op_reduce", include_str!("data/oracles/op_reduce.csv")),
];
const BINARY: &[(&str, &str)] = &[
    ("op_binary", include_str!("data/oracles/op_binary.csv")),
    (
        "op_binary_weak",
        include_str!("data/oracles/op_binary_weak.csv"),
    ),
];

#[test]
fn jax() {
    let answers = answers_of_jax();
    compare(UNARY, "jax_x64", &answers);
    compare(BINARY, "jax_x64", &answers);
}

#[test]
fn jax_without_64_bits() {
    let answers = answers_of_jax_x32();
    compare(UNARY, "jax_x32", &answers);
    compare(BINARY, "jax_x32", &answers);
}
