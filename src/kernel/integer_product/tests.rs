use super::*;
use crate::array::{Buffer, Dims};
use crate::dtype::Element;
use crate::kernel::cast::copied;

/// Returns an array of these elements.
fn array_of<E: Element>(elements: &[E], shape: &[usize]) -> Array {
    let buffer = Buffer::copied(bytemuck::cast_slice(elements)).expect("there is memory");
    Array::from_buffer(buffer, E::DTYPE, Dims::new(shape).expect("a shape"))
}

/// Returns the elements of a contiguous `i32` array.
fn elements(x: &Array) -> Vec<i32> {
    // SAFETY: the array is contiguous and has so many elements, which are initialised.
    let bytes = unsafe { core::slice::from_raw_parts(x.as_ptr(), x.len() * 4) };
    bytemuck::cast_slice(bytes).to_vec()
}

/// Elements of a small integer, as numbers of the product.
trait Small: Element + bytemuck::Pod + Into<i32> + Copy {
    const EXTREMES: [Self; 2];
    fn sample(number: u64) -> Self;
}

macro_rules! small {
    ($($number:ident)*) => {$(
        impl Small for $number {
            const EXTREMES: [Self; 2] = [$number::MIN, $number::MAX];
            fn sample(number: u64) -> Self {
                let bytes = number.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes();
                Self::from_ne_bytes(*bytes.first_chunk().expect("eight bytes"))
            }
        }
    )*};
}

small! { i8 u8 i16 }

/// Returns the product of two matrices in row-major order, by a naive loop.
fn naive_product(left: &[i32], right: &[i32], [rows, inner, columns]: [usize; 3]) -> Vec<i32> {
    let mut product = vec![0_i32; rows * columns];
    for row in 0..rows {
        let sums = &mut product[row * columns..][..columns];
        for k in 0..inner {
            let (factor, others) = (left[row * inner + k], &right[k * columns..][..columns]);
            let mut column = 0;
            while column < columns {
                sums[column] = sums[column].wrapping_add(factor.wrapping_mul(others[column]));
                column += 1;
            }
        }
    }
    product
}

/// Compares the product of two matrices by all tiles of this processor, and transposed operands, with a naive loop.
fn check<A: Small, B: Small>(sizes: [usize; 3], a: &dyn Fn(u64) -> A, b: &dyn Fn(u64) -> B) {
    let [rows, inner, columns] = sizes;
    let (left, wide_left) = operand([rows, inner], 0, a);
    let (right, wide_right) = operand([inner, columns], 1_000_003, b);
    let naive = naive_product(&wide_left, &wide_right, sizes);
    check_tiles(sizes, left, right, &naive);
}

/// Makes a matrix of the elements with the numbers from `first` on. Returns their values too.
fn operand<T: Small>(
    [rows, columns]: [usize; 2],
    first: u64,
    element: &dyn Fn(u64) -> T,
) -> (Array, Vec<i32>) {
    let (mut elements, mut wide) = (Vec::new(), Vec::new());
    for at in 0..rows * columns {
        let element = element(first + u64::try_from(at).expect("64 bits"));
        elements.push(element);
        wide.push(element.into());
    }
    (array_of(&elements, &[rows, columns]), wide)
}

/// [`check`] of arrays. (It does not depend on the elements' types, so it is compiled once.)
fn check_tiles(sizes: [usize; 3], a: Array, b: Array, naive: &[i32]) {
    let [rows, inner, columns] = sizes;
    let transposed = |x: &Array| {
        let x = copied(&x.permute(&[1, 0]).expect("two axes")).expect("there is memory");
        x.permute(&[1, 0]).expect("two axes")
    };
    let shapes = MatmulShapes::new(a.dims(), b.dims()).expect("shapes that fit");
    let (plain, across) = ([a.clone(), b.clone()], [transposed(&a), transposed(&b)]);
    let layouts = [&plain, &across].map(|[a, _]| [&plain, &across].map(|[_, b]| (a, b)));
    // Operands are rearranged one by one, so two of the layouts suffice for large ones, which take their time: tiles take turns with
    // those in which both operands lie in rows, or both in columns, and begin with the one or the other by the dtypes.
    let products = rows * inner * columns;
    let is_large = products >= 50_000;
    let turn = usize::from(a.dtype() == DType::I8) + usize::from(b.dtype() == DType::I16);
    for which in 0..tile::all(a.dtype(), b.dtype()).len() {
        let all = layouts.as_flattened().iter().enumerate();
        // Of long products, each pair of dtypes takes half of the tiles, and each tile half of the sizes: without optimisation, the
        // portable one takes long.
        let is_long = (100_000..1_000_000).contains(&products);
        if is_long && !(which / 2 + rows + turn).is_multiple_of(2) {
            continue;
        }
        for (layout, (a, b)) in all {
            if is_large && layout != (which + turn) % 2 * 3 && products < 1_000_000 {
                continue;
            }
            // The largest matrix matters only where rows are few and the columns lie side by side: each tile takes it once.
            let third = usize::from(a.dtype() == DType::U8) + usize::from(b.dtype() == DType::I8);
            if products >= 1_000_000 && (layout != 0 || which % 3 != third) {
                continue;
            }
            let choose = |left, right| tile::all(left, right)[which];
            let found = product_by(&choose, a, b, &shapes).expect("there is memory");
            assert!(
                elements(&found) == naive,
                "{sizes:?} of {} and {} by {which}, strides {:?} and {:?}",
                a.dtype(),
                b.dtype(),
                a.strides(),
                b.strides()
            );
        }
    }
}

const SIZES: &[[usize; 3]] = &[
    [1, 1, 1],
    [1, 2, 3],
    [2, 3, 1],
    [3, 4, 5],
    [4, 5, 31],
    [5, 6, 32],
    [7, 7, 33],
    [11, 64, 8],
    [12, 65, 9],
    [13, 66, 16],
    [23, 67, 17],
    [25, 129, 63],
    [37, 31, 65],
    [1, 300, 100],
    [2, 70, 129],
    [4, 67, 1100],
    [5, 70, 300],
    [9, 35, 68],
    [16, 130, 270],
    [17, 40, 70],
    [20, 70, 3],
    [33, 261, 8],
    [100, 300, 1],
    [15, 60, 500],
    [6, 2_200, 5],
    // A matrix that is large, so that 18 rows are few.
    [18, 513, 1_030],
];

#[test]
fn all_tiles_agree_with_a_naive_loop() {
    for (number, sizes) in SIZES.iter().enumerate() {
        let [rows, inner, columns] = *sizes;
        // The largest ones take most of the time, so every other pair of dtypes takes each of them.
        let takes =
            |pair: usize| rows * inner * columns < 100_000 || (number + pair).is_multiple_of(2);
        macro_rules! pairs {
            ($($pair:literal: $left:ident $right:ident)*) => {$(
                if takes($pair) {
                    check(*sizes, &$left::sample, &$right::sample);
                }
            )*};
        }
        pairs! { 0: i8 i8 1: u8 u8 2: i8 u8 3: u8 i8 4: i16 i16 5: i16 u8 6: i8 i16 }
    }
}

/// Tiles prefetch the result, and multiply in steps meanwhile, only if it is large. Operands that repeat give few different sums.
#[test]
fn tiles_that_prefetch_multiply_all_units() {
    let [rows, inner, columns] = [33, 257, 8_200];
    let element = |row: usize, column: usize, period: usize| {
        let number = (row + column) % period;
        i8::sample(u64::try_from(number + period).expect("64 bits"))
    };
    let matrix = |[rows, columns]: [usize; 2], period: usize| {
        let elements = (0..rows * columns).map(|at| element(at / columns, at % columns, period));
        array_of(&elements.collect::<Vec<_>>(), &[rows, columns])
    };
    let (a, b) = (matrix([rows, inner], 7), matrix([inner, columns], 5));
    let sums: Vec<i32> = (0..7 * 5)
        .map(|at| {
            let products = (0..inner)
                .map(|k| i32::from(element(at / 5, k, 7)) * i32::from(element(k, at % 5, 5)));
            products.sum()
        })
        .collect();
    let shapes = MatmulShapes::new(a.dims(), b.dims()).expect("shapes that fit");
    let found = elements(&product(&a, &b, &shapes).expect("there is memory"));
    for (at, found) in found.into_iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        assert_eq!(found, sums[row % 7 * 5 + column % 5], "{row}, {column}");
    }
}

#[test]
fn extremes_are_exact_and_sums_wrap() {
    fn extremes<A: Small, B: Small>() {
        for a in A::EXTREMES {
            for b in B::EXTREMES {
                for inner in [1, 2, 3, 4, 70] {
                    check([5, inner, 34], &|_| a, &|_| b);
                }
            }
        }
    }
    extremes::<i8, i8>();
    extremes::<u8, u8>();
    extremes::<i8, u8>();
    extremes::<u8, i8>();
    extremes::<i16, i16>();
    // 2^17 times 2^14 is 2^31, one more than an `i32` holds; 33,100 times 255^2 is beyond 2^31 too.
    check([1, (1 << 17) + 1, 1], &|_| i8::MIN, &|_| i8::MIN);
    check([1, 33_100, 1], &|_| u8::MAX, &|_| u8::MAX);
    check([1, 5, 1], &|_| i16::MIN, &|_| i16::MIN);
}

#[test]
fn sums_that_may_not_fit_32_bits_are_left_to_wider_loops() {
    assert!(applies(DType::I8, DType::I8, DType::I32, usize::MAX));
    assert!(applies(DType::I8, DType::I8, DType::I64, (1 << 17) - 1));
    assert!(!applies(DType::I8, DType::I8, DType::I64, 1 << 17));
    assert!(applies(DType::I16, DType::I16, DType::I64, 1));
    assert!(!applies(DType::I16, DType::I16, DType::I64, 2));
    assert!(!applies(DType::I8, DType::I8, DType::F32, 1));
    assert!(!applies(DType::I8, DType::U16, DType::I32, 1));
}

/// Compares products of stacks that broadcast with products of their matrices.
#[test]
fn stacks_broadcast() {
    let check = |left: [usize; 4], right: [usize; 4]| {
        let sample = |shape: [usize; 4], first: u64| {
            let len: usize = shape.iter().product();
            let numbers = (first..).take(len);
            array_of(&numbers.map(i8::sample).collect::<Vec<_>>(), &shape)
        };
        let (a, b) = (sample(left, 0), sample(right, 1_000_003));
        let shapes = MatmulShapes::new(a.dims(), b.dims()).expect("shapes that broadcast");
        let choose = |left, right| tile::choose(level(), left, right);
        let found = product_by(&choose, &a, &b, &shapes).expect("there is memory");
        let found = elements(&found);
        let len = left[2] * right[3];
        for (number, found) in found.chunks_exact(len).enumerate() {
            let [i, j] = [number / shapes.product[1], number % shapes.product[1]];
            let one = |stack: &Array| {
                let [first, second, ..] = *stack.shape() else {
                    unreachable!("rank four")
                };
                let stack = stack.index_axis(0, i % first).expect("an index");
                stack.index_axis(0, j % second).expect("an index")
            };
            let (a, b) = (one(&a), one(&b));
            let shapes = MatmulShapes::new(a.dims(), b.dims()).expect("shapes that fit");
            let expected = product_by(&choose, &a, &b, &shapes).expect("there is memory");
            assert!(
                found == elements(&expected),
                "{left:?} by {right:?}, {number}"
            );
        }
    };
    let all = || {
        // Columns are divided, and packed in pieces or before, then rows.
        for (rows, columns) in [(20, 100), (100, 20)] {
            check([2, 3, rows, 37], [2, 3, 37, columns]);
            check([1, 3, rows, 37], [2, 1, 37, columns]);
            check([2, 1, rows, 37], [2, 3, 37, columns]);
            check([2, 3, rows, 37], [1, 1, 37, columns]);
        }
    };
    all();
    #[cfg(feature = "parallel")]
    crate::kernel::drive::parallel::with_threads(3, all);
}
