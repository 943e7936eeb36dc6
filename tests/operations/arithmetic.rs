//! Operators and methods of two operands, judged by the naive oracle for every pair of dtypes that
//! promotes: the compiler itself chooses the pairs that are safe.
#![allow(
    clippy::as_conversions,
    reason = "the oracle's own conversions, of known size"
)]

use crate::naive;
use core::marker::PhantomData;

use crate::exact::{Kind, Tally, Tested};
use crate::naive::{Arith, Op, Typed, convert, each_dtype, edges, same};
use supremum::operations::{
    Arctangent, Bitwise, Divide, Equality, FloorDivide, Minimum, Ordering, Shift, Subtract,
};
use supremum::{
    AllowUnsafe, BF16, Bool, C64, C128, DType, Error, F8E4M3FN, F8E5M2, F16, F32, F64, I8, I16,
    I32, I64, Jax, OperandType, Promoted, Rank1, Rank2, Rules, SafePromote, StaticDType, Tensor,
    U8, U16, U32, U64, Verdict, c128,
};

/// Counts what was checked, and which pairs of dtypes were operands.
#[derive(Default)]
struct Session {
    tally: Tally,
    pairs: Vec<(DType, DType)>,
}

/// Every edge of one dtype with every edge of another, and both converted to a third. (Functions here
/// take as few type parameters as they can: there are hundreds of pairs, each of which is compiled.)
struct Edges<A, B, Out> {
    left: Vec<A>,
    right: Vec<B>,
    converted_left: Vec<Out>,
    converted_right: Vec<Out>,
}

impl<A: Tested, B: Tested, Out: Tested> Edges<A, B, Out> {
    fn new() -> Self {
        let (left, right) = (edges::<A>(), edges::<B>());
        Self {
            converted_left: left.iter().map(|a| convert(*a)).collect(),
            converted_right: right.iter().map(|b| convert(*b)).collect(),
            left,
            right,
        }
    }

    /// Without what is refused: divisors of zero.
    fn retain_divisors(&mut self) {
        let zero = convert::<bool, Out>(false).raw();
        let keep: Vec<bool> = self
            .converted_right
            .iter()
            .map(|b| b.raw() != zero)
            .collect();
        let mut kept = keep.iter().copied();
        self.right.retain(|_| kept.next() == Some(true));
        let mut kept = keep.iter().copied();
        self.converted_right.retain(|_| kept.next() == Some(true));
    }
}

/// Whether the oracle's plain formula for a complex quotient is accurate here.
fn is_moderate<E: Tested>(x: E) -> bool {
    let z: c128 = convert(x);
    let moderate = |x: f64| x == 0.0 || (1e-3..1e3).contains(&x.abs());
    moderate(z.re) && moderate(z.im) && (z.re != 0.0 || z.im != 0.0)
}

fn judge<E: Arith>(tally: &mut Tally, op: Op, form: &str, left: &[E], right: &[E], found: &[E]) {
    assert_eq!(found.len(), left.len() * right.len(), "{form}");
    for (at, found) in found.iter().enumerate() {
        let (x, y) = (left[at / right.len()], right[at % right.len()]);
        let expected = E::apply(op, x, y).expect("no zero divisors");
        let holds = if op == Op::Div && matches!(E::KIND, Kind::Complex(_)) {
            if !is_moderate(x) || !is_moderate(y) {
                continue;
            }
            let (found, expected): (c128, c128) = (convert(*found), convert(expected));
            let tolerance = if size_of::<E>() == 8 { 1e-6 } else { 1e-14 };
            (found - expected).norm() <= tolerance * expected.norm()
        } else {
            same(*found, expected)
        };
        tally.record(holds, || {
            format!("{form}: {op:?} of {x:?} and {y:?} gave {found:?}, expected {expected:?}")
        });
    }
}

fn column<D: StaticDType>(elements: &[D::Element]) -> Tensor<D, Rank2> {
    Tensor::from_slice(elements, [elements.len(), 1]).expect("a column")
}

fn row<D: StaticDType>(elements: &[D::Element]) -> Tensor<D, Rank2> {
    Tensor::from_slice(elements, [1, elements.len()]).expect("a row")
}

/// Each element so many times, or all elements so many times.
fn repeated<D: StaticDType>(elements: &[D::Element], each: usize, all: usize) -> Tensor<D, Rank1> {
    let count = elements.len() * each * all;
    let repeated = (0..count)
        .map(|at| elements[at / each % elements.len()])
        .collect();
    Tensor::from_vec(repeated, [count]).expect("a shape that fits")
}

type Borrowed<'a, A, B, Out> =
    &'a dyn Fn(&Tensor<A, Rank2>, &Tensor<B, Rank2>) -> Tensor<Out, Rank2>;
type Owned<'a, A, B, Out> = &'a dyn Fn(Tensor<A, Rank1>, Tensor<B, Rank1>) -> Tensor<Out, Rank1>;

/// Borrowed operands that broadcast; then owned ones of the full shape, which may be reused.
fn check<A: Typed, B: Typed, Out: Typed>(
    s: &mut Session,
    op: Op,
    borrowed: Borrowed<'_, A, B, Out>,
    owned: Owned<'_, A, B, Out>,
) {
    let mut e = Edges::<A::Element, B::Element, Out::Element>::new();
    if matches!(op, Op::FloorDiv | Op::Rem) && !Out::DTYPE.kind().is_inexact() {
        e.retain_divisors();
    }
    let form = |form: &str| format!("{form} {} and {}", A::DTYPE, B::DTYPE);
    let (a, b) = (column::<A>(&e.left), row::<B>(&e.right));
    let found = borrowed(&a, &b).to_vec();
    judge(
        &mut s.tally,
        op,
        &form("borrowed"),
        &e.converted_left,
        &e.converted_right,
        &found,
    );
    naive::assert_same(&a.to_vec(), &e.left, "the left operand afterwards");
    naive::assert_same(&b.to_vec(), &e.right, "the right operand afterwards");

    let (a, b) = (
        repeated::<A>(&e.left, e.right.len(), 1),
        repeated::<B>(&e.right, 1, e.left.len()),
    );
    let found = owned(a, b).to_vec();
    judge(
        &mut s.tally,
        op,
        &form("owned"),
        &e.converted_left,
        &e.converted_right,
        &found,
    );
}

/// What is checked of a pair of dtypes.
struct Pair<A, B>(PhantomData<(A, B)>);

/// The checks of pairs that do not promote safely, or where the operation is not defined: none.
/// The inherent functions of [`Pair`] hide these where their bounds hold.
trait NotDefined {
    fn plain(_: &mut Session) {}
    fn subtract(_: &mut Session) {}
    fn divide(_: &mut Session) {}
    fn floor_divide(_: &mut Session) {}
    fn bitwise(_: &mut Session) {}
    fn shift(_: &mut Session) {}
    fn order(_: &mut Session) {}
    fn equality(_: &mut Session) {}
    fn admitted(_: &mut Session) {}
    fn admitted_order(_: &mut Session) {}
}
impl<A, B> NotDefined for Pair<A, B> {}

impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: Typed,
{
    fn plain(s: &mut Session) {
        s.pairs.push((A::DTYPE, B::DTYPE));
        check::<A, B, Promoted<A, B>>(s, Op::Add, &|a, b| a + b, &|a, b| a + b);
        check::<A, B, Promoted<A, B>>(s, Op::Mul, &|a, b| a * b, &|a, b| a * b);
    }
}

impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: Subtract<Jax, Output: Typed>,
{
    fn subtract(s: &mut Session) {
        check::<A, B, <Promoted<A, B> as Subtract<Jax>>::Output>(
            s,
            Op::Sub,
            &|a, b| a - b,
            &|a, b| a - b,
        );
    }
}

impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: Divide<Jax, Output: Typed>
        + Arctangent<Jax, Output = <Promoted<A, B> as Divide<Jax>>::Output>,
{
    fn divide(s: &mut Session) {
        check::<A, B, <Promoted<A, B> as Divide<Jax>>::Output>(
            s,
            Op::Div,
            &|a, b| a / b,
            &|a, b| a / b,
        );
        if !matches!(
            <<Promoted<A, B> as Divide<Jax>>::Output as StaticDType>::DTYPE,
            DType::C64 | DType::C128
        ) {
            check::<A, B, <Promoted<A, B> as Divide<Jax>>::Output>(
                s,
                Op::Atan2,
                &|a, b| a.atan2(b),
                &|a, b| a.atan2(b),
            );
        }
    }
}

impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: FloorDivide<Jax, Output: Typed>,
{
    fn floor_divide(s: &mut Session) {
        check::<A, B, <Promoted<A, B> as FloorDivide<Jax>>::Output>(
            s,
            Op::Rem,
            &|a, b| a % b,
            &|a, b| a % b,
        );
        check::<A, B, <Promoted<A, B> as FloorDivide<Jax>>::Output>(
            s,
            Op::FloorDiv,
            &|a, b| a.floor_div(b),
            &|a, b| a.floor_div(b),
        );
        let a = column::<A>(&edges::<A::Element>());
        let b = row::<B>(&edges::<B::Element>());
        let refused = matches!(a.try_rem(&b), Err(Error::DivisionByZero { .. }));
        let has_no_zero = <<Promoted<A, B> as FloorDivide<Jax>>::Output as StaticDType>::DTYPE
            .kind()
            .is_inexact();
        s.tally.record(refused != has_no_zero, || {
            format!("{} % {}: zero divisors", A::DTYPE, B::DTYPE)
        });
    }
}

impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: Bitwise<Jax, Output = Promoted<A, B>> + Typed,
{
    fn bitwise(s: &mut Session) {
        check::<A, B, Promoted<A, B>>(s, Op::And, &|a, b| a & b, &|a, b| a & b);
        check::<A, B, Promoted<A, B>>(s, Op::Or, &|a, b| a | b, &|a, b| a | b);
        check::<A, B, Promoted<A, B>>(s, Op::Xor, &|a, b| a ^ b, &|a, b| a ^ b);
    }
}

impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: Shift<Jax, Output: Typed>,
{
    fn shift(s: &mut Session) {
        check::<A, B, <Promoted<A, B> as Shift<Jax>>::Output>(
            s,
            Op::Shl,
            &|a, b| a << b,
            &|a, b| a << b,
        );
        check::<A, B, <Promoted<A, B> as Shift<Jax>>::Output>(
            s,
            Op::Shr,
            &|a, b| a >> b,
            &|a, b| a >> b,
        );
    }
}

/// Judges a comparison of every edge with every edge.
fn compare<A: Typed, B: Typed, P: Typed>(
    s: &mut Session,
    name: &str,
    found: &[bool],
    expected: &dyn Fn(P::Element, P::Element) -> bool,
) {
    let e = Edges::<A::Element, B::Element, P::Element>::new();
    for (at, found) in found.iter().enumerate() {
        let x = e.converted_left[at / e.right.len()];
        let y = e.converted_right[at % e.right.len()];
        s.tally.record(*found == expected(x, y), || {
            format!(
                "{} {x:?} {name} {} {y:?} in {} is not {found}",
                A::DTYPE,
                B::DTYPE,
                P::DTYPE
            )
        });
    }
}

impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: Ordering<Jax, Output: StaticDType<Element = bool>>
        + Minimum<Jax, Output = Promoted<A, B>>
        + Typed,
{
    fn order(s: &mut Session) {
        check::<A, B, Promoted<A, B>>(s, Op::Min, &|a, b| a.minimum(b), &|a, b| a.minimum(b));
        check::<A, B, Promoted<A, B>>(s, Op::Max, &|a, b| a.maximum(b), &|a, b| a.maximum(b));
        let (a, b) = (
            column::<A>(&edges::<A::Element>()),
            row::<B>(&edges::<B::Element>()),
        );
        compare::<A, B, Promoted<A, B>>(s, "<", &a.lt(&b).to_vec(), &|a, b| Arith::less(a, b));
        compare::<A, B, Promoted<A, B>>(s, "<=", &a.le(&b).to_vec(), &|a, b| {
            Arith::less(a, b) || a == b
        });
        compare::<A, B, Promoted<A, B>>(s, ">", &a.gt(b.clone()).to_vec(), &|a, b| {
            Arith::less(b, a)
        });
        compare::<A, B, Promoted<A, B>>(s, ">=", &a.ge(&b).to_vec(), &|a, b| {
            Arith::less(b, a) || a == b
        });
    }
}

impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: Equality<Jax, Output: StaticDType<Element = bool>> + Typed,
{
    fn equality(s: &mut Session) {
        let (a, b) = (
            column::<A>(&edges::<A::Element>()),
            row::<B>(&edges::<B::Element>()),
        );
        compare::<A, B, Promoted<A, B>>(s, "==", &a.eq_elements(&b).to_vec(), &|a, b| a == b);
        compare::<A, B, Promoted<A, B>>(s, "!=", &a.ne_elements(b).to_vec(), &|a, b| a != b);
    }
}

/// Unsafe promotions too: by wrapping either side, or under rules that admit them.
impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B, AllowUnsafe<Jax>>,
    B: Typed,
    Promoted<A, B, AllowUnsafe<Jax>>: Typed,
{
    fn admitted(s: &mut Session) {
        s.pairs.push((A::DTYPE, B::DTYPE));
        check::<A, B, Promoted<A, B, AllowUnsafe<Jax>>>(
            s,
            Op::Add,
            &|a, b| a.promote_unsafe() + b,
            &|a, b| a + b.promote_unsafe(),
        );
        check::<A, B, Promoted<A, B, AllowUnsafe<Jax>>>(
            s,
            Op::Mul,
            &|a, b| a * b.promote_unsafe(),
            &|a, b| a.promote_unsafe() * b.promote_unsafe(),
        );
        check::<A, B, Promoted<A, B, AllowUnsafe<Jax>>>(
            s,
            Op::Add,
            &|a, b| {
                let sum = a.under::<AllowUnsafe<Jax>>() + b.under::<AllowUnsafe<Jax>>();
                sum.under::<Jax>()
            },
            &|a, b| a.promote_unsafe() + b,
        );
    }
}

impl<A, B> Pair<A, B>
where
    A: Typed + SafePromote<B, AllowUnsafe<Jax>>,
    B: Typed,
    Promoted<A, B, AllowUnsafe<Jax>>: Ordering<Jax, Output: StaticDType<Element = bool>>
        + Minimum<Jax, Output = Promoted<A, B, AllowUnsafe<Jax>>>
        + Typed,
{
    fn admitted_order(s: &mut Session) {
        let (a, b) = (
            column::<A>(&edges::<A::Element>()),
            row::<B>(&edges::<B::Element>()),
        );
        let less = a.lt(b.promote_unsafe());
        compare::<A, B, Promoted<A, B, AllowUnsafe<Jax>>>(s, "<", &less.to_vec(), &|a, b| {
            Arith::less(a, b)
        });
        check::<A, B, Promoted<A, B, AllowUnsafe<Jax>>>(
            s,
            Op::Min,
            &|a, b| a.minimum(b.promote_unsafe()),
            &|a, b| a.minimum(b.promote_unsafe()),
        );
    }
}

/// Runs one check on all ordered pairs of the 17 dtypes.
macro_rules! all_pairs {
    ($check:ident, $session:ident) => { each_dtype!(all_pairs_of [$check $session]) };
}
macro_rules! all_pairs_of {
    ([$check:ident $session:ident] $($dtype:ident)*) => { $(each_dtype!(with_left [$check $session $dtype]);)* };
}
macro_rules! with_left {
    ([$check:ident $session:ident $left:ident] $($right:ident)*) => {
        $(Pair::<$left, $right>::$check(&mut $session);)*
    };
}

/// The pairs of dtypes, as the rule set has them at run time.
fn pairs_of(rules: &supremum::RuleSet) -> Vec<(DType, DType)> {
    let operand = OperandType::dimensioned;
    let all = DType::ALL
        .iter()
        .flat_map(|a| DType::ALL.iter().map(move |b| (*a, *b)));
    all.filter(|(a, b)| match rules.promote(operand(*a), operand(*b)) {
        Ok(promotion) => rules.allows_unsafe() || promotion.verdict == Verdict::Lossless,
        Err(_) => false,
    })
    .collect()
}

#[test]
fn sums_and_products_of_every_safe_pair() {
    let mut s = Session::default();
    all_pairs!(plain, s);
    assert_eq!(
        s.pairs,
        pairs_of(Jax::rule_set()),
        "the compiler's pairs and the rule set's"
    );
    println!("{} pairs of dtypes promote safely", s.pairs.len());
    s.tally.finish("+ and *");
}

#[test]
fn differences_of_every_safe_pair() {
    let mut s = Session::default();
    all_pairs!(subtract, s);
    s.tally.finish("-");
}

#[test]
fn quotients_and_angles_of_every_safe_pair() {
    let mut s = Session::default();
    all_pairs!(divide, s);
    s.tally.finish("/ and atan2");
}

#[test]
fn floor_quotients_and_remainders_of_every_safe_pair() {
    let mut s = Session::default();
    all_pairs!(floor_divide, s);
    s.tally.finish("% and floor_div");
}

#[test]
fn bits_of_every_safe_pair() {
    let mut s = Session::default();
    all_pairs!(bitwise, s);
    all_pairs!(shift, s);
    s.tally.finish("& | ^ << >>");
}

#[test]
fn order_and_equality_of_every_safe_pair() {
    let mut s = Session::default();
    all_pairs!(order, s);
    all_pairs!(equality, s);
    s.tally.finish("comparisons, minimum and maximum");
}

#[test]
fn admitted_promotions_of_every_pair() {
    let mut s = Session::default();
    all_pairs!(admitted, s);
    all_pairs!(admitted_order, s);
    assert_eq!(s.pairs, pairs_of(AllowUnsafe::<Jax>::rule_set()));
    println!(
        "{} pairs of dtypes promote if unsafe promotions are admitted",
        s.pairs.len()
    );
    s.tally.finish("unsafe promotions");
}
