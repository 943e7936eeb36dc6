//! Choices by masks.

use crate::array::Array;
use crate::kernel::tests::layouts::random;
use crate::kernel::{argwhere, masked_select};

/// Masks with few, half, most and all elements true, of lengths around eight.
#[test]
fn masks_of_each_density_choose_their_elements() {
    for len in [0, 1, 7, 8, 9, 24, 71, 500] {
        for hundredths in [0, 2, 30, 50, 98, 100] {
            let mask: Vec<bool> = (0..len)
                .map(|at| random(hundredths * 1000 + at) % 100 < hundredths)
                .collect();
            let shape = [mask.len()];
            let numbers: Vec<u16> = (0..len).map(|at| u16::try_from(at).unwrap()).collect();
            let expected: Vec<u16> = numbers
                .iter()
                .zip(&mask)
                .filter(|(_, is_true)| **is_true)
                .map(|(number, _)| *number)
                .collect();
            let array = Array::from_elements(&mask, &shape).unwrap();
            let x = Array::from_elements(&numbers, &shape).unwrap();
            let found = masked_select(&x, &array).unwrap().to_vec::<u16>();
            assert_eq!(found, expected, "{len} {hundredths}");
            let positions: Vec<i64> = expected.iter().map(|at| i64::from(*at)).collect();
            let found = argwhere(&array).unwrap();
            assert_eq!(found.shape(), [expected.len(), 1]);
            assert_eq!(found.to_vec::<i64>(), positions);
            if len == 24 {
                let cube = array.reshape(&[2, 3, 4]).unwrap();
                let rows: Vec<i64> = positions
                    .iter()
                    .flat_map(|at| [at / 12, at / 4 % 3, at % 4])
                    .collect();
                assert_eq!(argwhere(&cube).unwrap().to_vec::<i64>(), rows);
            }
        }
    }
}
