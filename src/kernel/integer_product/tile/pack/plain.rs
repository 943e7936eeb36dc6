//! Arrangements of units in plain code.
#![allow(unsafe_code, reason = "matrices in raw memory")]

use super::{InUnit, SIDE};

/// [`SIDE`] units.
pub(super) type Units = [u32; SIDE];

/// Inverts these bits of each unit.
#[inline(always)]
pub(super) fn inverted(units: Units, bits: u32) -> Units {
    units.map(|unit| unit ^ bits)
}

/// Exchanges rows and columns.
#[inline(always)]
pub(super) fn transposed(rows: [Units; SIDE]) -> [Units; SIDE] {
    core::array::from_fn(|column| core::array::from_fn(|row| rows[row][column]))
}

impl InUnit<4> for u8 {
    #[inline(always)]
    fn unit(elements: [Self; 4]) -> u32 {
        u32::from_ne_bytes(elements)
    }

    #[inline(always)]
    unsafe fn load(from: *const Self) -> Units {
        // SAFETY: the caller guarantees that the elements of `SIDE` units can be read.
        unsafe { <Self as InUnit<4>>::along(from) }
    }

    #[inline(always)]
    unsafe fn across(rows: [*const Self; 4]) -> [Units; 4] {
        // SAFETY: the caller guarantees 16 readable elements from each address on.
        unsafe { across(rows) }
    }
}

macro_rules! in_pairs {
    ($($element:ident)*) => {$(
        impl InUnit<2> for $element {
            #[inline(always)]
            fn unit(elements: [Self; 2]) -> u32 {
                bytemuck::cast(elements.map(i16::from))
            }

            #[inline(always)]
            unsafe fn load(from: *const Self) -> Units {
                // SAFETY: the caller guarantees that the elements of `SIDE` units can be read.
                unsafe { <Self as InUnit<2>>::along(from) }
            }

            #[inline(always)]
            unsafe fn across(rows: [*const Self; 2]) -> [Units; 2] {
                // SAFETY: the caller guarantees 8 readable elements from each address on.
                unsafe { across(rows) }
            }
        }
    )*};
}

in_pairs! { i8 u8 i16 }

/// [`InUnit::across`], column by column.
///
/// # Safety
/// `SIDE * ELEMENTS` elements can be read from each address on; they need not be aligned.
#[inline(always)]
unsafe fn across<E: InUnit<ELEMENTS>, const ELEMENTS: usize>(
    rows: [*const E; ELEMENTS],
) -> [Units; ELEMENTS] {
    core::array::from_fn(|part| {
        core::array::from_fn(|at| {
            // SAFETY: the caller guarantees `SIDE * ELEMENTS` elements from each address on.
            let element = |row: *const E| unsafe { row.add(part * SIDE + at).read_unaligned() };
            E::unit(rows.map(element))
        })
    })
}
