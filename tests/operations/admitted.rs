//! Methods with an operand on the left that admits an unsafe promotion, or with a literal there: all of them, in both forms.

use supremum::{
    Class, DType, DynTensor, Error, F32, F64, I64, Kind, OpenVino, Rank0, Rank1, Rank2, Scalar,
    Tensor, U8, U64, select, tensor, try_select,
};

use crate::agreement::agree;
use crate::panics::panic_text;

/// Compares the `try_` form of typed and dynamic operands, and their plain form with the `try_` form.
macro_rules! both {
    (@one $lhs:ident $rhs:expr; $name:ident $try_name:ident) => {{
        let (any, rhs) = ($lhs.clone().into_dyn(), &$rhs);
        let typed = $lhs.promote_unsafe().$try_name(rhs.clone()).map(Tensor::into_dyn);
        agree(stringify!($try_name), Some(typed.clone()), any.promote_unsafe().$try_name(rhs.clone()));
        // As with the marked operand on the right, if that is a tensor: one of the two is enough.
        let moved = any.with_rules(any.rules().allowing_unsafe().interned());
        let under = moved.$try_name(&rhs.clone().into_dyn().with_rules(moved.rules()));
        assert_eq!(typed?, under?.with_rules(any.rules()), stringify!($try_name));
    }};
    ($lhs:ident $rhs:ident; [$($operator:ident)*] [$($name:ident $try_name:ident)*]) => {
        $(both!(@one $lhs $rhs; $operator $operator);)*
        $(
            both!(@one $lhs $rhs; $name $try_name);
            let expected = $lhs.promote_unsafe().$try_name(&$rhs)?;
            assert_eq!($lhs.promote_unsafe().$name(&$rhs), expected, stringify!($name));
            let any = $lhs.clone().into_dyn();
            assert_eq!(any.promote_unsafe().$name(&$rhs), expected.into_dyn(), stringify!($name));
        )*
    };
}

#[test]
fn every_operation_on_two_operands_takes_a_marked_one_on_the_left() -> Result<(), Error> {
    let counts: Tensor<I64, Rank1> = tensor![(1 << 53) + 1, -3, 2];
    let scale: Tensor<F32, Rank1> = tensor![0.5, 2.0, 1.5];
    both! { counts scale;
        [try_add try_sub try_mul try_div try_rem]
        [
            floor_div try_floor_div atan2 try_atan2 minimum try_minimum maximum try_maximum hypot try_hypot
            log_add_exp try_log_add_exp copysign try_copysign next_after try_next_after leaky_relu try_leaky_relu
            elu try_elu pow try_pow
            equal try_equal not_equal try_not_equal lt try_lt le try_le gt try_gt ge try_ge
        ]
    }
    let large = tensor![U64; 1 << 63, 7, 1]
        .with_rules::<OpenVino<I64>>()
        .rank::<Rank1>()?;
    let counts = counts.with_rules::<OpenVino<I64>>();
    both! { large counts;
        [try_bitand try_bitor try_bitxor]
        []
    }
    let bytes: Tensor<U8, Rank1> = tensor![200, 7];
    let wrapped: Tensor<U8, Rank1> = bytes.promote_unsafe().try_shl(257)?;
    assert_eq!(wrapped.to_vec(), [144, 14]);
    let wrapped: Tensor<U8, Rank1> = bytes.promote_unsafe().try_shr(257)?;
    assert_eq!(wrapped.to_vec(), [100, 3]);
    let below: Tensor<supremum::Bool, Rank1> = bytes.promote_unsafe().try_lt(300)?;
    assert_eq!(below.to_vec(), [false, true]); // 300 wraps to 44
    let any = bytes.into_dyn();
    assert_eq!(any.promote_unsafe().try_lt(300)?, below.into_dyn());
    assert_eq!(
        any.promote_unsafe().try_shl(257)?.to_string(),
        "[144,  14] u8 [2]"
    );
    assert_eq!(
        any.promote_unsafe().try_shr(257)?.to_string(),
        "[100,   3] u8 [2]"
    );
    Ok(())
}

#[test]
fn products_joins_and_limits_take_a_marked_operand_on_the_left() -> Result<(), Error> {
    let counts: Tensor<I64, Rank1> = tensor![(1 << 53) + 1, -3, 2];
    let scale: Tensor<F32, Rank1> = tensor![0.5, 2.0, 1.5];
    let (any, other) = (counts.clone().into_dyn(), scale.clone().into_dyn());
    macro_rules! agreeing {
        ($($name:ident $try_name:ident($($argument:expr),*): $dtype:ident, $rank:ident;)*) => {$(
            let typed: Tensor<$dtype, $rank> = counts.promote_unsafe().$try_name(&scale $(, $argument)*)?;
            let dynamic = any.promote_unsafe().$try_name(&other $(, $argument)*);
            agree(stringify!($name), Some(Ok(typed.clone().into_dyn())), dynamic);
            assert_eq!(counts.promote_unsafe().$name(&scale $(, $argument)*), typed);
            assert_eq!(any.promote_unsafe().$name(&other $(, $argument)*), typed.into_dyn());
        )*};
    }
    agreeing! {
        matmul try_matmul(): F32, Rank0;
        dot try_dot(): F32, Rank0;
        outer try_outer(): F32, Rank2;
        kron try_kron(): F32, Rank1;
        cross try_cross(-1): F32, Rank1;
        tensordot try_tensordot(0, -1): F32, Rank0;
        concat try_concat(0): F32, Rank1;
        clamp try_clamp(2): F32, Rank1;
    }
    let square: Tensor<I64, Rank2> = tensor![[1, 2], [3, 4]];
    let half: Tensor<F32, Rank2> = tensor![[0.5, 0.0], [0.0, 0.5]];
    let wide: Tensor<F64, Rank2> = square.promote_unsafe().try_matmul_in(&half)?;
    assert_eq!(wide, square.promote_unsafe().matmul_in(&half));
    let dynamic = || square.clone().into_dyn().promote_unsafe();
    let half = half.into_dyn();
    agree(
        "matmul_in",
        Some(Ok(wide.clone().into_dyn())),
        dynamic().try_matmul_in(&half, DType::F64),
    );
    assert_eq!(dynamic().matmul_in(&half, DType::F64), wide.into_dyn());
    Ok(())
}

#[test]
fn plain_forms_panic_with_the_text_of_the_error() {
    let counts: Tensor<I64, Rank1> = tensor![1, 2, 3];
    let pair: Tensor<F32, Rank1> = tensor![0.5, 2.0];
    macro_rules! refused {
        ($($name:ident $try_name:ident($($argument:expr),*);)*) => {$(
            let text = counts.promote_unsafe().$try_name(&pair $(, $argument)*).expect_err("sizes").to_string();
            assert_eq!(panic_text(|| counts.promote_unsafe().$name(&pair $(, $argument)*)), text);
            let (any, other) = (counts.clone().into_dyn(), pair.clone().into_dyn());
            assert_eq!(any.promote_unsafe().$try_name(&other $(, $argument)*).expect_err("sizes").to_string(), text);
            assert_eq!(panic_text(|| any.promote_unsafe().$name(&other $(, $argument)*)), text);
        )*};
    }
    refused! {
        maximum try_maximum();
        lt try_lt();
        clamp try_clamp(2);
        matmul try_matmul();
        dot try_dot();
        cross try_cross(0);
        tensordot try_tensordot(0, 0);
        concat try_concat(1);
    }
}

/// Functions of several tensors take the marked operand as an argument.
#[test]
fn functions_take_marked_operands() -> Result<(), Error> {
    let counts: Tensor<I64, Rank1> = tensor![1, 2];
    let scale: Tensor<F32, Rank1> = tensor![0.5, 2.5];
    let first = counts.equal(1);
    let chosen: Tensor<F32, Rank1> = try_select(&first, counts.promote_unsafe(), &scale)?;
    assert_eq!(chosen.to_vec(), [1.0, 2.5]);
    assert_eq!(select(&first, &counts, scale.promote_unsafe()), chosen);
    let any = first.into_dyn();
    let chosen = chosen.into_dyn();
    assert_eq!(any.try_select(counts.promote_unsafe(), &scale)?, chosen);
    assert_eq!(any.select(counts.promote_unsafe(), &scale), chosen);
    Ok(())
}

/// A literal on the left is what a weak tensor of rank 0 is.
#[test]
fn every_operation_on_two_operands_takes_a_literal_on_the_left() -> Result<(), Error> {
    let literals = [
        (Scalar::from(3), Kind::Signed),
        (Scalar::from(2.5), Kind::Float),
        (Scalar::from(true), Kind::Bool),
    ];
    for dtype in [DType::U8, DType::I32, DType::F16, DType::F32] {
        let t = DynTensor::arange(dtype, 1, 5, 1)?;
        for (literal, kind) in literals {
            let operand = t.rules().literal(kind);
            let left = DynTensor::full(operand.dtype, [], literal)?;
            let left = match operand.class {
                Class::Weak => left.weak(),
                _ => left,
            };
            macro_rules! alike {
                ([$($operator:ident)*] [$($name:ident $try_name:ident)*]) => {
                    alike!(@ $($operator)* $($try_name)*);
                    $(if let Ok(expected) = literal.$try_name(&t) {
                        assert_eq!(literal.$name(&t), expected, stringify!($name));
                    } else {
                        let error = literal.$try_name(&t).expect_err("refused").to_string();
                        assert_eq!(panic_text(|| literal.$name(&t)), error);
                    })*
                };
                (@ $($try_name:ident)*) => {$({
                    let what = format!("{literal} {} {dtype}", stringify!($try_name));
                    let (found, expected) = (literal.$try_name(&t), left.$try_name(&t));
                    assert_eq!(found.is_ok(), expected.is_ok(), "{what}: {found:?} {expected:?}");
                    if let (Ok(found), Ok(expected)) = (found, expected) {
                        assert_eq!((found.is_weak(), found.to_bytes()?), (expected.is_weak(), expected.to_bytes()?), "{what}");
                        assert_eq!((found.dtype(), found.shape()), (expected.dtype(), expected.shape()), "{what}");
                    }
                })*};
            }
            alike! {
                [try_add try_sub try_mul try_div try_rem try_bitand try_bitor try_bitxor try_shl try_shr]
                [
                    floor_div try_floor_div atan2 try_atan2 minimum try_minimum maximum try_maximum hypot try_hypot
                    log_add_exp try_log_add_exp copysign try_copysign next_after try_next_after
                    leaky_relu try_leaky_relu elu try_elu pow try_pow
                    equal try_equal not_equal try_not_equal lt try_lt le try_le gt try_gt ge try_ge
                ]
            }
        }
    }
    Ok(())
}
