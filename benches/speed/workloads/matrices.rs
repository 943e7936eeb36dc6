//! Transposed squares, sorts and products of matrices.

use super::*;

impl Bench {
    /// W9 over each axis, W11.
    pub(super) fn squares(&mut self) {
        let (x, y) = (square::<F32>(SIDE, 4), square::<F32>(SIDE, 5));
        let (a, b) = (elements(&x), elements(&y));
        if self.wants("W9") {
            let p = x.clone().into_dyn();
            case! {
                self, "W9" "sum f32 axis 0" LARGE => Vector<F32>;
                by hand self.by_hand(&[cast_slice(a)], 1e-3, |how, out| hand::sum_rows(how, a, out));
                eager x.sum_axis(0);
                fuse (x.sum_axis(0));
                dynamic p.try_sum_axis(0).expect("two axes");
            }
            case! {
                self, "W9" "sum f32 axis 1" LARGE => Vector<F32>;
                by hand self.by_hand(&[cast_slice(a)], 1e-3, |how, out| hand::sum_columns(how, a, out));
                eager x.sum_axis(1);
                fuse (x.sum_axis(1));
                dynamic p.try_sum_axis(1).expect("two axes");
            }
        }
        if self.wants("W11") {
            let x = x.transpose();
            let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
            case! {
                self, "W11" "transposed + f32" LARGE => Matrix<F32>;
                by hand self.by_hand(
                    &[cast_slice(a), cast_slice(b)],
                    0.0,
                    |how, out| hand::add_transposed(how, a, b, SIDE, out),
                );
                eager &x + &y;
                fuse (x + y) into out;
                dynamic &p + &q;
            }
        }
    }

    /// W22, a vector and rows.
    pub(super) fn sorts(&mut self) {
        if !self.wants("W22") {
            return;
        }
        let rows = matrix::<F32>(SORTED / SORTED_ROW, SORTED_ROW, 20);
        let a = elements(&rows);
        let read: &[&[u8]] = &[cast_slice(a)];
        for (name, columns) in [("sort f32", SORTED), ("sort f32 rows", SORTED_ROW)] {
            let x: Matrix<F32> = rows.reshape([SORTED / columns, columns]);
            let p = x.clone().into_dyn();
            let expected = x.sort(1);
            assert!(
                p.sort(1).typed().as_ref() == Ok(&expected),
                "{name}: dynamic and eager differ"
            );
            let by_hand = self.by_hand(read, 0.0, move |_, out| {
                out.copy_from_slice(a);
                for row in out.chunks_exact_mut(columns) {
                    row.sort_unstable_by(f32::total_cmp);
                }
            });
            let mut ways = by_hand(&expected);
            ways.push(Way::new("eager", || x.sort(1)));
            ways.push(Way::new("dynamic", || p.sort(1)));
            self.time("W22", name, SORTED, &mut ways);
        }
    }

    /// W10.
    pub(super) fn products(&mut self, side: usize) {
        if !self.wants("W10") {
            return;
        }
        macro_rules! product {
            ($name:literal $left:ident $right:ident $out:ident) => {{
                let (x, y) = (square::<$left>(side, 1), square::<$right>(side, 2));
                let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
                let eager = || -> Matrix<$out> { x.matmul(&y) };
                let dynamic = || p.try_matmul(&q).expect("of one size");
                let expected = eager();
                assert!(dynamic().typed().as_ref() == Ok(&expected), "{}: dynamic and eager differ", $name);
                let mut ways = vec![Way::new("eager", eager), Way::new("dynamic", dynamic)];
                if self.threads == 1 {
                    // The library widens and rounds dtypes that it does not multiply in, by its own loops.
                    let gemm = || -> Matrix<$out> { gemm(&x.cast::<F32>(), &y.cast::<F32>()).cast() };
                    assert_close(elements(&gemm()), &expected, 1e-2);
                    ways.push(Way::new("limit", gemm));
                }
                self.time("W10", $name, side, &mut ways);
            }};
        }
        product!("matmul f32" F32 F32 F32);
        product!("matmul f16" F16 F16 F16);
        product!("matmul bf16 by f32" BF16 F32 F32);
    }

    /// W10 with sums of another dtype, beside the products of one dtype.
    pub(super) fn accumulated(&mut self, side: usize) {
        if !self.wants("W10") {
            return;
        }
        macro_rules! product {
            ($name:literal $dtype:ident $out:ident) => {{
                let (x, y) = (square::<$dtype>(side, 1), square::<$dtype>(side, 2));
                let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
                let eager = || -> Matrix<$out> { x.matmul_in::<$out>(&y) };
                let dynamic = || p.try_matmul_in(&q, DType::$out).expect("of one size");
                let plain = || -> Matrix<$dtype> { x.matmul(&y) };
                let expected = eager();
                assert!(
                    dynamic().typed().as_ref() == Ok(&expected),
                    "{}: dynamic and eager differ",
                    $name
                );
                assert!(
                    plain() == expected.cast::<$dtype>(),
                    "{}: plain and eager differ",
                    $name
                );
                let mut ways = [
                    Way::new("eager", eager),
                    Way::new("dynamic", dynamic),
                    Way::new("plain", plain),
                ];
                self.time("W10", $name, side, &mut ways);
            }};
        }
        product!("matmul i8 in i32" I8 I32);
        product!("matmul bf16 in f32" BF16 F32);
    }

    /// W10 of few rows of bytes by a square, whose side is also its size in the results.
    pub(super) fn few_rows(&mut self) {
        if !self.wants("W10") {
            return;
        }
        let y = square::<I8>(FEW_SIDE, 2);
        for (name, rows) in [
            ("vector by matrix i8 in i32", 1),
            ("16 rows by matrix i8 in i32", 16),
        ] {
            let x = matrix::<I8>(rows, FEW_SIDE, 1);
            let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
            let eager = || -> Matrix<I32> { x.matmul_in::<I32>(&y) };
            let dynamic = || p.try_matmul_in(&q, DType::I32).expect("of one size");
            assert!(
                dynamic().typed().as_ref() == Ok(&eager()),
                "{name}: dynamic and eager differ"
            );
            let mut ways = [Way::new("eager", eager), Way::new("dynamic", dynamic)];
            self.time("W10", name, FEW_SIDE, &mut ways);
        }
    }
}
