//! Loops of functions with many steps, some of which only some operands need.
//!
//! ```text
//! for each pack:
//!     if all of its operands are easy: apply the function, and tell the compiler that they are
//!     else: apply the function
//! ```
//!
//! Both branches call the same function, so they give the same bits. In the first one the compiler leaves out what serves other operands. The
//! loops call functions by their names: LLVM does not inline closures of that size, and compiles them once for all instruction sets.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::pack::{FEW_LANES, LANES, black_box_usize, load, store};
use super::{Baseline, Isa};
use super::{Body, Kernel, for_level};

/// For each number of operands: the trait of functions, the function that maps a pack, and the loop over all packs.
macro_rules! maps_by_case {
    ($($(#[doc = $doc:literal])+ $Easy:ident, $lanes:ident, $Map:ident $map:ident ($($Operand:ident $a:ident $at:literal),+);)*) => {$(
        $(#[doc = $doc])+
        ///
        /// # Safety
        /// [`Self::is_easy`] gives the same answer each time that it is called with the same operands.
        pub(crate) unsafe trait $Easy {
            $(type $Operand: Copy;)+
            type Result: Copy;
            /// Returns whether a part of the function is not needed. The function compares operands in the same way, so that the compiler
            /// sees which part that is.
            fn is_easy($($a: Self::$Operand),+) -> bool;
            fn apply<I: Isa>($($a: Self::$Operand),+) -> Self::Result;
        }

        /// Maps a pack.
        #[inline(always)]
        pub(crate) fn $lanes<I: Isa, F: $Easy, const N: usize>($($a: &[F::$Operand; N]),+) -> [F::Result; N] {
            let mut results = MaybeUninit::<[F::Result; N]>::uninit();
            let first = results.as_mut_ptr().cast::<F::Result>();
            // Without an early exit, so that it is a comparison of vectors.
            let (mut all_easy, mut lane) = (true, 0);
            while lane < N {
                all_easy &= F::is_easy($($a[lane]),+);
                lane += 1;
            }
            lane = 0;
            if all_easy {
                while lane < N {
                    // SAFETY: all operands are easy, and the trait guarantees that they still are. `lane < N` lies within the results.
                    unsafe {
                        core::hint::assert_unchecked(F::is_easy($($a[lane]),+));
                        first.add(lane).write(F::apply::<I>($($a[lane]),+));
                    }
                    lane += 1;
                }
            } else {
                while lane < N {
                    // SAFETY: `lane < N` lies within the results.
                    unsafe { first.add(lane).write(F::apply::<I>($($a[lane]),+)) };
                    lane += 1;
                }
            }
            // SAFETY: one of the loops wrote all `N` lanes.
            unsafe { results.assume_init() }
        }

        struct $Map<F>(PhantomData<F>);

        impl<F: $Easy> $Map<F> {
            #[inline(always)]
            unsafe fn packs<I: Isa, const N: usize>(inputs: *const *const u8, output: *mut u8, len: usize) {
                // SAFETY: the caller guarantees `len` elements of each input and of the output; each iteration handles `N` of those that
                // are left, or at most `FEW_LANES` of them, at least one.
                unsafe {
                    $(let $a = (*inputs.add($at)).cast::<F::$Operand>();)+
                    let output = output.cast::<F::Result>();
                    let mut done = 0;
                    while len - done >= N {
                        $(let $a = load::<_, N>($a.add(done));)+
                        store(output.add(done), $lanes::<I, F, N>($(&$a),+));
                        done = black_box_usize(done + N);
                    }
                    // One by one, functions of many steps take twice as long as a library's.
                    while done < len {
                        let rest = FEW_LANES.min(len - done);
                        $(let $a = part_of_pack($a.add(done), rest);)+
                        let results = $lanes::<I, F, FEW_LANES>($(&$a),+);
                        output.add(done).copy_from_nonoverlapping(results.as_ptr(), rest);
                        done = black_box_usize(done + rest);
                    }
                }
            }
        }

        impl<F: $Easy> Body for $Map<F> {
            #[inline(always)]
            unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
                // SAFETY: the caller guarantees `len` readable elements of each input and a writable output, as `Kernel` requires.
                unsafe {
                    if const { I::REGISTER_BYTES > Baseline::REGISTER_BYTES } {
                        Self::packs::<I, LANES>(inputs, output, len);
                    } else {
                        Self::packs::<I, FEW_LANES>(inputs, output, len);
                    }
                }
            }
        }

        /// Selects the loop that maps all operands.
        #[inline(always)]
        pub(crate) fn $map<F: $Easy>() -> Kernel {
            for_level::<$Map<F>>()
        }
    )*};
}

maps_by_case! {
    /// A function of one operand that takes less work for some.
    EasyCase, lanes_by_case, MapByCase map1_by_case (Argument x 0);
    /// A function of two operands that takes less work for some.
    EasyCaseOfTwo, lanes_of_two_by_case, MapTwoByCase map2_by_case (Left a 0, Right b 1);
}

/// Reads the elements of the last pack, which is filled up with copies of the first one.
///
/// # Safety
/// `len` elements can be read, at least one and at most [`FEW_LANES`].
#[inline(always)]
unsafe fn part_of_pack<T: Copy>(from: *const T, len: usize) -> [T; FEW_LANES] {
    // SAFETY: the caller guarantees `len >= 1` elements, for which the pack has room.
    unsafe {
        let mut pack = [from.read(); FEW_LANES];
        from.copy_to_nonoverlapping(pack.as_mut_ptr(), len);
        pack
    }
}
