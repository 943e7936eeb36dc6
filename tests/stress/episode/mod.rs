//! An episode: a pool of tensors that share memory with one another, each beside what the reference says it shows, and
//! random steps that make new ones of them.
//!
//! - `judge.rs` compares a result with the reference;
//! - `view.rs` has the views;
//! - `compute.rs`, `reduce.rs`, `arrange.rs` and `order.rs` have the steps.

mod arrange;
mod compute;
mod judge;
mod order;
mod reduce;
mod view;

use supremum::{DType, DynTensor, Error, Kind, RuleSet};

use crate::element::{Element, Values};
use crate::naive::Op;
use crate::operations::{self, Answer, Binary, Expected};
use crate::reference::Reference;
use crate::{forms, shapes};

pub(crate) use judge::compare;
pub(crate) use view::View;

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

/// Random steps from one seed.
pub(crate) struct Episode {
    pub(crate) rng: fastrand::Rng,
    pub(crate) rules: &'static RuleSet,
    /// The description of the step that runs, for messages.
    pub(crate) what: String,
    /// The greatest number of elements of a tensor.
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
        match self.rng.u8(..22) {
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
            20 => self.order(),
            _ => self.threads(),
        }
        self.check_pool();
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
