//! Splits work among the threads of rayon's pool, if there is enough of it.
//!
//! Without the feature `parallel`, or in a pool of one thread, all work is one piece and runs on the calling thread.
//! Results do not depend on the pieces: reductions are cut where their tree of partial results is. The one exception
//! are matrix products of floats, whose libraries may add in another order when a matrix has fewer rows or columns.
#![allow(unsafe_code, reason = "addresses that threads share")]

use core::ops::Range;
use std::sync::OnceLock;

/// There are more pieces than threads, so that a thread that is interrupted does not keep the others waiting.
const PIECES_PER_THREAD: usize = 4;

/// The least work that is worth a thread: a number of elements times the cost of one, in additions.
pub(in crate::kernel) const MIN_WORK_PER_THREAD: usize = 1 << 22;

/// Runs pieces that together are `0..total`, on several threads if each gets at least `min_len`; zero counts as one. Pieces begin at
/// multiples of `grain`.
///
/// Choose kernels before the call: the SIMD level that a test overrides is that of its own thread.
#[inline]
pub(in crate::kernel) fn split(
    total: usize,
    grain: usize,
    min_len: usize,
    run: impl Fn(Range<usize>) + Sync,
) {
    split_into(PIECES_PER_THREAD, total, grain, min_len, run);
}

/// [`try_split_into`] as many pieces as [`split`] makes.
pub(in crate::kernel) fn try_split<E: Send + Sync>(
    total: usize,
    grain: usize,
    min_len: usize,
    run: impl Fn(Range<usize>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    try_split_into(PIECES_PER_THREAD, total, grain, min_len, run)
}

/// [`split_into`] of work that can fail. Every piece runs; where several fail, the error is that of one of them.
pub(in crate::kernel) fn try_split_into<E: Send + Sync>(
    per_thread: usize,
    total: usize,
    grain: usize,
    min_len: usize,
    run: impl Fn(Range<usize>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let failed = OnceLock::new();
    split_into(per_thread, total, grain, min_len, |piece| {
        if let Err(error) = run(piece) {
            // Only the first error is kept.
            let _ = failed.set(error);
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}

/// Returns whether [`split`] makes more than one piece, if the pool has several threads.
#[inline]
pub(in crate::kernel) fn is_split(total: usize, min_len: usize) -> bool {
    #[cfg(feature = "parallel")]
    return pool::max_threads(total, min_len) >= 2;
    #[cfg(not(feature = "parallel"))]
    {
        let _ = (total, min_len);
        false
    }
}

/// Returns a number of threads that [`split`] does not exceed.
pub(in crate::kernel) fn max_workers(total: usize, min_len: usize) -> usize {
    #[cfg(feature = "parallel")]
    if is_split(total, min_len) {
        return rayon_core::current_num_threads();
    }
    let _ = (total, min_len);
    1
}

/// [`split`] into at most `per_thread` pieces for each thread: for work that repeats something in each piece.
#[inline]
pub(in crate::kernel) fn split_into(
    per_thread: usize,
    total: usize,
    grain: usize,
    min_len: usize,
    run: impl Fn(Range<usize>) + Sync,
) {
    #[cfg(feature = "parallel")]
    if total > grain
        && let Some(pieces) = pool::pieces(per_thread, total, min_len)
    {
        return pool::run(total, grain, pieces, &run);
    }
    let _ = (per_thread, grain, min_len);
    run(0..total);
}

/// Plain data with raw pointers that worker threads may copy.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct SendPtr<A>(A);

/// Raw pointers and plain data. Dereferencing the pointers stays unsafe: the code that does it must ensure that no
/// other thread writes there.
pub(in crate::kernel) trait Plain: Copy {}

impl<T> Plain for *const T {}
impl<T> Plain for *mut T {}
impl<A: Plain, const N: usize> Plain for [A; N] {}
impl<A: Plain> Plain for &[A] {}
impl<A: Plain, B: Plain> Plain for (A, B) {}

// SAFETY: a `Plain` value is plain data and raw pointers; to dereference those is unsafe and the duty of the code
// that does it, so moving the value to another thread does no harm.
unsafe impl<A: Plain> Send for SendPtr<A> {}
// SAFETY: a shared reference gives nothing but copies of the `Plain` value, which may be used on any thread (see
// `Send`).
unsafe impl<A: Plain> Sync for SendPtr<A> {}

impl<A: Plain> SendPtr<A> {
    #[inline]
    pub(in crate::kernel) fn new(addresses: A) -> Self {
        Self(addresses)
    }

    /// Returns the value. This is a method because closures capture single fields, and a bare pointer is not `Sync`.
    #[inline]
    pub(in crate::kernel) fn get(self) -> A {
        self.0
    }

    /// [`Self::get`] without a copy. Right after the pointers were written one by one, a copy with wider loads would
    /// stall on store forwarding.
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
    use core::hint;
    use core::ops::Range;
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    /// How long the calling thread polls for the end of the other threads' last pieces before it sleeps. It takes the system 20 to
    /// 50 us to wake a thread, and the last pieces often take less. (A product of bytes of 256 x 256 x 256 on two threads took 37 to
    /// 47 us without polling, and takes 22.)
    const POLLED: Duration = Duration::from_micros(100);

    #[cfg(test)]
    std::thread_local! {
        /// The least number of elements of a piece, instead of the caller's.
        pub(in crate::kernel) static MIN_WORK_PER_THREAD: core::cell::Cell<Option<usize>> = const { core::cell::Cell::new(None) };
    }

    /// Returns the number of pieces that are large enough.
    pub(in crate::kernel) fn max_threads(total: usize, min_len: usize) -> usize {
        #[cfg(test)]
        let min_len = MIN_WORK_PER_THREAD.get().unwrap_or(min_len);
        total / min_len.max(1)
    }

    /// Returns the number of threads and of pieces; `None` if the calling thread is to do all the work.
    pub(in crate::kernel) fn pieces(
        per_thread: usize,
        total: usize,
        min_len: usize,
    ) -> Option<(usize, usize)> {
        let most = max_threads(total, min_len);
        // This comes before the number of threads, because reading that starts the pool: a sum of eight elements must
        // not.
        if most < 2 {
            return None;
        }
        let threads = rayon_core::current_num_threads();
        (threads > 1).then(|| (threads, most.min(threads * per_thread)))
    }

    /// The calling thread begins at once, and others take pieces once they are awake; waking takes a good part of the
    /// time of the smallest pieces. (A matrix product of 0.6 ms took 0.1 ms more when it waited for the others.)
    pub(in crate::kernel) fn run(
        total: usize,
        grain: usize,
        (threads, pieces): (usize, usize),
        run: &(dyn Fn(Range<usize>) + Sync),
    ) {
        let grains = total.div_ceil(grain);
        let cut = |piece: usize| (grains * piece / pieces * grain).min(total);
        let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            // Relaxed, because it does not matter which thread runs a piece; the results become visible when the
            // scope ends.
            let numbers = core::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            for number in numbers.take_while(|number| *number < pieces) {
                let piece = cut(number)..cut(number + 1);
                if !piece.is_empty() {
                    run(piece);
                }
                finished.fetch_add(1, Ordering::Relaxed);
            }
        };
        rayon_core::in_place_scope(|scope| {
            for _ in 1..threads.min(pieces) {
                scope.spawn(|_| work());
            }
            work();
            let start = Instant::now();
            while finished.load(Ordering::Relaxed) < pieces && start.elapsed() < POLLED {
                for _ in 0..16 {
                    hint::spin_loop();
                }
            }
        });
    }
}

/// Runs in a pool of `threads` threads, which split everything that has more than one grain.
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
