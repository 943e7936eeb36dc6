//! Without memory, operations give an error, or panic with its text, and nothing is lost.
//!
//! The allocator of these tests refuses allocations on demand: each operation is tried with its first one refused, then
//! its second, and so on, until it has no more. Operations come from the lists that their methods are made from, so that a
//! new one is tried too. A process with a real limit shows the same from outside.
#![allow(unsafe_code, reason = "an allocator")]

// The library's own lists: macros that name each operation.
#[path = "../src/op/mod.rs"]
#[allow(unused_macros, unused_imports)]
mod op;

use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use op::{each_binary, each_comparison, each_position, each_reduction, each_scan, each_unary};
use supremum::{
    Bool, C64, ConvOptions, ConvertPromoteTypes, DType, DynTensor, Error, F16, F32, F64, I16, I32,
    I64, Jax, PoolOptions, Rank1, Rules, Tensor, U8, c64, concat, convert_promote_types, fuse,
    memory, promote, select, stack, try_fuse, try_select,
};

/// Smaller allocations are those that the library does not make fallibly: layouts of views, errors, steps of programs.
const LARGE: usize = 4 << 10;

/// Refuses the large allocations from a number on, or that alone.
struct Refusing;

thread_local! {
    /// Whether large allocations of this thread may be refused now.
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    /// Whether it runs a test: the harness has its own threads, which nothing is refused.
    static IS_TEST: Cell<bool> = const { Cell::new(false) };
}
/// Whether those of the library's threads are refused too.
static THREADS: AtomicBool = AtomicBool::new(false);
static FIRST: AtomicUsize = AtomicUsize::new(0);
static ONE_ONLY: AtomicBool = AtomicBool::new(false);
static SEEN: AtomicUsize = AtomicUsize::new(0);
/// The size of the largest that was refused.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

fn refuses(size: usize) -> bool {
    let counts = IS_ON.get() || THREADS.load(Ordering::SeqCst) && !IS_TEST.get();
    if size < LARGE || !counts {
        return false;
    }
    let number = SEEN.fetch_add(1, Ordering::SeqCst);
    let first = FIRST.load(Ordering::SeqCst);
    let refuses = number == first || number > first && !ONE_ONLY.load(Ordering::SeqCst);
    if refuses {
        REFUSED.fetch_max(size, Ordering::SeqCst);
    }
    refuses
}

// SAFETY: null means that there is no memory; all else is the system's.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match refuses(layout.size()) {
            true => core::ptr::null_mut(),
            // SAFETY: the caller's.
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match refuses(layout.size()) {
            true => core::ptr::null_mut(),
            // SAFETY: the caller's.
            false => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match refuses(size) {
            true => core::ptr::null_mut(),
            // SAFETY: the caller's.
            false => unsafe { System.realloc(memory, layout, size) },
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// One test at a time; nothing is kept for tensors to come, so that all ask the allocator.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    IS_TEST.set(true);
    memory::set_limit(0);
    // The panics that are expected say nothing; nor does a backtrace allocate what would be refused.
    std::panic::set_hook(Box::new(|info| {
        unrefused(|| {
            let text = info.payload_as_str().unwrap_or_default();
            if !text.starts_with("there is no memory for ") {
                eprintln!("{info}");
            }
        });
    }));
    alone
}

/// Runs with large allocations refused: from this number on, or that alone. With what it gives comes the size of the
/// largest that was refused; zero, if there was none.
fn refusing<T>(first: usize, one_only: bool, run: impl FnOnce() -> T) -> (T, usize) {
    FIRST.store(first, Ordering::SeqCst);
    ONE_ONLY.store(one_only, Ordering::SeqCst);
    SEEN.store(0, Ordering::SeqCst);
    REFUSED.store(0, Ordering::SeqCst);
    struct Off;
    impl Drop for Off {
        fn drop(&mut self) {
            IS_ON.set(false);
        }
    }
    IS_ON.set(true);
    let off = Off;
    let result = run();
    drop(off);
    (result, REFUSED.load(Ordering::SeqCst))
}

/// Runs something in between for which nothing is refused.
fn unrefused<T>(run: impl FnOnce() -> T) -> T {
    let was_on = IS_ON.replace(false);
    let result = run();
    IS_ON.set(was_on);
    result
}

/// What a tensor is: dtype, shape and elements.
fn seen(tensor: &DynTensor) -> (DType, Vec<usize>, String) {
    (
        tensor.dtype(),
        tensor.shape().to_vec(),
        format!("{:?}", summary(tensor)),
    )
}

/// Elements in a form in which NaN equals NaN.
fn summary(tensor: &DynTensor) -> Vec<String> {
    supremum::dispatch!(tensor.with_rules(Jax::rule_set()), |t| t
        .iter()
        .map(|element| element.to_string())
        .collect())
    .expect("any dtype enters")
}

/// Tries an operation with each of its large allocations refused, up to `most`. How often it failed.
fn try_up_to(most: usize, name: &str, run: &dyn Fn() -> Result<DynTensor, Error>) -> usize {
    let expected = seen(&run().unwrap_or_else(|error| panic!("{name} with memory: {error}")));
    let mut failed = 0;
    for one_only in [false, true] {
        for first in 0..most {
            let (result, refused) = refusing(first, one_only, run);
            match result {
                // Where nothing was refused, and where there is another way.
                Ok(found) => assert_eq!(seen(&found), expected, "{name}, {first}"),
                Err(Error::OutOfMemory { bytes }) => {
                    assert!(
                        0 < bytes && bytes <= refused,
                        "{name}: {bytes} bytes of {refused}"
                    );
                    failed += 1;
                }
                Err(error) => panic!("{name}: {error}"),
            }
            if refused == 0 {
                break;
            }
            assert!(first < 40, "{name} allocates again and again");
        }
    }
    failed
}

/// An operation that gives a large result.
fn fails(name: &str, run: impl Fn() -> Result<DynTensor, Error>) {
    assert!(
        try_up_to(usize::MAX, name, &run) > 0,
        "{name} allocates nothing"
    );
}

/// The same, where there is no `Result`: it panics with the text of the error.
fn panics(name: &str, run: impl Fn() -> DynTensor) {
    fails(name, || {
        let caught = catch_unwind(AssertUnwindSafe(&run));
        caught.map_err(|payload| {
            let text = payload
                .downcast_ref::<String>()
                .cloned()
                .unwrap_or_default();
            let bytes = text
                .strip_prefix("there is no memory for ")
                .and_then(|text| text.strip_suffix(" bytes"))
                .and_then(|bytes| bytes.parse().ok());
            match bytes {
                Some(bytes) => Error::OutOfMemory { bytes },
                None => panic!("{name} panics with another text: {text}"),
            }
        })
    });
}

const ROWS: usize = 1100;

/// Numbers from one on, that integers can divide by and be raised to, in a matrix with few columns.
fn numbers() -> Tensor<F32> {
    Tensor::from_fn([ROWS, 4], |index| {
        [1.0, 2.0, 0.5, 3.0][(index[0] + index[1]) % 4]
    })
}

fn integers() -> Tensor<I32> {
    Tensor::from_fn([ROWS, 4], |index| [1, 2, 5, 3][(index[0] + index[1]) % 4])
}

/// Runs with operands that are looked at before and after.
fn with_operands(run: impl FnOnce(&Tensor<F32>, &Tensor<I32>, &Tensor<I32>)) {
    let _alone = alone();
    let (x, a) = (numbers(), integers());
    let b = a.flip(0);
    let all = || {
        [
            seen(&x.clone().into_dyn()),
            seen(&a.clone().into_dyn()),
            seen(&b.clone().into_dyn()),
        ]
    };
    let before = all();
    run(&x, &a, &b);
    assert_eq!(all(), before, "operands are as they were");
}

#[test]
fn functions_of_one_tensor() {
    with_operands(|x, a, _| {
        let (any, ints) = (x.clone().into_dyn(), a.clone().into_dyn());
        macro_rules! functions {
            ($($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, $compute:ident { $(#[doc = $example:literal])* })*) => {$(
                panics(concat!("typed ", stringify!($name)), || x.$name().into_dyn());
                fails(stringify!($name), || any.$name());
            )*};
        }
        each_unary!(methods functions!);
        macro_rules! prefixes {
            ($($(#[doc = $doc:literal])+ $trait:ident::$method:ident $try_name:ident: $kernel:ident, $group:ident {})*) => {$(
                panics(concat!("typed ", stringify!($method)), || core::ops::$trait::$method(a).into_dyn());
                panics(concat!("dynamic ", stringify!($method)), || core::ops::$trait::$method(&ints));
                fails(stringify!($try_name), || ints.$try_name());
            )*};
        }
        each_unary!(operators prefixes!);
        panics("conj", || x.conj().into_dyn());
        panics("dynamic conj", || any.conj());
        // What is not computed in its own dtype is cast before or after.
        let halves = x.cast::<F16>();
        panics("exp of f16", || halves.exp().into_dyn());
        panics("recip of i32", || a.recip().into_dyn());
        macro_rules! scans {
            ($($(#[doc = $doc:literal])+ $what:literal $name:ident $try_name:ident: $kernel:ident $group:ident { $(#[doc = $example:literal])* })*) => {$(
                fails(stringify!($try_name), || any.$try_name(0));
                fails(concat!(stringify!($name), " of f16"), || halves.$try_name(1).map(Tensor::into_dyn));
                panics(concat!(stringify!($name), " of i32"), || a.$name(0).into_dyn());
            )*};
        }
        each_scan!(methods scans!);
    });
}

#[test]
fn operations_on_two_tensors() {
    with_operands(|x, a, b| {
        let (any, other) = (a.clone().into_dyn(), b.clone().into_dyn());
        macro_rules! plain {
            (operator $method:ident $trait:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal) => {
                panics(stringify!($method), || {
                    core::ops::$trait::$method(a, b).into_dyn()
                });
                panics(stringify!($method), || {
                    core::ops::$trait::$method(a.clone(), b.clone()).into_dyn()
                });
                panics(stringify!($method), || {
                    core::ops::$trait::$method(&any, &other)
                });
            };
            (method $method:ident) => {
                panics(stringify!($method), || a.$method(b).into_dyn());
            };
        }
        macro_rules! binaries {
            ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] $example:tt)*) => {$(
                fails(concat!("typed ", stringify!($try_name)), || a.$try_name(b).map(Tensor::into_dyn));
                fails(concat!("literal ", stringify!($try_name)), || b.$try_name(2).map(Tensor::into_dyn));
                fails(stringify!($try_name), || any.$try_name(&other));
                fails(stringify!($try_name), || other.$try_name(2));
                plain!($form $name $($operator)*);
            )*};
        }
        each_binary!(methods binaries!);
        macro_rules! comparisons {
            ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; $example:tt)*) => {$(
                fails(concat!("typed ", stringify!($try_name)), || a.$try_name(b).map(Tensor::into_dyn));
                fails(stringify!($try_name), || any.$try_name(&other));
                panics(stringify!($name), || a.$name(2).into_dyn());
            )*};
        }
        each_comparison!(comparisons!);
        let shorts = a.cast::<I16>();
        fails("mixed dtypes", || x.try_mul(&shorts).map(Tensor::into_dyn));
        fails("broadcast", || {
            x.try_add(&x.index_axis(0, 1)).map(Tensor::into_dyn)
        });
        // An assignment leaves the left side as it was.
        panics("add_assign", || {
            let mut sum = a.clone();
            let result = catch_unwind(AssertUnwindSafe(|| sum += b));
            if let Err(payload) = result {
                unrefused(|| assert_eq!(sum, *a));
                std::panic::resume_unwind(payload);
            }
            sum.into_dyn()
        });
    });
}

#[test]
fn choices_joins_and_conversions() {
    with_operands(|x, a, b| {
        let (a, b) = (&a.cast::<I16>(), &b.cast::<I16>());
        let condition = a.gt(b);
        let (any, ints, chosen) = (
            x.clone().into_dyn(),
            a.clone().into_dyn(),
            condition.clone().into_dyn(),
        );
        fails("select", || {
            try_select(&condition, x, a).map(Tensor::into_dyn)
        });
        fails("select of literals", || {
            try_select(&condition, b, 7).map(Tensor::into_dyn)
        });
        fails("dynamic select", || chosen.try_select(&any, &ints));
        panics("plain select", || select(&condition, x, x).into_dyn());
        fails("clamp", || x.try_clamp(0.5, 2.0).map(Tensor::into_dyn));
        fails("dynamic clamp", || any.try_clamp(0.5, a));
        panics("plain clamp", || b.clamp(1, 2).into_dyn());
        fails("concat", || concat(&[a, b], 1).map(Tensor::into_dyn));
        fails("stack", || stack(&[a, b], 0).map(Tensor::into_dyn));
        fails("typed concat", || x.try_concat(a, 0).map(Tensor::into_dyn));
        panics("plain concat", || x.concat(a, 0).into_dyn());
        fails("dynamic concat", || any.try_concat(&ints, 1));
        fails("dynamic concat of many", || {
            DynTensor::concat(&[&any, &any], 0)
        });
        fails("dynamic stack", || DynTensor::stack(&[&any, &any], -1));

        panics("cast", || x.cast::<I64>().into_dyn());
        panics("widen", || x.widen::<F64>().into_dyn());
        fails("try_cast", || a.try_cast::<U8>().map(Tensor::into_dyn));
        fails("try_cast of floats", || {
            x.try_cast::<F16>().map(Tensor::into_dyn)
        });
        panics("dynamic cast", || any.cast(DType::BF16));
        fails("dynamic try_cast", || any.try_cast(DType::F16));
        fails("dynamic widen", || any.widen(DType::C128));
        fails("ConvertPromoteTypes", || {
            Ok(ConvertPromoteTypes {
                promote_unsafe: true,
                ..ConvertPromoteTypes::default()
            }
            .convert(&ints, &any)?
            .0)
        });
        panics("convert_promote_types", || {
            let under = (a.with_rules::<Jax>(), x);
            convert_promote_types(&under.0, under.1).0.into_dyn()
        });
        panics("promote", || promote((a, x)).0.into_dyn());

        let turned = x.transpose();
        fails("reshape", || {
            turned.try_reshape([4 * ROWS]).map(Tensor::into_dyn)
        });
        panics("plain reshape", || turned.reshape([ROWS, 4]).into_dyn());
        panics("flatten", || turned.flatten().into_dyn());
        fails("dynamic reshape", || {
            any.transpose().try_reshape([4 * ROWS])
        });
        panics("to_vec", || {
            Tensor::<F32>::from_vec(turned.to_vec(), [4 * ROWS])
                .unwrap_or_else(|error| panic!("{error}"))
                .into_dyn()
        });
        fails("dynamic to_vec", || {
            let elements = any.transpose().to_vec::<F32>()?;
            Tensor::<F32>::from_vec(elements, [4 * ROWS]).map(Tensor::into_dyn)
        });
        panics("as_mut_slice", || {
            let mut copy = x.clone();
            copy.as_mut_slice()[0] = 7.0;
            copy.into_dyn()
        });
        fails("try_as_mut_slice", || {
            let mut copy = x.clone();
            copy.try_as_mut_slice()?[0] = 7.0;
            Ok(copy.into_dyn())
        });
        fails("try_to_vec", || {
            Tensor::<F32>::from_vec(turned.try_to_vec()?, [4 * ROWS]).map(Tensor::into_dyn)
        });
        fails("to_bytes", || {
            DynTensor::from_bytes(DType::F32, [4 * ROWS], &any.to_bytes()?)
        });
    });
}

#[test]
fn elements() {
    with_operands(|x, _, _| {
        let any = x.clone().into_dyn();
        fails("set", || {
            let mut copy = x.clone();
            copy.try_set(&[0, 0], 7.0)?;
            Ok(copy.into_dyn())
        });
        panics("index", || {
            let mut copy = x.clone();
            copy[[0, 0]] = 7.0;
            copy.into_dyn()
        });
        fails("slice_mut", || {
            let mut copy = x.clone();
            copy.try_slice_mut(0, 1..)?.fill(7.0);
            Ok(copy.into_dyn())
        });
        fails("dynamic slice_mut", || {
            let mut copy = any.clone();
            copy.try_slice_mut(0, 1..)?.try_fill(7)?;
            Ok(copy)
        });
        fails("assign to a part", || {
            let mut sums = x.try_zeros_like()?;
            sums.slice_step_mut(0, .., -1).try_assign(x)?;
            Ok(sums.into_dyn())
        });
        panics("+= of a part", || {
            let mut copy = x.clone();
            let mut part = copy.slice_mut(0, 1..);
            part += 1;
            copy.into_dyn()
        });
        panics("map", || x.map(|x| x + 1.0).into_dyn());
        panics("collect", || {
            x.iter()
                .filter(|x| *x > 0.0)
                .collect::<Tensor<F32>>()
                .into_dyn()
        });
        panics("from", || Tensor::<F32>::from(x.to_vec()).into_dyn());
        panics("from_fn", || {
            Tensor::<F32>::from_fn([ROWS], |_| 1.0).into_dyn()
        });
    });
}

#[test]
fn moves() {
    with_operands(|x, _, _| {
        let any = x.clone().into_dyn();
        let order = Tensor::<I64, Rank1>::from_fn([ROWS], |index| {
            i64::try_from(ROWS - 1 - index[0]).unwrap_or_default()
        });
        let column = order.unsqueeze(1);
        let (dyn_order, dyn_column) = (order.clone().into_dyn(), column.clone().into_dyn());
        fails("take", || any.try_take(&dyn_order, 0));
        panics("typed take", || x.take(&order, 0).into_dyn());
        fails("take_along_axis", || {
            any.try_take_along_axis(&dyn_column, 0)
        });
        panics("typed take_along_axis", || {
            x.take_along_axis(&column.clone().into_any(), 0).into_dyn()
        });
        let mask = x.gt(0.5);
        let dyn_mask = mask.clone().into_dyn();
        fails("masked_select", || any.try_masked_select(&dyn_mask));
        panics("typed masked_select", || x.masked_select(&mask).into_dyn());
        fails("pad", || any.try_pad(&[[1, 0], [0, 1]], 0.5));
        panics("typed pad", || x.pad(&[[1, 0], [0, 1]], 0.5).into_dyn());
        fails("tile", || any.try_tile([2, 3]));
        panics("typed tile", || x.tile([2, 1]).into_dyn());
        fails("repeat", || any.try_repeat(2, 0));
        panics("typed repeat", || x.repeat(2, 1).into_dyn());
        fails("roll", || any.try_roll(1, 0));
        panics("typed roll", || x.roll(-1, 1).into_dyn());
        fails("tril", || any.try_tril(0));
        panics("typed triu", || x.triu(0).into_dyn());
        fails("contiguous", || any.transpose().try_contiguous());
        panics("typed contiguous", || x.flip(0).contiguous().into_dyn());
        fails("full_like", || any.try_full_like(2));
        fails("zeros_like", || any.try_zeros_like());
        fails("ones_like", || any.try_ones_like());
        panics("typed full_like", || x.full_like(2.0).into_dyn());
        fails("linspace", || {
            DynTensor::try_linspace(DType::F16, 0.0, 1.0, ROWS)
        });
        panics("typed linspace", || {
            Tensor::<F32>::linspace(0.0, 1.0, 4 * ROWS).into_dyn()
        });
    });
}

#[test]
fn sorts_scatters_and_counts() {
    with_operands(|x, a, _| {
        let (any, ints) = (x.clone().into_dyn(), a.clone().into_dyn());
        for axis in [0, 1] {
            fails("sort", || any.try_sort(axis));
            panics("typed sort", || x.sort_descending(axis).into_dyn());
            fails("argsort", || any.try_argsort(axis));
            fails("top_k", || {
                any.try_top_k(3, axis).map(|(elements, _)| elements)
            });
            fails("positions of top_k", || {
                any.try_top_k(3, axis).map(|(_, positions)| positions)
            });
            fails("median", || any.try_median_axis(axis));
        }
        panics("typed median", || x.median().into_dyn());
        let flat = any.flatten();
        fails("searchsorted", || flat.try_searchsorted(&any));
        fails("unique", || any.try_unique());
        fails("unique_counts", || {
            any.try_unique_counts().map(|(_, counts)| counts)
        });
        fails("unique_inverse", || {
            any.try_unique_inverse().map(|(_, inverse)| inverse)
        });
        fails("scatter", || any.try_scatter(&ints, &any, 0));
        fails("scatter_add", || any.try_scatter_add(&ints, &any, 0));
        fails("bincount", || ints.flatten().try_bincount(ROWS));
        fails("histogram", || any.try_histogram(ROWS, 0.0..=1.0));
        fails("diag", || flat.try_slice(0, ..50)?.try_diag(1));
    });
}

#[test]
fn what_makes_tensors() {
    let _alone = alone();
    let elements: Vec<f32> = vec![1.5; 4 * ROWS];
    fails("from_slice", || {
        Tensor::<F32>::from_slice(&elements, [4 * ROWS]).map(Tensor::into_dyn)
    });
    fails("from_bytes", || {
        DynTensor::from_bytes(DType::F32, [4 * ROWS], bytemuck::cast_slice(&elements))
    });
    fails("try_full", || {
        Tensor::<I64>::try_full([ROWS], 7).map(Tensor::into_dyn)
    });
    panics("zeros", || Tensor::<F64>::zeros([ROWS]).into_dyn());
    panics("ones", || Tensor::<F64>::ones([ROWS]).into_dyn());
    panics("from_fn", || {
        Tensor::<I64>::from_fn([ROWS], |index| i64::try_from(index[0]).unwrap_or(0)).into_dyn()
    });
    panics("eye", || Tensor::<F32>::eye(80).into_dyn());
    fails("arange", || {
        Tensor::<I32>::arange(0.0, 2000.0, 1.0).map(Tensor::into_dyn)
    });
    fails("dynamic arange", || {
        DynTensor::arange(DType::F16, 0.0, 3000.0, 1.0)
    });
    fails("dynamic zeros", || DynTensor::zeros(DType::C64, [ROWS]));
    fails("dynamic full", || DynTensor::full(DType::F64, [ROWS], 0.5));
    fails("dynamic eye", || DynTensor::eye(DType::Bool, 80));
    // More than can be addressed, and more than there is.
    let huge = Tensor::<U8>::ones([1]).broadcast_to([1 << 55]);
    assert!(matches!(huge.try_add(&huge), Err(Error::OutOfMemory { bytes }) if bytes == 1 << 55));
    assert!(matches!(
        Tensor::<F64>::try_full([1 << 60], 0.0),
        Err(Error::ShapeTooLarge { .. })
    ));
    assert!(matches!(
        DynTensor::arange(DType::U8, 0.0, 2e14, 1.0),
        Err(Error::OutOfMemory {
            bytes: 1_600_000_000_000_000
        })
    ));
}

/// Reductions along the short axis, the results of which are large, and along others, which fold in scratch memory.
#[test]
fn reductions() {
    with_operands(|x, _, _| {
        let halves = x.cast::<F16>().transpose();
        let (any, turned) = (x.clone().into_dyn(), halves.clone().into_dyn());
        let all = [0, 1];
        macro_rules! reductions {
            ($(
                $(#[doc = $doc:literal])+
                $what:literal $table:ident $op:expr,
                $all:ident $try_all:ident $axis:ident $try_axis:ident
                $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
            )*) => {$(
                let is_flag = stringify!($table) == "AnyAll";
                // One byte for each row of truth values is not a large result.
                let check = |name: &str, run: &dyn Fn() -> Result<DynTensor, Error>| {
                    assert!(try_up_to(usize::MAX, name, run) > 0 || is_flag, "{name} allocates nothing");
                };
                check(stringify!($try_axis), &|| x.$try_axis(1).map(Tensor::into_dyn));
                check(stringify!($try_axis), &|| any.$try_axis(-1));
                check(stringify!($try_keepdims), &|| x.$try_keepdims(1).map(Tensor::into_dyn));
                check(stringify!($try_keepdims), &|| any.$try_keepdims(1));
                check(stringify!($try_axis), &|| x.$try_axis(&[1]).map(Tensor::into_dyn));
                check(stringify!($try_keepdims), &|| any.$try_keepdims([1]));
                let text = stringify!($axis);
                if !is_flag {
                    panics(text, || x.$axis(1).into_dyn());
                    panics(text, || x.$keepdims(&[1]).into_dyn());
                }
                // Scratch memory only.
                try_up_to(usize::MAX, text, &|| any.$try_all());
                try_up_to(usize::MAX, text, &|| turned.$try_axis(&all));
                try_up_to(usize::MAX, text, &|| turned.$try_axis(0));
                try_up_to(usize::MAX, text, &|| x.$try_axis(0).map(Tensor::into_dyn));
                try_up_to(usize::MAX, text, &|| halves.$try_axis(1).map(Tensor::into_dyn));
            )*};
        }
        each_reduction!(methods reductions!);
        macro_rules! positions {
            ($(
                $(#[doc = $doc:literal])+
                $what:literal $op:expr,
                $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
            )*) => {$(
                fails(stringify!($try_axis), || x.$try_axis(1).map(Tensor::into_dyn));
                fails(stringify!($try_axis), || turned.$try_axis(0));
                fails(stringify!($try_keepdims), || any.$try_keepdims(1));
                panics(stringify!($axis), || x.$axis(1).into_dyn());
                fails(stringify!($try_all), || turned.$try_all());
            )*};
        }
        each_position!(methods positions!);
    });
}

/// Convolutions are of integers, for the reason below.
#[test]
fn networks() {
    with_operands(|x, a, _| {
        let any = x.clone().into_dyn();
        fails("softmax", || any.try_softmax(1));
        fails("softmax of columns", || any.try_softmax(0));
        fails("log_sum_exp", || x.try_log_sum_exp(1).map(Tensor::into_dyn));
        panics("typed softmax", || x.softmax(1).into_dyn());
        fails("norm", || any.try_norm(2.0, 1));
        let image = a.clone().into_dyn();
        let image = image.reshape([&[1, 1], image.shape()].concat());
        let filters = DynTensor::ones(image.dtype(), [4, 1, 2, 2]).expect("memory");
        fails("conv2d", || {
            image.try_conv2d(&filters, ConvOptions::new().padding([1, 1]))
        });
        fails("max_pool2d", || {
            image.try_max_pool2d(PoolOptions::new([2, 1]))
        });
        fails("avg_pool2d", || {
            image.try_avg_pool2d(PoolOptions::new([2, 1]).padding([1, 0]))
        });
    });
}

/// Products: the libraries that multiply floats allocate packed copies by themselves, and end the process without memory
/// for these. So of such products the allocations before are refused.
#[test]
fn matrix_products() {
    with_operands(|x, a, b| {
        let (any, ints) = (x.clone().into_dyn(), a.clone().into_dyn());
        fails("matmul of integers", || {
            a.try_matmul(&b.transpose()).map(Tensor::into_dyn)
        });
        panics("plain matmul of integers", || {
            a.matmul(&b.transpose()).into_dyn()
        });
        fails("dynamic matmul of integers", || {
            ints.try_matmul(b.transpose())
        });
        let few = |name: &str, count: usize, run: &dyn Fn() -> Result<DynTensor, Error>| {
            assert!(try_up_to(count, name, run) > 0, "{name}");
        };
        few("matmul", 1, &|| {
            x.try_matmul(&x.transpose()).map(Tensor::into_dyn)
        });
        few("dynamic matmul", 1, &|| any.try_matmul(any.transpose()));
        let shorts = a.cast::<I16>();
        few("mixed matmul", 2, &|| {
            shorts.try_matmul(&x.transpose()).map(Tensor::into_dyn)
        });
        let pairs = Tensor::<C64>::full([ROWS, 2], c64::new(1.0, 2.0));
        few("complex matmul", 1, &|| {
            pairs.try_matmul(&pairs.transpose()).map(Tensor::into_dyn)
        });
        fails("empty matmul", || {
            x.slice(1, 0..0)
                .try_matmul(&x.transpose().slice(0, 0..0))
                .map(Tensor::into_dyn)
        });
        let (row, column) = (a.flatten(), b.flatten());
        fails("dot", || row.try_dot(&column).map(Tensor::into_dyn));
    });
}

#[test]
fn fused_expressions() {
    with_operands(|x, a, b| {
        let (a, b) = (&a.cast::<I16>(), &b.cast::<I16>());
        let turned = x.transpose().reshape([ROWS, 4]);
        let row = x.index_axis(0, 3);
        fails("fuse!", || {
            try_fuse!(x * a + 0.5).map(|t: Tensor<F32>| t.into_dyn())
        });
        panics("plain fuse!", || {
            let t: Tensor<F32> = fuse!((x - a).sqrt());
            t.into_dyn()
        });
        fails("fuse! of parts", || {
            try_fuse!(x * (&row * 2.0).exp() + &turned).map(|t: Tensor<F32>| t.into_dyn())
        });
        fails("fuse! that can fail", || {
            try_fuse!((a + 1) % b).map(|t: Tensor<I16>| t.into_dyn())
        });
        fails("fuse! of a choice", || {
            try_fuse!(if a > b { x } else { 0.0 }).map(|t: Tensor<F32>| t.into_dyn())
        });
        fails("fused sums", || {
            try_fuse!((x * a).sum_axis(1)).map(|t: Tensor<F32>| t.into_dyn())
        });
        fails("fused positions", || {
            try_fuse!((a + b).argmax_axis(1)).map(|t: Tensor<I64>| t.into_dyn())
        });
        fails("fused variances", || {
            try_fuse!((x * a).var_keepdims(1)).map(|t: Tensor<F32>| t.into_dyn())
        });
        fails("fuse! of what is given away", || {
            let given = unrefused(|| x * 1.0);
            try_fuse!(given * 2.0 + a).map(|t: Tensor<F32>| t.into_dyn())
        });
        // Into an output, which is as it was without memory.
        let into = |name: &str, run: &dyn Fn(Tensor<F32>) -> (Result<(), Error>, Tensor<F32>)| {
            let failed = try_up_to(usize::MAX, name, &|| {
                let out = unrefused(|| x * 1.0);
                let (result, out) = run(out);
                if result.is_err() {
                    unrefused(|| assert_eq!(out, *x, "{name}: the output is as it was"));
                }
                result.map(|()| out.into_dyn())
            });
            assert!(failed > 0, "{name} allocates nothing");
        };
        into("fuse! into an output", &|mut out| {
            (try_fuse!(out = out * (&row + 1.0) + &turned * x), out)
        });
        into("fuse! of what it holds", &|mut out| {
            (try_fuse!(out += (&turned * 2.0).exp()), out)
        });
        into("fuse! into what is shared", &|mut out| {
            let shared = out.clone();
            let result = try_fuse!(out = out * 2.0);
            drop(shared);
            (result, out)
        });
    });
}

/// Work that several threads share: none of them ends the process.
#[test]
fn threads() {
    let _alone = alone();
    let x = Tensor::<F32>::from_fn([300, 3000], |index| {
        f32::from(u8::try_from(index[1] % 7).unwrap_or(0))
    });
    fails("sums side by side", || {
        x.try_sum_axis(0).map(Tensor::into_dyn)
    });
    try_up_to(usize::MAX, "a sum", &|| x.try_sum().map(Tensor::into_dyn));
    let turned = x.transpose();
    let once = |name: &str, run: &dyn Fn() -> Tensor<F32>| {
        let expected = run();
        for first in 0..6 {
            THREADS.store(true, Ordering::SeqCst);
            let (result, _) = refusing(first, true, || catch_unwind(AssertUnwindSafe(run)));
            THREADS.store(false, Ordering::SeqCst);
            if let Ok(found) = result {
                assert!(found == expected, "{name}");
            }
        }
    };
    once("sums side by side", &|| x.sum_axis(0));
    once("a function", &|| x.exp());
    once("a function in tiles", &|| turned.exp());
    once("fuse!", &|| fuse!((&turned + 1.0).exp()));
}

#[cfg(feature = "dlpack")]
#[test]
fn what_other_libraries_get() {
    with_operands(|x, _, _| {
        panics("into_dlpack_legacy", || {
            let managed = x.clone().into_dlpack_legacy();
            // SAFETY: it is a tensor of this library, and nobody else has it.
            unsafe { Tensor::<F32>::from_dlpack(managed) }
                .expect("ours")
                .into_dyn()
        });
    });
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays_of_ndarray() {
    with_operands(|x, _, _| {
        panics("to_ndarray", || {
            Tensor::<F32>::from_ndarray(x.transpose().to_ndarray())
                .unwrap_or_else(|error| panic!("{error}"))
                .into_dyn()
        });
        let view = x.view_ndarray();
        fails("from a view", || {
            Tensor::<F32>::try_from(view.view()).map(Tensor::into_dyn)
        });
    });
}

/// What runs in a process whose address space is limited: no operation ends it.
#[test]
fn in_a_limited_process() {
    const GIVEN: &str = "SUPREMUM_LIMITED";
    IS_TEST.set(true);
    if std::env::var_os(GIVEN).is_some() {
        return limited();
    }
    if !cfg!(target_os = "linux") {
        return;
    }
    let this = std::env::current_exe().expect("a test has a path");
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 400000 && exec \"$0\" --exact in_a_limited_process --nocapture --test-threads 1"])
        .arg(this)
        .env(GIVEN, "")
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("23 operations gave an error"),
        "{}: {text}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

fn limited() {
    const LEN: usize = 1 << 28; // 1 GiB of `f32`
    let one = Tensor::<F32, Rank1>::ones([1]);
    let x = one.broadcast_to([LEN]);
    let column = one.broadcast_to([LEN, 1]);
    let any = x.clone().into_dyn();
    let flags = Tensor::<Bool, Rank1>::ones([1]).broadcast_to([LEN]);
    let a = Tensor::<F64, Rank1>::ones([1 << 21]); // 16 MiB
    let panicking = |run: &dyn Fn() -> DynTensor| {
        std::panic::set_hook(Box::new(|_| {}));
        let payload = catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
            let text = payload
                .downcast_ref::<String>()
                .cloned()
                .unwrap_or_default();
            assert!(text.starts_with("there is no memory for "), "{text}");
            Error::OutOfMemory { bytes: 1 }
        });
        drop(std::panic::take_hook());
        payload
    };
    let operations: [(&str, &dyn Fn() -> Result<DynTensor, Error>); 23] = [
        ("outer sum", &|| {
            a.reshape([1 << 21, 1])
                .try_add(&a.reshape([1, 1 << 21]))
                .map(Tensor::into_dyn)
        }),
        ("add", &|| x.try_add(&x).map(Tensor::into_dyn)),
        ("dynamic add", &|| any.try_add(&any)),
        ("operator", &|| panicking(&|| (&x + &x).into_dyn())),
        ("fuse!", &|| try_fuse!(x * 2.0 + x).map(Tensor::into_dyn)),
        ("cast", &|| panicking(&|| x.cast::<F16>().into_dyn())),
        ("try_cast", &|| any.try_cast(DType::F64)),
        ("reshape", &|| {
            let rows = a.reshape([1 << 21, 1]).broadcast_to([1 << 21, 64]);
            rows.try_reshape([1 << 27]).map(Tensor::into_dyn)
        }),
        ("copy", &|| {
            panicking(&|| {
                let mut copy = x.clone();
                copy.as_mut_slice()[0] = 2.0;
                copy.into_dyn()
            })
        }),
        ("sqrt", &|| any.sqrt()),
        ("concat", &|| concat(&[&x, &x], 0).map(Tensor::into_dyn)),
        ("stack", &|| stack(&[&x, &x], 0).map(Tensor::into_dyn)),
        ("matmul", &|| {
            let column = one.broadcast_to([1 << 14, 1]);
            column.try_matmul(&column.transpose()).map(Tensor::into_dyn)
        }),
        ("cumsum", &|| x.try_cumsum(0).map(Tensor::into_dyn)),
        ("select", &|| {
            try_select(&flags, &x, 0.0).map(Tensor::into_dyn)
        }),
        ("clamp", &|| x.try_clamp(0.0, 1.0).map(Tensor::into_dyn)),
        ("kept sums", &|| {
            column.try_sum_keepdims(1).map(Tensor::into_dyn)
        }),
        ("sums", &|| column.try_sum_axis(1).map(Tensor::into_dyn)),
        ("argmax", &|| {
            column.try_argmax_axis(1).map(Tensor::into_dyn)
        }),
        ("comparison", &|| {
            x.try_lt(0.5)
                .and_then(|t| t.try_add(&column))
                .map(Tensor::into_dyn)
        }),
        ("arange", &|| {
            DynTensor::arange(DType::F32, 0.0, 268_435_456.0, 1.0)
        }),
        ("zeros", &|| DynTensor::zeros(DType::F64, [LEN])),
        ("to_vec", &|| any.to_vec::<F32>().map(|_| any.clone())),
    ];
    let mut count = 0;
    for (name, operation) in operations {
        match operation() {
            Err(Error::OutOfMemory { bytes }) if bytes > 0 => count += 1,
            Err(error) => panic!("{name}: {error}"),
            Ok(_) => panic!("{name}: there was memory"),
        }
    }
    println!("{count} operations gave an error");
}
