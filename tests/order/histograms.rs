//! Histograms of given edges, densities and counts with weights, beside NumPy's (`data/histograms`).

use std::time::Instant;

use crate::naive::Plain;
use crate::{laid_out, refused};
use supremum::prelude::*;

fn numbers(column: &str) -> Vec<f64> {
    let words = column.split_whitespace();
    words.map(|word| word.parse().expect("a number")).collect()
}

fn vector(numbers: &[f64]) -> Tensor<F64, Rank1> {
    Tensor::from_slice(numbers, [numbers.len()]).expect("memory")
}

/// Compares numbers, among which NaN equals NaN.
fn same(found: &Tensor<F64, Rank1>, expected: &[f64], line: &str) {
    let found = found.to_vec();
    let equal = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
    assert_eq!(found.len(), expected.len(), "{line}");
    assert!(
        found.iter().zip(expected).all(equal),
        "{line}: {found:?}, not {expected:?}"
    );
}

#[test]
fn answers_are_numpys() -> Result<(), Error> {
    let mut rows = 0;
    for line in include_str!("../data/histograms/answers.csv")
        .lines()
        .skip(1)
    {
        let columns: Vec<&str> = line.split(',').collect();
        let rng = &mut fastrand::Rng::with_seed(rows);
        rows += 1;
        let mut laid_out = |column: &str| {
            let numbers = numbers(column);
            laid_out::<F64>(rng, &Plain::new(&[numbers.len()], numbers)).rank::<Rank1>()
        };
        if columns[0] == "bincount" {
            let [x, weights] = [laid_out(columns[1])?, laid_out(columns[3])?];
            let least = columns[2].parse::<f64>().expect("a number").to_string();
            let least = least.parse().expect("a length");
            let x = x.cast::<I64>();
            same(&x.bincount(least).cast(), &numbers(columns[4]), line);
            same(
                &x.bincount_weighted(&weights, least),
                &numbers(columns[5]),
                line,
            );
            continue;
        }
        let [x, weights] = [laid_out(columns[0])?, laid_out(columns[2])?];
        let edges = laid_out(columns[1])?;
        let counts = x.histogram_edges(&edges);
        let sums = x.histogram_weighted(&edges, &weights);
        same(&counts.cast(), &numbers(columns[3]), line);
        same(&sums, &numbers(columns[4]), line);
        if !edges.is_empty() {
            same(&counts.density(&edges), &numbers(columns[5]), line);
            same(&sums.density(&edges), &numbers(columns[6]), line);
        }
        // In other dtypes, and dynamic.
        let (small, few) = (x.cast::<F16>(), weights.cast::<BF16>());
        assert_eq!(
            small.histogram_edges(&edges).to_vec(),
            counts.to_vec(),
            "{line}"
        );
        assert_eq!(
            small.histogram_weighted(&edges, &few).to_vec(),
            sums.cast::<BF16>().to_vec(),
            "{line}"
        );
        let (x, edges) = (x.into_dyn(), edges.into_dyn());
        assert_eq!(x.histogram_edges(&edges).to_vec::<I64>()?, counts.to_vec());
        let weighted = x.histogram_weighted(&edges, &weights.into_dyn());
        same(&weighted.typed()?, &sums.to_vec(), line);
    }
    assert_eq!(rows, 52);
    Ok(())
}

/// Bins of equal width are those between the numbers of `linspace`.
#[test]
fn equal_bins_are_those_of_their_edges() {
    let rng = &mut fastrand::Rng::with_seed(3);
    let x = vector(&(0..500).map(|_| rng.f64() * 3.0 - 1.0).collect::<Vec<_>>());
    for bins in 1..20 {
        let edges = Tensor::<F64, Rank1>::linspace(-0.5, 1.25, bins + 1);
        assert_eq!(
            x.histogram_edges(&edges).to_vec(),
            x.histogram(bins, -0.5..=1.25).to_vec()
        );
    }
    // A density integrates to one.
    let edges: Tensor<F64, Rank1> = tensor![-1.0, -0.25, 0.5, 0.75, 2.0];
    let density = x.histogram_edges(&edges).density(&edges);
    let integral = (density * edges.diff(1, 0)).sum().item().expect("a number");
    assert!((integral - 1.0).abs() < 1e-15);
}

/// Weights are summed as by `sum`: integers widen, floats are rounded once.
/// Many bins then begin at the same float. The number of steps to the bin of an element must not grow with theirs.
#[test]
fn bins_narrower_than_neighbouring_floats_are_found_at_once() {
    let start = Instant::now();
    let bins = 1 << 22;
    let [low, high] = [1.0, 1.0 + 4.0 * f64::EPSILON];
    let quarter = vector(&[low, low + f64::EPSILON, low + 3.0 * f64::EPSILON, high, 2.0]);
    let t = quarter.repeat(1 << 16, 0);
    let counts = t.histogram(bins, low..=high);
    let filled = counts.flatnonzero().to_vec();
    // Edges round to the nearest float, halves to the even one.
    let expected = [bins / 8, bins / 8 * 3 - 1, bins / 8 * 7 - 1, bins - 1];
    assert_eq!(filled, expected.map(|bin| i64::try_from(bin).unwrap()));
    for bin in expected {
        assert_eq!(counts.get(&[bin]), Some(1 << 16), "{bin}");
    }
    let seconds = start.elapsed().as_secs();
    assert!(seconds < 20, "{seconds} s");
}

#[test]
fn weights_are_summed_wide() -> Result<(), Error> {
    let groups = Tensor::<U8, Rank1>::zeros([300]);
    let sums: Tensor<U64, Rank1> =
        groups.bincount_weighted(&Tensor::<U8, Rank1>::full([300], 255), 0);
    assert_eq!(sums.to_vec(), [300 * 255]);
    let halves = Tensor::<F16, Rank1>::from_fn([300], |[i]| {
        f16::from_f32(if i == 0 { 2048.0 } else { 1.0 })
    });
    assert_eq!(
        groups.bincount_weighted(&halves, 0).to_vec()[0].to_f32(),
        2348.0
    );
    let many: Tensor<I64, Rank1> = groups.bincount_weighted(&groups.equal(0), 2);
    assert_eq!(many.to_vec(), [300, 0]);
    let z: Tensor<C64, Rank1> = tensor![1.0i, 2.0];
    let x: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    let edges: Tensor<I8, Rank1> = tensor![0, 1];
    assert_eq!(
        x.histogram_weighted(&edges, &z).item()?,
        num_complex(2.0, 1.0)
    );
    Ok(())
}

fn num_complex(re: f32, im: f32) -> <C64 as StaticDType>::Element {
    <C64 as StaticDType>::Element::new(re, im)
}

#[test]
fn errors_of_edges_and_weights() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let edges = |numbers: &[f64]| vector(numbers);
    let matrix = Tensor::<F64>::zeros([2, 2]);
    let few = Tensor::<F32, Rank2>::ones([1, 2]);
    let k: Tensor<I32, Rank1> = tensor![1, -1];
    let counts: Tensor<I64, Rank1> = tensor![1, 2];
    refused! {
        x.try_histogram_edges(&edges(&[0.0, 2.0, 1.0])), x.histogram_edges(&edges(&[0.0, 2.0, 1.0]))
            => "histogram_edges: the edge at position 2 is below the edge before it, or is NaN";
        x.try_histogram_edges(&edges(&[f64::NAN, 2.0])), x.histogram_edges(&edges(&[f64::NAN, 2.0]))
            => "histogram_edges: the edge at position 0 is below the edge before it, or is NaN";
        x.try_histogram_weighted(&edges(&[1.0, 0.0]), &x), x.histogram_weighted(&edges(&[1.0, 0.0]), &x)
            => "histogram_weighted: the edge at position 1 is below the edge before it, or is NaN";
        x.try_histogram_edges(&matrix), x.histogram_edges(&matrix) => "histogram_edges: rank 1 expected, found shape [2, 2]";
        x.try_histogram_weighted(&edges(&[0.0, 1.0]), &few), x.histogram_weighted(&edges(&[0.0, 1.0]), &few)
            => "histogram_weighted: axis 0 of the tensor has size 2, axis 0 of the weights has size 1 (shapes [2, 2] and [1, 2])";
        k.try_bincount_weighted(&counts, 0), k.bincount_weighted(&counts, 0) => "bincount_weighted: the number -1 at position 1 is negative";
        counts.try_bincount_weighted(&edges(&[1.0]), 0), counts.bincount_weighted(&edges(&[1.0]), 0)
            => "bincount_weighted: axis 0 of the tensor has size 2, axis 0 of the weights has size 1 (shapes [2] and [1])";
        counts.try_density(&edges(&[0.0, 1.0])), counts.density(&edges(&[0.0, 1.0])) => "density: expected 3 edges, found 2";
        counts.try_density(&matrix), counts.density(&matrix) => "density: rank 1 expected, found shape [2, 2]";
    }
    let text = |result: Result<DynTensor, Error>| result.expect_err("an error").to_string();
    let z = Tensor::<C64>::zeros([2]).into_dyn();
    let real = Tensor::<F32>::zeros([2]).into_dyn();
    assert_eq!(
        text(real.try_histogram_edges(&z)),
        "histogram_edges: undefined on c64"
    );
    assert_eq!(
        text(z.try_histogram_weighted(&real, &real)),
        "histogram_weighted: undefined on c64"
    );
    assert_eq!(text(z.try_density(&real)), "density: undefined on c64");
    assert_eq!(
        text(real.try_bincount_weighted(&real, 0)),
        "bincount_weighted: indices are integers, found f32"
    );
}
