//! Matrix products, joins, choices and clamping, judged by naive loops.
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

mod accumulators;
mod contractions;
mod dtypes;
mod einsum;
#[path = "../exact/mod.rs"]
mod exact;
mod joins;
#[path = "../naive/mod.rs"]
mod naive;

use exact::{Kind, Tally, Tested};
use naive::{Arith, Op, Plain, Typed, assert_same, convert, each_dtype, edges, indices, sample};
use supremum::operations::MatrixMultiply;
use supremum::{
    BF16, Bool, C64, C128, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16,
    F32, F64, I8, I16, I32, I64, Jax, Promoted, Rank0, Rank1, Rank2, Rank3, SafePromote,
    StaticDType, Tensor, U8, U16, U32, U64, Weak, c64, f16, tensor,
};

fn tensor_of<D: StaticDType>(plain: &Plain<D::Element>) -> Tensor<D> {
    Tensor::from_slice(&plain.elements, plain.shape.as_slice()).expect("a shape that fits")
}

/// The shape of a matrix product, and for each of its elements the indices of the row and of the
/// column, before the position along both.
fn product_shape(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let (mut left, mut right) = (a.to_vec(), b.to_vec());
    if a.is_empty() || b.is_empty() {
        return None;
    }
    if a.len() == 1 {
        left.insert(0, 1);
    }
    if b.len() == 1 {
        right.push(1);
    }
    let (left_batch, left_matrix) = left.split_at(left.len() - 2);
    let (right_batch, right_matrix) = right.split_at(right.len() - 2);
    if left_matrix[1] != right_matrix[0] {
        return None;
    }
    let mut shape = naive::broadcast(left_batch, right_batch)?;
    if a.len() > 1 {
        shape.push(left_matrix[0]);
    }
    if b.len() > 1 {
        shape.push(right_matrix[1]);
    }
    Some(shape)
}

/// The pairs of elements whose products each element of the result adds up.
fn terms<E: Copy>(a: &Plain<E>, b: &Plain<E>) -> Option<(Vec<usize>, Vec<Vec<(E, E)>>)> {
    let shape = product_shape(&a.shape, &b.shape)?;
    let inner = a.shape[a.shape.len() - 1];
    let groups = indices(&shape)
        .iter()
        .map(|index| {
            let (mut batch, mut row, mut column) = (index.clone(), None, None);
            if b.shape.len() > 1 {
                column = batch.pop();
            }
            if a.shape.len() > 1 {
                row = batch.pop();
            }
            let term = |k: usize| {
                let mut left = batch.clone();
                left.extend(row);
                left.push(k);
                let mut right = batch.clone();
                right.push(k);
                right.extend(column);
                // `at` reads the last axes, as many as the operand has.
                let left = if a.shape.len() == 1 { vec![k] } else { left };
                let right = if b.shape.len() == 1 { vec![k] } else { right };
                (a.at(&left), b.at(&right))
            };
            (0..inner).map(term).collect()
        })
        .collect();
    Some((shape, groups))
}

const SHAPES: &[(&[usize], &[usize])] = &[
    (&[3], &[3]),
    (&[0], &[0]),
    (&[1], &[1]),
    (&[2, 3], &[3]),
    (&[3], &[3, 2]),
    (&[2, 3], &[3, 4]),
    (&[17, 33], &[33, 9]),
    (&[1, 70], &[70, 1]),
    (&[5, 1], &[1, 6]),
    (&[2, 0], &[0, 3]),
    (&[0, 2], &[2, 3]),
    (&[2, 3], &[3, 0]),
    (&[4, 2, 3], &[4, 3, 2]),
    (&[4, 2, 3], &[3, 2]),
    (&[2, 3], &[4, 3, 2]),
    (&[4, 1, 2, 3], &[5, 3, 2]),
    (&[2, 1, 2, 3], &[1, 3, 3, 1]),
    (&[4, 2, 3], &[3]),
    (&[3], &[4, 3, 2]),
    (&[3], &[2, 2, 3, 1]),
    (&[0, 2, 3], &[3, 2]),
    (&[1, 1, 1, 2, 1, 1, 2, 2], &[2, 2, 1]),
];

/// Judges a product: integers exactly, floats within the error of `f32` or `f64` sums and one
/// rounding.
fn judge<Out: Tested + Arith>(
    tally: &mut Tally,
    what: &str,
    found: &[Out],
    groups: &[Vec<(Out, Out)>],
) {
    assert_eq!(found.len(), groups.len(), "{what}");
    for (found, group) in found.iter().zip(groups) {
        let holds = match Out::KIND {
            Kind::Float(format) | Kind::Complex(format) => {
                use supremum::c128;
                let unit = 1.0 / format.hidden_bit() as f64;
                let numbers: Vec<c128> = group
                    .iter()
                    .map(|(a, b)| convert::<_, c128>(*a) * convert::<_, c128>(*b))
                    .collect();
                let expected: c128 = numbers.iter().sum();
                let magnitude: f64 = numbers.iter().map(|x| x.norm()).sum();
                let found: c128 = convert(*found);
                let rounded: c128 = convert(convert::<c128, Out>(expected));
                // Beyond the range only an infinity (or NaN) is right.
                let slack = unit * expected.norm() + unit.min(1.2e-7) * 8.0 * magnitude;
                (found - expected).norm() <= slack || (!rounded.is_finite() && !found.is_finite())
            }
            _ => {
                let mut sum: Out = convert(false);
                for (a, b) in group {
                    let product = Out::apply(Op::Mul, *a, *b).expect("a product");
                    sum = Out::apply(Op::Add, sum, product).expect("a sum");
                }
                *found == sum
            }
        };
        tally.record(holds, || {
            format!("{what}: {found:?} of {} terms", group.len())
        });
    }
}

fn products<A, B>(tally: &mut Tally)
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: MatrixMultiply<Jax, Output: Typed>,
{
    for (left, right) in SHAPES {
        let a = Plain::new(left, sample::<A::Element>(left.iter().product(), 11));
        let b = Plain::new(right, sample::<B::Element>(right.iter().product(), 12));
        let (x, y) = (tensor_of::<A>(&a), tensor_of::<B>(&b));
        let (shape, groups) = terms(&a.map(convert), &b.map(convert)).expect("shapes that fit");
        let what = format!("{} {left:?} times {} {right:?}", A::DTYPE, B::DTYPE);
        let found = x.matmul(&y);
        assert_eq!(found.shape(), shape, "{what}");
        judge(tally, &what, &found.to_vec(), &groups);
        // The same matrices, stored otherwise.
        let flipped = |axis| tensor_of::<A>(&a).flip(axis).add_nothing().flip(axis);
        let views = [
            (flipped(-1), y.clone()),
            (
                x.transpose().add_nothing().transpose(),
                y.transpose().add_nothing().transpose(),
            ),
            (x.clone(), y.flip(0).add_nothing().flip(0)),
            (every_second(&x), every_second(&y)),
        ];
        for (x, y) in views {
            let again = x.matmul(&y);
            assert_eq!(again.shape(), shape, "{what}, a view");
            judge(tally, &what, &again.to_vec(), &groups);
        }
        assert_same(&x.to_vec(), &a.elements, "the left operand afterwards");
        assert_same(&y.to_vec(), &b.elements, "the right operand afterwards");
    }
}

/// Copies what a view shows into storage of its own.
trait AddNothing {
    fn add_nothing(&self) -> Self;
}
impl<D: StaticDType> AddNothing for Tensor<D> {
    fn add_nothing(&self) -> Self {
        Tensor::from_vec(self.to_vec(), self.shape()).expect("the shape")
    }
}

/// The same tensor with gaps between its elements.
fn every_second<D: StaticDType>(t: &Tensor<D>) -> Tensor<D> {
    let twice = t.iter().flat_map(|x| [x, x]).collect();
    let mut shape = t.shape().to_vec();
    if let Some(last) = shape.last_mut() {
        *last *= 2;
    }
    let twice = Tensor::from_vec(twice, shape).expect("twice as many");
    twice.slice_step(-1, .., 2)
}

macro_rules! squares {
    ([$tally:ident] $($dtype:ident)*) => { $(products::<$dtype, $dtype>(&mut $tally);)* };
}

#[test]
fn matrices_of_every_dtype() {
    let mut tally = Tally::default();
    each_dtype!(squares[tally]);
    tally.finish("matmul of one dtype");
}

#[test]
fn matrices_of_two_dtypes() {
    let mut tally = Tally::default();
    products::<F16, BF16>(&mut tally);
    products::<U8, I8>(&mut tally);
    products::<I16, F32>(&mut tally);
    products::<F32, U16>(&mut tally);
    products::<Bool, I32>(&mut tally);
    products::<F16, Bool>(&mut tally);
    products::<F32, C64>(&mut tally);
    products::<C64, F64>(&mut tally);
    products::<F8E4M3FN, Bool>(&mut tally);
    products::<U32, I32>(&mut tally);
    tally.finish("matmul of two dtypes");
}

/// Operands that are read in place, packed, backwards or again and again, around the sizes of blocks. (With the feature `gemm` floats
/// are multiplied by another library.)
#[test]
fn sizes_around_blocks_in_every_layout() {
    /// Small whole numbers, whose products and sums are exact, seen in four ways.
    fn layouts<D: Typed>([rows, columns]: [usize; 2], seed: u64) -> [Tensor<D, Rank2>; 4] {
        let number = |at: usize| {
            let mixed = (at as u64 + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 61;
            convert::<f64, D::Element>((mixed % 3) as f64)
        };
        let elements: Vec<_> = (0..rows * columns).map(number).collect();
        let of = |shape| Tensor::<D, Rank2>::from_slice(&elements, shape).expect("that many");
        let row = of([rows, columns]).slice(0, 0..1);
        [
            of([rows, columns]),
            of([rows, columns]).flip(0).flip(1),
            of([columns, rows]).permute([1, 0]),
            row.broadcast_to([rows, columns]),
        ]
    }
    fn check<D>([rows, inner, columns]: [usize; 3])
    where
        D: Typed + SafePromote<D, Jax, Output: MatrixMultiply<Jax, Output = D>>,
    {
        for a in layouts::<D>([rows, inner], 1) {
            for b in layouts::<D>([inner, columns], 2) {
                let numbers = |t: &Tensor<D, Rank2>| -> Vec<f64> {
                    t.to_vec().into_iter().map(convert).collect()
                };
                let (x, y) = (numbers(&a), numbers(&b));
                let found = a.matmul(&b).to_vec();
                assert_eq!(found.len(), rows * columns);
                for (at, found) in found.into_iter().enumerate().step_by(7) {
                    let (row, column) = (at / columns, at % columns);
                    let sum: f64 = (0..inner)
                        .map(|k| x[row * inner + k] * y[k * columns + column])
                        .sum();
                    let what = format!("{} [{rows}, {inner}, {columns}] at {at}", D::DTYPE);
                    assert_same(&[found], &[convert(sum)], &what);
                }
            }
        }
    }
    for sizes in [
        [12, 256, 32],
        [13, 257, 33],
        [25, 5, 129],
        [97, 300, 17],
        [1, 40, 300],
        [300, 40, 1],
        [70, 1, 70],
        [3, 2, 50],
        [3, 600, 4],
    ] {
        check::<F32>(sizes);
        check::<F64>(sizes);
        check::<C64>(sizes);
        check::<I16>(sizes);
    }
}

/// Stacks have the bits of their matrices' products, and no product writes over another one.
#[test]
fn stacks_of_small_matrices_are_their_products() {
    use supremum::{AnyRank, DType, DynTensor};
    fn sample(dtype: DType, shape: &[usize], seed: u64) -> DynTensor {
        let number = |at: usize| {
            let mixed = (at as u64 + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
            (mixed % 97) as f64 / 7.0
        };
        let elements: Vec<f64> = (0..shape.iter().product()).map(number).collect();
        let x = Tensor::<F64, AnyRank>::from_vec(elements, shape).expect("that many");
        x.into_dyn().cast(dtype)
    }
    let dtypes = [
        DType::F32,
        DType::F64,
        DType::BF16,
        DType::C64,
        DType::C128,
        DType::U8,
        DType::I32,
        DType::I64,
    ];
    for dtype in dtypes {
        for [rows, inner, columns] in [
            [3, 3, 3],
            [3, 3, 1],
            [1, 3, 3],
            [9, 2, 5],
            [2, 3, 40],
            [3, 300, 2],
        ] {
            let a = sample(dtype, &[3, 5, rows, inner], 1);
            let b = sample(dtype, &[5, columns, inner], 2).permute([0, 2, 1]);
            let product = a.matmul(&b);
            assert_eq!(product.shape(), [3, 5, rows, columns]);
            for [outer, number] in [[0, 0], [0, 4], [1, 3], [2, 4]] {
                let of = |x: &DynTensor, axis: usize, index: usize| x.index_axis(axis, index);
                let one = of(&of(&a, 0, outer), 0, number).matmul(of(&b, 0, number));
                let found = of(&of(&product, 0, outer), 0, number);
                assert_eq!(found, one, "{dtype} [{rows}, {inner}, {columns}]");
            }
        }
    }
}

#[test]
fn integers_wrap_and_floats_do_not_overflow_on_the_way() {
    let mut tally = Tally::default();
    fn all_edges<D: Typed + SafePromote<D>>(tally: &mut Tally)
    where
        Promoted<D, D>: MatrixMultiply<Jax, Output: Typed>,
    {
        let elements = edges::<D::Element>();
        let n = elements.len();
        let a = Plain::new(&[1, n], elements.clone());
        let b = Plain::new(&[n, 1], elements.into_iter().rev().collect());
        let found = tensor_of::<D>(&a).matmul(&tensor_of::<D>(&b));
        let (_, groups) = terms(&a.map(convert), &b.map(convert)).expect("shapes that fit");
        judge(tally, "edges", &found.to_vec(), &groups);
        let outer = tensor_of::<D>(&b).matmul(&tensor_of::<D>(&a));
        let (_, groups) = terms(&b.map(convert), &a.map(convert)).expect("shapes that fit");
        judge(tally, "outer edges", &outer.to_vec(), &groups);
    }
    all_edges::<Bool>(&mut tally);
    all_edges::<U8>(&mut tally);
    all_edges::<U16>(&mut tally);
    all_edges::<U32>(&mut tally);
    all_edges::<U64>(&mut tally);
    all_edges::<I8>(&mut tally);
    all_edges::<I16>(&mut tally);
    all_edges::<I32>(&mut tally);
    all_edges::<I64>(&mut tally);
    tally.finish("matmul of extreme integers");

    let a: Tensor<F16, Rank2> = tensor![[60000.0, 60000.0, 1.0]];
    let b: Tensor<F16, Rank1> = tensor![2.0, -2.0, 0.5];
    assert_eq!(a.matmul(&b).to_vec(), [f16::from_f32(0.5)], "summed in f32");
    let ones = Tensor::<BF16, Rank1>::ones([1000]);
    assert_eq!(
        ones.dot(&ones).item().expect("one").to_f32(),
        1000.0,
        "summed in f32, not bf16"
    );
    let nan: Tensor<F32, Rank2> = tensor![[f32::NAN, 0.0], [0.0, 1.0]];
    let zeros = Tensor::<F32, Rank2>::zeros([2, 2]);
    let product = nan.matmul(&zeros).to_vec();
    assert!(product[0].is_nan() && product[1].is_nan() && product[2] == 0.0 && product[3] == 0.0);
}

#[test]
fn ranks_dots_and_weakness() {
    let matrix: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let vector: Tensor<F32, Rank1> = tensor![10.0, 1.0];
    let column: Tensor<F32, Rank1> = matrix.matmul(&vector);
    assert_eq!(column.to_vec(), [12.0, 34.0]);
    let row: Tensor<F32, Rank1> = vector.matmul(&matrix);
    assert_eq!(row.to_vec(), [13.0, 24.0]);
    let scalar: Tensor<F32, Rank0> = vector.matmul(&vector);
    assert_eq!(scalar.item(), Ok(101.0));
    let cube: Tensor<F32, Rank3> = Tensor::<F32, Rank3>::ones([3, 1, 2]).matmul(&matrix);
    assert_eq!(cube.to_vec(), [4.0, 6.0].repeat(3));
    let broadcast = vector.broadcast_to([3, 2]).matmul(&matrix);
    assert_eq!(broadcast.to_vec(), [13.0, 24.0].repeat(3));
    let weak: Tensor<Weak<I64>, Rank1> = tensor![Bool; true, true] + 1;
    let dot: Tensor<Weak<I64>, Rank0> = weak.dot(&weak);
    assert_eq!(dot.item(), Ok(8));
    let bytes: Tensor<U8, Rank0> = weak.dot(&tensor![U8; 200, 100]);
    assert_eq!(bytes.item(), Ok(88));
    let z: Tensor<C64, Rank1> = tensor![c64::new(0.0, 1.0), c64::new(2.0, 0.0)];
    assert_eq!(z.dot(&z).item(), Ok(c64::new(3.0, 0.0)), "not conjugated");
}

#[test]
fn products_that_do_not_fit() {
    let mut checked = 0;
    let shapes: [&[usize]; 12] = [
        &[],
        &[0],
        &[1],
        &[2],
        &[3],
        &[2, 3],
        &[3, 2],
        &[1, 0],
        &[2, 2, 3],
        &[3, 3, 2],
        &[0, 3, 2],
        &[5, 1, 2, 2],
    ];
    for left in shapes {
        for right in shapes {
            let (a, b) = (Tensor::<F32>::zeros(left), Tensor::<I16>::zeros(right));
            let found = a.try_matmul(&b);
            match product_shape(left, right) {
                Some(shape) => assert_eq!(found.expect("shapes that fit").shape(), shape),
                None => {
                    let error = found.expect_err("shapes that do not fit");
                    let inner = [left.last(), right.get(right.len().saturating_sub(2))]
                        .map(Option::<&usize>::copied);
                    let is_right = match error {
                        Error::TooFewAxes { .. } => inner.contains(&None),
                        Error::SizeMismatch { ref axes, .. } => {
                            inner == [0, 1].map(|side| Some(axes[side].size()))
                        }
                        Error::ShapeMismatch { .. } => inner[0] == inner[1],
                        _ => false,
                    };
                    assert!(
                        is_right && error.to_string().starts_with("matmul: "),
                        "{left:?}, {right:?}: {error}"
                    );
                }
            }
            checked += 1;
        }
    }
    println!("{checked} pairs of shapes");
}

#[test]
fn dot_checks_a_rank_that_the_type_leaves_open() {
    let vector: Tensor<F32> = tensor![1.0, 2.0];
    let matrix: Tensor<F32> = tensor![[1.0, 2.0]];
    assert_eq!(vector.dot(&vector).item(), Ok(5.0));
    let error = vector.try_dot(&matrix).expect_err("a matrix");
    assert!(matches!(error, Error::RankMismatch { expected: 1, .. }));
}
