//! Results beside the reference.

use supremum::{DynTensor, Error};

use super::Entry;
use crate::element::Element;
use crate::operations::{Answer, Expected, Judge, Refusal};
use crate::reference::Reference;

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
