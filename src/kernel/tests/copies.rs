//! Helpers for tests of copies: they compare a copy at each instruction set, and make elements of each size.

use super::{copied, fenced};
use crate::array::Array;
use crate::dtype::Element;
use crate::simd::{SimdLevel, with_level};

/// Compares the elements of a copy with what they should be.
#[track_caller]
pub(super) fn assert_copied<E: Element>(x: &Array, expected: &[E], context: &str) {
    for level in SimdLevel::ALL {
        with_level(level, || {
            let copy = fenced(|| copied(x));
            assert!(
                copy.to_vec::<E>() == expected,
                "{:?}: {context}, {level:?}",
                E::DTYPE
            );
        });
    }
}

/// Calls a check with elements of each size, made of positions, and a shape.
macro_rules! check_each_size {
    ($check:ident, $shape:expr) => {{
        use crate::dtype::c128;
        $check::<u8>(|at| u8::try_from(at % 251).unwrap(), $shape);
        $check::<i16>(|at| i16::try_from(at % 30_011).unwrap(), $shape);
        $check::<i32>(|at| i32::try_from(at).unwrap(), $shape);
        $check::<u64>(|at| u64::try_from(at).unwrap(), $shape);
        $check::<c128>(
            |at| c128::new(f64::from(u32::try_from(at).unwrap()), -1.0),
            $shape,
        );
    }};
}
pub(super) use check_each_size;
