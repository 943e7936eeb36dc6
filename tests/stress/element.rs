//! Elements of a dtype that is known at run time: bits, and the functions of `naive` that compute with them.

use std::sync::OnceLock;

use supremum::DType;

use crate::exact::{BINARY64, Kind, Number, Value};
use crate::naive::{Arith, Op, Typed, converted, each_dtype, edges, sample};

/// The facts about a dtype that the reference knows. Elements are their bits, as `Tested::raw` gives them.
pub(crate) struct Element {
    pub(crate) dtype: DType,
    pub(crate) size: usize,
    pub(crate) kind: Kind,
    /// `None` where integers are divided by zero.
    pub(crate) binary: fn(Op, u128, u128) -> Option<u128>,
    pub(crate) less: fn(u128, u128) -> bool,
    pub(crate) negated: fn(u128) -> u128,
    pub(crate) inverted: fn(u128) -> u128,
    pub(crate) same: fn(u128, u128) -> bool,
    pub(crate) value: fn(u128) -> Value,
    /// Values at which operations go wrong.
    edges: Vec<u128>,
    /// Multiples of a quarter up to 4, integers up to 16: their sums and products do not round in `f32`.
    tame: Vec<u128>,
}

/// Which elements a random tensor has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Values {
    /// Small numbers whose sums and products do not round.
    Tame,
    /// Numbers between -1/2 and 1/2 with all their digits, so that the order of additions shows.
    Rough,
    /// Extremes, numbers of any size, and numbers that round wrong if they are rounded twice.
    Wild,
}

/// A number that is, or is next to, the middle between two neighbours of a narrower float.
fn beside_a_tie(rng: &mut fastrand::Rng) -> f64 {
    let digits = [3, 4, 8, 11, 24][rng.usize(..5)];
    let odd = (rng.u32(..1 << digits) | 1 << digits) | 1;
    let offset = [0.0, 1.0, -1.0][rng.usize(..3)] * 2f64.powi(-40);
    f64::from(odd) * (1.0 + offset) * 2f64.powi(rng.i32(-8..4) - digits)
}

impl Element {
    fn new<D: Typed>() -> Self {
        Self {
            dtype: D::DTYPE,
            size: size_of::<D::Element>(),
            kind: <D::Element as crate::exact::Tested>::KIND,
            binary: |op, a, b| {
                let [a, b] = [a, b].map(raw::<D>);
                D::Element::apply(op, a, b).map(bits::<D>)
            },
            less: |a, b| D::Element::less(raw::<D>(a), raw::<D>(b)),
            negated: |a| bits::<D>(D::Element::negated(raw::<D>(a))),
            inverted: |a| bits::<D>(D::Element::inverted(raw::<D>(a))),
            same: |a, b| crate::naive::same::<D::Element>(raw::<D>(a), raw::<D>(b)),
            value: |a| Value::of(raw::<D>(a)),
            edges: edges::<D::Element>().into_iter().map(bits::<D>).collect(),
            tame: sample::<D::Element>(256, 1)
                .into_iter()
                .map(bits::<D>)
                .collect(),
        }
    }

    /// All dtypes, in the order of `DType::ALL`.
    pub(crate) fn of(dtype: DType) -> &'static Self {
        static ALL: OnceLock<Vec<Element>> = OnceLock::new();
        macro_rules! all {
            ([] $($dtype:ident)*) => { vec![$(Element::new::<supremum::$dtype>()),*] };
        }
        let all = ALL.get_or_init(|| each_dtype!(all []));
        let found = all.iter().find(|element| element.dtype == dtype);
        found.expect("every dtype is in the list")
    }

    pub(crate) fn random(
        &self,
        rng: &mut fastrand::Rng,
        count: usize,
        values: Values,
    ) -> Vec<u128> {
        let mut pick_from = match values {
            Values::Tame => self.tame.clone(),
            Values::Rough => {
                let rough = || self.from_parts([rng.f64() - 0.5, rng.f64() - 0.5]);
                std::iter::repeat_with(rough).take(512).collect()
            }
            Values::Wild => [&self.tame[..40], &self.edges].concat(),
        };
        if values == Values::Wild {
            for _ in 0..40 {
                let number = (rng.f64() - 0.5) * 10f64.powi(rng.i32(-12..12));
                pick_from.push(self.from_f64(number));
                pick_from.push(self.from_f64(beside_a_tie(rng)));
            }
        }
        (0..count)
            .map(|_| pick_from[rng.usize(..pick_from.len())])
            .collect()
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(self.kind, Kind::Unsigned(_) | Kind::Signed(_))
    }

    pub(crate) fn is_complex(&self) -> bool {
        matches!(self.kind, Kind::Complex(_))
    }

    /// Returns whether it computes in `f32`.
    pub(crate) fn is_small_float(&self) -> bool {
        matches!(self.kind, Kind::Float(_)) && self.size < 4
    }

    /// The integer that it is.
    pub(crate) fn integer(&self, raw: u128) -> i128 {
        match (self.value)(raw).re {
            Number::Finite(number) => number.truncated(),
            _ => panic!("a float"),
        }
    }

    /// The nearest element of this dtype.
    #[allow(clippy::wrong_self_convention, reason = "it converts to this dtype")]
    pub(crate) fn from_f64(&self, number: f64) -> u128 {
        converted(Value::of(number), self.kind)
    }

    /// The low bits, of integers.
    #[allow(clippy::wrong_self_convention, reason = "it converts to this dtype")]
    pub(crate) fn from_integer(&self, number: i128) -> u128 {
        number.cast_unsigned() & (u128::MAX >> (128 - 8 * self.size))
    }

    /// Real and imaginary part, rounded to `f64` if they are 64-bit integers.
    pub(crate) fn parts(&self, raw: u128) -> [f64; 2] {
        let value = (self.value)(raw);
        [value.re, value.im].map(to_f64)
    }

    /// From real and imaginary part, each rounded.
    #[allow(clippy::wrong_self_convention, reason = "it converts to this dtype")]
    pub(crate) fn from_parts(&self, [re, im]: [f64; 2]) -> u128 {
        let [re, im] = [re, im].map(|part| Value::of(part).re);
        let integer = false;
        converted(Value { re, im, integer }, self.kind)
    }

    /// Returns whether both are the same number; NaN is none.
    pub(crate) fn equal(&self, a: u128, b: u128) -> bool {
        let [a, b] = [a, b].map(self.value);
        let same = |a, b| match (a, b) {
            (Number::Finite(a), Number::Finite(b)) => a.same_number(b),
            (Number::Infinite { negative: a }, Number::Infinite { negative: b }) => a == b,
            _ => false,
        };
        same(a.re, b.re) && same(a.im, b.im)
    }

    pub(crate) fn is_nan(&self, raw: u128) -> bool {
        let value = (self.value)(raw);
        [value.re, value.im]
            .iter()
            .any(|part| matches!(part, Number::NaN { .. }))
    }

    pub(crate) fn is_zero(&self, raw: u128) -> bool {
        self.parts(raw) == [0.0, 0.0]
    }
}

fn raw<D: Typed>(bits: u128) -> D::Element {
    crate::exact::Tested::from_raw(bits)
}

fn bits<D: Typed>(element: D::Element) -> u128 {
    crate::exact::Tested::raw(element)
}

fn to_f64(number: Number) -> f64 {
    let value = Value {
        re: number,
        im: number,
        integer: false,
    };
    let bits = converted(value, Kind::Float(BINARY64));
    f64::from_bits(u64::try_from(bits).expect("64 bits"))
}

/// A small integer.
#[allow(clippy::as_conversions, reason = "small numbers, which `f64` has")]
pub(crate) fn small(value: i64) -> f64 {
    value as f64
}
