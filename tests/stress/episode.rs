//! An episode: a pool of tensors that share memory with one another, each beside what the reference says it shows, and
//! random steps that make new ones of them.

use supremum::{DType, DynOperand, DynTensor, Error, I64, Kind, Operation, RuleSet, Tensor};

use crate::element::{Element, Values};
use crate::naive::Op;
use crate::operations::{
    self, Answer, Binary, Compare, Expected, FUNCTIONS, Judge, Reduce, Refusal, Scan, Unary,
};
use crate::reference::Reference;
use crate::{forms, shapes};

/// A tensor and what it has to show.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) tensor: DynTensor,
    pub(crate) reference: Reference,
}

impl Entry {
    /// A tensor with memory of its own.
    pub(crate) fn new(reference: Reference, rules: &'static RuleSet) -> Self {
        let Reference {
            dtype,
            shape,
            bytes,
            ..
        } = &reference;
        let tensor = DynTensor::from_bytes(*dtype, shape, bytes).expect("as many bytes as it has");
        let tensor = tensor.with_rules(rules);
        Self { tensor, reference }
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.reference.shape
    }

    /// Asserts that the tensor still shows what it has to.
    fn check(&self, when: &str) {
        let found = Reference::of(&self.tensor);
        assert_eq!(found.shape, self.reference.shape, "{when}: shape");
        let differs = found.bytes != self.reference.bytes;
        assert!(!differs, "{when}: elements of another tensor have changed");
    }
}

/// A view, by what the library calls it.
#[derive(Clone, Debug)]
pub(crate) enum View {
    Permute(Vec<usize>),
    Swap(usize, usize),
    Slice {
        axis: usize,
        start: usize,
        end: usize,
        step: isize,
    },
    Flip(usize),
    Broadcast(Vec<usize>),
    Reshape(Vec<usize>),
    Squeeze(usize),
    Unsqueeze(usize),
    Index(usize, usize),
}

impl View {
    pub(crate) fn of(&self, entry: &Entry) -> Entry {
        let signed = usize::cast_signed;
        let Entry {
            tensor: t,
            reference: r,
        } = entry;
        let without = |axis: usize| {
            let mut shape = r.shape.clone();
            shape.remove(axis);
            shape
        };
        let (found, expected) = match self {
            Self::Permute(order) => (t.try_permute(order), r.permute(order)),
            Self::Swap(a, b) => {
                let mut order: Vec<usize> = (0..r.shape.len()).collect();
                order.swap(*a, *b);
                (
                    t.try_swap_axes(signed(*a), -signed(r.shape.len() - b)),
                    r.permute(&order),
                )
            }
            Self::Slice {
                axis,
                start,
                end,
                step,
            } => {
                let count = (end - start).div_ceil(step.unsigned_abs());
                let first = match (count, *step < 0) {
                    (0, _) => 0,
                    (_, true) => end - 1,
                    (_, false) => *start,
                };
                let found = t.try_slice_step(signed(*axis), *start..*end, *step);
                (found, r.slice(*axis, first, count, *step))
            }
            Self::Flip(axis) => {
                let size = r.shape[*axis];
                let expected = r.slice(*axis, size.saturating_sub(1), size, -1);
                (t.try_flip(signed(*axis)), expected)
            }
            Self::Broadcast(shape) => (t.try_broadcast_to(&shape[..]), r.broadcast_to(shape)),
            Self::Reshape(shape) => (t.try_reshape(&shape[..]), r.reshape(shape)),
            Self::Squeeze(axis) => (t.try_squeeze(signed(*axis)), r.reshape(&without(*axis))),
            Self::Unsqueeze(axis) => {
                let mut shape = r.shape.clone();
                shape.insert(*axis, 1);
                (t.try_unsqueeze(signed(*axis)), r.reshape(&shape))
            }
            Self::Index(axis, at) => {
                let expected = r.slice(*axis, *at, 1, 1).reshape(&without(*axis));
                (t.try_index_axis(signed(*axis), *at), expected)
            }
        };
        let tensor = found.unwrap_or_else(|error| panic!("{self:?}: {error}"));
        let reference = expected;
        let entry = Entry { tensor, reference };
        entry.check("a view");
        entry
    }
}

/// The most axes that a tensor can have.
const MAX_RANK: usize = 8;

/// Compares a result with the reference. What the library found is what later steps begin with.
pub(crate) fn compare(found: Result<DynTensor, Error>, expected: Answer) -> Option<Entry> {
    let (tensor, Expected { value, judge }) = match (found, expected) {
        (Ok(found), Ok(expected)) => (found, expected),
        (Err(error), Err(refusal)) => {
            let by_rules = matches!(
                error,
                Error::NoPromotion { .. }
                    | Error::UnsafePromotion { .. }
                    | Error::UndefinedOperation { .. }
            );
            assert_eq!(by_rules, refusal == Refusal::Rules, "{error}");
            return None;
        }
        (Err(error), Ok(_)) => panic!("an error, but there is a result: {error}"),
        (Ok(found), Err(refusal)) => {
            panic!("{refusal:?} refuse it, but there is a result: {found}")
        }
    };
    let found = Reference::of(&tensor);
    assert_eq!(
        (found.dtype, found.weak, &found.shape),
        (value.dtype, value.weak, &value.shape),
        "dtype, weakness, shape"
    );
    let element = found.element();
    if found.bytes != value.bytes {
        for (at, (found, expected)) in found.elements().zip(value.elements()).enumerate() {
            assert!(
                is_as_expected(element, judge, found, expected),
                "element {at} is {found:#x} ({:?}), expected {expected:#x} ({:?}), {judge:?}",
                element.parts(found),
                element.parts(expected),
            );
        }
    }
    let reference = found;
    Some(Entry { tensor, reference })
}

fn is_as_expected(element: &Element, judge: Judge, found: u128, expected: u128) -> bool {
    match judge {
        Judge::Exact => (element.same)(found, expected),
        Judge::Equal => {
            (element.same)(found, expected) || element.parts(found) == element.parts(expected)
        }
        Judge::Shape => true,
        Judge::Ulps(units) => {
            (element.same)(found, expected) || {
                let order = |raw: u128| {
                    let sign = 1 << (8 * element.size - 1);
                    let magnitude = (raw & (sign - 1)).cast_signed();
                    if raw & sign == 0 {
                        magnitude
                    } else {
                        -magnitude
                    }
                };
                let finite = !element.is_nan(found) && !element.is_nan(expected);
                finite && order(found).abs_diff(order(expected)) <= u128::from(units)
            }
        }
        Judge::Near { relative, absolute } => {
            let [found, expected] = [found, expected].map(|raw| element.parts(raw));
            let size = expected[0].hypot(expected[1]);
            let distance = (found[0] - expected[0]).hypot(found[1] - expected[1]);
            // Where squares of a complex divisor overflow or vanish, textbooks differ from good practice.
            let is_usual = size.is_finite() && (1e-15..1e15).contains(&size);
            !is_usual && absolute == 0.0
                || !size.is_finite()
                || distance <= relative * size + absolute
        }
    }
}

/// Random steps from one seed.
pub(crate) struct Episode {
    pub(crate) rng: fastrand::Rng,
    pub(crate) rules: &'static RuleSet,
    /// What the step that runs does, for messages.
    pub(crate) what: String,
    /// How many elements a tensor has at most.
    limit: usize,
    pool: Vec<Entry>,
}

const POOL: usize = 6;

impl Episode {
    pub(crate) fn new(mut rng: fastrand::Rng, limit: usize) -> Self {
        let rules = forms::RULES[rng.usize(..forms::RULES.len())];
        Self {
            rng,
            rules,
            what: String::new(),
            limit,
            pool: vec![],
        }
    }

    /// A new tensor of random layout.
    pub(crate) fn fresh(&mut self, dtype: DType, shape: &[usize]) -> Entry {
        let values = [Values::Tame, Values::Rough, Values::Wild][self.rng.usize(..3)];
        self.fresh_of(dtype, shape, values)
    }

    pub(crate) fn fresh_of(&mut self, dtype: DType, shape: &[usize], values: Values) -> Entry {
        let (stored, views) = shapes::layout(&mut self.rng, shape);
        self.what = format!("a new tensor of {dtype} {stored:?}, {views:?}");
        let count = stored.iter().product();
        let elements = Element::of(dtype).random(&mut self.rng, count, values);
        let entry = Entry::new(Reference::new(dtype, &stored, &elements), self.rules);
        let entry = views.iter().fold(entry, |entry, view| view.of(&entry));
        assert_eq!(entry.shape(), shape);
        entry
    }

    pub(crate) fn dtype(&mut self) -> DType {
        DType::ALL[self.rng.usize(..DType::ALL.len())]
    }

    pub(crate) fn shape(&mut self) -> Vec<usize> {
        shapes::random(&mut self.rng, self.limit)
    }

    /// A shape that broadcasts with another, mostly the same.
    pub(crate) fn fitting(&mut self, shape: &[usize]) -> Vec<usize> {
        shapes::fitting(&mut self.rng, shape)
    }

    /// One of the pool, or a new one.
    fn pick(&mut self) -> Entry {
        if self.pool.is_empty() || self.rng.u8(..4) == 0 {
            let (dtype, shape) = (self.dtype(), self.shape());
            let entry = self.fresh(dtype, &shape);
            self.keep(entry.clone());
            return entry;
        }
        self.pool[self.rng.usize(..self.pool.len())].clone()
    }

    /// One that broadcasts with a shape.
    fn beside(&mut self, shape: &[usize]) -> Entry {
        let fits = |other: &&Entry| {
            crate::naive::broadcast(other.shape(), shape)
                .is_some_and(|both| both.iter().product::<usize>() <= self.limit * 4)
        };
        let candidates: Vec<Entry> = self.pool.iter().filter(fits).cloned().collect();
        if !candidates.is_empty() && self.rng.bool() {
            return candidates[self.rng.usize(..candidates.len())].clone();
        }
        let (dtype, shape) = (self.dtype(), self.fitting(shape));
        self.fresh(dtype, &shape)
    }

    pub(crate) fn keep(&mut self, entry: Entry) {
        if entry.reference.len() > self.limit * 4 {
            return;
        }
        if self.pool.len() < POOL {
            self.pool.push(entry);
        } else {
            let place = self.rng.usize(..POOL);
            self.pool[place] = entry;
        }
    }

    /// Asserts that no tensor of the pool has changed.
    fn check_pool(&self) {
        for entry in &self.pool {
            entry.check("after the step");
        }
    }

    fn judge(&mut self, found: Result<DynTensor, Error>, expected: Answer) {
        if let Some(entry) = compare(found, expected) {
            self.keep(entry);
        }
    }

    pub(crate) fn step(&mut self) {
        if self.limit > 100_000 && self.rng.bool() {
            return self.long_sum();
        }
        match self.rng.u8(..21) {
            0..=3 => self.binary(),
            4 | 5 => self.in_place(),
            6 => self.unary(),
            7 => self.cast(),
            8..=10 => self.view(),
            11 | 12 => self.reduce(),
            13 => self.position_or_scan(),
            14 => self.matmul(),
            15 => self.select_or_clamp(),
            16 => self.join(),
            17 => forms::typed_step(self),
            18 => forms::fused_step(self),
            19 => self.arrange(),
            _ => self.threads(),
        }
        self.check_pool();
    }

    /// A sum of many blocks, of numbers that round: in the order that is documented, whatever the layout.
    fn long_sum(&mut self) {
        let dtype = [DType::F64, DType::F32, DType::BF16, DType::C128][self.rng.usize(..4)];
        let count = self.rng.usize(self.limit / 4..self.limit);
        let shape = match self.rng.u8(..3) {
            0 => vec![count],
            1 => vec![count / 3, 3],
            _ => vec![3, count / 3],
        };
        let entry = self.fresh_of(dtype, &shape, Values::Rough);
        self.reduce_of(Reduce::Sum, entry);
    }

    /// One large tensor, and one step with it: work is split among threads, and stores may go past the caches.
    pub(crate) fn large_step(&mut self) {
        self.pool.clear();
        let dtype = [
            DType::F32,
            DType::F32,
            DType::F64,
            DType::I32,
            DType::BF16,
            DType::C64,
            DType::U8,
            DType::I64,
        ][self.rng.usize(..8)];
        let shape = shapes::large(&mut self.rng, dtype.size());
        let entry = self.fresh_of(dtype, &shape, Values::Tame);
        match self.rng.u8(..8) {
            0 | 1 => {
                let other = if self.rng.bool() { dtype } else { DType::F32 };
                let shape = self.fitting(&shape);
                let other = self.fresh_of(other, &shape, Values::Tame);
                let op = [Op::Add, Op::Mul, Op::Sub][self.rng.usize(..3)];
                self.binary_of(Binary::Arithmetic(op), entry, other);
            }
            2 => {
                let to = [DType::F32, DType::BF16, DType::F64, DType::I32][self.rng.usize(..4)];
                self.cast_of(entry, to);
            }
            3 => self.unary_of(Unary::Neg, entry),
            4 => self.unary_of(Unary::Function(0), entry),
            5 | 6 => {
                let op = [Reduce::Sum, Reduce::Max, Reduce::Any][self.rng.usize(..3)];
                self.reduce_of(op, entry);
            }
            _ => forms::fused_large(self, &shape),
        }
    }

    fn literal(&mut self) -> (Literal, Reference) {
        let literal = match self.rng.u8(..5) {
            0 => Literal::Bool(self.rng.bool()),
            1 | 2 => Literal::Int(self.rng.i64(1..=3)),
            _ => Literal::Float([0.5, 1.5, 2.0, -0.25][self.rng.usize(..4)]),
        };
        let reference = literal.reference(self.rules);
        (literal, reference)
    }

    fn binary(&mut self) {
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

    fn binary_of(&mut self, op: Binary, lhs: Entry, rhs: Entry) {
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
    fn in_place(&mut self) {
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

    fn unary(&mut self) {
        use Unary::*;
        let entry = self.pick();
        let plain = [
            Neg, Not, Abs, Sign, Floor, Ceil, Round, Trunc, Real, Imag, IsNan, IsInfinite,
            IsFinite, Sqrt, Recip,
        ];
        let number = self.rng.usize(..plain.len() + FUNCTIONS.len());
        let op = plain
            .get(number)
            .copied()
            .unwrap_or_else(|| Function(number - plain.len()));
        self.unary_of(op, entry);
    }

    fn unary_of(&mut self, op: Unary, entry: Entry) {
        self.what = format!("{op:?} of {}", described(&entry));
        let expected = operations::unary(op, self.rules, &entry.reference);
        self.judge(run_unary(op, &entry.tensor), expected);
    }

    fn cast(&mut self) {
        let (entry, to) = (self.pick(), self.dtype());
        self.cast_of(entry, to);
    }

    fn cast_of(&mut self, entry: Entry, to: DType) {
        self.what = format!("cast of {} to {to}", described(&entry));
        let value = operations::cast(&entry.reference, to);
        let value = Reference {
            weak: false,
            ..value
        };
        let judge = Judge::Exact;
        self.judge(Ok(entry.tensor.cast(to)), Ok(Expected { value, judge }));
    }

    fn view(&mut self) {
        let entry = self.pick();
        let view = shapes::view(&mut self.rng, entry.shape(), self.limit);
        self.what = format!("{view:?} of {}", described(&entry));
        let seen = view.of(&entry);
        self.keep(seen);
    }

    fn reduce(&mut self) {
        use Reduce::*;
        let all = [
            Sum, Sum, Prod, Mean, Var, Std, Min, Max, Any, All, NanSum, NanMean, NanMin, NanMax,
        ];
        let op = all[self.rng.usize(..all.len())];
        let entry = self.pick();
        self.reduce_of(op, entry);
    }

    fn reduce_of(&mut self, op: Reduce, entry: Entry) {
        let rank = entry.shape().len();
        let set: usize = if self.rng.u8(..3) == 0 {
            usize::MAX
        } else {
            self.rng.usize(..)
        };
        let axes: Vec<usize> = (0..rank).filter(|axis| set >> axis & 1 == 1).collect();
        let keep = self.rng.bool();
        self.what = format!(
            "{op:?} of {} along {axes:?}, kept: {keep}",
            described(&entry)
        );
        let expected = operations::reduce(op, self.rules, &entry.reference, &axes, keep);
        let found = run_reduce(op, &entry.tensor, &axes, keep);
        self.judge(found, expected);
    }

    fn position_or_scan(&mut self) {
        let entry = self.pick();
        let (x, rank) = (&entry.tensor, entry.shape().len());
        let axis = (rank > 0 && self.rng.bool()).then(|| self.rng.usize(..rank));
        if let Some(axis) = axis
            && self.rng.u8(..3) == 0
        {
            let op = [Scan::Sum, Scan::Prod, Scan::Min, Scan::Max][self.rng.usize(..4)];
            self.what = format!("cumulative {op:?} of {} along {axis}", described(&entry));
            let expected = operations::scan(op, self.rules, &entry.reference, axis);
            let signed = axis.cast_signed();
            let found = match op {
                Scan::Sum => x.try_cumsum(signed),
                Scan::Prod => x.try_cumprod(signed),
                Scan::Min => x.try_cummin(signed),
                Scan::Max => x.try_cummax(signed),
            };
            return self.judge(found, expected);
        }
        let greatest = self.rng.bool();
        let keep = axis.is_some() && self.rng.bool();
        self.what = format!(
            "position, greatest: {greatest}, of {} along {axis:?}",
            described(&entry)
        );
        let expected =
            operations::extreme_position(greatest, self.rules, &entry.reference, axis, keep);
        let found = match (axis.map(usize::cast_signed), greatest, keep) {
            (None, true, _) => x.try_argmax(),
            (None, false, _) => x.try_argmin(),
            (Some(axis), true, false) => x.try_argmax_axis(axis),
            (Some(axis), false, false) => x.try_argmin_axis(axis),
            (Some(axis), true, true) => x.try_argmax_keepdims(axis),
            (Some(axis), false, true) => x.try_argmin_keepdims(axis),
        };
        self.judge(found, expected);
    }

    fn matmul(&mut self) {
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

    fn select_or_clamp(&mut self) {
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

    /// Operations that move elements.
    fn arrange(&mut self) {
        let entry = self.pick();
        let (x, p) = (&entry.tensor, &entry.reference);
        let (shape, rank) = (p.shape.clone(), p.shape.len());
        if rank == 0 || p.len() > self.limit {
            return;
        }
        let axis = self.rng.usize(..rank);
        let (size, signed) = (shape[axis], axis.cast_signed() - rank.cast_signed());
        let at_axis = |index: &[usize], at: usize| {
            let mut from = index.to_vec();
            from[axis] = at;
            Some(from)
        };
        let kind = self.rng.u8(..8);
        self.what = format!("arrangement {kind} of {} along {axis}", described(&entry));
        let (found, expected) = match kind {
            0 | 1 => {
                let count = if size == 0 {
                    0
                } else {
                    self.rng.usize(..2 * size + 2)
                };
                let places: Vec<usize> = (0..count).map(|_| self.rng.usize(..size)).collect();
                let indices: Vec<i64> = places
                    .iter()
                    .map(|place| {
                        let back = if self.rng.bool() { size } else { 0 };
                        i64::try_from(*place).expect("small") - i64::try_from(back).expect("small")
                    })
                    .collect();
                let indices = Tensor::<I64>::from_slice(&indices, [count]).expect("as many");
                let mut to = shape;
                to[axis] = count;
                let expected = p.mapped(&to, |index| at_axis(index, places[index[axis]]));
                let found = if kind == 0 {
                    x.try_take(&indices.into_dyn(), signed)
                } else {
                    let mut column = vec![1; rank];
                    column[axis] = count;
                    x.try_take_along_axis(&indices.reshape(&column[..]).into_dyn(), signed)
                };
                (found, expected)
            }
            2 => {
                let shift = self.rng.isize(-9..9);
                let expected = p.mapped(&shape, |index| {
                    let from = index[axis].cast_signed() - shift;
                    at_axis(index, from.rem_euclid(size.cast_signed()).unsigned_abs())
                });
                (x.try_roll(shift, signed), expected)
            }
            3 => {
                let mut to = shape;
                to[axis] *= 2;
                let expected = p.mapped(&to, |index| at_axis(index, index[axis] / 2));
                (x.try_repeat(2, signed), expected)
            }
            4 => {
                let mut counts = vec![1; rank];
                counts[axis] = 3;
                let mut to = shape;
                to[axis] *= 3;
                let expected = p.mapped(&to, |index| at_axis(index, index[axis] % size));
                (x.try_tile(&counts), expected)
            }
            5 => {
                let mut pairs = vec![[0, 0]; rank];
                pairs[axis] = [2, 1];
                let mut to = shape;
                to[axis] += 3;
                let expected = p.mapped(&to, |index| {
                    let from = index[axis].checked_sub(2).filter(|from| *from < size)?;
                    at_axis(index, from)
                });
                (x.try_pad(&pairs, false), expected)
            }
            6 if rank > 1 => {
                let offset = self.rng.isize(-3..4);
                let expected = p.mapped(&shape, |index| {
                    let [.., row, column] = *index else {
                        unreachable!()
                    };
                    (column.cast_signed() - row.cast_signed() <= offset).then(|| index.to_vec())
                });
                (x.try_tril(offset), expected)
            }
            _ => (x.try_contiguous(), p.clone()),
        };
        let judge = Judge::Exact;
        self.judge(
            found,
            Ok(Expected {
                value: expected,
                judge,
            }),
        );
    }

    fn join(&mut self) {
        let first = self.pick();
        let rank = first.shape().len();
        if rank == 0 || first.shape().iter().product::<usize>() > self.limit {
            return;
        }
        let axis = self.rng.usize(..rank);
        let signed = axis.cast_signed() - rank.cast_signed();
        let mut shape = first.shape().to_vec();
        let (x, dtype) = (&first.reference, first.reference.dtype);
        if first.reference.weak {
            return;
        }
        match self.rng.u8(..3) {
            0 => {
                let other = self.fresh(dtype, &shape);
                self.what = format!("stack of two {} along {axis}", described(&first));
                let found = DynTensor::stack(
                    &[&first.tensor, &other.tensor, &first.tensor],
                    axis.cast_signed(),
                );
                if rank == MAX_RANK {
                    assert!(
                        matches!(found, Err(Error::RankTooLarge { .. })),
                        "{found:?}"
                    );
                    return;
                }
                shape.insert(axis, 1);
                let parts = [x, &other.reference, x].map(|part| part.reshape(&shape));
                let expected = operations::concat(x.operand(), &parts.each_ref(), axis);
                self.judge(found, expected);
            }
            1 => {
                shape[axis] = self.rng.usize(..4);
                let other = self.fresh(dtype, &shape);
                self.what = format!(
                    "concat of {} and {} along {axis}",
                    described(&first),
                    described(&other)
                );
                let found = DynTensor::concat(&[&first.tensor, &other.tensor], signed);
                let expected = operations::concat(x.operand(), &[x, &other.reference], axis);
                self.judge(found, expected);
            }
            _ => {
                let dtype = self.dtype();
                let other = self.fresh(dtype, &shape);
                self.what = format!(
                    "try_concat of {} and {} along {axis}",
                    described(&first),
                    described(&other)
                );
                let found = first.tensor.try_concat(&other.tensor, signed);
                let rules = self.rules;
                let promotion =
                    rules.binary(Operation::Join, x.operand(), other.reference.operand());
                let expected = match promotion {
                    Ok(found) => operations::concat(found.operand(), &[x, &other.reference], axis),
                    Err(_) => Err(Refusal::Rules),
                };
                self.judge(found, expected);
            }
        }
    }

    /// Several threads change clones of one tensor in place, and drop it.
    fn threads(&mut self) {
        // They are slow to start.
        if self.rng.u8(..8) != 0 {
            return self.view();
        }
        let entry = self.pick();
        self.what = format!("threads that double {}", described(&entry));
        let x = &entry.reference;
        let expected = operations::binary(Binary::Arithmetic(Op::Add), self.rules, x, x);
        let Ok(expected) = expected else { return };
        if (expected.value.dtype, expected.value.weak) != (x.dtype, x.weak) {
            return;
        }
        let doubled = std::thread::scope(|scope| {
            let threads = [0, 1].map(|_| {
                let mut own = entry.tensor.clone();
                scope.spawn(move || {
                    let before = own.clone();
                    own += &before;
                    own
                })
            });
            let mut own = entry.tensor.clone();
            own += &entry.tensor;
            let [a, b] = threads.map(|thread| thread.join().expect("no panic"));
            [own, a, b]
        });
        for doubled in doubled {
            let value = expected.value.clone();
            let judge = expected.judge;
            self.judge(Ok(doubled), Ok(Expected { value, judge }));
        }
        entry.check("a tensor of which threads changed clones");
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Literal {
    Bool(bool),
    Int(i64),
    Float(f64),
}

impl Literal {
    /// As rules see it: weak, of their dtype for such literals.
    pub(crate) fn reference(self, rules: &RuleSet) -> Reference {
        let (kind, value) = match self {
            Self::Bool(value) => (Kind::Bool, f64::from(u8::from(value))),
            Self::Int(value) => (Kind::Signed, crate::element::small(value)),
            Self::Float(value) => (Kind::Float, value),
        };
        let operand = rules.literal(kind);
        let element = Element::of(operand.dtype).from_f64(value);
        Reference::new(operand.dtype, &[], &[element]).with_operand(operand)
    }
}

pub(crate) fn described(entry: &Entry) -> String {
    let weak = if entry.reference.weak { "*" } else { "" };
    format!(
        "{}{weak} {:?} by {:?}",
        entry.reference.dtype,
        entry.shape(),
        entry.tensor.strides()
    )
}

fn random_binary(rng: &mut fastrand::Rng) -> Binary {
    use Op::*;
    let arithmetic = [
        Add, Sub, Mul, Div, Rem, FloorDiv, Atan2, Hypot, LogAddExp, CopySign, NextAfter, Min, Max,
        And, Or, Xor, Shl, Shr,
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
        Unary::Function(number) => match FUNCTIONS[number].0 {
            "exp" => x.exp(),
            "exp2" => x.exp2(),
            "exp_m1" => x.exp_m1(),
            "ln" => x.ln(),
            "ln_1p" => x.ln_1p(),
            "log2" => x.log2(),
            "log10" => x.log10(),
            "sin" => x.sin(),
            "cos" => x.cos(),
            "tan" => x.tan(),
            "asin" => x.asin(),
            "acos" => x.acos(),
            "atan" => x.atan(),
            "sinh" => x.sinh(),
            "cosh" => x.cosh(),
            "tanh" => x.tanh(),
            "sigmoid" => x.sigmoid(),
            "erf" => x.erf(),
            "erfc" => x.erfc(),
            "rsqrt" => x.rsqrt(),
            "cbrt" => x.cbrt(),
            "gelu" => x.gelu(),
            "gelu_tanh" => x.gelu_tanh(),
            "silu" => x.silu(),
            "softplus" => x.softplus(),
            other => panic!("{other} is not run"),
        },
    }
}

fn run_reduce(op: Reduce, x: &DynTensor, axes: &[usize], keep: bool) -> Result<DynTensor, Error> {
    let all = axes.len() == x.ndim() && !keep && axes.first() == Some(&0);
    let axes: Vec<isize> = axes.iter().map(|axis| axis.cast_signed()).collect();
    macro_rules! forms {
        ($all:ident $axis:ident $axes:ident $keepdims:ident) => {
            match (&axes[..], keep) {
                _ if all => x.$all(),
                ([axis], false) => x.$axis(*axis),
                ([axis], true) => x.$keepdims(*axis),
                (axes, false) => x.$axes(axes),
                (axes, true) => x.$keepdims(axes),
            }
        };
    }
    match op {
        Reduce::Sum => {
            forms!(try_sum try_sum_axis try_sum_axes try_sum_keepdims)
        }
        Reduce::Prod => {
            forms!(try_prod try_prod_axis try_prod_axes try_prod_keepdims)
        }
        Reduce::Mean => {
            forms!(try_mean try_mean_axis try_mean_axes try_mean_keepdims)
        }
        Reduce::Var => {
            forms!(try_var try_var_axis try_var_axes try_var_keepdims)
        }
        Reduce::Std => {
            forms!(try_std try_std_axis try_std_axes try_std_keepdims)
        }
        Reduce::Min => {
            forms!(try_min try_min_axis try_min_axes try_min_keepdims)
        }
        Reduce::Max => {
            forms!(try_max try_max_axis try_max_axes try_max_keepdims)
        }
        Reduce::Any => {
            forms!(try_any try_any_axis try_any_axes try_any_keepdims)
        }
        Reduce::All => {
            forms!(try_all try_all_axis try_all_axes try_all_keepdims)
        }
        Reduce::NanSum => {
            forms!(try_nan_sum try_nan_sum_axis try_nan_sum_axes try_nan_sum_keepdims)
        }
        Reduce::NanMean => {
            forms!(try_nan_mean try_nan_mean_axis try_nan_mean_axes try_nan_mean_keepdims)
        }
        Reduce::NanMin => {
            forms!(try_nan_min try_nan_min_axis try_nan_min_axes try_nan_min_keepdims)
        }
        Reduce::NanMax => {
            forms!(try_nan_max try_nan_max_axis try_nan_max_axes try_nan_max_keepdims)
        }
    }
}
