use super::{Dot, Tiles, Units, multiply, pack, sum};

const WIDTH: usize = 8;

pub(super) const TILES: Tiles = Tiles {
    units: Units::Pairs,
    width: WIDTH,
    multiply: multiply::<Portable, 4>,
    sum: sum::<Portable>,
    pack: pack::<u16, 2, WIDTH>,
};

struct Portable;

/// Returns the signed halves of a unit as 32 bits.
fn halves(unit: u32) -> [u32; 2] {
    let unit = unit.cast_signed();
    [(unit << 16) >> 16, unit >> 16].map(i32::cast_unsigned)
}

impl Dot for Portable {
    type Vector = [u32; WIDTH / 2];
    const LANES: usize = WIDTH / 2;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self::Vector {
        // SAFETY: the caller guarantees that so many units can be read.
        unsafe { from.cast::<Self::Vector>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(to: *mut u32, vector: Self::Vector) {
        // SAFETY: the caller guarantees that so many units can be written.
        unsafe { to.cast::<Self::Vector>().write_unaligned(vector) }
    }
    #[inline(always)]
    unsafe fn splat(unit: u32) -> Self::Vector {
        [unit; WIDTH / 2]
    }
    #[inline(always)]
    unsafe fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector {
        core::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }
    #[inline(always)]
    unsafe fn dot(sums: Self::Vector, b: Self::Vector, a: Self::Vector) -> Self::Vector {
        core::array::from_fn(|lane| {
            let ([b0, b1], [a0, a1]) = (halves(b[lane]), halves(a[lane]));
            let products = a0.wrapping_mul(b0).wrapping_add(a1.wrapping_mul(b1));
            sums[lane].wrapping_add(products)
        })
    }
}
