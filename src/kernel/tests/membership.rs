//! `is_in` by a table: every pattern of 8 and 16 bits among some values, and integers among values of a small range, beside comparisons
//! of elements.

use std::borrow::Cow;

use super::{cast, copied};
use crate::array::Array;
use crate::dtype::DType;
use crate::kernel::is_in_table;

/// An array of each pattern.
fn all(dtype: DType) -> Array {
    let patterns = match dtype.size() {
        _ if dtype == DType::Bool => Array::from_elements(&[false, true], &[2]),
        1 => Array::from_positions(&[1 << 8], |at| u8::try_from(at).unwrap()),
        _ => Array::from_positions(&[1 << 16], |at| u16::try_from(at).unwrap()),
    };
    patterns.unwrap().bitcast(dtype)
}

fn numbers(x: &Array) -> Vec<f64> {
    let wide = copied(&cast(Cow::Borrowed(x), DType::F64));
    wide.as_slice().unwrap().to_vec()
}

#[test]
fn patterns_are_found_where_elements_are_equal() {
    let mut tried = 0;
    for dtype in DType::ALL {
        let dtype = *dtype;
        if dtype.size() > 2 {
            continue;
        }
        tried += 1;
        let patterns = all(dtype);
        let elements = numbers(&patterns);
        // Every third pattern; NaN, if there are any; the zeros one by one; nothing but the ends.
        let count = elements.len();
        let nan: Vec<usize> = (0..count).filter(|at| elements[*at].is_nan()).collect();
        let zeros: Vec<usize> = (0..count).filter(|at| elements[*at] == 0.0).collect();
        let mut choices = vec![(1..count).step_by(3).collect(), nan, vec![0, count - 1]];
        choices.extend(zeros.into_iter().map(|at| vec![at]));
        for chosen in choices {
            let values = chosen.iter().map(|at| {
                let at = at.cast_signed();
                patterns.slice(0, at, at + 1, 1).unwrap()
            });
            let values: Vec<Array> = values.collect();
            let lent: Vec<&Array> = values.iter().collect();
            if lent.is_empty() {
                continue;
            }
            let values = crate::kernel::concat(&lent, 0, dtype).unwrap();
            let mut wanted: Vec<f64> = numbers(&values).iter().map(|value| value + 0.0).collect();
            wanted.retain(|value| !value.is_nan());
            wanted.sort_by(f64::total_cmp);
            let expected: Vec<bool> = elements
                .iter()
                .map(|element| {
                    wanted
                        .binary_search_by(|value| value.total_cmp(&(element + 0.0)))
                        .is_ok()
                })
                .collect();
            let found = is_in_table(&patterns, &values).unwrap().unwrap();
            assert!(
                found.as_slice::<bool>() == Some(&expected[..]),
                "{dtype} {}",
                chosen.len()
            );
            // In another layout.
            let found = is_in_table(&patterns.flip(0).unwrap(), &values)
                .unwrap()
                .unwrap();
            let back: Vec<bool> = expected.iter().rev().copied().collect();
            assert!(found.as_slice::<bool>() == Some(&back[..]), "{dtype}");
        }
    }
    assert!(tried >= 9, "{tried}");
    let wide = Array::from_elements(&[1.0_f32], &[1]).unwrap();
    assert!(is_in_table(&wide, &wide).unwrap().is_none());
}

/// Values at both ends of a dtype, where elements above the range wrap to small distances, and values too far apart for a table.
#[test]
fn integers_are_found_in_a_range_of_values() {
    macro_rules! check {
        ($($integer:ident)*) => {$(
            for (start, steps) in [
                ($integer::MIN, vec![0, 3, 4]),
                ($integer::MAX - 70, vec![0, 63, 64, 70]),
                ($integer::MAX / 2, vec![65_535, 7, 0]),
            ] {
                let values: Vec<$integer> = steps.iter().map(|step| start + step).collect();
                let near = (0..160).map(|step| start.wrapping_sub(80).wrapping_add(step));
                let ends = [$integer::MIN, 0, 1, 65_535, 65_536, $integer::MAX / 2, $integer::MAX];
                let elements: Vec<$integer> = near.chain(ends).chain(values.iter().copied()).collect();
                let expected: Vec<bool> = elements.iter().map(|x| values.contains(x)).collect();
                let [x, values] = [elements, values]
                    .map(|of| Array::from_elements(&of, &[of.len()]).unwrap());
                let found = is_in_table(&x, &values).unwrap().unwrap();
                assert!(found.as_slice::<bool>() == Some(&expected[..]), "{start} and more");
                // In another layout.
                let found = is_in_table(&x.flip(0).unwrap(), &values.flip(0).unwrap());
                let back: Vec<bool> = expected.iter().rev().copied().collect();
                assert!(found.unwrap().unwrap().as_slice::<bool>() == Some(&back[..]));
            }
            let apart: [$integer; 2] = [3, 65_539];
            let apart = Array::from_elements(&apart, &[2]).unwrap();
            assert!(is_in_table(&apart, &apart).unwrap().is_none());
        )*};
    }
    check!(i32 u32 i64 u64);
}
