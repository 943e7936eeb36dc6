//! Steps that compute element by element, and matrix products.

use supremum::{DType, DynOperand, DynTensor, Error};

use super::{Entry, Episode, Literal, described};
use crate::element::Values;
use crate::naive::Op;
use crate::operations::{self, Binary, Compare, Expected, Judge, Unary, functions};
use crate::reference::Reference;
use crate::shapes;

impl Episode {
    pub(super) fn literal(&mut self) -> (Literal, Reference) {
        let literal = match self.rng.u8(..5) {
            0 => Literal::Bool(self.rng.bool()),
            1 | 2 => Literal::Int(self.rng.i64(1..=3)),
            _ => Literal::Float([0.5, 1.5, 2.0, -0.25][self.rng.usize(..4)]),
        };
        let reference = literal.reference(self.rules);
        (literal, reference)
    }

    pub(super) fn binary(&mut self) {
        let op = random_binary(&mut self.rng);
        let lhs = self.pick();
        if self.rng.u8(..4) == 0 {
            let (literal, reference) = self.literal();
            self.what = format!("{op:?} of {} and {literal:?}", described(&lhs));
            let found = match literal {
                Literal::Int(value) => run_binary(op, &lhs.tensor, value),
                Literal::Float(value) => run_binary(op, &lhs.tensor, value),
                Literal::Bool(value) => run_binary(op, &lhs.tensor, value),
            };
            let expected = operations::binary(op, self.rules, &lhs.reference, &reference);
            return self.judge(found, expected);
        }
        let rhs = self.beside(lhs.shape());
        self.binary_of(op, lhs, rhs);
    }

    pub(super) fn binary_of(&mut self, op: Binary, lhs: Entry, rhs: Entry) {
        self.what = format!("{op:?} of {} and {}", described(&lhs), described(&rhs));
        let expected = operations::binary(op, self.rules, &lhs.reference, &rhs.reference);
        // An operand that nobody else has gives its memory to the result.
        let owned = expected.is_ok() && self.rng.bool();
        let found = match op {
            Binary::Arithmetic(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::And)) if owned => {
                let alone = |entry: &Entry| {
                    let mut tensor = Entry::new(entry.reference.clone(), self.rules).tensor;
                    if entry.reference.weak {
                        tensor = entry.tensor.clone();
                    }
                    tensor
                };
                let (lhs, rhs) = (alone(&lhs), alone(&rhs));
                self.what += ", owned";
                Ok(match op {
                    Op::Add => lhs + rhs,
                    Op::Sub => lhs - &rhs,
                    Op::Mul => &lhs * rhs,
                    Op::Div => lhs / rhs,
                    _ => lhs & rhs,
                })
            }
            _ => run_binary(op, &lhs.tensor, &rhs.tensor),
        };
        self.judge(found, expected);
    }

    /// Assigning operators, on a tensor whose memory others may share.
    pub(super) fn in_place(&mut self) {
        let mut target = self.pick();
        let other = if self.rng.u8(..4) == 0 {
            target.clone()
        } else {
            self.beside(target.shape())
        };
        if self.rng.bool() && !target.reference.weak {
            target = Entry::new(target.reference, self.rules);
        }
        let op = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Xor, Op::Shl][self.rng.usize(..6)];
        self.what = format!(
            "in place {op:?} of {} and {}",
            described(&target),
            described(&other)
        );
        let (a, b) = (&target.reference, &other.reference);
        let expected = operations::binary(Binary::Arithmetic(op), self.rules, a, b);
        let Ok(expected) = expected else { return };
        let value = &expected.value;
        if (value.dtype, value.weak, &value.shape) != (a.dtype, a.weak, &a.shape) {
            return;
        }
        let before = target.clone();
        let aliased = self.rng.bool().then(|| target.tensor.clone());
        let mut changed = target.tensor;
        match op {
            Op::Add => changed += &other.tensor,
            Op::Sub => changed -= &other.tensor,
            Op::Mul => changed *= &other.tensor,
            Op::And => changed &= &other.tensor,
            Op::Xor => changed ^= &other.tensor,
            _ => changed <<= &other.tensor,
        }
        if let Some(tensor) = aliased {
            let reference = before.reference.clone();
            Entry { tensor, reference }.check("a clone taken before a change in place");
        }
        before.check("a clone taken before a change in place");
        other.check("the operand of a change in place");
        self.judge(Ok(changed), Ok(expected));
    }

    pub(super) fn unary(&mut self) {
        use Unary::*;
        let entry = self.pick();
        let plain = [
            Neg, Not, Abs, Sign, Floor, Ceil, Round, Trunc, Real, Imag, IsNan, IsInfinite,
            IsFinite, Sqrt, Recip,
        ];
        let number = self.rng.usize(..plain.len() + functions().len());
        let op = plain
            .get(number)
            .copied()
            .unwrap_or_else(|| Rounded(number - plain.len()));
        self.unary_of(op, entry);
    }

    pub(super) fn unary_of(&mut self, op: Unary, entry: Entry) {
        self.what = format!("{op:?} of {}", described(&entry));
        let expected = operations::unary(op, self.rules, &entry.reference);
        self.judge(run_unary(op, &entry.tensor), expected);
    }

    pub(super) fn cast(&mut self) {
        let (entry, to) = (self.pick(), self.dtype());
        self.cast_of(entry, to);
    }

    pub(super) fn cast_of(&mut self, entry: Entry, to: DType) {
        self.what = format!("cast of {} to {to}", described(&entry));
        let value = operations::cast(&entry.reference, to);
        let value = Reference {
            weak: false,
            ..value
        };
        let judge = Judge::Exact;
        self.judge(Ok(entry.tensor.cast(to)), Ok(Expected { value, judge }));
    }
}

impl Episode {
    pub(super) fn matmul(&mut self) {
        let sizes: Vec<usize> = (0..3).map(|_| shapes::matrix_size(&mut self.rng)).collect();
        let batch: Vec<usize> = (0..self.rng.usize(..3))
            .map(|_| self.rng.usize(1..4))
            .collect();
        let (mut a, mut b) = (vec![sizes[0], sizes[1]], vec![sizes[1], sizes[2]]);
        match self.rng.u8(..6) {
            0 => drop(a.remove(0)),
            1 => drop(b.pop()),
            2 => a = [&batch[..], &a].concat(),
            3 => {
                b = [&self.fitting(&batch)[..], &b].concat();
                a = [&batch[..], &a].concat();
            }
            _ => {}
        }
        let (dtype, same) = (self.dtype(), self.rng.bool());
        let other = if same { dtype } else { self.dtype() };
        let (a, b) = (
            self.fresh_of(dtype, &a, Values::Tame),
            self.fresh_of(other, &b, Values::Tame),
        );
        self.what = format!("matmul of {} and {}", described(&a), described(&b));
        let expected = operations::matmul(self.rules, &a.reference, &b.reference);
        self.judge(a.tensor.try_matmul(&b.tensor), expected);
    }

    pub(super) fn select_or_clamp(&mut self) {
        let a = self.pick();
        let b = self.beside(a.shape());
        // All three have to fit together.
        let shape = crate::naive::broadcast(a.shape(), b.shape()).expect("shapes that fit");
        let (dtype, shape) = (self.dtype(), self.fitting(&shape));
        let (x, y, z) = (&a.reference, &b.reference, self.rules);
        if self.rng.bool() {
            let low = self.fresh(dtype, &shape);
            self.what = format!(
                "clamp of {} within {} and {}",
                described(&a),
                described(&b),
                described(&low)
            );
            let found = a.tensor.try_clamp(&b.tensor, &low.tensor);
            let expected = operations::clamp(z, x, y, &low.reference);
            return self.judge(found, expected);
        }
        let condition = self.fresh(DType::Bool, &shape);
        self.what = format!(
            "select by {:?} of {} and {}",
            condition.shape(),
            described(&a),
            described(&b)
        );
        let found = condition.tensor.try_select(&a.tensor, &b.tensor);
        let expected = operations::select(z, &condition.reference, x, y);
        self.judge(found, expected);
    }
}

fn random_binary(rng: &mut fastrand::Rng) -> Binary {
    use Op::*;
    let arithmetic = [
        Add, Sub, Mul, Div, Rem, FloorDiv, Atan2, Hypot, LogAddExp, CopySign, NextAfter, LeakyRelu,
        Elu, Min, Max, And, Or, Xor, Shl, Shr,
    ];
    let compare = [
        Compare::Eq,
        Compare::Ne,
        Compare::Lt,
        Compare::Le,
        Compare::Gt,
        Compare::Ge,
    ];
    match rng.u8(..8) {
        0..=4 => Binary::Arithmetic(arithmetic[rng.usize(..arithmetic.len())]),
        5 => Binary::Pow,
        _ => Binary::Compare(compare[rng.usize(..compare.len())]),
    }
}

fn run_binary<'a>(
    op: Binary,
    a: &'a DynTensor,
    b: impl DynOperand<'a>,
) -> Result<DynTensor, Error> {
    match op {
        Binary::Pow => a.try_pow(b),
        Binary::Compare(compare) => match compare {
            Compare::Eq => a.try_equal(b),
            Compare::Ne => a.try_not_equal(b),
            Compare::Lt => a.try_lt(b),
            Compare::Le => a.try_le(b),
            Compare::Gt => a.try_gt(b),
            Compare::Ge => a.try_ge(b),
        },
        Binary::Arithmetic(op) => match op {
            Op::Add => a.try_add(b),
            Op::Sub => a.try_sub(b),
            Op::Mul => a.try_mul(b),
            Op::Div => a.try_div(b),
            Op::Rem => a.try_rem(b),
            Op::FloorDiv => a.try_floor_div(b),
            Op::Atan2 => a.try_atan2(b),
            Op::Hypot => a.try_hypot(b),
            Op::LogAddExp => a.try_log_add_exp(b),
            Op::CopySign => a.try_copysign(b),
            Op::NextAfter => a.try_next_after(b),
            Op::LeakyRelu => a.try_leaky_relu(b),
            Op::Elu => a.try_elu(b),
            Op::Min => a.try_minimum(b),
            Op::Max => a.try_maximum(b),
            Op::And => a.try_bitand(b),
            Op::Or => a.try_bitor(b),
            Op::Xor => a.try_bitxor(b),
            Op::Shl => a.try_shl(b),
            Op::Shr => a.try_shr(b),
        },
    }
}

fn run_unary(op: Unary, x: &DynTensor) -> Result<DynTensor, Error> {
    match op {
        Unary::Neg => x.try_neg(),
        Unary::Not => x.try_not(),
        Unary::Abs => x.abs(),
        Unary::Sign => x.sign(),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => x.round(),
        Unary::Trunc => x.trunc(),
        Unary::Real => x.real(),
        Unary::Imag => x.imag(),
        Unary::IsNan => x.is_nan(),
        Unary::IsInfinite => x.is_infinite(),
        Unary::IsFinite => x.is_finite(),
        Unary::Sqrt => x.sqrt(),
        Unary::Recip => x.recip(),
        Unary::Rounded(number) => (functions()[number].call)(x),
    }
}
