//! Typed tensors and `fuse!`: a fixed list of dtypes and expressions, so that they compile in little time. (That every
//! operation gives the same typed, fused and dynamic, is shown in `paths.rs`.)

use supremum::{
    AllowUnsafe, AnyRank, BF16, C64, DType, DynTensor, Error, F8E4M3FN, F16, F32, F64, I8, I32,
    I64, Jax, Kind, RuleSet, Rules, StaticDType, Tensor, Torch, U8, fuse, try_fuse,
};

use crate::element::{Element, Values};
use crate::episode::{Entry, Episode, compare, described};
use crate::naive::Op;
use crate::operations::{
    Answer, Binary, Compare, Expected, Judge, Reduce, Refusal, Unary, binary, reduce, select, unary,
};
use crate::reference::Reference;

/// The rules of dynamic tensors. Which pairs they define, and what they make of them, differs.
pub(crate) const RULES: [&RuleSet; 3] = [
    AllowUnsafe::<Jax>::RULE_SET,
    Jax::RULE_SET,
    AllowUnsafe::<Torch>::RULE_SET,
];

/// The rules of typed tensors.
type R = AllowUnsafe<Jax>;
const STATIC: &RuleSet = R::RULE_SET;

type T<D> = Tensor<D, AnyRank, R>;

fn typed<D: StaticDType>(entry: &Entry) -> T<D> {
    entry.tensor.typed().expect("a tensor of that dtype")
}

/// Results of one operation, by a way of writing it.
type Ways = Vec<(&'static str, Binary, Result<DynTensor, Error>)>;

macro_rules! pairs {
    ($($name:ident: $a:ident $b:ident $([$assign:tt])?;)*) => {
        $(fn $name(a: &Entry, b: &Entry) -> Ways {
            use Binary::{Arithmetic, Compare as By};
            let (x, y) = (typed::<$a>(a), typed::<$b>(b));
            #[allow(unused_mut, reason = "assigning operators ask for operands of one dtype")]
            let mut ways = vec![
                ("try_add", Arithmetic(Op::Add), x.try_add(&y).map(Tensor::into_dyn)),
                ("try_sub", Arithmetic(Op::Sub), x.try_sub(&y).map(Tensor::into_dyn)),
                ("try_mul", Arithmetic(Op::Mul), x.try_mul(&y).map(Tensor::into_dyn)),
                ("try_div", Arithmetic(Op::Div), x.try_div(&y).map(Tensor::into_dyn)),
                ("try_equal", By(Compare::Eq), x.try_equal(&y).map(Tensor::into_dyn)),
            ];
            $(
                assert_eq!(stringify!($assign), "assigns");
                if crate::naive::broadcast(a.shape(), b.shape()).as_deref() == Some(a.shape()) {
                    let mut shared = x.clone();
                    shared *= &y;
                    ways.push(("shared *=", Arithmetic(Op::Mul), Ok(shared.into_dyn())));
                    let alone = Entry::new(a.reference.clone(), STATIC);
                    let mut alone: T<$a> = typed::<$a>(&alone);
                    alone += &y;
                    ways.push(("+=", Arithmetic(Op::Add), Ok(alone.into_dyn())));
                    ways.push(("owned +", Arithmetic(Op::Add), Ok((x.clone() + y.clone()).into_dyn())));
                }
            )?
            ways
        })*

        const PAIRS: &[(DType, DType, fn(&Entry, &Entry) -> Ways)] = &[$((DType::$a, DType::$b, $name)),*];
    };
}

pairs! {
    f32_f32: F32 F32 [assigns];
    bf16_f32: BF16 F32;
    f16_f16: F16 F16 [assigns];
    i32_f32: I32 F32;
    u8_i8: U8 I8;
    i64_i64: I64 I64 [assigns];
    c64_f32: C64 F32;
    f64_i32: F64 I32 [assigns];
}

/// One of the pairs, all its ways.
pub(crate) fn typed_step(episode: &mut Episode) {
    let (a, b, run) = PAIRS[episode.rng.usize(..PAIRS.len())];
    let shape = episode.shape();
    let a = episode.fresh(a, &shape);
    let shape = episode.fitting(&shape);
    let b = episode.fresh(b, &shape);
    let described = format!("of {} and {}", described(&a), described(&b));
    for (way, op, found) in run(&a, &b) {
        episode.what = format!("typed {way} {described}");
        let expected = binary(op, STATIC, &a.reference, &b.reference);
        keep(episode, found, expected);
    }
}

fn keep(episode: &mut Episode, found: Result<DynTensor, Error>, expected: Answer) {
    if let Some(mut entry) = compare(found, expected) {
        entry.tensor = entry.tensor.with_rules(episode.rules);
        episode.keep(entry);
    }
}

/// The results of an expression as tensors and by the reference.
type Both = (Result<DynTensor, Error>, Answer);

/// An operand of the reference that is computed.
type Value = Result<Reference, Refusal>;

fn op(op: Op, a: &Value, b: &Value) -> Value {
    let [a, b] = [a, b].map(|x| x.as_ref().map_err(|refusal| *refusal));
    Ok(binary(Binary::Arithmetic(op), STATIC, a?, b?)?.value)
}

fn add(a: &Value, b: &Value) -> Value {
    op(Op::Add, a, b)
}

fn mul(a: &Value, b: &Value) -> Value {
    op(Op::Mul, a, b)
}

fn literal(kind: Kind, value: f64) -> Value {
    let operand = STATIC.literal(kind);
    let element = Element::of(operand.dtype).from_f64(value);
    Ok(Reference::new(operand.dtype, &[], &[element]).with_operand(operand))
}

fn float(value: f64) -> Value {
    literal(Kind::Float, value)
}

fn int(value: f64) -> Value {
    literal(Kind::Signed, value)
}

fn exact(value: Value) -> Answer {
    let judge = Judge::Exact;
    Ok(Expected {
        value: value?,
        judge,
    })
}

fn compared(by: Compare, a: &Value, b: &Value) -> Value {
    let [a, b] = [a, b].map(|x| x.as_ref().map_err(|refusal| *refusal));
    Ok(binary(Binary::Compare(by), STATIC, a?, b?)?.value)
}

macro_rules! expressions {
    ($($name:ident($a:ident: $da:ident, $b:ident: $db:ident, $c:ident: $dc:ident) $fused:expr => $expected:expr;)*) => {
        $(fn $name([a, b, c]: &[Entry; 3]) -> Both {
            let ($a, $b, $c) = (&typed::<$da>(a), &typed::<$db>(b), &typed::<$dc>(c));
            let found = $fused.map(Tensor::into_dyn);
            let [$a, $b, $c] = &[a, b, c].map(|entry| Ok(entry.reference.clone()));
            let _ = ($a, $b, $c);
            (found, $expected)
        })*

        type Fused = ([DType; 3], fn(&[Entry; 3]) -> Both, &'static str);
        const EXPRESSIONS: &[Fused] = &[
            $(([DType::$da, DType::$db, DType::$dc], $name, stringify!($fused))),*
        ];
    };
}

expressions! {
    product_and_sum(a: F32, b: F32, c: F32) try_fuse!(a * b + c) => exact(add(&mul(a, b), c));
    mixed(a: BF16, b: F32, c: BF16) try_fuse!(a * b - 0.5 + c)
        => exact(add(&op(Op::Sub, &mul(a, b), &float(0.5)), c));
    rounds_each(a: F16, b: F16, c: F16) try_fuse!((a * b + c) * a)
        => exact(mul(&add(&mul(a, b), c), a));
    quotient(a: F64, b: F64, c: F64) try_fuse!(let t = a - b; t / (c * c + 1.0))
        => exact(op(Op::Div, &op(Op::Sub, a, b), &add(&mul(c, c), &float(1.0))));
    widened(a: I32, b: I8, c: U8) try_fuse!((a + b) * c & 127)
        => exact(op(Op::And, &mul(&add(a, b), c), &int(127.0)));
    chosen(a: I64, b: I64, c: I64) try_fuse!(if a > b { a } else { b - c })
        => match (compared(Compare::Gt, a, b), op(Op::Sub, b, c)) {
            (Ok(condition), Ok(otherwise)) => {
                select(STATIC, &condition, a.as_ref().expect("an operand"), &otherwise)
            }
            (Err(refusal), _) | (_, Err(refusal)) => Err(refusal),
        };
    divided(a: I32, b: I32, c: I32) try_fuse!(a.floor_div(b) + c)
        => exact(add(&op(Op::FloorDiv, a, b), c));
    complex(a: C64, b: C64, c: F32) try_fuse!(a * b + c) => exact(add(&mul(a, b), c));
    tiny(a: F8E4M3FN, b: F8E4M3FN, c: F8E4M3FN) try_fuse!(a.maximum(b) * 0.5 + c)
        => exact(add(&mul(&op(Op::Max, a, b), &float(0.5)), c));
    summed(a: F32, b: F32, c: F32) try_fuse!((a * b + c).sum()) => {
        let value = add(&mul(a, b), c);
        value.and_then(|value| {
            let axes: Vec<usize> = (0..value.shape.len()).collect();
            reduce(Reduce::Sum, STATIC, &value, &axes, false)
        })
    };
    rows_of_maxima(a: BF16, b: I8, c: BF16) try_fuse!((a * b - c).max_keepdims(-1)) => {
        let value = op(Op::Sub, &mul(a, b), c);
        value.and_then(|value| match value.shape.len() {
            0 => Err(Refusal::Values),
            rank => reduce(Reduce::Max, STATIC, &value, &[rank - 1], true),
        })
    };
    clipped(a: F32, b: F32, c: BF16) try_fuse!((-a).clamp(-1.5, b) * c) => {
        let negated = a.as_ref().map(|a| unary(Unary::Neg, STATIC, a));
        let negated = negated.expect("an operand").map(|expected| expected.value);
        exact(mul(&op(Op::Min, &op(Op::Max, &negated, &float(-1.5)), b), c))
    };
    functions(a: F32, b: F32, c: F32) try_fuse!((a * b).exp() * c) => {
        // The eager operations are judged elsewhere; here are the same bits.
        let eager = eager_exp_product(a, b, c);
        eager.map(|value| Expected { value, judge: Judge::Exact })
    };
}

/// `(a * b).exp() * c`, one operation after the other.
fn eager_exp_product(a: &Value, b: &Value, c: &Value) -> Value {
    let [a, b, c] = [a, b, c].map(|x| {
        let reference = x.clone().expect("an operand");
        Entry::new(reference, STATIC).tensor
    });
    let product = a.try_mul(&b).and_then(|product| product.exp());
    let product = product.and_then(|product| product.try_mul(&c));
    product
        .map(|found| Reference::of(&found))
        .map_err(|_| Refusal::Values)
}

/// One of the expressions, or one that writes into an output.
pub(crate) fn fused_step(episode: &mut Episode) {
    let shape = episode.shape();
    if episode.rng.u8(..4) == 0 {
        return into_output(episode, &shape);
    }
    let (dtypes, run, text) = EXPRESSIONS[episode.rng.usize(..EXPRESSIONS.len())];
    let alike = episode.rng.bool();
    let entries = dtypes.map(|dtype| {
        let shape = if alike {
            shape.clone()
        } else {
            episode.fitting(&shape)
        };
        episode.fresh(dtype, &shape)
    });
    episode.what = format!("{text} of {:?}", entries.each_ref().map(described));
    let (found, expected) = run(&entries);
    keep(episode, found, expected);
}

/// `out += a * b`, where others share the output's memory.
fn into_output(episode: &mut Episode, shape: &[usize]) {
    let before = episode.fresh(DType::F32, shape);
    let [a, b] = [DType::F32, DType::BF16].map(|dtype| {
        let shape = episode.fitting(shape);
        episode.fresh(dtype, &shape)
    });
    episode.what = format!("out += a * b, {:?}", [&before, &a, &b].map(described));
    let (x, y) = (typed::<F32>(&a), typed::<BF16>(&b));
    let mut out = if episode.rng.bool() {
        typed::<F32>(&before)
    } else {
        typed::<F32>(&Entry::new(before.reference.clone(), STATIC))
    };
    let values = [&before, &a, &b].map(|entry| Ok(entry.reference.clone()));
    fuse!(out += x * y);
    let expected = add(&values[0], &mul(&values[1], &values[2]));
    keep(episode, Ok(out.into_dyn()), exact(expected));
    // The step compares the pool, where this is not.
    let unchanged = Reference::of(&before.tensor).bytes == before.reference.bytes;
    assert!(
        unchanged,
        "a tensor whose memory the output shared has changed"
    );
}

/// A loop or a program over a large tensor.
pub(crate) fn fused_large(episode: &mut Episode, shape: &[usize]) {
    let [a, b, c] = [DType::BF16, DType::F32, DType::BF16].map(|dtype| {
        let shape = episode.fitting(shape);
        episode.fresh_of(dtype, &shape, Values::Tame)
    });
    episode.what = format!(
        "a large a * b - 0.5 + c of {:?}",
        [&a, &b, &c].map(described)
    );
    let (found, expected) = mixed(&[a, b, c]);
    keep(episode, found, expected);
}
