//! Quotients of `f32`, of which packs with one divisor are products: the same bits, whatever the dividends and the divisor are.

use super::check;
use crate::array::Array;
use crate::kernel::fused::operations::Div;
use crate::kernel::fused::{Binary, Cast, Input};

/// Zeros, numbers within and beyond the bounds of what is divided as a product, and what is no number.
const SPECIAL: [f32; 14] = [
    0.0,
    -0.0,
    1.0,
    -3.7,
    f32::MIN_POSITIVE,
    1e-45,
    7e-31,
    9e-31,
    1.2e30,
    1.3e30,
    f32::MAX,
    f32::INFINITY,
    -f32::INFINITY,
    f32::NAN,
];

/// More divisors: of all fractions, and near the bounds.
const DIVISORS: [f32; 9] = [
    3.0,
    -255.0,
    0.1,
    2.9e-8,
    3.1e-8,
    3.3e7,
    3.4e7,
    1.999_999_9,
    16_777_215.0,
];

fn array(elements: &[f32], shape: &[usize]) -> Array {
    Array::from_elements(elements, shape).expect("a small shape")
}

#[test]
fn packs_with_one_divisor() {
    // Packs of one kind, mixed ones, fractions with all patterns of the upper bits and one exponent for each pack, and part of a pack.
    let mut dividends: Vec<f32> = SPECIAL.into_iter().flat_map(|x| [x; 32]).collect();
    dividends.extend(SPECIAL.iter().cycle().take(70));
    dividends.extend(
        (0..4_096_u32).map(|at| f32::from_bits((at << 11 | at) & 0x7f_ffff | (at >> 5 << 23))),
    );
    dividends.extend([0.1; 5]);
    let shape = [1, dividends.len()];
    let x = array(&dividends, &shape);
    type Quotient = Binary<Div, Input<0, f32>, Input<1, f32>>;
    let quotient = || Cast::<Quotient, f32>::new(Binary::new(Input::NEW, Input::NEW));
    for by in SPECIAL.into_iter().chain(DIVISORS) {
        let expected: Vec<f32> = dividends.iter().map(|x| x / by).collect();
        let expected = array(&expected, &shape);
        let context = format!("by {by:e}");
        let column = array(&[by], &[1, 1]);
        check(((), quotient()), &[&x, &column], &expected, &context);
        // Some packs have another divisor in one lane.
        let mut divisors = vec![by; dividends.len()];
        let others = divisors.iter_mut().skip(17).step_by(96);
        others.for_each(|by| *by = 2.5);
        let pairs = dividends.iter().zip(&divisors);
        let expected: Vec<f32> = pairs.map(|(x, by)| x / by).collect();
        let expected = array(&expected, &shape);
        let divisors = array(&divisors, &shape);
        check(((), quotient()), &[&x, &divisors], &expected, &context);
    }
}
