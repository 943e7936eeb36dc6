//! Operators and methods of two operands, judged by the naive oracle for every pair of dtypes that promotes.
//!
//! The operands are dynamic tensors, because the compiler takes its time for each pair of typed ones. That typed operations give
//! the same is shown in `paths.rs`, and for every form of operands in `operands.rs`; that the compiler admits the same pairs, in
//! `rules_static.rs`.
#![allow(
    clippy::as_conversions,
    reason = "the oracle's own conversions, of known size"
)]

use std::collections::BTreeMap;

use crate::agreement::bits;
use crate::exact::{Kind, Tally, Tested, Value};
use crate::naive::{Arith, Op, Typed, convert, converted, each_dtype, edges, same};
use supremum::{
    AllowUnsafe, BF16, Bool, C64, C128, DType, DynTensor, Error, F8E4M3B11FNUZ, F8E4M3FN,
    F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, F32, F64, I8, I16, I32, I64, Jax, OperandType, Operation,
    Promotion, RuleSet, Rules, StaticDType, U8, U16, U32, U64, c128,
};

/// The edges of a dtype: what they are, and their bytes.
#[derive(Clone)]
struct Edges {
    dtype: DType,
    values: Vec<Value>,
    bytes: Vec<Vec<u8>>,
}

impl Edges {
    fn new<D: Typed>() -> Self {
        let edges = edges::<D::Element>();
        Self {
            dtype: D::DTYPE,
            values: edges.iter().map(|edge| Value::of(*edge)).collect(),
            bytes: edges
                .iter()
                .map(|edge| bytemuck::bytes_of(edge).to_vec())
                .collect(),
        }
    }

    /// Those that are not zero when they are converted to `dtype`.
    fn divisors(&self, dtype: &Dtype) -> Self {
        let kept = (0..self.values.len()).filter(|at| converted(self.values[*at], dtype.kind) != 0);
        let kept: Vec<usize> = kept.collect();
        Self {
            dtype: self.dtype,
            values: kept.iter().map(|at| self.values[*at]).collect(),
            bytes: kept.iter().map(|at| self.bytes[*at].clone()).collect(),
        }
    }

    /// A tensor with these edges at these positions.
    fn tensor(&self, shape: [usize; 2], edges: impl Iterator<Item = usize>) -> DynTensor {
        let bytes: Vec<u8> = edges.flat_map(|at| self.bytes[at].clone()).collect();
        DynTensor::from_bytes(self.dtype, shape, &bytes).expect("elements of the dtype")
    }

    fn column(&self) -> DynTensor {
        self.tensor([self.values.len(), 1], 0..self.values.len())
    }

    fn row(&self) -> DynTensor {
        self.tensor([1, self.values.len()], 0..self.values.len())
    }
}

/// The facts about a dtype that the oracle knows.
struct Dtype {
    kind: Kind,
    edges: Edges,
    judge: fn(&mut Tally, Op, &str, [&[Value]; 2], &DynTensor),
    order: fn(&mut Tally, &Ordered, &str, [&[Value]; 2], &DynTensor),
}

fn dtypes() -> BTreeMap<DType, Dtype> {
    fn of<D: Typed>() -> (DType, Dtype) {
        let dtype = Dtype {
            kind: D::Element::KIND,
            edges: Edges::new::<D>(),
            judge: judge::<D>,
            order: judge_order::<D>,
        };
        (D::DTYPE, dtype)
    }
    macro_rules! all {
        ([] $($dtype:ident)*) => { [$(of::<$dtype>()),*] };
    }
    let all = BTreeMap::from(each_dtype!(all []));
    assert_eq!(all.len(), DType::ALL.len());
    all
}

fn converted_to<E: Tested>(values: &[Value]) -> Vec<E> {
    let converted = values.iter().map(|value| converted(*value, E::KIND));
    converted.map(E::from_raw).collect()
}

/// Returns whether the oracle's plain formula for a complex quotient is accurate here.
fn is_moderate<E: Tested>(x: E) -> bool {
    let z: c128 = convert(x);
    let moderate = |x: f64| x == 0.0 || (1e-3..1e3).contains(&x.abs());
    moderate(z.re) && moderate(z.im) && (z.re != 0.0 || z.im != 0.0)
}

/// Judges what an operation gave for every left value with every right one, computed in the dtype of the result.
fn judge<D: Typed>(
    tally: &mut Tally,
    op: Op,
    form: &str,
    [left, right]: [&[Value]; 2],
    found: &DynTensor,
) {
    type E<D> = <D as StaticDType>::Element;
    let [left, right] = [left, right].map(converted_to::<E<D>>);
    let found = found.to_vec::<D>().expect("the dtype of the result");
    assert_eq!(found.len(), left.len() * right.len(), "{form}");
    for (at, found) in found.iter().enumerate() {
        let (x, y) = (left[at / right.len()], right[at % right.len()]);
        let expected = Arith::apply(op, x, y).expect("no zero divisors");
        let holds = if op == Op::Div && matches!(E::<D>::KIND, Kind::Complex(_)) {
            if !is_moderate(x) || !is_moderate(y) {
                continue;
            }
            let (found, expected): (c128, c128) = (convert(*found), convert(expected));
            let tolerance = if size_of::<E<D>>() == 8 { 1e-6 } else { 1e-14 };
            (found - expected).norm() <= tolerance * expected.norm()
        } else if op == Op::Atan2 && size_of::<E<D>>() == 4 {
            // The expected angle is the nearest one; ours lies within 0.54 units of the exact one.
            let nearest: f64 = convert(expected);
            let nearest = nearest as f32;
            let allowed = [nearest, nearest.next_up(), nearest.next_down()];
            allowed.iter().any(|near| same(*found, convert(*near)))
        } else {
            same(*found, expected)
        };
        tally.record(holds, || {
            format!("{form}: {op:?} of {x:?} and {y:?} gave {found:?}, expected {expected:?}")
        });
    }
}

/// A comparison: of the elements, the second less than the first, and equal or not.
struct Ordered {
    name: &'static str,
    expected: fn(less: bool, greater: bool, equal: bool) -> bool,
    run: Borrowed,
}

fn judge_order<D: Typed>(
    tally: &mut Tally,
    comparison: &Ordered,
    form: &str,
    [left, right]: [&[Value]; 2],
    found: &DynTensor,
) {
    let [left, right] = [left, right].map(converted_to::<D::Element>);
    let found = found.to_vec::<Bool>().expect("truth values");
    assert_eq!(found.len(), left.len() * right.len(), "{form}");
    // Complex numbers are equal or not; they have no order.
    let less = |a, b| !matches!(D::Element::KIND, Kind::Complex(_)) && Arith::less(a, b);
    for (at, found) in found.iter().enumerate() {
        let (x, y) = (left[at / right.len()], right[at % right.len()]);
        let expected = (comparison.expected)(less(x, y), less(y, x), x == y);
        tally.record(*found == expected, || {
            format!(
                "{form}: {x:?} {} {y:?} in {} is not {found}",
                comparison.name,
                D::DTYPE
            )
        });
    }
}

type Borrowed = fn(&DynTensor, &DynTensor) -> Result<DynTensor, Error>;
type Owned = fn(DynTensor, DynTensor) -> DynTensor;

/// An operation, with borrowed operands and with owned ones, which may be reused.
struct Method {
    op: Op,
    group: Operation,
    borrowed: Borrowed,
    owned: Owned,
}

macro_rules! methods {
    ($($op:ident $group:ident $method:ident |$a:ident, $b:ident| $owned:expr;)*) => {
        [$(Method {
            op: Op::$op,
            group: Operation::$group,
            borrowed: |a, b| a.$method(b),
            owned: |$a, $b| $owned,
        }),*]
    };
}

/// Counts what was checked, and of how many pairs of dtypes.
struct Session {
    rules: &'static RuleSet,
    dtypes: BTreeMap<DType, Dtype>,
    tally: Tally,
    pairs: usize,
}

impl Session {
    fn new(rules: &'static RuleSet) -> Self {
        Self {
            rules,
            dtypes: dtypes(),
            tally: Tally::default(),
            pairs: 0,
        }
    }

    /// All pairs of dtypes for which the rules define an operation, with what they promote to and what it gives.
    fn pairs(&self, group: Operation) -> Vec<([DType; 2], Promotion, DType)> {
        let operand = OperandType::dimensioned;
        let all = DType::ALL
            .iter()
            .flat_map(|a| DType::ALL.iter().map(move |b| [*a, *b]));
        all.filter_map(|[a, b]| {
            let result = self.rules.binary(group, operand(a), operand(b)).ok()?;
            let promotion = self.rules.promote(operand(a), operand(b)).ok()?;
            Some(([a, b], promotion, result.dtype))
        })
        .collect()
    }

    /// Borrowed operands that broadcast; then owned ones of the full shape.
    fn check(&mut self, method: &Method) {
        let Method { op, group, .. } = *method;
        for ([a, b], _, out) in self.pairs(group) {
            let angle = matches!(op, Op::Atan2 | Op::CopySign | Op::NextAfter | Op::LeakyRelu);
            if angle && matches!(out, DType::C64 | DType::C128) {
                continue;
            }
            let (left, out) = (&self.dtypes[&a].edges, &self.dtypes[&out]);
            let divides = matches!(op, Op::FloorDiv | Op::Rem);
            let whole = !matches!(out.kind, Kind::Float(_) | Kind::Complex(_));
            let all = &self.dtypes[&b].edges;
            let right = match divides && whole {
                true => all.divisors(out),
                false => all.clone(),
            };
            let right = &right;
            let (column, row) = (
                left.column().with_rules(self.rules),
                right.row().with_rules(self.rules),
            );
            if divides {
                let with_zero = (method.borrowed)(&column, &all.row().with_rules(self.rules));
                let refused = matches!(with_zero, Err(Error::DivisionByZero { .. }));
                self.tally.record(refused == whole, || {
                    format!("{op:?} of {a} and {b}: zero divisors")
                });
            }
            let values = [&left.values[..], &right.values];
            let found = (method.borrowed)(&column, &row).expect("the rules define it");
            (out.judge)(
                &mut self.tally,
                op,
                &format!("borrowed {a} and {b}"),
                values,
                &found,
            );
            for (operand, edges) in [(column, left), (row, right)] {
                let unchanged = bits(&operand).2 == edges.bytes.concat();
                self.tally.record(unchanged, || {
                    format!("{op:?} of {a} and {b} changed an operand")
                });
            }
            let [rows, columns] = [left.values.len(), right.values.len()];
            let full = [rows, columns];
            let repeated = left.tensor(full, (0..rows * columns).map(|at| at / columns));
            let tiled = right.tensor(full, (0..rows * columns).map(|at| at % columns));
            let found = (method.owned)(
                repeated.with_rules(self.rules),
                tiled.with_rules(self.rules),
            );
            (out.judge)(
                &mut self.tally,
                op,
                &format!("owned {a} and {b}"),
                values,
                &found,
            );
            self.pairs += 1;
        }
    }

    fn compare(&mut self, group: Operation, comparison: &Ordered) {
        for ([a, b], promotion, _) in self.pairs(group) {
            let [left, right] = [a, b].map(|dtype| &self.dtypes[&dtype].edges);
            let found = (comparison.run)(
                &left.column().with_rules(self.rules),
                &right.row().with_rules(self.rules),
            );
            let found = found.expect("the rules define it");
            let values = [&left.values[..], &right.values];
            let common = &self.dtypes[&promotion.dtype];
            (common.order)(
                &mut self.tally,
                comparison,
                &format!("{a} and {b}"),
                values,
                &found,
            );
            self.pairs += 1;
        }
    }

    /// So many pairs of dtypes, counted once for each operation.
    fn finish(self, what: &str, pairs: usize) {
        assert_eq!(self.pairs, pairs, "{what}");
        self.tally.finish(what);
    }
}

#[test]
fn operations_of_every_safe_pair() {
    let mut s = Session::new(Jax::RULE_SET);
    let methods = methods! {
        Add Add try_add |a, b| a + b;
        Sub Subtract try_sub |a, b| a - b;
        Mul Multiply try_mul |a, b| a * b;
        Div Divide try_div |a, b| a / b;
        Atan2 Atan2 try_atan2 |a, b| a.try_atan2(b).expect("defined");
        CopySign Atan2 try_copysign |a, b| a.try_copysign(b).expect("defined");
        NextAfter Atan2 try_next_after |a, b| a.try_next_after(b).expect("defined");
        LeakyRelu Atan2 try_leaky_relu |a, b| a.try_leaky_relu(b).expect("defined");
        Rem FloorDivide try_rem |a, b| a % b;
        FloorDiv FloorDivide try_floor_div |a, b| a.try_floor_div(b).expect("defined");
        And Bitwise try_bitand |a, b| a & b;
        Or Bitwise try_bitor |a, b| a | b;
        Xor Bitwise try_bitxor |a, b| a ^ b;
        Shl Shift try_shl |a, b| a << b;
        Shr Shift try_shr |a, b| a >> b;
        Min MinMax try_minimum |a, b| a.try_minimum(b).expect("defined");
        Max MinMax try_maximum |a, b| a.try_maximum(b).expect("defined");
    };
    for method in &methods {
        s.check(method);
    }
    s.finish("operations", 2_220);
}

#[test]
fn order_and_equality_of_every_safe_pair() {
    let mut s = Session::new(Jax::RULE_SET);
    let orders: [Ordered; 4] = [
        Ordered {
            name: "<",
            expected: |less, _, _| less,
            run: |a, b| a.try_lt(b),
        },
        Ordered {
            name: "<=",
            expected: |less, _, equal| less || equal,
            run: |a, b| a.try_le(b),
        },
        Ordered {
            name: ">",
            expected: |_, greater, _| greater,
            run: |a, b| a.try_gt(b),
        },
        Ordered {
            name: ">=",
            expected: |_, greater, equal| greater || equal,
            run: |a, b| a.try_ge(b),
        },
    ];
    for comparison in &orders {
        s.compare(Operation::Ordering, comparison);
    }
    let equalities: [Ordered; 2] = [
        Ordered {
            name: "==",
            expected: |_, _, equal| equal,
            run: |a, b| a.try_equal(b),
        },
        Ordered {
            name: "!=",
            expected: |_, _, equal| !equal,
            run: |a, b| a.try_not_equal(b),
        },
    ];
    for comparison in &equalities {
        s.compare(Operation::Equality, comparison);
    }
    s.finish("comparisons", 928);
}

/// Unsafe promotions too: under rules that admit them, and by wrapping either side.
#[test]
fn admitted_promotions_of_every_pair() {
    let mut s = Session::new(<AllowUnsafe<Jax>>::RULE_SET);
    let methods = methods! {
        Add Add try_add |a, b| a + b;
        Add Add try_add |a, b| a.with_rules(Jax::RULE_SET).promote_unsafe() + b.with_rules(Jax::RULE_SET);
        Mul Multiply try_mul |a, b| a.with_rules(Jax::RULE_SET) * b.with_rules(Jax::RULE_SET).promote_unsafe();
        Mul Multiply try_mul |a, b| {
            a.with_rules(Jax::RULE_SET).promote_unsafe() * b.with_rules(Jax::RULE_SET).promote_unsafe()
        };
        Min MinMax try_minimum |a, b| {
            let (a, b) = (a.with_rules(Jax::RULE_SET), b.with_rules(Jax::RULE_SET));
            a.try_minimum(b.promote_unsafe()).expect("it is admitted")
        };
    };
    for method in &methods {
        s.check(method);
    }
    let less = Ordered {
        name: "<",
        expected: |less, _, _| less,
        run: |a, b| {
            a.with_rules(Jax::RULE_SET)
                .try_lt(b.with_rules(Jax::RULE_SET).promote_unsafe())
        },
    };
    s.compare(Operation::Ordering, &less);
    s.finish("unsafe promotions", 1_808);
}
