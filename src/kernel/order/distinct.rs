//! The distinct elements of an array that has few of them.
//!
//! A hash table of at most [`MAX_DISTINCT`] keys fits the L1 cache, so that one pass over the elements finds and counts their keys;
//! then only these are sorted. A million `i64` of a hundred values take a quarter of the time of their sort. With the first key too many
//! the pass ends, and the caller sorts all elements instead: elements that are mostly distinct cost some thousand steps more.

use super::keys::{Bits, Keys};
use crate::array::alloc::{vec_filled, vec_with_capacity};

/// The number of elements from which the table is faster than a sort.
const MIN_LEN: usize = 256;
/// The largest number of keys in the table.
const MAX_DISTINCT: usize = 1 << 10;
/// The base-2 logarithm of the number of slots: at most a quarter of them is taken.
const SLOT_BITS: u32 = 12;
/// The number of slots that are searched for a key. Keys that collide more often are sorted, so that no choice of elements is slow.
const MAX_PROBES: usize = 32;

/// A distinct element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distinct<K> {
    key: K,
    /// The first element with the key.
    pub(super) element: K,
    /// The number of elements with the key.
    pub(super) count: i64,
    /// Its position in the order of first occurrence.
    pub(super) found: usize,
}

/// Finds the distinct elements in ascending order, and hands the position of each element's equal in the order of first occurrence to
/// `observe`. It is `None` if there are too many, if a sort is as fast, or if there is no memory.
pub(super) fn few_distinct<K: Bits>(
    elements: &[K],
    keys: &Keys<K>,
    mut observe: impl FnMut(usize, usize),
) -> Option<Vec<Distinct<K>>> {
    if elements.len() < MIN_LEN {
        return None;
    }
    let mut table = Table::new()?;
    for (at, element) in elements.iter().enumerate() {
        let found = table.find(keys.key(*element), *element)?;
        table.distinct[found].count += 1;
        observe(at, found);
    }
    let mut distinct = table.distinct;
    distinct.sort_unstable_by_key(|one| one.key);
    Some(distinct)
}

/// A hash table with linear probing.
struct Table<K> {
    /// The positions of keys in `distinct`, plus one; 0 in free slots.
    slots: Vec<u16>,
    /// In the order of first occurrence.
    distinct: Vec<Distinct<K>>,
}

impl<K: Bits> Table<K> {
    fn new() -> Option<Self> {
        let slots = vec_filled(0, 1 << SLOT_BITS).ok()?;
        let distinct = vec_with_capacity(MAX_DISTINCT).ok()?;
        Some(Self { slots, distinct })
    }

    /// Returns the position of a key, which is added if it is new; `None` if it finds no place.
    #[inline(always)]
    fn find(&mut self, key: K, element: K) -> Option<usize> {
        let first = key.hash(SLOT_BITS);
        for probe in 0..MAX_PROBES {
            let slot = &mut self.slots[(first + probe) % (1 << SLOT_BITS)];
            let Some(found) = usize::from(*slot).checked_sub(1) else {
                let found = self.distinct.len();
                if found == MAX_DISTINCT {
                    return None;
                }
                *slot = u16::try_from(found + 1).ok()?;
                self.distinct.push(Distinct {
                    key,
                    element,
                    count: 0,
                    found,
                });
                return Some(found);
            };
            if self.distinct[found].key == key {
                return Some(found);
            }
        }
        None
    }
}
