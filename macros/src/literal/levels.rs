//! The range check of literals: the levels, and the verdict of each dtype on each level.

use core::cmp::Ordering;
use std::sync::LazyLock;

use proc_macro2::{Ident, Literal as Token, Span, TokenStream};
use quote::quote;

use super::fold::to_f64;
use crate::dtypes::{DTYPES, DTypeFacts, Kind};

/// The conversion of literals to a dtype.
trait LiteralRange {
    /// Returns whether the dtype rounds.
    fn is_inexact(&self) -> bool;
    /// Returns whether the dtype has negative numbers.
    fn has_negatives(&self) -> bool;
    /// Returns the largest integer (or magnitude of a negative one) that the dtype has or rounds; `None` if there is no
    /// limit.
    fn largest(&self, negative: bool) -> Option<u128>;
    /// Returns the verdict on integers of a level.
    fn int_verdict(&self, level: i8) -> &'static str;
    /// Returns the verdict on floats of a level.
    fn float_verdict(&self, level: i8) -> &'static str;
}

impl LiteralRange for DTypeFacts {
    fn is_inexact(&self) -> bool {
        self.kind >= Kind::Float
    }

    fn largest(&self, negative: bool) -> Option<u128> {
        if self.is_inexact() {
            let overflow = self.overflow()?;
            return (overflow < to_f64(i128::MAX)).then(|| below(overflow));
        }
        let power = 1_u128 << self.top();
        Some(if negative { power } else { power - 1 })
    }

    fn has_negatives(&self) -> bool {
        self.kind >= Kind::Signed
    }

    fn int_verdict(&self, level: i8) -> &'static str {
        let negative = level < 0;
        if self.kind == Kind::Bool {
            let fits = level == 0;
            return if fits { "Fits" } else { "NoTruthValue" };
        }
        if negative && !self.has_negatives() {
            return "Negative";
        }
        let highest = self
            .largest(negative)
            .map_or(i8::MAX, |largest| level_among(largest, negative));
        match level.abs().cmp(&highest.abs()) {
            Ordering::Less | Ordering::Equal => "Fits",
            Ordering::Greater if self.is_inexact() => "Overflows",
            Ordering::Greater => "BeyondRange",
        }
    }

    fn float_verdict(&self, level: i8) -> &'static str {
        if self.kind == Kind::Bool {
            return "NoTruthValue";
        }
        if !self.is_inexact() {
            return "IsFloat";
        }
        match self.overflow() {
            Some(overflow) if level >= level_of_float(overflow) => "Overflows",
            _ => "Fits",
        }
    }
}

/// The largest integer below a float that is at most 2^127.
#[expect(clippy::as_conversions, reason = "truncates, which is meant")]
fn below(value: f64) -> u128 {
    let truncated = value as u128;
    let exact = value.fract() == 0.0;
    truncated - u128::from(exact)
}

/// Returns the bounds of all dtypes for integers of one sign, in ascending order.
fn int_bounds(negative: bool) -> &'static [u128] {
    static POSITIVE: LazyLock<Vec<u128>> = LazyLock::new(|| sorted_int_bounds(false));
    static NEGATIVE: LazyLock<Vec<u128>> = LazyLock::new(|| sorted_int_bounds(true));
    if negative { &NEGATIVE } else { &POSITIVE }
}

fn sorted_int_bounds(negative: bool) -> Vec<u128> {
    let dtypes = DTYPES
        .iter()
        .filter(|dtype| !negative || dtype.has_negatives());
    let mut bounds: Vec<_> = dtypes.filter_map(|dtype| dtype.largest(negative)).collect();
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}

/// Returns the level of an integer of that magnitude: the number of bounds below it; for negative integers the levels
/// go from -1 downwards.
fn level_among(magnitude: u128, negative: bool) -> i8 {
    let bounds = int_bounds(negative);
    let passed = bounds.partition_point(|bound| *bound < magnitude);
    let passed = i8::try_from(passed).expect("there are fewer dtypes");
    if negative { -1 - passed } else { passed }
}

pub(super) fn level_of_int(value: i128) -> i8 {
    level_among(value.unsigned_abs(), value < 0)
}

/// Returns the level of a float: the number of dtypes' bounds that it has reached.
pub(super) fn level_of_float(value: f64) -> i8 {
    let bounds = float_bounds();
    let passed = bounds.partition_point(|bound| *bound <= value.abs());
    i8::try_from(passed).expect("there are fewer dtypes")
}

/// Returns the bounds of all float dtypes, in ascending order.
fn float_bounds() -> &'static [f64] {
    static BOUNDS: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let inexact = DTYPES.iter().filter(|dtype| dtype.is_inexact());
        let mut bounds: Vec<_> = inexact.filter_map(DTypeFacts::overflow).collect();
        bounds.sort_by(f64::total_cmp);
        bounds.dedup();
        bounds
    });
    &BOUNDS
}

/// `callback! { [Bool U8 ..] Ints { 0 [Fits Fits ..] .. } Floats { 0 [..] .. } }`: the verdict of each dtype on the
/// literals of each level.
///
/// Input: `callback`.
pub(crate) fn with_literal_levels(callback: &TokenStream) -> TokenStream {
    let name = |name: &str| Ident::new(name, Span::call_site());
    let dtypes = DTYPES.iter().map(|dtype| name(dtype.marker));
    let rows = |levels: &mut dyn Iterator<Item = i8>,
                verdict: &dyn Fn(&DTypeFacts, i8) -> &'static str| {
        levels
            .map(|level| {
                let verdicts = DTYPES.iter().map(|dtype| name(verdict(dtype, level)));
                let level = Token::i8_unsuffixed(level);
                quote!(#level [#(#verdicts)*])
            })
            .collect::<Vec<_>>()
    };
    let count = |bounds: usize| i8::try_from(bounds).expect("there are fewer dtypes");
    let (lowest, highest) = (
        -1 - count(int_bounds(true).len()),
        count(int_bounds(false).len()),
    );
    let ints = rows(&mut (lowest..=highest), &DTypeFacts::int_verdict);
    let floats = rows(
        &mut (0..=count(float_bounds().len())),
        &DTypeFacts::float_verdict,
    );
    quote!(#callback! { [#(#dtypes)*] Ints { #(#ints)* } Floats { #(#floats)* } })
}
