//! How an operation on elements becomes a loop over a strip.
//!
//! A loop takes 32 elements at a time into arrays, maps the arrays lane by lane, and writes 32
//! results: plain code that LLVM turns into vector instructions even where output and input are the
//! same memory (which a loop over slices would need checks for). Each loop is compiled once per
//! instruction set, and found through [`for_level`].
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use bytemuck::Zeroable;

use super::isa::{self, Isa, Level};

/// Elements per chunk.
pub(super) const LANES: usize = 32;

/// A compiled loop: from inputs of `len` elements to an output of `len` elements (or of one, for
/// reductions).
///
/// # Safety
/// Each input the loop takes can be read, and the output written, for `len` elements of the types
/// the loop was made for, aligned for them. The output may be one of the inputs (if its elements are
/// no larger than theirs), but must not overlap an input otherwise.
pub(crate) type Kernel = unsafe fn(inputs: *const *const u8, output: *mut u8, len: usize);

/// The code of a loop.
pub(super) trait Body {
    /// # Safety
    /// That of [`Kernel`], and the processor has the instruction set.
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize);
}

pub(super) unsafe fn baseline<B: Body>(inputs: *const *const u8, output: *mut u8, len: usize) {
    // SAFETY: the caller's.
    unsafe { B::run::<isa::Baseline>(inputs, output, len) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn v3<B: Body>(inputs: *const *const u8, output: *mut u8, len: usize) {
    // SAFETY: the caller's.
    unsafe { B::run::<isa::V3>(inputs, output, len) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd"
)]
pub(super) unsafe fn v4<B: Body>(inputs: *const *const u8, output: *mut u8, len: usize) {
    // SAFETY: the caller's.
    unsafe { B::run::<isa::V4>(inputs, output, len) }
}

/// The loop for the instruction set in use.
#[inline]
pub(super) fn for_level<B: Body>() -> Kernel {
    match isa::level() {
        #[cfg(target_arch = "x86_64")]
        Level::V4 => v4::<B>,
        #[cfg(target_arch = "x86_64")]
        Level::V3 => v3::<B>,
        _ => baseline::<B>,
    }
}

/// The same number, which LLVM cannot know.
///
/// Were the number of chunks computable, LLVM would unroll a chunk and vectorise *across* chunks,
/// with gathers (11 times slower).
#[inline(always)]
pub(super) fn opaque(number: usize) -> usize {
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

/// The same chunk, by way of memory.
///
/// LLVM chooses the width of vectors by what becomes of them at last, and a chunk that is folded into one
/// element ends in pairs (3 times slower).
#[inline(always)]
pub(super) fn settled<T: Copy>(mut chunk: [T; LANES]) -> [T; LANES] {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    // SAFETY: no instructions.
    unsafe {
        core::arch::asm!("/* {} */", in(reg) chunk.as_mut_ptr(), options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let chunk = core::hint::black_box(chunk);
    chunk
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

/// Reads one chunk.
///
/// # Safety
/// [`LANES`] elements can be read.
#[inline(always)]
pub(super) unsafe fn load<T: Copy>(from: *const T) -> [T; LANES] {
    // SAFETY: the caller's.
    unsafe { from.cast::<[T; LANES]>().read() }
}

/// Writes one chunk.
///
/// # Safety
/// [`LANES`] elements can be written.
#[inline(always)]
pub(super) unsafe fn store<T: Copy>(to: *mut T, chunk: [T; LANES]) {
    // SAFETY: the caller's.
    unsafe { to.cast::<[T; LANES]>().write(chunk) }
}

/// Reads the last, shorter chunk, and fills it up with zeros.
///
/// # Safety
/// `len <= LANES` elements can be read.
#[inline(always)]
pub(super) unsafe fn load_part<T: Copy + Zeroable>(from: *const T, len: usize) -> [T; LANES] {
    let mut chunk = [T::zeroed(); LANES];
    // SAFETY: the caller's; the chunk is our own.
    unsafe { from.copy_to_nonoverlapping(chunk.as_mut_ptr(), len) };
    chunk
}

/// Writes the last, shorter chunk.
///
/// # Safety
/// `len <= LANES` elements can be written.
#[inline(always)]
pub(super) unsafe fn store_part<T: Copy>(to: *mut T, chunk: &[T; LANES], len: usize) {
    // SAFETY: the caller's; the chunk is our own.
    unsafe { to.copy_from_nonoverlapping(chunk.as_ptr(), len) };
}

/// `[f(0), f(1), ..]`; unlike `core::array::from_fn` it vectorises at every size.
#[inline(always)]
pub(super) fn lanes<T: Copy, const N: usize>(mut f: impl FnMut(usize) -> T) -> [T; N] {
    let mut chunk = MaybeUninit::<[T; N]>::uninit();
    let first = chunk.as_mut_ptr().cast::<T>();
    for lane in 0..N {
        // SAFETY: within the chunk.
        unsafe { first.add(lane).write(f(lane)) };
    }
    // SAFETY: all lanes were written.
    unsafe { chunk.assume_init() }
}

/// A loop over whole chunks and the rest.
///
/// # Safety
/// That of [`Kernel`] with one input.
#[inline(always)]
pub(super) unsafe fn each_chunk<A: Copy + Zeroable, R: Copy>(
    a: *const A,
    output: *mut u8,
    len: usize,
    chunk: impl Fn([A; LANES]) -> [R; LANES],
) {
    let output = output.cast::<R>();
    let mut done = 0;
    while len - done >= LANES {
        // SAFETY: a whole chunk is left.
        unsafe { store(output.add(done), chunk(load(a.add(done)))) };
        done = opaque(done + LANES);
    }
    if done < len {
        // SAFETY: `len - done` elements are left, less than a chunk.
        unsafe {
            let result = chunk(load_part(a.add(done), len - done));
            store_part(output.add(done), &result, len - done);
        }
    }
}

struct Map1<A, R, F>(PhantomData<(A, R, F)>);

impl<A: Copy + Zeroable, R: Copy, F: Fn(A) -> R + Copy> Body for Map1<A, R, F> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's, and see `function`.
        unsafe {
            let f: F = function();
            let a = (*inputs).cast::<A>();
            each_chunk(a, output, len, |a| lanes(|lane| f(a[lane])));
        }
    }
}

/// A loop that maps each element.
#[inline(always)]
pub(super) fn map1<A: Copy + Zeroable, R: Copy, F: Fn(A) -> R + Copy>(_: F) -> Kernel {
    for_level::<Map1<A, R, F>>()
}

struct Map2<A, B, R, F>(PhantomData<(A, B, R, F)>);

impl<A, B, R, F> Body for Map2<A, B, R, F>
where
    A: Copy + Zeroable,
    B: Copy + Zeroable,
    R: Copy,
    F: Fn(A, B) -> R + Copy,
{
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's, and see `function`; chunks as in `each_chunk`.
        unsafe {
            let f: F = function();
            let (a, b) = ((*inputs).cast::<A>(), (*inputs.add(1)).cast::<B>());
            let output = output.cast::<R>();
            let mut done = 0;
            while len - done >= LANES {
                let (a, b) = (load(a.add(done)), load(b.add(done)));
                store(output.add(done), lanes(|lane| f(a[lane], b[lane])));
                done = opaque(done + LANES);
            }
            if done < len {
                let left = len - done;
                let (a, b) = (load_part(a.add(done), left), load_part(b.add(done), left));
                let result = lanes(|lane| f(a[lane], b[lane]));
                store_part(output.add(done), &result, left);
            }
        }
    }
}

/// A loop that maps pairs of elements.
#[inline(always)]
pub(super) fn map2<A, B, R, F>(_: F) -> Kernel
where
    A: Copy + Zeroable,
    B: Copy + Zeroable,
    R: Copy,
    F: Fn(A, B) -> R + Copy,
{
    for_level::<Map2<A, B, R, F>>()
}

struct Choose<T>(PhantomData<T>);

impl<T: Copy + Zeroable> Body for Choose<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's; chunks as in `each_chunk`.
        unsafe {
            let condition = (*inputs).cast::<u8>();
            let (a, b) = ((*inputs.add(1)).cast::<T>(), (*inputs.add(2)).cast::<T>());
            let output = output.cast::<T>();
            let pick = |c: [u8; LANES], a: [T; LANES], b: [T; LANES]| {
                lanes(|lane| if c[lane] != 0 { a[lane] } else { b[lane] })
            };
            let mut done = 0;
            while len - done >= LANES {
                let (c, a, b) = (
                    load(condition.add(done)),
                    load(a.add(done)),
                    load(b.add(done)),
                );
                store(output.add(done), pick(c, a, b));
                done = opaque(done + LANES);
            }
            if done < len {
                let left = len - done;
                let result = pick(
                    load_part(condition.add(done), left),
                    load_part(a.add(done), left),
                    load_part(b.add(done), left),
                );
                store_part(output.add(done), &result, left);
            }
        }
    }
}

/// The loop that takes from the second input where the first is true, else from the third.
#[inline(always)]
pub(super) fn choose<T: Copy + Zeroable>() -> Kernel {
    for_level::<Choose<T>>()
}

/// Loops over a user's functions: of any elements, and called once for each, so that they may panic on
/// elements that are not there.
macro_rules! calls {
    ($($Call:ident $call:ident ($($A:ident $a:ident $number:literal),*) $doc:literal;)*) => {$(
        struct $Call<$($A,)* R, F>(PhantomData<($($A,)* R, F)>);

        impl<$($A: Copy,)* R: Copy, F: Fn($($A),*) -> R + Copy> Body for $Call<$($A,)* R, F> {
            #[inline(always)]
            unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
                // SAFETY: the caller's, and see `function`; chunks as in `each_chunk`.
                unsafe {
                    let f: F = function();
                    $(let $a = (*inputs.add($number)).cast::<$A>();)*
                    let output = output.cast::<R>();
                    let mut done = 0;
                    while len - done >= LANES {
                        $(let $a = load($a.add(done));)*
                        store(output.add(done), lanes(|lane| f($($a[lane]),*)));
                        done = opaque(done + LANES);
                    }
                    for at in done..len {
                        output.add(at).write(f($($a.add(at).read()),*));
                    }
                }
            }
        }

        #[doc = $doc]
        #[inline(always)]
        pub(super) fn $call<$($A: Copy,)* R: Copy, F: Fn($($A),*) -> R + Copy>(_: F) -> Kernel {
            for_level::<$Call<$($A,)* R, F>>()
        }
    )*};
}

calls! {
    Call1 call1 (A a 0) "A loop that calls a user's function of one argument.";
    Call2 call2 (A a 0, B b 1) "A loop that calls a user's function of two arguments.";
    Call3 call3 (A a 0, B b 1, C c 2) "A loop that calls a user's function of three arguments.";
}

/// A plain loop, compiled once: for functions that do not vectorise.
#[inline(always)]
pub(super) fn each1<A: Copy, R: Copy, F: Fn(A) -> R + Copy>(_: F) -> Kernel {
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
pub(super) fn each2<A: Copy, R: Copy, F: Fn(A, A) -> R + Copy>(_: F) -> Kernel {
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
pub(super) use for_types;
