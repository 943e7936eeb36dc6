//! Integer keys of elements: a smaller element has a smaller key, and equal elements have one key.
//!
//! An element is taken by its bits, as an unsigned integer of its size; so is its key.
//!
//! - Unsigned integers and booleans are their own keys; of signed integers the sign bit is flipped.
//! - Floats are a sign and a magnitude. Flipping all bits of a negative one gives keys that rise from the most negative number to -0.
//!   Those of the others have the sign bit set, and lie one lower, so that +0 has the key of -0. This leaves the greatest key free, for
//!   NaN of either sign.
//! - To sort in descending order, all bits of a key are flipped.

use bytemuck::Pod;

use super::SortOrder;
use super::radix::Digits;
use crate::array::ScalarBits;
use crate::dtype::{DType, Element, Kind};

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
            KeyKind::Float { nan, .. } if key == K::MAX => nan,
            KeyKind::Float { .. } => key.float_of(),
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
        // One loop for each kind, without a choice within it.
        let flip = self.flip;
        let each = elements.iter().zip(keys);
        match self.kind {
            KeyKind::Unsigned => {
                each.for_each(|(element, key)| *key = element.flip(flip));
                false
            }
            KeyKind::Signed => {
                each.for_each(|(element, key)| *key = element.flip(K::SIGN).flip(flip));
                false
            }
            KeyKind::Float { greatest, nan } => {
                let mut is_tied = false;
                each.for_each(|(element, key)| {
                    let own = float_key(*element, greatest, nan);
                    is_tied |= own == K::MAX || *element == K::SIGN;
                    *key = own.flip(flip);
                });
                is_tied
            }
        }
    }

    /// Converts keys to elements, in place.
    // A function of its own: inlined, its loops have no vectors.
    #[inline(never)]
    pub(super) fn convert_back(&self, keys: &mut [K]) {
        let flip = self.flip;
        match self.kind {
            KeyKind::Unsigned => keys.iter_mut().for_each(|key| *key = key.flip(flip)),
            KeyKind::Signed => keys
                .iter_mut()
                .for_each(|key| *key = key.flip(K::SIGN).flip(flip)),
            KeyKind::Float { .. } => keys.iter_mut().for_each(|key| *key = self.element(*key)),
        }
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

#[inline(always)]
fn float_key<K: Bits>(element: K, greatest: K, nan: K) -> K {
    match element.magnitude() > greatest || element == nan {
        true => K::MAX,
        false => element.float_key(),
    }
}
