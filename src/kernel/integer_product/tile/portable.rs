//! Tiles in plain code, for processors without tiles of their own.

use super::dots::dots;
use super::few::few;
use super::pack::{InUnit, pack, pack_by_vectors};
use super::{Dot, Tiles, Units, Vector, multiply, sums};
use crate::dtype::DType;

const LANES: usize = 4;

/// Returns the tiles for a right operand of this dtype.
pub(super) fn tiles(right: DType) -> Tiles {
    match right {
        DType::I8 => of::<i8>(),
        DType::U8 => of::<u8>(),
        _ => Tiles {
            few: Some(few::<Portable, i16, 2, 4>),
            pack: pack_by_vectors::<[u32; LANES], i16, 2, { 2 * LANES }>,
            ..of::<i16>()
        },
    }
}

fn of<E: InUnit<2>>() -> Tiles {
    Tiles {
        units: Units::Pairs,
        width: 2 * LANES,
        multiply: multiply::<Portable, 4>,
        few: None,
        dots: dots::<Portable, E, 2, LANES>,
        sums: sums::<Portable>,
        pack: pack::<E, 2, { 2 * LANES }>,
    }
}

struct Portable;

/// Returns the signed halves of a unit as 32 bits.
fn halves(unit: u32) -> [u32; 2] {
    let unit = unit.cast_signed();
    [(unit << 16) >> 16, unit >> 16].map(i32::cast_unsigned)
}

impl Vector for [u32; LANES] {
    const LANES: usize = LANES;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller guarantees that `LANES` units can be read; the read needs no alignment.
        unsafe { from.cast::<Self>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller guarantees that `LANES` units can be written; the write needs no alignment.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }
    #[inline(always)]
    unsafe fn splat(unit: u32) -> Self {
        [unit; LANES]
    }
    #[inline(always)]
    unsafe fn xor(a: Self, b: Self) -> Self {
        core::array::from_fn(|lane| a[lane] ^ b[lane])
    }
    #[inline(always)]
    unsafe fn add(a: Self, b: Self) -> Self {
        core::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }
    #[inline(always)]
    unsafe fn in_turns<const BYTES: usize>(a: Self, b: Self) -> [Self; 2] {
        let (a, b): ([u8; 16], [u8; 16]) = (bytemuck::cast(a), bytemuck::cast(b));
        [0, 8].map(|first| {
            let bytes: [u8; 16] = core::array::from_fn(|at| {
                let from = first + at / (2 * BYTES) * BYTES + at % BYTES;
                [a, b][at / BYTES % 2][from]
            });
            bytemuck::cast(bytes)
        })
    }
    #[inline(always)]
    unsafe fn to_arrange<const ELEMENTS: usize>(self) -> Self {
        self
    }
}

impl Dot for Portable {
    type Vector = [u32; LANES];

    #[inline(always)]
    unsafe fn dot(sums: [u32; LANES], b: [u32; LANES], a: [u32; LANES]) -> [u32; LANES] {
        core::array::from_fn(|lane| {
            let ([b0, b1], [a0, a1]) = (halves(b[lane]), halves(a[lane]));
            let products = a0.wrapping_mul(b0).wrapping_add(a1.wrapping_mul(b1));
            sums[lane].wrapping_add(products)
        })
    }
}
