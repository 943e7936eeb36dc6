//! The workloads. Each is written with the library, as users would write it, and by hand.

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use supremum::prelude::*;

use crate::hand::{self, Aligned, How, Isa};
use crate::results::{Row, alone};
use crate::timing::{Effort, Place, Way, measure};

/// For elementwise workloads: tiny, in the caches of the first and of the second level, in memory only.
const SIZES: [usize; 4] = [8, 8_192, 65_536, LARGE];
const LARGE: usize = 1 << 24;
/// Of squares, which have [`LARGE`] elements.
const SIDE: usize = 4_096;
/// Of what is sorted, as a vector and as rows.
const SORTED: usize = 1 << 20;
const SORTED_ROW: usize = 512;
/// Of what is gathered, in elements.
const GATHERED: usize = 1 << 20;
/// Of matrices to multiply.
const SIDES: [usize; 2] = [512, 1_024];
/// Of matrices of bytes to multiply.
const BYTE_SIDES: [usize; 2] = [256, 1_024];
const FEW_SIDE: usize = 1_024;

type Vector<D> = Tensor<D, Rank1>;
type Matrix<D> = Tensor<D, Rank2>;

/// Measures the chosen workloads in one process.
pub(crate) struct Bench {
    pub(crate) effort: Effort,
    pub(crate) isa: Isa,
    pub(crate) threads: u64,
    /// The pools. With more than one thread there is also a pool of one, so that both take turns.
    pub(crate) places: Vec<Place>,
    /// The only workloads to measure; all if there are none.
    pub(crate) only: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// Compares the results of all ways of the library, then measures them beside loops by hand.
///
/// `by_hand` gives those, for the expected result.
macro_rules! case {
    (
        $bench:ident, $workload:literal $name:literal $size:expr => $result:ty;
        by hand $by_hand:expr;
        eager $eager:expr;
        $fuse:ident $fused:tt $(into $out:ident)?;
        $(dynamic $dynamic:expr;)?
    ) => {{
        let expected: $result = $eager;
        let fused: $result = $fuse! $fused;
        assert!(fused == expected, "{}: fused and eager differ", $name);
        $(
            let dynamic: DynTensor = $dynamic;
            assert!(dynamic.typed().as_ref() == Ok(&expected), "{}: dynamic and eager differ", $name);
        )?
        $(let mut $out = fused;)?
        // Loops by hand do whole blocks.
        let mut ways: Vec<Way> = if $size == SIZES[0] { Vec::new() } else { $by_hand(&expected) };
        ways.push(Way::new("eager", || -> $result { $eager }));
        ways.push(Way::new("fused", || -> $result { $fuse! $fused }));
        $(ways.push(Way::new("dynamic", || -> DynTensor { $dynamic }));)?
        $(ways.push(Way::new("into", || case!(@assign $fuse $out $fused)));)?
        $bench.time($workload, $name, $size, &mut ways);
        drop(ways);
        $(assert!($out == expected, "{}: another result in an output", $name);)?
    }};
    (@assign $fuse:ident $out:ident ($($fused:tt)*)) => {
        $fuse!($out = $($fused)*)
    };
}

mod elementwise;
mod gathers;
mod matrices;
mod networks;
mod reductions;

impl Bench {
    pub(crate) fn all(&mut self) {
        for size in SIZES {
            self.arithmetic(size);
            self.normalise(size);
            self.gelu(size);
            self.sum(size);
            self.casts(size);
            self.chains(size);
            self.can_fail(size);
            self.reduced_expressions(size);
            self.rows(size);
            self.extremes(size);
            self.networks(size);
            self.whole_rows(size);
        }
        self.attention();
        self.gathers();
        self.broadcasts();
        self.squares();
        self.sorts();
        for side in SIDES {
            self.products(side);
        }
        for side in BYTE_SIDES {
            self.accumulated(side);
        }
        self.few_rows();
    }

    fn wants(&self, workload: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == workload)
    }

    fn time(&mut self, workload: &str, case: &str, size: usize, ways: &mut [Way]) {
        eprintln!("{workload} {case} {size}");
        let times = measure(self.effort, ways, &self.places);
        for (way, times) in ways.iter().zip(times) {
            let who = match way.name {
                "limit" | "streamed" | "same" | "copy" => "by hand",
                _ => "supremum",
            };
            for (place, times) in self.places.iter().zip(times) {
                self.rows.push(Row {
                    workload: workload.into(),
                    case: case.into(),
                    size: u64::try_from(size).expect("a size"),
                    who: who.into(),
                    way: match place {
                        Some(_) => alone(way.name),
                        None => way.name.into(),
                    },
                    isa: self.isa.name().into(),
                    threads: self.threads,
                    least: times.least,
                    median: times.median,
                });
            }
        }
    }

    /// The loop by hand, the same past the caches for large outputs, and a copy of as many bytes as are read and
    /// written. The results are compared with the expected ones; `tolerance` is relative.
    fn by_hand<'a, D: StaticDType<Element: Pod>, N: Rank>(
        &self,
        read: &[&[u8]],
        tolerance: f64,
        run: impl Fn(How, &mut [D::Element]) + Copy + Send + 'a,
    ) -> impl FnOnce(&Tensor<D, N>) -> Vec<Way<'a>> {
        let (isa, threads) = (self.isa, self.threads);
        let read: usize = read.iter().map(|bytes| bytes.len()).sum();
        move |expected| {
            let mut ways = Vec::new();
            // Loops by hand have one thread.
            if threads > 1 {
                return ways;
            }
            let large = expected.len() == LARGE;
            for (name, stream) in [("limit", false), ("streamed", true)] {
                if stream && !large {
                    continue;
                }
                let mut out = Aligned::<D::Element>::new(expected.len());
                run(How { isa, stream }, out.as_mut_slice());
                assert_close(out.as_slice(), expected, tolerance);
                ways.push(Way::new(name, move || {
                    run(How { isa, stream }, out.as_mut_slice())
                }));
            }
            let half = (read + expected.len() * size_of::<D::Element>()) / 2;
            let (from, mut to) = (Aligned::<u8>::new(half), Aligned::<u8>::new(half));
            ways.push(Way::new("copy", move || {
                to.as_mut_slice()
                    .copy_from_slice(std::hint::black_box(from.as_slice()));
            }));
            ways
        }
    }

    /// The ways of [`Self::by_hand`], and a loop with the arithmetic of the library, which gives the same result.
    fn and_same<'a, D: StaticDType<Element: Pod>, N: Rank>(
        &self,
        by_hand: impl FnOnce(&Tensor<D, N>) -> Vec<Way<'a>>,
        run: impl Fn(How, &mut [D::Element]) + Copy + Send + 'a,
    ) -> impl FnOnce(&Tensor<D, N>) -> Vec<Way<'a>> {
        let isa = self.isa;
        move |expected| {
            let mut ways = by_hand(expected);
            if !ways.is_empty() {
                let stream = expected.len() == LARGE;
                let mut out = Aligned::<D::Element>::new(expected.len());
                run(How { isa, stream }, out.as_mut_slice());
                assert_close(out.as_slice(), expected, 0.0);
                ways.push(Way::new("same", move || {
                    run(How { isa, stream }, out.as_mut_slice())
                }));
            }
            ways
        }
    }
}

/// The product by the crate `gemm`, on one thread.
#[allow(unsafe_code, reason = "the crate takes pointers")]
fn gemm(x: &Matrix<F32>, y: &Matrix<F32>) -> Matrix<F32> {
    let (rows, inner, columns) = (x.shape()[0], x.shape()[1], y.shape()[1]);
    let mut out = Matrix::<F32>::zeros([rows, columns]);
    let stride = |side: usize| isize::try_from(side).expect("a stride");
    // SAFETY: all three matrices are contiguous, and have as many elements as the sizes and strides say.
    unsafe {
        // The matrices are transposed, because `gemm` writes column by column.
        gemm_f32::gemm::f32::get_gemm_fn()(
            columns,
            rows,
            inner,
            out.as_mut_slice().as_mut_ptr(),
            stride(columns),
            1,
            false,
            elements(y).as_ptr(),
            stride(columns),
            1,
            elements(x).as_ptr(),
            stride(inner),
            1,
            0.0,
            1.0,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
    }
    out
}

fn assert_close<D: StaticDType, N: Rank>(
    found: &[D::Element],
    expected: &Tensor<D, N>,
    tolerance: f64,
) {
    let found = Vector::<D>::from_slice(found, [found.len()]).expect("as many");
    let expected: Vector<D> = expected.flatten();
    let close = match tolerance {
        0.0 => found == expected,
        _ => found.approx_eq(&expected, tolerance, tolerance),
    };
    assert!(close, "the loop by hand computes something else");
}

fn elements<D: StaticDType, N: Rank>(tensor: &Tensor<D, N>) -> &[D::Element] {
    tensor.as_slice().expect("contiguous")
}

fn bits<D: StaticDType<Element: Pod>, N: Rank, T: Pod>(tensor: &Tensor<D, N>) -> &[T] {
    cast_slice(elements(tensor))
}

/// Numbers between -4 and 4 with all bits of an `f32` in use, the same in every run; integers from their whole range.
fn vector<D: StaticDType>(count: usize, seed: u64) -> Vector<D> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i32::try_from(state >> 33).expect("31 bits") - (1 << 30)
    };
    let numbers = Vector::<I32>::from_vec((0..count).map(|_| next()).collect(), [count]);
    let numbers = numbers.expect("as many");
    if D::DTYPE.kind().is_integer() {
        return numbers.cast();
    }
    let scaled: Vector<F32> = numbers.cast::<F32>() * (4.0 / f64::from(1 << 30));
    scaled.cast()
}

fn square<D: StaticDType>(side: usize, seed: u64) -> Matrix<D> {
    matrix(side, side, seed)
}

fn matrix<D: StaticDType>(rows: usize, columns: usize, seed: u64) -> Matrix<D> {
    vector::<D>(rows * columns, seed).reshape([rows, columns])
}
