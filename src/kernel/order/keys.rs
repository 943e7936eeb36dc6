//! Integer keys of elements: a smaller element has a smaller key, and equal elements have one key.
//!
//! An element is taken by its bits, as an unsigned integer of its size; so is its key.
//!
//! - Unsigned integers and booleans are their own keys; of signed integers the sign bit is flipped.
//! - Floats are a sign and a magnitude. Flipping all bits of a negative one gives keys that rise from the most negative number to -0.
//!   Those of the others have the sign bit set, and lie one lower, so that +0 has the key of -0. This leaves the greatest key free, for
//!   NaN of either sign.
//! - To sort in descending order, all bits of a key are flipped.

#![allow(
    unsafe_code,
    reason = "calls loops for the processor's instruction set"
)]

use core::marker::PhantomData;

use bytemuck::Pod;

use super::SortOrder;
use super::integers::Digits;
use crate::array::ScalarBits;
use crate::dtype::{DType, Element, Kind};
use crate::simd::{Body, Isa, for_level};

/// An unsigned integer: the bits of an element, or its key.
pub(super) trait Bits: Element + Pod + Digits {
    /// Zero.
    const ZERO: Self;
    /// The greatest integer.
    const MAX: Self;
    /// The sign bit.
    const SIGN: Self;

    /// Flips these bits.
    fn flip(self, bits: Self) -> Self;
    /// Removes the sign of a float.
    fn magnitude(self) -> Self;
    /// The key of a float that is not NaN.
    fn float_key(self) -> Self;
    /// The bits of the float with this key; +0 for the key of zeros.
    fn float_of(self) -> Self;
    /// The integer minus one; wraps from zero to the greatest integer.
    fn previous(self) -> Self;
    /// The integer as a position; zero if no position is so great.
    fn index(self) -> usize;
    /// So many bits, which differ for most pairs of integers that differ.
    fn hash(self, bits: u32) -> usize;
}

macro_rules! bits {
    ($($bits:ident)*) => {$(
        impl Bits for $bits {
            const ZERO: Self = 0;
            const MAX: Self = Self::MAX;
            const SIGN: Self = 1 << (Self::BITS - 1);

            #[inline(always)]
            fn flip(self, bits: Self) -> Self {
                self ^ bits
            }
            #[inline(always)]
            fn magnitude(self) -> Self {
                self & !Self::SIGN
            }
            #[inline(always)]
            fn float_key(self) -> Self {
                // All ones if the sign bit is set.
                let sign = (self.cast_signed() >> (Self::BITS - 1)).cast_unsigned();
                (self ^ (sign | Self::SIGN)).wrapping_add(!sign)
            }
            #[inline(always)]
            fn float_of(self) -> Self {
                match self < Self::SIGN - 1 {
                    true => !self,
                    false => self.wrapping_add(1) ^ Self::SIGN,
                }
            }
            #[inline(always)]
            fn previous(self) -> Self {
                self.wrapping_sub(1)
            }
            #[inline(always)]
            fn index(self) -> usize {
                usize::try_from(self).unwrap_or_default()
            }
            #[inline(always)]
            fn hash(self, bits: u32) -> usize {
                // The multiplier is 2^64 divided by the golden ratio; the highest bits of the product depend on all bits.
                let product = u64::from(self).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                usize::try_from(product >> (u64::BITS - bits)).unwrap_or_default()
            }
        }
    )*};
}

bits! { u8 u16 u32 u64 }

/// The conversion between the elements of a dtype and their keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys<K> {
    kind: KeyKind<K>,
    /// The bits that are flipped in each key: all for a descending order, else none.
    flip: K,
}

#[derive(Clone, Copy, Debug)]
enum KeyKind<K> {
    Unsigned,
    Signed,
    Float {
        /// The greatest element, which is infinite if the format has infinities. Greater magnitudes are NaN.
        greatest: K,
        /// A NaN. It matters in formats that have a single one, in place of -0.
        nan: K,
    },
}

impl<K: Bits> Keys<K> {
    /// The keys of a dtype of the size of `K`, which is not complex.
    pub(super) fn new(dtype: DType, order: SortOrder) -> Self {
        debug_assert_eq!(dtype.size(), size_of::<K>());
        let kind = match dtype.kind() {
            Kind::Signed => KeyKind::Signed,
            Kind::Float => Self::float_kind(dtype),
            _ => KeyKind::Unsigned,
        };
        let flip = match order {
            SortOrder::Ascending => K::ZERO,
            SortOrder::Descending => K::MAX,
        };
        Self { kind, flip }
    }

    fn float_kind(dtype: DType) -> KeyKind<K> {
        let bits = |number: f64| -> K {
            bytemuck::pod_read_unaligned(ScalarBits::of(dtype, number).bytes())
        };
        let (infinity, nan) = (bits(f64::INFINITY), bits(f64::NAN));
        // A format without infinities has NaN in place of them, right above its greatest number.
        let greatest = match infinity.magnitude() == nan.magnitude() {
            true => infinity.previous(),
            false => infinity,
        };
        KeyKind::Float { greatest, nan }
    }

    /// Returns the key of an element.
    #[inline(always)]
    pub(super) fn key(&self, element: K) -> K {
        let key = match self.kind {
            KeyKind::Unsigned => element,
            KeyKind::Signed => element.flip(K::SIGN),
            KeyKind::Float { greatest, nan } => float_key(element, greatest, nan),
        };
        key.flip(self.flip)
    }

    /// Returns the element with a key. If several elements have the key, it is +0 or one of the NaNs.
    #[inline(always)]
    fn element(&self, key: K) -> K {
        let key = key.flip(self.flip);
        match self.kind {
            KeyKind::Unsigned => key,
            KeyKind::Signed => key.flip(K::SIGN),
            KeyKind::Float { nan, .. } => float_of(key, nan),
        }
    }

    /// The keys that several elements share: the key of zeros and the key of NaN.
    pub(super) fn shared(&self) -> [Option<K>; 2] {
        match self.kind {
            KeyKind::Float { nan, .. } => [Some(self.key(K::ZERO)), Some(self.key(nan))],
            _ => [None; 2],
        }
    }

    /// The key of NaN, if the dtype has NaN.
    pub(super) fn nan(&self) -> Option<K> {
        self.shared()[1]
    }

    /// Writes the keys of elements. Returns whether there may be elements that their keys do not determine: -0 or NaN.
    pub(super) fn write(&self, elements: &[K], keys: &mut [K]) -> bool {
        debug_assert_eq!(elements.len(), keys.len());
        let mut writing = Writing {
            of: self,
            elements,
            keys,
            is_tied: false,
        };
        let write = for_level::<WriteKeys<K>>();
        // SAFETY: the loop takes no inputs, so that none has to be readable, and its output is a `Writing` that this function owns.
        // `for_level` selects a loop that the processor can run.
        unsafe { write(core::ptr::null(), (&raw mut writing).cast(), 1) };
        writing.is_tied
    }

    /// Converts keys to elements, in place.
    pub(super) fn convert_back(&self, keys: &mut [K]) {
        let mut writing = Writing {
            of: self,
            elements: &[],
            keys,
            is_tied: false,
        };
        let convert = for_level::<ConvertBack<K>>();
        // SAFETY: as in `write`: the loop takes no inputs, and its output is a `Writing` that this function owns. `for_level` selects a loop
        // that the processor can run.
        unsafe { convert(core::ptr::null(), (&raw mut writing).cast(), 1) };
    }

    /// Returns the element at a position in sorted order, given its key and how many elements have smaller keys.
    pub(super) fn element_at(&self, row: &[K], key: K, position: usize, smaller: usize) -> K {
        if !self.shared().contains(&Some(key)) {
            return self.element(key);
        }
        let mut equal = row.iter().filter(|element| self.key(**element) == key);
        let found = equal.nth(position.saturating_sub(smaller));
        found.copied().unwrap_or_else(|| self.element(key))
    }
}

/// What [`WriteKeys`] and [`ConvertBack`] read and write.
struct Writing<'a, K> {
    of: &'a Keys<K>,
    elements: &'a [K],
    keys: &'a mut [K],
    is_tied: bool,
}

/// The loop of [`Keys::write`]. Its output is a [`Writing`].
struct WriteKeys<K>(PhantomData<K>);

impl<K: Bits> Body for WriteKeys<K> {
    #[inline(always)]
    unsafe fn run<I: Isa>(_: *const *const u8, output: *mut u8, _: usize) {
        // SAFETY: `Keys::write`, the only caller, passes the address of a `Writing` that it owns.
        let writing = unsafe { &mut *output.cast::<Writing<'_, K>>() };
        let flip = writing.of.flip;
        let each = writing.elements.iter().zip(&mut *writing.keys);
        // One loop for each kind, without a choice within it.
        match writing.of.kind {
            KeyKind::Unsigned => each.for_each(|(element, key)| *key = element.flip(flip)),
            KeyKind::Signed => {
                each.for_each(|(element, key)| *key = element.flip(K::SIGN).flip(flip));
            }
            KeyKind::Float { greatest, nan } => {
                // NaN has the greatest key, and -0 the least bits if the sign bit is flipped. LLVM vectorises extremes, as it does not
                // comparisons that are joined by `or` (f32: 2 ns for each element).
                let (mut greatest_key, mut least) = (K::ZERO, K::MAX);
                each.for_each(|(element, key)| {
                    let own = float_key(*element, greatest, nan);
                    greatest_key = greatest_key.max(own);
                    least = least.min(element.flip(K::SIGN));
                    *key = own.flip(flip);
                });
                writing.is_tied = greatest_key == K::MAX || least == K::ZERO;
            }
        }
    }
}

/// The loop of [`Keys::convert_back`]. Its output is a [`Writing`].
struct ConvertBack<K>(PhantomData<K>);

impl<K: Bits> Body for ConvertBack<K> {
    #[inline(always)]
    unsafe fn run<I: Isa>(_: *const *const u8, output: *mut u8, _: usize) {
        // SAFETY: `Keys::convert_back`, the only caller, passes the address of a `Writing` that it owns.
        let writing = unsafe { &mut *output.cast::<Writing<'_, K>>() };
        let (keys, flip) = (writing.keys.iter_mut(), writing.of.flip);
        match writing.of.kind {
            KeyKind::Unsigned => keys.for_each(|key| *key = key.flip(flip)),
            KeyKind::Signed => keys.for_each(|key| *key = key.flip(K::SIGN).flip(flip)),
            KeyKind::Float { nan, .. } => keys.for_each(|key| *key = float_of(key.flip(flip), nan)),
        }
    }
}

#[inline(always)]
fn float_key<K: Bits>(element: K, greatest: K, nan: K) -> K {
    // Without a branch, so that loops have vectors.
    match (element.magnitude() > greatest) | (element == nan) {
        true => K::MAX,
        false => element.float_key(),
    }
}

#[inline(always)]
fn float_of<K: Bits>(key: K, nan: K) -> K {
    match key == K::MAX {
        true => nan,
        false => key.float_of(),
    }
}
