//! The losses that `DType::loss_to` and `WidensTo` state, compared with conversions of values: all of
//! them for dtypes of up to 16 bits, for wider ones those most likely to be lost.
#![allow(clippy::as_conversions, reason = "small bit patterns, widened")]

use core::marker::PhantomData;

use crate::exact::{Exact, Kind, Number, Tally, Tested, Value, adversarial, cast_to_raw};
use supremum::dtype::Conversion;
use supremum::dtype::{LosesPrecision, LosesRange, Lossless, Weak};
use supremum::prelude::*;
use supremum::{
    BF16, Bool, C64, C128, DType, Element, F8E4M3FN, F8E5M2, F16, F32, F64, I8, I16, I32, I64,
    Loss, StaticDType, U8, U16, U32, U64, WidensTo,
};

/// Calls a macro with every marker, so that only here they are listed.
macro_rules! markers {
    ($callback:ident $($input:tt)*) => {
        supremum::__private::with_markers! { $callback $($input)* }
    };
}

/// Calls a macro with every marker from which to convert, and all those to which.
macro_rules! rows {
    ($row:ident [$($marker:ident)*]) => { $(markers! { $row $marker })* };
}

fn samples<E: Tested>() -> Vec<u128> {
    match 8 * size_of::<E>() {
        _ if matches!(E::KIND, Kind::Bool) => vec![0, 1],
        bits @ 0..=16 => (0..1 << bits).collect(),
        _ => adversarial(PhantomData::<E>),
    }
}

/// The value of an element with these bits.
fn value_of<E: Tested>(raw: u128) -> Value {
    Value::of(E::from_raw(raw))
}

/// Converts elements to bits, and reads these.
fn converted<From: Tested>(
    values: &[(From, Value)],
    cast: fn(From) -> u128,
    value_of: fn(u128) -> Value,
) -> Vec<Value> {
    let converted = values.iter().map(|(from, _)| value_of(cast(*from)));
    converted.collect()
}

/// The loss of a conversion to a kind of element, judged by these values and the definitions of [`Loss`]; range comes first.
fn observed<From>(
    values: &[(From, Value)],
    converted: &[Value],
    kind: Kind,
    tally: &mut Tally,
) -> Loss {
    let mut loss = Loss::None;
    let mut sign_of_zero_is_lost = false;
    for ((_, value), to) in values.iter().zip(converted) {
        tally.checked += 1;
        let Some((re, im)) = value.finite() else {
            continue;
        };
        let has_imaginary_part = matches!(kind, Kind::Complex(_));
        let imaginary_part_is_lost = im.significand != 0 && !has_imaginary_part;
        let Some((to_re, to_im)) = to.finite() else {
            return Loss::Range;
        };
        if imaginary_part_is_lost || value.is_outside(kind) {
            return Loss::Range;
        }
        if !re.same_number(to_re) || !im.same_number(to_im) {
            loss = Loss::Precision;
        }
        sign_of_zero_is_lost |= re.significand == 0 && re.negative && !to_re.negative;
    }
    match loss {
        Loss::None if sign_of_zero_is_lost => Loss::Range,
        loss => loss,
    }
}

/// Conversions that lose nothing keep special values: zeros keep their sign, infinities are infinities and NaN is NaN.
fn specials_survive<From: Tested>(
    values: &[(From, Value)],
    converted: &[Value],
    kind: Kind,
    tally: &mut Tally,
) {
    let alike = |from: Number, to: Number| match (from, to) {
        (
            Number::Finite(Exact {
                significand: 0,
                negative: from,
                ..
            }),
            Number::Finite(to),
        ) => to.significand == 0 && to.negative == from,
        (Number::Finite(from), Number::Finite(to)) => from.same_number(to),
        (Number::Infinite { negative: from }, Number::Infinite { negative: to }) => from == to,
        (Number::NaN { .. }, Number::NaN { .. }) => true,
        _ => false,
    };
    for ((from, value), to) in values.iter().zip(converted) {
        tally.record(alike(value.re, to.re) && alike(value.im, to.im), || {
            format!("{from:?} of {} becomes {to:?} in {kind:?}", From::NAME)
        });
    }
}

type ElementOf<D> = <D as StaticDType>::Element;

#[test]
fn losses_are_what_happens_to_values() {
    let (mut tally, mut pairs, mut specials) = (Tally::default(), 0, Tally::default());
    macro_rules! row {
        ($from:ident [$($to:ident)*]) => {{
            type From = ElementOf<$from>;
            let elements = samples::<From>().into_iter().map(From::from_raw);
            let values: Vec<_> = elements.map(|element| (element, Value::of(element))).collect();
            $(
                let kind = <ElementOf<$to> as Tested>::KIND;
                let cast = cast_to_raw::<From, ElementOf<$to>>;
                let results = converted(&values, cast, value_of::<ElementOf<$to>>);
                let happened = observed(&values, &results, kind, &mut tally);
                let stated = $from::DTYPE.loss_to($to::DTYPE);
                assert_eq!(stated, happened, "{} to {}", $from::DTYPE, $to::DTYPE);
                if stated == Loss::None {
                    specials_survive(&values, &results, kind, &mut specials);
                }
                pairs += 1;
            )*
        }};
    }
    markers! { rows row }
    println!("{pairs} pairs of dtypes");
    assert_eq!(pairs, DType::ALL.len().pow(2));
    tally.finish("values behind losses");
    specials.finish("values through lossless conversions");
}

/// `HOLDS` is the inherent constant where the bound holds, else the trait's.
struct Widens<From, To>(PhantomData<(From, To)>);

impl<From: WidensTo<To>, To> Widens<From, To> {
    const HOLDS: bool = true;
}

trait DoesNotWiden {
    const HOLDS: bool = false;
}

impl<From, To> DoesNotWiden for Widens<From, To> {}

/// Likewise, which of the three verdicts the type system gives.
struct Verdict<From, To>(PhantomData<(From, To)>);

impl<From: Conversion<To, Loss = Lossless>, To> Verdict<From, To> {
    const LOSSLESS: bool = true;
}

impl<From: Conversion<To, Loss = LosesPrecision<From>>, To> Verdict<From, To> {
    const LOSES_PRECISION: bool = true;
}

impl<From: Conversion<To, Loss = LosesRange<From>>, To> Verdict<From, To> {
    const LOSES_RANGE: bool = true;
}

trait NoVerdict {
    const LOSSLESS: bool = false;
    const LOSES_PRECISION: bool = false;
    const LOSES_RANGE: bool = false;
}

impl<From, To> NoVerdict for Verdict<From, To> {}

/// The answers of the type system about a conversion, with strong and weak operands, and the verdict that it gives.
type Stated = ([DType; 2], [bool; 4], [bool; 3]);

#[test]
fn widens_to_holds_exactly_where_nothing_is_lost() {
    let (mut tally, mut lossless) = (Tally::default(), 0);
    let mut judge = |row: &[Stated]| {
        for ([from, to], widens, verdict) in row {
            let loss = from.loss_to(*to);
            let what = || format!("{from} to {to}: {loss:?}");
            for holds in widens {
                tally.record(*holds == (loss == Loss::None), what);
            }
            let expected = [Loss::None, Loss::Precision, Loss::Range].map(|stated| stated == loss);
            tally.record(*verdict == expected, what);
            lossless += usize::from(widens[0]);
        }
    };
    // The answers of a row are a constant: the compiler takes several times as long for code that makes them.
    macro_rules! row {
        ($from:ident [$($to:ident)*]) => {{
            const ROW: &[Stated] = &[$((
                [$from::DTYPE, $to::DTYPE],
                [
                    <Widens<$from, $to>>::HOLDS,
                    <Widens<Weak<$from>, $to>>::HOLDS,
                    <Widens<$from, Weak<$to>>>::HOLDS,
                    <Widens<Weak<$from>, Weak<$to>>>::HOLDS,
                ],
                [
                    <Verdict<$from, $to>>::LOSSLESS,
                    <Verdict<$from, $to>>::LOSES_PRECISION,
                    <Verdict<$from, $to>>::LOSES_RANGE,
                ],
            )),*];
            judge(ROW);
        }};
    }
    markers! { rows row }
    println!(
        "{lossless} of {} pairs are lossless",
        DType::ALL.len().pow(2)
    );
    assert_eq!(tally.checked, 5 * (DType::ALL.len() as u64).pow(2));
    tally.finish("WidensTo and verdicts in types");
}

#[test]
fn markers_tags_names_and_elements_belong_together() {
    let mut tally = Tally::default();
    macro_rules! each {
        ([$($marker:ident)*]) => {$({
            let dtype = $marker::DTYPE;
            type E = ElementOf<$marker>;
            let mut holds = |holds: bool, what: &str| tally.record(holds, || format!("{dtype}: {what}"));
            holds(size_of::<$marker>() == 0 && size_of::<Weak<$marker>>() == 0, "zero-sized");
            holds(dtype == DType::$marker && <Weak<$marker>>::DTYPE == dtype, "tag");
            holds(!$marker::WEAK && <Weak<$marker>>::WEAK, "weakness");
            holds(dtype.marker_name() == stringify!($marker), "name of the marker");
            holds(dtype.name() == stringify!($marker).to_lowercase(), "name");
            holds(dtype.to_string() == dtype.name(), "printing");
            holds(dtype.name().parse() == Ok(dtype), "parsing");
            holds(dtype.marker_name().parse::<DType>().is_err(), "names are lower-case");
            holds(<E as Element>::DTYPE == dtype, "dtype of the element");
            holds(size_of::<E>() == dtype.size(), "size");
            holds(<E as Tested>::NAME == dtype.name(), "element");
            holds(E::default().raw() == 0, "default");
        })*};
    }
    markers! { each }
    assert_eq!(tally.checked, 12 * DType::ALL.len() as u64);
    let names: Vec<_> = DType::ALL.iter().map(|dtype| dtype.name()).collect();
    let published = "bool u8 u16 u32 u64 i8 i16 i32 i64 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz \
                     bf16 f16 f32 f64 c64 c128";
    tally.record(names.join(" ") == published, || names.join(" "));
    for name in ["", "f", "F32", "f32 ", "float32", "f8", "int", "weak"] {
        tally.record(name.parse::<DType>().is_err(), || {
            format!("`{name}` parses")
        });
    }
    tally.finish("markers, tags, names and elements");
}
