//! How an operation on elements becomes a loop over a block.
//!
//! A loop takes 32 elements at a time into arrays, maps the arrays lane by lane, and writes 32
//! results: plain code that LLVM turns into vector instructions even where output and input are the
//! same memory (which a loop over slices would need checks for). Each loop is compiled once per
//! instruction set, and found through [`for_level`].
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use bytemuck::Zeroable;

use super::{Baseline, Isa, SimdLevel, level};
#[cfg(target_arch = "x86_64")]
use super::{V3, V4};

/// Elements per pack.
pub(crate) const LANES: usize = 32;

/// Elements per pack where registers are narrow: for fewer instructions, which all have to be compiled.
const FEW_LANES: usize = 8;

/// A compiled loop: from inputs of `len` elements to an output of `len` elements (or of one, for
/// reductions).
///
/// # Safety
/// Each input the loop takes can be read, and the output written, for `len` elements of the types
/// the loop was made for, aligned for them. The output may be one of the inputs (if its elements are
/// no larger than theirs), but must not overlap an input otherwise.
pub(crate) type Kernel = unsafe fn(inputs: *const *const u8, output: *mut u8, len: usize);

/// The code of a loop.
pub(crate) trait Body {
    /// # Safety
    /// That of [`Kernel`], and the processor has the instruction set.
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize);
}

unsafe fn baseline<B: Body>(inputs: *const *const u8, output: *mut u8, len: usize) {
    // SAFETY: the caller's.
    unsafe { B::run::<Baseline>(inputs, output, len) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn v3<B: Body>(inputs: *const *const u8, output: *mut u8, len: usize) {
    // SAFETY: the caller's.
    unsafe { B::run::<V3>(inputs, output, len) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd"
)]
unsafe fn v4<B: Body>(inputs: *const *const u8, output: *mut u8, len: usize) {
    // SAFETY: the caller's.
    unsafe { B::run::<V4>(inputs, output, len) }
}

/// A loop's versions, by instruction set, but that of the target's baseline.
const fn wide<B: Body>() -> [Option<Kernel>; SimdLevel::COUNT] {
    #[cfg(target_arch = "x86_64")]
    {
        let (v3, v4): (Kernel, Kernel) = (v3::<B>, v4::<B>);
        [None, Some(v3), Some(v4)]
    }
    #[cfg(not(target_arch = "x86_64"))]
    [None; SimdLevel::COUNT]
}

/// Of versions by instruction set, that of the one in use.
fn in_use(versions: &[Option<Kernel>; SimdLevel::COUNT]) -> Option<Kernel> {
    versions[level().index()]
}

/// The loop for the instruction set in use, if that is more than the target's baseline, for which none is compiled.
#[inline]
pub(crate) fn for_wide<B: Body>() -> Option<Kernel> {
    in_use(const { &wide::<B>() })
}

/// The loop for the target's baseline: for what is not faster on more.
#[inline]
pub(crate) fn for_baseline<B: Body>() -> Kernel {
    baseline::<B>
}

/// The loop for the instruction set in use.
#[inline]
pub(crate) fn for_level<B: Body>() -> Kernel {
    for_wide::<B>().unwrap_or(baseline::<B>)
}

/// The same number, which LLVM cannot know.
///
/// Were the number of packs computable, LLVM would unroll a pack and vectorise *across* packs,
/// with gathers (11 times slower).
#[inline(always)]
pub(crate) fn black_box_usize(number: usize) -> usize {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut number = number;
        // SAFETY: no instructions.
        unsafe {
            core::arch::asm!("/* {} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags));
        }
        number
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(number)
}

/// The same pack, by way of memory.
///
/// LLVM chooses the width of vectors by what becomes of them at last, and a pack that is folded into one
/// element ends in pairs (3 times slower).
#[inline(always)]
pub(crate) fn through_memory<T: Copy, const N: usize>(pack: [T; N]) -> [T; N] {
    /// A vector that no two cache lines share.
    #[repr(C, align(64))]
    struct Aligned<T>(T);
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut pack = Aligned(pack);
        // SAFETY: no instructions.
        unsafe {
            core::arch::asm!("/* {} */", in(reg) &raw mut pack, options(nostack, preserves_flags));
        }
        pack.0
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(pack)
}

/// The value of a zero-sized function type.
///
/// # Safety
/// A value of this type was seen: functions are made only by [`map1`] and its like, which take one.
#[inline(always)]
unsafe fn function<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "a kernel's function captures nothing") };
    // SAFETY: a value of this size has no bytes to read, and is a copy of the one that was seen.
    unsafe { core::ptr::NonNull::<F>::dangling().read() }
}

/// Reads one pack.
///
/// # Safety
/// As many elements can be read.
#[inline(always)]
pub(crate) unsafe fn load<T: Copy, const N: usize>(from: *const T) -> [T; N] {
    // SAFETY: the caller's.
    unsafe { from.cast::<[T; N]>().read() }
}

/// Writes one pack.
///
/// # Safety
/// As many elements can be written.
#[inline(always)]
pub(crate) unsafe fn store<T: Copy, const N: usize>(to: *mut T, pack: [T; N]) {
    // SAFETY: the caller's.
    unsafe { to.cast::<[T; N]>().write(pack) }
}

/// Reads the last, shorter pack, and fills it up with zeros.
///
/// # Safety
/// `len <= LANES` elements can be read.
#[inline(always)]
pub(crate) unsafe fn load_part<T: Copy + Zeroable>(from: *const T, len: usize) -> [T; LANES] {
    let mut pack = [T::zeroed(); LANES];
    // SAFETY: the caller's; the pack is our own.
    unsafe { from.copy_to_nonoverlapping(pack.as_mut_ptr(), len) };
    pack
}

/// Writes the last, shorter pack.
///
/// # Safety
/// `len <= LANES` elements can be written.
#[inline(always)]
pub(crate) unsafe fn store_part<T: Copy>(to: *mut T, pack: &[T; LANES], len: usize) {
    // SAFETY: the caller's; the pack is our own.
    unsafe { to.copy_from_nonoverlapping(pack.as_ptr(), len) };
}

/// `[f(0), f(1), ..]`; unlike `core::array::from_fn` it vectorises at every size.
///
/// The function is `Copy`, so that nothing is to be dropped should it panic: code that would be compiled a thousand times.
#[inline(always)]
pub(crate) fn lanes<T: Copy, const N: usize>(f: impl Fn(usize) -> T + Copy) -> [T; N] {
    let mut pack = MaybeUninit::<[T; N]>::uninit();
    let first = pack.as_mut_ptr().cast::<T>();
    let mut lane = 0;
    // Compiles faster than a range does.
    while lane < N {
        // SAFETY: within the pack.
        unsafe { first.add(lane).write(f(lane)) };
        lane += 1;
    }
    // SAFETY: all lanes were written.
    unsafe { pack.as_ptr().read() }
}

/// A loop over whole packs and the rest.
///
/// # Safety
/// That of [`Kernel`] with one input.
#[inline(always)]
pub(crate) unsafe fn each_pack<A: Copy + Zeroable, R: Copy>(
    a: *const A,
    output: *mut u8,
    len: usize,
    pack: impl Fn([A; LANES]) -> [R; LANES],
) {
    let output = output.cast::<R>();
    let mut done = 0;
    while len - done >= LANES {
        // SAFETY: a whole pack is left.
        unsafe { store(output.add(done), pack(load(a.add(done)))) };
        done = black_box_usize(done + LANES);
    }
    if done < len {
        // SAFETY: `len - done` elements are left, less than a pack.
        unsafe {
            let result = pack(load_part(a.add(done), len - done));
            store_part(output.add(done), &result, len - done);
        }
    }
}

macro_rules! maps {
    ($($Map:ident $map:ident ($($A:ident $a:ident $number:literal),*) $doc:literal;)*) => {$(
        struct $Map<$($A,)* R, F>(PhantomData<($($A,)* R, F)>);

        impl<$($A: Copy,)* R: Copy, F: Fn($($A),*) -> R + Copy> $Map<$($A,)* R, F> {
            #[inline(always)]
            unsafe fn packs<const N: usize>(inputs: *const *const u8, output: *mut u8, len: usize) {
                // SAFETY: the caller's, and see `function`; packs as in `each_pack`.
                unsafe {
                    let f: F = function();
                    $(let $a = (*inputs.add($number)).cast::<$A>();)*
                    let output = output.cast::<R>();
                    let mut done = 0;
                    while len - done >= N {
                        $(let $a = load::<_, N>($a.add(done));)*
                        store(output.add(done), lanes::<_, N>(|lane| f($($a[lane]),*)));
                        done = black_box_usize(done + N);
                    }
                    // By itself the rest is sooner done than gathered into a pack, and in half the code.
                    while done < len {
                        output.add(done).write(f($($a.add(done).read()),*));
                        done = black_box_usize(done + 1);
                    }
                }
            }
        }

        impl<$($A: Copy,)* R: Copy, F: Fn($($A),*) -> R + Copy> Body for $Map<$($A,)* R, F> {
            #[inline(always)]
            unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
                // SAFETY: the caller's.
                unsafe {
                    if const { I::REGISTER_BYTES > Baseline::REGISTER_BYTES } {
                        Self::packs::<LANES>(inputs, output, len);
                    } else {
                        Self::packs::<FEW_LANES>(inputs, output, len);
                    }
                }
            }
        }

        #[doc = $doc]
        ///
        /// The function is called once for each element, so that it may panic on elements that are not there.
        #[inline(always)]
        pub(crate) fn $map<$($A: Copy,)* R: Copy, F: Fn($($A),*) -> R + Copy>(_: F) -> Kernel {
            for_level::<$Map<$($A,)* R, F>>()
        }
    )*};
}

maps! {
    Map1 map1 (A a 0) "A loop that maps each element.";
    Map2 map2 (A a 0, B b 1) "A loop that maps pairs of elements.";
    Map3 map3 (A a 0, B b 1, C c 2) "A loop that maps triples of elements.";
}

/// The loop that takes from the second input where the first is true, else from the third.
#[inline(always)]
pub(crate) fn choose<T: Copy>() -> Kernel {
    map3(|condition: u8, a: T, b: T| if condition != 0 { a } else { b })
}

/// A plain loop, compiled once: for functions that do not vectorise.
#[inline(always)]
pub(crate) fn each1<A: Copy, R: Copy, F: Fn(A) -> R + Copy>(_: F) -> Kernel {
    unsafe fn run<A: Copy, R: Copy, F: Fn(A) -> R + Copy>(
        inputs: *const *const u8,
        output: *mut u8,
        len: usize,
    ) {
        // SAFETY: the caller's, and see `function`.
        unsafe {
            let f: F = function();
            let (a, output) = ((*inputs).cast::<A>(), output.cast::<R>());
            for at in 0..len {
                output.add(at).write(f(a.add(at).read()));
            }
        }
    }
    run::<A, R, F>
}

/// A plain loop over pairs, compiled once: for functions that do not vectorise.
#[inline(always)]
pub(crate) fn each2<A: Copy, R: Copy, F: Fn(A, A) -> R + Copy>(_: F) -> Kernel {
    unsafe fn run<A: Copy, R: Copy, F: Fn(A, A) -> R + Copy>(
        inputs: *const *const u8,
        output: *mut u8,
        len: usize,
    ) {
        // SAFETY: the caller's, and see `function`.
        unsafe {
            let f: F = function();
            let (a, b) = ((*inputs).cast::<A>(), (*inputs.add(1)).cast::<A>());
            let output = output.cast::<R>();
            for at in 0..len {
                output.add(at).write(f(a.add(at).read(), b.add(at).read()));
            }
        }
    }
    run::<A, R, F>
}

/// `match` on a dtype or size, with `$T` the type in each arm.
macro_rules! for_types {
    ($value:expr, $T:ident in [$($pattern:pat => $type:ty),* $(,)?] => $body:expr, _ => $other:expr) => {
        match $value {
            $($pattern => { type $T = $type; $body })*
            _ => $other,
        }
    };
}
pub(crate) use for_types;
