//! Work split among the threads of rayon's pool, where there is enough of it.
//!
//! Without the feature `parallel`, or in a pool of one thread, all work is one piece and runs where it
//! is asked for. Results do not depend on the pieces: what is folded is cut where its tree is. The one
//! exception are matrix products of floats, whose libraries may add in another order when a matrix has
//! fewer rows or columns.
#![allow(unsafe_code, reason = "addresses that threads share")]

use core::ops::Range;
use std::sync::OnceLock;

use super::block::{Operand, Output};
use super::contiguous::Source;

/// More pieces than threads, so that a thread that is interrupted does not keep the others waiting.
const PIECES_PER_THREAD: usize = 4;

/// How many elements a thread gets at least, times what one costs in additions.
pub(in crate::kernel) const MIN_WORK_PER_THREAD: usize = 1 << 22;

/// Runs pieces that together are `0..total`, on several threads if each has `least` or more to do.
/// Pieces begin at multiples of `grain`.
///
/// Kernels are to be chosen before: the instruction set that a test asks for is that of its thread.
#[inline]
pub(in crate::kernel) fn split(
    total: usize,
    grain: usize,
    least: usize,
    run: impl Fn(Range<usize>) + Sync,
) {
    split_into(PIECES_PER_THREAD, total, grain, least, run);
}

/// [`split`] of work that can fail. Every piece runs; where several fail, the error is that of one of them.
pub(in crate::kernel) fn try_split<E: Send + Sync>(
    total: usize,
    grain: usize,
    least: usize,
    run: impl Fn(Range<usize>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let failed = OnceLock::new();
    split(total, grain, least, |piece| {
        if let Err(error) = run(piece) {
            // Only the first is kept.
            let _ = failed.set(error);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// Whether [`split`] makes more than one piece of it, if there are threads.
#[inline]
pub(in crate::kernel) fn is_split(total: usize, least: usize) -> bool {
    #[cfg(feature = "parallel")]
    return pool::max_threads(total, least) >= 2;
    #[cfg(not(feature = "parallel"))]
    {
        let _ = (total, least);
        false
    }
}

/// [`split`], into no more than `per_thread` pieces for each thread: for work that repeats something in
/// each piece.
#[inline]
pub(in crate::kernel) fn split_into(
    per_thread: usize,
    total: usize,
    grain: usize,
    least: usize,
    run: impl Fn(Range<usize>) + Sync,
) {
    #[cfg(feature = "parallel")]
    if total > grain
        && let Some(pieces) = pool::pieces(per_thread, total, least)
    {
        return pool::run(total, grain, pieces, &run);
    }
    let _ = (per_thread, grain, least);
    run(0..total);
}

/// Addresses that threads share.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct SendPtr<A>(A);

/// Addresses, and what does not change: to read or write through them is unsafe, and whoever does vouches that no
/// other thread writes there.
pub(in crate::kernel) trait Plain: Copy {}

impl<T> Plain for *const T {}
impl<T> Plain for *mut T {}
impl Plain for Source {}
impl Plain for Operand {}
impl Plain for Output {}
impl<A: Plain, const N: usize> Plain for [A; N] {}
impl<A: Plain> Plain for &[A] {}
impl<A: Plain, B: Plain> Plain for (A, B) {}

// SAFETY: an address is a number; see `Plain`.
unsafe impl<A: Plain> Send for SendPtr<A> {}
// SAFETY: as above.
unsafe impl<A: Plain> Sync for SendPtr<A> {}

impl<A: Plain> SendPtr<A> {
    #[inline]
    pub(in crate::kernel) fn new(addresses: A) -> Self {
        Self(addresses)
    }

    /// A method, since closures capture fields one by one, and a bare address is not shared.
    #[inline]
    pub(in crate::kernel) fn get(self) -> A {
        self.0
    }

    /// [`Self::get`] without a copy: right after addresses were written one by one, a copy by wider words has to wait.
    #[inline]
    pub(in crate::kernel) fn get_ref(&self) -> &A {
        &self.0
    }

    #[inline]
    pub(in crate::kernel) fn get_mut(&mut self) -> &mut A {
        &mut self.0
    }
}

#[cfg(feature = "parallel")]
mod pool {
    use core::ops::Range;
    use core::sync::atomic::{AtomicUsize, Ordering};

    #[cfg(test)]
    std::thread_local! {
        /// What counts as enough to do, in place of what the caller says.
        pub(in crate::kernel) static MIN_WORK_PER_THREAD: core::cell::Cell<Option<usize>> = const { core::cell::Cell::new(None) };
    }

    /// How many pieces there can be that are large enough.
    pub(in crate::kernel) fn max_threads(total: usize, least: usize) -> usize {
        #[cfg(test)]
        let least = MIN_WORK_PER_THREAD.get().unwrap_or(least);
        total / least.max(1)
    }

    /// How many threads there are, and into how many pieces to cut; `None` if one thread is to do it all.
    pub(in crate::kernel) fn pieces(
        per_thread: usize,
        total: usize,
        least: usize,
    ) -> Option<(usize, usize)> {
        let most = max_threads(total, least);
        // Asked for first, the number of threads would start them for a sum of eight elements.
        if most < 2 {
            return None;
        }
        let threads = rayon_core::current_num_threads();
        (threads > 1).then(|| (threads, most.min(threads * per_thread)))
    }

    /// The calling thread begins at once, and others take pieces as soon as they are awake: that takes a good part of what the
    /// smallest pieces take. (A matrix product that runs 0.6 ms took 0.1 ms more where it waited for them.)
    pub(in crate::kernel) fn run(
        total: usize,
        grain: usize,
        (threads, pieces): (usize, usize),
        run: &(dyn Fn(Range<usize>) + Sync),
    ) {
        let grains = total.div_ceil(grain);
        let cut = |piece: usize| (grains * piece / pieces * grain).min(total);
        let next = AtomicUsize::new(0);
        let work = || {
            // Which thread runs a piece does not matter; what it advance is seen when the scope ends.
            let numbers = core::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            for number in numbers.take_while(|number| *number < pieces) {
                let piece = cut(number)..cut(number + 1);
                if !piece.is_empty() {
                    run(piece);
                }
            }
        };
        rayon_core::in_place_scope(|scope| {
            for _ in 1..threads.min(pieces) {
                scope.spawn(|_| work());
            }
            work();
        });
    }
}

/// Runs in a pool of `threads`, which split whatever there is more than one of.
#[cfg(all(test, feature = "parallel"))]
pub(in crate::kernel) fn with_threads<T: Send>(
    threads: usize,
    run: impl FnOnce() -> T + Send,
) -> T {
    let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().expect("threads");
    pool.install(|| {
        pool::MIN_WORK_PER_THREAD.set(Some(1));
        run()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::split;
    #[cfg(feature = "parallel")]
    use super::with_threads;

    #[test]
    fn pieces_are_the_whole_and_begin_at_grains() {
        let check = |pool: &str| {
            for (total, grain) in [(0, 1), (1, 1), (7, 3), (512, 512), (513, 512), (10_000, 32)] {
                let found = Mutex::new(Vec::new());
                split(total, grain, 1, |piece| found.lock().unwrap().push(piece));
                let mut found = found.into_inner().unwrap();
                found.sort_by_key(|piece| piece.start);
                assert!(found.iter().all(|piece| piece.start % grain == 0), "{pool}");
                let mut end = 0;
                for piece in &found {
                    assert_eq!(piece.start, end, "{total} by {grain}, {pool}");
                    end = piece.end;
                }
                assert_eq!(end, total, "{pool}");
                if pool == "three threads" && total > 2 * grain {
                    assert!(found.len() > 1, "{total} by {grain} stays in one piece");
                }
            }
        };
        check("the pool of all");
        #[cfg(feature = "parallel")]
        {
            with_threads(3, || check("three threads"));
            with_threads(1, || check("one thread"));
        }
    }
}
