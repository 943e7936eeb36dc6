//! Errors of `fuse!` are those of tensors, and leave the output as it was.

use std::panic::{AssertUnwindSafe, catch_unwind};

use supremum::{
    DType, Error, F32, I8, I16, I32, I64, Rank0, Rank1, Rank2, StaticDType, Tensor, U8, U16, U32,
    U64, fuse, fuse_backend, s, tensor, try_fuse, try_promote_unsafe,
};

#[test]
fn shapes_that_do_not_broadcast_are_errors() {
    let a = Tensor::<F32, Rank1>::zeros([2]);
    let b = Tensor::<F32, Rank1>::zeros([3]);
    let expected = a.try_add(&b).unwrap_err();
    assert_eq!(try_fuse!(a + b).unwrap_err(), expected);
    assert_eq!(try_fuse!((a + b).sum()).unwrap_err(), expected);
    let mut out = b.clone();
    assert_eq!(try_fuse!(out = a + b), Err(expected.clone()));
    assert!(matches!(
        try_fuse!(out = a),
        Err(Error::ShapeMismatch { .. })
    ));
    let text = catch_unwind(AssertUnwindSafe(|| fuse!(a + b))).unwrap_err();
    assert_eq!(
        *text.downcast::<String>().expect("a text"),
        expected.to_string()
    );
}

/// Reductions name the form that was called, as those of tensors do.
#[test]
fn reductions_name_their_form() {
    let x = Tensor::<F32, Rank2>::zeros([2, 0]);
    let text = |error: Option<Error>| error.expect("an error").to_string();
    let sum = try_fuse!((x + 1.0).sum_axis(2)).err();
    assert_eq!(sum, x.try_sum_axis(2).err());
    assert_eq!(text(sum), "sum_axis: axis 2 does not exist at rank 2");
    let max = try_fuse!((x + 1.0).max_axis(1)).err();
    assert_eq!(max, x.try_max_axis(1).err());
    assert_eq!(
        text(max),
        "max_axis: no elements along the reduced axes of shape [2, 0]"
    );
    let argmin = try_fuse!((x + 1.0).argmin_keepdims(1)).err();
    assert_eq!(argmin, x.try_argmin_keepdims(1).err());
    let pass = try_fuse!(x - x.mean_keepdims([0, 0])).err();
    assert_eq!(pass, x.try_mean_keepdims([0, 0]).err());
    let backend = fuse_backend!((x + 1.0).sum_axis(2)).err();
    assert_eq!(backend, x.try_sum_axis(2).err());
}

/// Both operations that `clamp` consists of name it, and only it.
#[test]
fn clamp_names_itself() {
    let x = Tensor::<F32, Rank2>::zeros([2, 3]);
    let bound = Tensor::<F32, Rank1>::zeros([2]);
    let low = try_fuse!(x.clamp(bound, 1.0)).unwrap_err();
    assert_eq!(low, x.try_clamp(&bound, 1.0).unwrap_err());
    assert_eq!(
        low.to_string(),
        "clamp: shapes [2, 3] and [2] do not fit together; axis -1 has sizes 3 and 2"
    );
    let high = try_fuse!(x.clamp(0.0, bound)).unwrap_err();
    assert_eq!(high, x.try_clamp(0.0, &bound).unwrap_err());
    let within = try_fuse!((x + bound).clamp(0.0, 1.0)).unwrap_err();
    assert_eq!(within, x.try_add(&bound).unwrap_err());
    let maximum = try_fuse!(x.maximum(bound)).unwrap_err();
    assert_eq!(maximum, x.try_maximum(&bound).unwrap_err());
    // A common subexpression is evaluated once, whichever of the two it was.
    let shared = fuse!(x.maximum(1.0).exp() + x.clamp(1.0, 2.0).exp());
    let one = x.maximum(1.0);
    assert_eq!(shared, one.exp() + one.minimum(2.0).exp());
}

/// Views of operands and of the output are made by their `try_` forms.
#[test]
fn views_that_do_not_exist_are_errors() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let row: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0];
    let sliced = x.try_slice(1, 2..5).unwrap_err();
    assert_eq!(try_fuse!(x.slice(1, 2..5) + 1.0), Err(sliced.clone()));
    assert_eq!(
        try_fuse!(x.transpose().slice(1, ..1).index_axis(0, 3) + row),
        x.transpose().slice(1, ..1).try_index_axis(0, 3)
    );
    assert_eq!(try_fuse!(row * x.take([0, 2], 0)), x.try_take([0, 2], 0));
    assert_eq!(
        try_fuse!(row * x.slice_axes(s![2])),
        x.try_slice_axes(s![2])
    );
    assert_eq!(
        try_fuse!(x.reshape([4, 2]).sum()).unwrap_err(),
        x.try_reshape([4, 2]).unwrap_err()
    );
    assert_eq!(
        try_fuse!(x.slice(1, 2..5) - x.max_keepdims(-1)),
        Err(sliced.clone())
    );
    assert_eq!(try_fuse!(x.slice(1, 2..5).softmax(-1)), Err(sliced.clone()));
    assert_eq!(
        try_promote_unsafe!(row + x.slice(1, 2..5)),
        Err(sliced.clone())
    );
    assert_eq!(fuse_backend!(row + x.slice(1, 2..5)), Err(sliced.clone()));
    // Views that exist are read, and an argument may return from the function around the macro.
    let last = || -> Result<Tensor<F32, Rank2>, Error> {
        let size = x.sum().item()?;
        try_fuse!(
            x.slice(1, -1..).flip(0)
                * row.slice(
                    0,
                    ..Some(1).ok_or(Error::ZeroStep {
                        operation: "slice",
                        axis: 0
                    })?
                )
                + &Tensor::<F32, Rank0>::scalar(size)
        )
    };
    assert_eq!(last().map(|x| x.to_vec()), Ok(vec![27.0, 24.0]));

    let mut out = x.clone();
    assert_eq!(
        try_fuse!(out.slice_mut(1, 2..5) = row),
        Err(x.clone().try_slice_mut(1, 2..5).map(drop).unwrap_err())
    );
    assert_eq!(
        try_fuse!(out.slice_mut(0, 1..).index_axis_mut(0, 1) += row),
        Err(x
            .slice(0, 1..)
            .try_index_axis_mut(0, 1)
            .map(drop)
            .unwrap_err())
    );
    assert_eq!(
        try_fuse!(out.view_mut() = x.slice(1, 2..5)),
        Err(sliced.clone())
    );
    assert_eq!(out, x);
    assert_eq!(
        try_fuse!(out.slice_mut(0, 1..).index_axis_mut(0, 0) += row),
        Ok(())
    );
    assert_eq!(out.to_vec(), [1.0, 2.0, 3.0, 5.0, 7.0, 9.0]);

    let text = catch_unwind(AssertUnwindSafe(|| fuse!(x.slice(1, 2..5) + 1.0))).unwrap_err();
    assert_eq!(text.downcast_ref::<String>(), Some(&sliced.to_string()));
}

#[test]
fn integers_divided_by_zero_are_errors_and_leave_the_output() {
    let a: Tensor<I32> = tensor![7, 8, 9];
    let zero: Tensor<I32> = tensor![1, 0, 2];
    let mut out: Tensor<I32> = tensor![1, 2, 3];
    let error = a.try_rem(&zero).unwrap_err();
    assert_eq!(try_fuse!(a % zero + 1).unwrap_err(), error);
    assert_eq!(try_fuse!(out = a % zero), Err(error));
    assert!(try_fuse!(out %= 0).is_err());
    assert_eq!(
        try_fuse!(out -= a.pow(zero - 1)),
        Err(Error::NegativeExponent { dtype: DType::I32 })
    );
    assert_eq!(out.to_vec(), [1, 2, 3]);
    // Where there is nothing to divide, zeros do no harm.
    let none: Tensor<I32> = Tensor::zeros([0]);
    assert!(try_fuse!(none % 0).is_ok());
    let zero: Tensor<I32> = tensor![0];
    assert!(try_fuse!(none % zero).is_ok());
    // A part that has elements fails even if the whole has none, and a value that nothing reads does not.
    let some: Tensor<I32> = tensor![7];
    assert_eq!(try_fuse!(some % zero + none), some.try_rem(&zero));
    assert!(try_fuse!(let unused = some % zero; some + none).is_ok());
    // As with tensors, both sides of a choice are computed.
    assert!(try_fuse!(if zero == 0 { 0 } else { a.floor_div(zero) }).is_err());
}

fn integers<D: StaticDType>(len: usize, element: &dyn Fn(usize) -> D::Element) -> Tensor<D, Rank1> {
    Tensor::from_vec((0..len).map(element).collect(), [len]).expect("as many elements")
}

/// Lengths around those of packs, and positions of what fails.
const LENGTHS: [usize; 8] = [1, 2, 8, 31, 32, 33, 64, 100];
const POSITIONS: [usize; 8] = [0, 1, 7, 30, 31, 32, 63, 99];

/// Dividends, divisors and exponents. Among the divisors is -1, by which the least number is divided.
macro_rules! operands {
    ($D:ident, $len:expr) => {{
        type E = <$D as StaticDType>::Element;
        let dividend = |at| {
            if at % 5 == 0 {
                E::MIN
            } else {
                (at * 37 % 251) as E
            }
        };
        let divisor = |at| if at % 3 == 0 { !0 } else { (at % 7 + 1) as E };
        let exponent = |at| (at % 9) as E;
        (
            integers::<$D>($len, &dividend),
            integers::<$D>($len, &divisor),
            integers::<$D>($len, &exponent),
        )
    }};
}

/// Integer division and powers in all integer dtypes: values, and the errors of zero divisors and negative exponents in each place.
#[test]
fn integers_are_divided_as_those_of_tensors() {
    macro_rules! check {
        ($($D:ident $($negative:literal)?;)*) => {$(
            for len in LENGTHS {
                let (a, b, e) = operands!($D, len);
                assert_eq!(fuse!(a.floor_div(b) % b + a.pow(e)), a.floor_div(&b) % &b + a.pow(&e));
                for at in POSITIONS.into_iter().filter(|at| *at < len) {
                    let zero = integers::<$D>(len, &|position| if position == at { 0 } else { 3 });
                    let error = a.try_rem(&zero).unwrap_err();
                    assert_eq!(try_fuse!(a % zero + b), Err(error), "{len}, {at}");
                    let error = a.try_floor_div(&zero).unwrap_err();
                    assert_eq!(try_fuse!(a.floor_div(zero) % zero), Err(error));
                    $(
                        let exponent = integers::<$D>(len, &|position| if position == at { $negative } else { 3 });
                        let error = a.try_pow(&exponent).unwrap_err();
                        assert_eq!(try_fuse!(a.pow(exponent)), Err(error));
                    )?
                }
            }
        )*};
    }
    check!(I8 -1; I16 -1; I32 -1; I64 -1; U8; U16; U32; U64;);
}

/// Bindings, reductions, outputs and broadcasts, of the narrowest elements with a sign and of the widest without.
#[test]
fn integers_are_divided_in_every_form() {
    macro_rules! check {
        ($($D:ident)*) => {$(
            for len in LENGTHS {
                let (a, b, e) = operands!($D, len);
                let expected = a.floor_div(&b) % &b + a.pow(&e);
                assert_eq!(fuse!(let q = a.floor_div(b); q % b + a.pow(e)), expected);
                let sum = expected.sum();
                assert_eq!(fuse!((a.floor_div(b) % b + a.pow(e)).sum()), sum);
                let mut out = a.clone();
                fuse!(out = out.floor_div(b) % b + out.pow(e));
                assert_eq!(out, expected);
                let last = b.slice(0, 0..1);
                assert_eq!(fuse!(a % last), &a % &last);
                for at in POSITIONS.into_iter().filter(|at| *at < len) {
                    let zero = integers::<$D>(len, &|position| if position == at { 0 } else { 3 });
                    let error = a.try_rem(&zero).unwrap_err();
                    assert_eq!(try_fuse!((a % zero + b).sum()), Err(error.clone()), "{len}, {at}");
                    assert_eq!(try_fuse!((a % zero).max_axis(0)), Err(error.clone()));
                    let column = zero.reshape([len, 1]);
                    assert_eq!(try_fuse!(a % column), Err(error.clone()));
                    assert_eq!(try_fuse!((a % column).sum_axis(0)), Err(error.clone()));
                    assert_eq!(try_fuse!(out = a % zero), Err(error.clone()));
                    assert_eq!(try_fuse!(out %= zero), Err(error));
                    assert_eq!(out, expected);
                }
            }
        )*};
    }
    check!(I8 U64);
    let a: Tensor<I8, Rank1> = Tensor::full([100], 2);
    for at in POSITIONS {
        let exponent = integers::<I8>(100, &|position| if position == at { -1 } else { 3 });
        let error = a.try_pow(&exponent).unwrap_err();
        let mut out = a.clone();
        assert_eq!(try_fuse!(out -= a.pow(exponent)), Err(error));
        assert_eq!(out, a);
    }
}
