//! From an operation on elements to a loop over a block.
//!
//! A loop loads packs of 32 elements into arrays, maps the arrays lane by lane, and stores 32 results. This is plain
//! code that LLVM vectorises even if output and input are the same memory (a loop over slices would need checks for
//! that).
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use bytemuck::Zeroable;

use super::{Baseline, Body, Isa, Kernel, for_level};

/// The number of elements in a pack.
pub(crate) const LANES: usize = 32;

/// The number of elements in a pack of loops for the baseline, whose registers are narrow: fewer instructions, so
/// less to compile.
pub(super) const FEW_LANES: usize = 8;

/// Optimisation barrier: returns the number, opaque to LLVM.
///
/// If LLVM could compute the number of packs, it would unroll a pack and vectorise *across* packs, with gathers (11
/// times slower).
#[inline(always)]
pub(crate) fn black_box_usize(number: usize) -> usize {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut number = number;
        // SAFETY: the assembly is a comment: it has no instructions, and returns the operand unchanged.
        unsafe {
            core::arch::asm!("/* {} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags));
        }
        number
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(number)
}

/// Optimisation barrier: returns the float, opaque to LLVM.
///
/// If LLVM knew that a float is a lane of a vector, it would leave that lane out of a comparison with it, and shuffle the others.
#[inline(always)]
pub(crate) fn black_box_f32(float: f32) -> f32 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut float = float;
        // SAFETY: the assembly is a comment: it has no instructions, and returns the operand unchanged.
        unsafe {
            core::arch::asm!("/* {} */", inout(xmm_reg) float, options(pure, nomem, nostack, preserves_flags));
        }
        float
    }
    #[cfg(not(target_arch = "x86_64"))]
    core::hint::black_box(float)
}

/// Spills the pack to the stack and reloads it, so that LLVM picks its vector width here.
///
/// LLVM picks the width of vectors by their last use; a pack that is folded into one element ends in pairs (3 times
/// slower).
#[inline(always)]
pub(crate) fn through_memory<T: Copy, const N: usize>(pack: [T; N]) -> [T; N] {
    /// Aligned so that no vector crosses a cache line.
    #[repr(C, align(64))]
    struct Aligned<T>(T);
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut memory = MaybeUninit::<Aligned<[T; N]>>::uninit();
        let first = memory.as_mut_ptr().cast::<T>();
        // SAFETY: the memory has room for the pack, and is aligned for it. The assembly is a comment: it has no
        // instructions, and leaves the pack unchanged.
        unsafe {
            store(first, pack);
            core::arch::asm!("/* {} */", in(reg) first, options(nostack, preserves_flags));
            load(first)
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(pack)
}

/// Makes the value of a zero-sized function type.
///
/// # Safety
/// A value of the type exists: only [`map1`] and similar functions use this, for the type of a function that they
/// were given.
#[inline(always)]
unsafe fn function<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "a kernel's function captures nothing") };
    // SAFETY: the type has no bytes to read (asserted), and a dangling pointer is aligned. The caller guarantees that
    // a value exists; it is `Copy`, so this is a copy of it.
    unsafe { core::ptr::NonNull::<F>::dangling().read() }
}

/// Loads a pack.
///
/// # Safety
/// `N` elements can be read, and are aligned.
#[inline(always)]
pub(crate) unsafe fn load<T: Copy, const N: usize>(from: *const T) -> [T; N] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
    // SAFETY: the caller guarantees `N` readable elements: as many bytes as the vectors have.
    unsafe {
        match const { size_of::<[T; N]>() } {
            64 => return long_vectors::load::<_, 1>(from.cast()),
            128 => return long_vectors::load::<_, 2>(from.cast()),
            256 => return long_vectors::load::<_, 4>(from.cast()),
            512 => return long_vectors::load::<_, 8>(from.cast()),
            _ => {}
        }
    }
    // SAFETY: the caller guarantees `N` readable elements, aligned for `T` and so for the array.
    unsafe { from.cast::<[T; N]>().read() }
}

/// Stores a pack.
///
/// # Safety
/// `N` elements can be written, and are aligned.
#[inline(always)]
pub(crate) unsafe fn store<T: Copy, const N: usize>(to: *mut T, pack: [T; N]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
    // SAFETY: the caller guarantees room for `N` elements: as many bytes as the vectors have.
    unsafe {
        match const { size_of::<[T; N]>() } {
            64 => return long_vectors::store::<_, 1>(to.cast(), pack),
            128 => return long_vectors::store::<_, 2>(to.cast(), pack),
            256 => return long_vectors::store::<_, 4>(to.cast(), pack),
            512 => return long_vectors::store::<_, 8>(to.cast(), pack),
            _ => {}
        }
    }
    // SAFETY: the caller guarantees room for `N` elements, aligned for `T` and so for the array.
    unsafe { to.cast::<[T; N]>().write(pack) }
}

/// Packs as vectors of 512 bits, for programs that are built with AVX-512 (`-C target-cpu=native`).
///
/// For many processors LLVM then prefers vectors of 256 bits (`prefer-256-bit`), also in functions with
/// `#[target_feature]`. That is a preference for code that LLVM vectorises, and not for values that are vectors already:
/// if a pack is loaded and stored as long vectors, so are the operations between (docs/decisions/long-vectors.md). Loads and
/// stores must stand one by one. From a loop LLVM makes a copy of memory, and the vectors are gone.
#[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
mod long_vectors {
    use core::arch::x86_64::__m512i;
    use core::mem::transmute_copy;

    /// # Safety
    /// `COUNT` vectors can be read, which have the size of a `P`. Their bytes are those of a `P`.
    #[inline(always)]
    pub(super) unsafe fn load<P: Copy, const COUNT: usize>(from: *const __m512i) -> P {
        // SAFETY: the caller guarantees `COUNT` readable vectors.
        let read = |number| unsafe { from.add(number).read_unaligned() };
        let vectors: [__m512i; COUNT] = core::array::from_fn(read);
        // SAFETY: the caller guarantees the size and the bytes of a `P`.
        unsafe { transmute_copy(&vectors) }
    }

    /// # Safety
    /// `COUNT` vectors can be written. They have the size of the pack, of which all bytes are initialised.
    #[inline(always)]
    pub(super) unsafe fn store<P: Copy, const COUNT: usize>(to: *mut __m512i, pack: P) {
        const {
            assert!(
                COUNT.is_power_of_two() && COUNT <= 8,
                "what is written below"
            )
        };
        // SAFETY: the caller guarantees the size of the vectors and initialised bytes, which are valid for vectors.
        let vectors: [__m512i; COUNT] = unsafe { transmute_copy(&pack) };
        // SAFETY: the caller guarantees room for `COUNT` vectors; `number < COUNT` in each call.
        let write = |number: usize| unsafe { to.add(number).write_unaligned(vectors[number]) };
        write(0);
        if const { COUNT > 1 } {
            write(1);
        }
        if const { COUNT > 2 } {
            write(2);
            write(3);
        }
        if const { COUNT > 4 } {
            write(4);
            write(5);
            write(6);
            write(7);
        }
    }
}

/// Loads the last, shorter pack and fills it up with zeros.
///
/// # Safety
/// `len` elements, at most [`LANES`], can be read, and are aligned.
#[inline(always)]
pub(crate) unsafe fn load_part<T: Copy + Zeroable>(from: *const T, len: usize) -> [T; LANES] {
    let mut pack = [T::zeroed(); LANES];
    // SAFETY: the caller guarantees `len <= LANES` readable elements; the local pack has room for them and does not
    // overlap them.
    unsafe { from.copy_to_nonoverlapping(pack.as_mut_ptr(), len) };
    pack
}

/// Stores the last, shorter pack.
///
/// # Safety
/// `len` elements, at most [`LANES`], can be written, and are aligned; they do not overlap the pack.
#[inline(always)]
pub(crate) unsafe fn store_part<T: Copy>(to: *mut T, pack: &[T; LANES], len: usize) {
    // SAFETY: the caller guarantees room for `len <= LANES` elements that do not overlap the pack, which has `LANES`.
    unsafe { to.copy_from_nonoverlapping(pack.as_ptr(), len) };
}

/// `[f(0), f(1), ..]`; unlike `core::array::from_fn` it vectorises at every size.
///
/// The function is `Copy`, so that no drop glue is needed for a panic: it would be compiled a thousand times.
#[inline(always)]
pub(crate) fn lanes<T: Copy, const N: usize>(f: impl Fn(usize) -> T + Copy) -> [T; N] {
    let mut pack = MaybeUninit::<[T; N]>::uninit();
    let first = pack.as_mut_ptr().cast::<T>();
    let mut lane = 0;
    // A `while` loop compiles faster than a range.
    while lane < N {
        // SAFETY: `lane < N`, so the element lies within the pack.
        unsafe { first.add(lane).write(f(lane)) };
        lane += 1;
    }
    // SAFETY: the loop wrote all `N` lanes.
    unsafe { pack.as_ptr().read() }
}

/// Runs a function over whole packs, and over the rest as a pack filled up with zeros.
///
/// # Safety
/// The contract of [`Kernel`] for one input of type `A` and an output of type `R`.
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
        // SAFETY: `done + LANES <= len`: the caller guarantees that these elements can be read and written.
        unsafe { store(output.add(done), pack(load(a.add(done)))) };
        done = black_box_usize(done + LANES);
    }
    if done < len {
        // SAFETY: the `len - done` elements that are left are fewer than a pack; the caller guarantees that they can
        // be read and written. The result is local.
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
            unsafe fn packs<const N: usize>(f: F, inputs: *const *const u8, output: *mut u8, len: usize) {
                // SAFETY: the caller guarantees `len` elements of each input and of the output; each iteration handles `N` or one of
                // those that are left (`done < len`).
                unsafe {
                    $(let $a = (*inputs.add($number)).cast::<$A>();)*
                    let output = output.cast::<R>();
                    let mut done = 0;
                    while len - done >= N {
                        $(let $a = load::<_, N>($a.add(done));)*
                        store(output.add(done), lanes::<_, N>(|lane| f($($a[lane]),*)));
                        done = black_box_usize(done + N);
                    }
                    // Element by element: faster than filling up a pack, and half of the code.
                    while done < len {
                        output.add(done).write(f($($a.add(done).read()),*));
                        done = black_box_usize(done + 1);
                    }
                }
            }

            #[inline(always)]
            unsafe fn all<I: Isa>(f: F, inputs: *const *const u8, output: *mut u8, len: usize) {
                // SAFETY: the caller guarantees `len` elements of each input and of the output.
                unsafe {
                    if const { I::REGISTER_BYTES > Baseline::REGISTER_BYTES } {
                        Self::packs::<LANES>(f, inputs, output, len);
                    } else {
                        Self::packs::<FEW_LANES>(f, inputs, output, len);
                    }
                }
            }
        }

        impl<$($A: Copy,)* R: Copy, F: Fn($($A),*) -> R + Copy> Body for $Map<$($A,)* R, F> {
            #[inline(always)]
            unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
                // SAFETY: a value of `F` was passed to the function below, which made this loop.
                let f: F = unsafe { function() };
                // SAFETY: the caller guarantees `len` readable elements of each input and a writable output, as `Kernel` requires.
                unsafe { Self::all::<I>(f, inputs, output, len) };
            }
        }

        #[doc = $doc]
        ///
        /// The loop calls the function once for each element, never on padding, so the function may panic.
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

/// A function of one operand. Its code may depend on the instruction set, its results may not.
pub(crate) trait UnaryFunction {
    type Argument: Copy;
    type Result: Copy;
    fn apply<I: Isa>(x: Self::Argument) -> Self::Result;
}

struct MapFunction<F>(PhantomData<F>);

impl<F: UnaryFunction> Body for MapFunction<F> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` readable elements of the input and a writable output, as `Kernel` requires.
        unsafe { Map1::all::<I>(F::apply::<I>, inputs, output, len) };
    }
}

/// [`map1`] for a function whose code depends on the instruction set.
#[inline(always)]
pub(crate) fn map_function<F: UnaryFunction>() -> Kernel {
    for_level::<MapFunction<F>>()
}

/// Selects the loop that takes elements of the second input where the first is true, else of the third.
#[inline(always)]
pub(crate) fn choose<T: Copy>() -> Kernel {
    map3(|condition: u8, a: T, b: T| if condition != 0 { a } else { b })
}

/// [`choose`] for elements of 16 bytes, by masks: a random condition would mispredict the branches that LLVM makes of them.
#[inline(always)]
pub(crate) fn choose_pairs() -> Kernel {
    map3(|condition: u8, a: [u64; 2], b: [u64; 2]| {
        let mask = u64::from(condition == 0).wrapping_sub(1);
        [0, 1].map(|word| b[word] ^ ((a[word] ^ b[word]) & mask))
    })
}

/// A `match` on a dtype or size, with `$T` as the type in each arm.
macro_rules! for_types {
    ($value:expr, $T:ident in [$($pattern:pat => $type:ty),* $(,)?] => $body:expr, _ => $other:expr) => {
        match $value {
            $($pattern => { type $T = $type; $body })*
            _ => $other,
        }
    };
}
pub(crate) use for_types;

/// Copies of one element.
struct Repeat<T>(PhantomData<T>);

impl<T: Copy> Body for Repeat<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees the element, and room for `len >= LANES` copies. Each pack is stored where at least `LANES` copies
        // are missing, and the last one ends with the last copy.
        unsafe {
            let copies = [(*inputs).cast::<T>().read(); LANES];
            let output = output.cast::<T>();
            let mut done = 0;
            while len - done >= LANES {
                store(output.add(done), copies);
                done = black_box_usize(done + LANES);
            }
            store(output.add(len - LANES), copies);
        }
    }
}

/// Selects the loop that writes copies of its input, a single element of `size` bytes. There is room for at least [`LANES`]
/// copies.
pub(crate) fn repeat(size: usize) -> Kernel {
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] => for_level::<Repeat<T>>(), _ => for_level::<Repeat<[u64; 2]>>())
}

/// Elements at equal distances, each of which is repeated.
#[derive(Clone, Copy)]
pub(crate) struct Repeats {
    /// The distance from one to the next, in elements.
    pub(crate) distance: isize,
    /// The number of copies of each.
    pub(crate) copies: usize,
}

/// Copies of each of several elements.
struct RepeatEach<T>(PhantomData<T>);

impl<T: Copy> Body for RepeatEach<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees the inputs of `repeat_each`, and room for `len` copies.
        unsafe {
            let (from, repeats) = ((*inputs).cast::<T>(), *(*inputs.add(1)).cast::<Repeats>());
            let output = output.cast::<T>();
            match repeats.copies {
                0..=8 => Self::by::<8>(from, repeats, output, len),
                9..=16 => Self::by::<16>(from, repeats, output, len),
                _ => Self::by::<LANES>(from, repeats, output, len),
            }
        }
    }
}

impl<T: Copy> RepeatEach<T> {
    /// Writes `N` copies at a time. If an element has fewer, the others are written where those of the next element belong, which overwrite
    /// them.
    ///
    /// # Safety
    /// The elements can be read, and all `len` copies written. These are the copies of a whole number of elements.
    #[inline(always)]
    unsafe fn by<const N: usize>(
        mut from: *const T,
        Repeats { distance, copies }: Repeats,
        mut to: *mut T,
        len: usize,
    ) {
        let mut left = len;
        while left > 0 {
            // SAFETY: the caller guarantees the element, and room for `left` copies of it and of those that follow: at least `copies`.
            unsafe {
                let element = from.read();
                if left >= N {
                    let mut done = 0;
                    while copies - done > N {
                        store(to.add(done), [element; N]);
                        done = black_box_usize(done + N);
                    }
                    store(to.add(copies.saturating_sub(N)), [element; N]);
                } else {
                    for copy in 0..copies {
                        to.add(copy).write(element);
                    }
                }
            }
            (from, to) = (from.wrapping_offset(distance), to.wrapping_add(copies));
            left -= copies;
        }
    }
}

/// Selects the loop that writes copies of each of several elements. It has two inputs: the address of the first element, and that of
/// [`Repeats`]. Its length is that of the copies of all elements.
#[inline]
pub(crate) fn repeat_each<T: Copy>() -> Kernel {
    for_level::<RepeatEach<T>>()
}

/// Selects the loop that copies elements of `size` bytes.
#[inline(never)] // One function selects it, so that its address is one (`Output::copies`).
pub(crate) fn copy(size: usize) -> Kernel {
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] => each1(|x: T| x), _ => each1(|x: [u64; 2]| x))
}

/// Elements in the reverse order.
struct Reverse<T>(PhantomData<T>);

impl<T: Copy> Body for Reverse<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements that end at the input, and room for as many.
        unsafe {
            let (last, output) = ((*inputs).cast::<T>(), output.cast::<T>());
            for at in 0..len {
                output.add(at).write(last.sub(at).read());
            }
        }
    }
}

/// Selects the loop that writes elements in the reverse order. Its input is the address of the last one, which it reads first.
#[inline]
pub(crate) fn reverse<T: Copy>() -> Kernel {
    for_level::<Reverse<T>>()
}

/// Makes a plain loop, compiled once: for functions that do not vectorise.
#[inline(always)]
pub(crate) fn each1<A: Copy, R: Copy, F: Fn(A) -> R + Copy>(_: F) -> Kernel {
    unsafe fn run<A: Copy, R: Copy, F: Fn(A) -> R + Copy>(
        inputs: *const *const u8,
        output: *mut u8,
        len: usize,
    ) {
        // SAFETY: a value of `F` was passed to `each1`, which made this loop. The caller guarantees `len` elements of
        // the input and of the output.
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

/// Makes a plain loop over pairs, compiled once: for functions that do not vectorise.
#[inline(always)]
pub(crate) fn each2<A: Copy, R: Copy, F: Fn(A, A) -> R + Copy>(_: F) -> Kernel {
    unsafe fn run<A: Copy, R: Copy, F: Fn(A, A) -> R + Copy>(
        inputs: *const *const u8,
        output: *mut u8,
        len: usize,
    ) {
        // SAFETY: a value of `F` was passed to `each2`, which made this loop. The caller guarantees `len` elements of
        // both inputs and of the output.
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
