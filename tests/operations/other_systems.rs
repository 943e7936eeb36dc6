//! Tensors under the rules of other systems than JAX: dtypes by type annotations, and values.

use supremum::prelude::*;
use supremum::{ConvertPromoteTypes, Unranked, c64, convert_promote_types};

// What no operator accepts: a loss of precision, and operands of which the rank decides.
static_assertions::assert_not_impl_any!(I64: SafePromote<F32>);
static_assertions::assert_not_impl_any!(Unranked<I64>: SafePromote<I32, Torch>);

#[test]
fn numpy_sums_wide_divides_in_f64_and_takes_functions_of_small_integers_in_f16() {
    let bytes: Tensor<U8, Rank1, Numpy> = tensor![200, 100, 0];
    let signed: Tensor<I8, Rank1, Numpy> = tensor![-1, 2, 3];
    let total: Tensor<U64, Rank0, Numpy> = bytes.sum();
    assert_eq!(total.item(), Ok(300));
    let running: Tensor<U64, Rank1, Numpy> = bytes.cumsum(0);
    assert_eq!(running.to_vec(), [200, 300, 300]);
    let total: Tensor<I64, Rank0, Numpy> = signed.sum();
    assert_eq!(total.item(), Ok(4));
    let quotient: Tensor<F64, Rank1, Numpy> = &bytes / &signed;
    assert_eq!(quotient.to_vec(), [-200.0, 50.0, 0.0]);
    let roots: Tensor<F16, Rank1, Numpy> = bytes.sqrt();
    assert_eq!(roots.get(&[1]), Some(f16::from_f32(10.0)));
    let mean: Tensor<F64, Rank0, Numpy> = bytes.mean();
    assert_eq!(mean.item(), Ok(100.0));
    let angle: Tensor<F16, Rank1, Numpy> = bytes.atan2(&signed);
    assert_eq!(angle.get(&[2]), Some(f16::from_f32(0.0)));
}

#[test]
fn numpys_ufuncs_know_pairs_that_joining_does_not() {
    let wide: Tensor<BF16, Rank1, Numpy> = tensor![1.0, 256.0];
    let fine: Tensor<F16, Rank1, Numpy> = tensor![0.5, 0.25];
    let sum: Tensor<F32, Rank1, Numpy> = &wide + &fine;
    assert_eq!(sum.to_vec(), [1.5, 256.25]);
    let product: Tensor<F32, Rank0, Numpy> = wide.dot(&wide); // ml_dtypes has no loop for matmul
    assert_eq!(product.item(), Ok(65_537.0));
}

#[test]
fn numpy_keeps_integers_where_it_does() {
    let t: Tensor<I32, Rank1, Numpy> = tensor![1, -1, 4, 0];
    let parts: Tensor<I32, Rank1, Numpy> = t.recip();
    assert_eq!(parts.to_vec(), [1, -1, 0, i32::MAX]);
    let truth: Tensor<Bool, Rank1, Numpy> = tensor![true, false];
    let rounded: Tensor<F16, Rank1, Numpy> = truth.round();
    assert_eq!(rounded.to_vec(), [1.0, 0.0].map(f16::from_f32));
    let remainder: Tensor<I8, Rank1, Numpy> =
        &truth % &tensor![Bool; true, true].with_rules::<Numpy>();
    assert_eq!(remainder.to_vec(), [0, 0]);
    // f16 ** i32 promotes here; under JAX it keeps the base.
    let power: Tensor<F64, Rank1, Numpy> = tensor![F16; 1.5]
        .with_rules::<Numpy>()
        .pow(&tensor![I32; 2].with_rules::<Numpy>());
    assert_eq!(power.to_vec(), [2.25]);
}

#[test]
fn pytorch_looks_at_rank() {
    let row: Tensor<F16, Rank1, Torch> = tensor![1.0, 2.0];
    let scalar = Tensor::<I64, Rank0, Torch>::scalar(3);
    let scaled: Tensor<F16, Rank1, Torch> = &row * scalar.promote_unsafe();
    assert_eq!(scaled.to_vec(), [3.0, 6.0].map(f16::from_f32));
    let halves: Tensor<F32, Rank1, Torch> = tensor![I16; 1, 2].with_rules::<Torch>() * 0.5;
    assert_eq!(halves.to_vec(), [0.5, 1.0]);
    // Of two tensors of rank zero none yields.
    let sum: Tensor<F32, Rank0, Torch> = Tensor::<F16, Rank0, Torch>::scalar(f16::ONE)
        + Tensor::<BF16, Rank0, Torch>::scalar(bf16::ONE);
    assert_eq!(sum.item(), Ok(2.0));
}

#[test]
fn pytorch_takes_tensors_of_any_rank_where_rank_does_not_decide() {
    let any: Tensor<F32, AnyRank, Torch> = tensor![[1.0, 2.0]];
    let sum: Tensor<F32, AnyRank, Torch> = &any + &any;
    assert_eq!((sum * 2.0).to_vec(), [4.0, 8.0]);
    let ranked = any.rank::<Rank2>().expect("two axes");
    let scalar = Tensor::<F64, Rank0, Torch>::scalar(0.5);
    let scaled: Tensor<F32, Rank2, Torch> = &ranked * scalar.promote_unsafe();
    assert_eq!(scaled.to_vec(), [0.5, 1.0]);
}

#[test]
fn pytorch_sums_to_i64_and_answers_in_bytes() {
    let bytes: Tensor<U8, Rank1, Torch> = tensor![255, 255, 0];
    let total: Tensor<I64, Rank0, Torch> = bytes.sum();
    assert_eq!(total.item(), Ok(510));
    let any: Tensor<U8, Rank0, Torch> = bytes.any();
    assert_eq!(any.item(), Ok(1));
    let wide: Tensor<U64, Rank1, Torch> = tensor![u64::MAX];
    let total: Tensor<I64, Rank0, Torch> = wide.sum();
    assert_eq!(total.item(), Ok(-1));
    let quotient: Tensor<F32, Rank1, Torch> = tensor![I64; 1].with_rules::<Torch>() / 4;
    assert_eq!(quotient.to_vec(), [0.25]);
    let sign: Tensor<Bool, Rank1, Torch> = tensor![Bool; true, false].with_rules::<Torch>().sign();
    assert_eq!(sign.to_vec(), [true, false]);
}

#[test]
fn tensorflow_multiplies_booleans_by_and_and_means_integers_in_integers() {
    let values: Tensor<F32, Rank1, TensorFlow> = tensor![0.5, 0.0, -1.0];
    let mask: Tensor<Bool, Rank1, TensorFlow> = tensor![true, true, false];
    let both: Tensor<Bool, Rank1, TensorFlow> = values.promote_unsafe() * &mask;
    assert_eq!(both.to_vec(), [true, false, false]);
    let counts: Tensor<I32, Rank1, TensorFlow> = tensor![1, 0, 1, 0];
    let mean: Tensor<I32, Rank0, TensorFlow> = counts.mean();
    assert_eq!(mean.item(), Ok(0));
    let kept: Tensor<I8, Rank0, TensorFlow> =
        tensor![I8; 100, 100].with_rules::<TensorFlow>().sum();
    assert_eq!(kept.item(), Ok(-56));
    // A literal decides a weak i32.
    let weak: Tensor<Weak<I32>, Rank1, TensorFlow> = &mask + 1;
    assert_eq!(weak.to_vec(), [2, 2, 1]);
}

#[test]
fn the_array_api_divides_floats_only_and_sums_wide() {
    let t: Tensor<U16, Rank1, ArrayApi> = tensor![60_000, 60_000];
    let total: Tensor<U64, Rank0, ArrayApi> = t.sum();
    assert_eq!(total.item(), Ok(120_000));
    let wider: Tensor<I32, Rank1, ArrayApi> = &t + &tensor![I32; -1, 1].with_rules::<ArrayApi>();
    assert_eq!(wider.to_vec(), [59_999, 60_001]);
    let f: Tensor<F32, Rank1, ArrayApi> = tensor![1.0, 3.0];
    let c: Tensor<C64, Rank1, ArrayApi> =
        tensor![C64; c64::new(0.0, 1.0), c64::new(1.0, 0.0)].with_rules();
    let sum: Tensor<C64, Rank1, ArrayApi> = &f / 2.0 + &c;
    assert_eq!(sum.to_vec(), [c64::new(0.5, 1.0), c64::new(2.5, 0.0)]);
}

#[test]
fn anvil_keeps_ambiguity() {
    let t: Tensor<Bool, Rank1, Anvil> = tensor![true, false];
    let ambiguous: Tensor<Weak<I32>, Rank1, Anvil> = &t + 1;
    let known: Tensor<I8, Rank1, Anvil> = &ambiguous + &tensor![I8; 5, 5].with_rules::<Anvil>();
    assert_eq!(known.to_vec(), [7, 6]);
}

#[test]
fn openvino_converts_both_to_the_common_dtype() {
    let a: Tensor<Bool, Rank1, OpenVinoScalar> = tensor![true, false];
    let b: Tensor<U8, Rank0, OpenVinoScalar> = Tensor::scalar(7);
    let (a, b): (Tensor<U8, Rank1, _>, Tensor<U8, Rank0, _>) = convert_promote_types(&a, &b);
    assert_eq!((a.to_vec(), b.to_vec()), (vec![1, 0], vec![7]));
    // S(i64), D(u8): the tensor's dtype, which drops signs.
    type Admitting = AllowUnsafe<OpenVinoScalar>;
    let scalar: Tensor<I64, Rank0, Admitting> = Tensor::scalar(-1);
    let tensor: Tensor<U8, Rank1, Admitting> = tensor![1, 2];
    let (scalar, tensor) = convert_promote_types(&scalar, &tensor);
    let (scalar, tensor): (Tensor<U8, Rank0, _>, Tensor<U8, Rank1, _>) = (scalar, tensor);
    assert_eq!((scalar.to_vec(), tensor.to_vec()), (vec![255], vec![1, 2]));
    // u64 with a signed integer: the target is the rules' parameter.
    let a: Tensor<U64, Rank1, AllowUnsafe<OpenVino<F64>>> = tensor![1 << 40];
    let b: Tensor<I32, Rank1, AllowUnsafe<OpenVino<F64>>> = tensor![-1];
    let sum: Tensor<F64, Rank1, _> = &a + &b;
    assert_eq!(sum.to_vec(), [1_099_511_627_775.0]);
}

#[test]
fn tensors_move_between_rules_without_copying() {
    let t: Tensor<F16, Rank1> = tensor![1.0, 2.0];
    let moved: Tensor<F16, Rank1, Torch> = t.with_rules();
    assert_eq!(
        t.as_slice().map(<[_]>::as_ptr),
        moved.as_slice().map(<[_]>::as_ptr)
    );
}

#[test]
fn an_unsafe_operand_meets_literals_on_either_side() {
    let counts: Tensor<I64, Rank1> = tensor![1, 3];
    let halves: Tensor<Weak<F64>, Rank1> = counts.promote_unsafe() * 0.5;
    assert_eq!(halves.to_vec(), [0.5, 1.5]);
    let rest: Tensor<Weak<F64>, Rank1> = 0.5 - counts.promote_unsafe();
    assert_eq!(rest.to_vec(), [-0.5, -2.5]);
}

/// Typed and dynamic tensors convert alike, whatever the attributes and classes.
#[test]
fn dynamic_tensors_convert_as_typed_ones() {
    fn agree<R: Rules>(attributes: ConvertPromoteTypes) {
        for lhs in DType::ALL {
            for rhs in DType::ALL {
                for scalar in [false, true] {
                    let (a, b) = (of(*lhs, false), of(*rhs, scalar));
                    let promoted = R::rule_set().safe_promote(a.operand(), b.operand());
                    let found = attributes.convert(&a, &b);
                    assert_eq!(found.is_ok(), promoted.is_ok(), "{lhs} with {rhs}");
                    if let (Ok((a, b)), Ok(promotion)) = (found, promoted) {
                        assert_eq!([a.dtype(), b.dtype()], [promotion.dtype; 2]);
                        assert_eq!((a.shape(), b.ndim()), (&[2][..], usize::from(!scalar)));
                        assert_eq!(a.rules().name(), R::NAME);
                    }
                }
            }
        }
    }
    /// Ones of a dtype.
    fn of(dtype: DType, scalar: bool) -> DynTensor {
        macro_rules! ones {
            ([$($marker:ident)*]) => {
                match dtype {
                    $(DType::$marker if scalar => Tensor::<$marker>::ones([0; 0]).into_dyn(),)*
                    $(DType::$marker => Tensor::<$marker>::ones([2]).into_dyn(),)*
                }
            };
        }
        supremum::__private::with_markers!(ones)
    }
    let safe = ConvertPromoteTypes::default();
    let as_pytorch = ConvertPromoteTypes {
        pytorch_scalar_promotion: true,
        ..safe
    };
    let to_i64 = ConvertPromoteTypes {
        promote_unsafe: true,
        u64_integer_promotion_target: DType::I64,
        ..safe
    };
    agree::<OpenVino>(safe);
    agree::<OpenVinoScalar>(as_pytorch);
    agree::<AllowUnsafe<OpenVino<I64>>>(to_i64);
}

#[test]
fn dynamic_tensors_enter_typed_code_with_their_own_dtype_and_rank_only() {
    let any = tensor![F32; 1.0, 2.0].into_dyn();
    assert!(matches!(
        any.typed::<F64, Rank1, Jax>(),
        Err(Error::UnexpectedOperand { .. })
    ));
    assert!(matches!(
        any.typed::<Weak<F32>, Rank1, Jax>(),
        Err(Error::UnexpectedOperand { .. })
    ));
    assert!(matches!(
        any.typed::<F32, Rank2, Jax>(),
        Err(Error::RankMismatch { .. })
    ));
    let typed: Tensor<F32, AnyRank, Torch> = any.try_into().expect("the dtype and any rank");
    assert_eq!(typed.to_vec(), [1.0, 2.0]);
}

/// Compares every left value with every right one. A function rather than code of the macro below, so it is compiled once.
fn compared(lhs: &[i128], rhs: &[i128], holds: fn(&i128, &i128) -> bool) -> Vec<bool> {
    let pairs = lhs.iter().flat_map(|a| rhs.iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| holds(a, b)).collect()
}

fn as_numbers(truths: &[bool]) -> Vec<i64> {
    truths.iter().map(|truth| i64::from(*truth)).collect()
}

/// `u64` beside a signed integer: the values are compared, though the two promote to `f64`. Every signed width, each
/// comparison, both orders, typed, fused and dynamic. (`tests/data/values` has NumPy's own answers.)
#[test]
fn numpy_compares_integers_by_value() {
    const UNSIGNED: [u64; 9] = [
        0,
        1,
        127,
        (1 << 53) - 1,
        1 << 53,
        (1 << 53) + 1,
        (1 << 63) - 1,
        1 << 63,
        u64::MAX,
    ];
    macro_rules! check {
        ($lhs:ident of $lhs_values:expr, $rhs:ident of $rhs_values:expr; $($name:ident $try_name:ident $holds:ident)*) => {$(
            let expected = compared(&$lhs_values, &$rhs_values, i128::$holds);
            let context = stringify!($lhs.$name($rhs));
            let (lhs, rhs) = (&$lhs, &$rhs);
            let typed: Tensor<Bool, Rank2, Numpy> = lhs.$name(rhs);
            assert_eq!(typed.to_vec(), expected, "{context}");
            assert_eq!(fuse!(lhs.$name(rhs)).to_vec(), expected, "{context} fused");
            let fused = fuse!(if lhs.$name(rhs) { 1 } else { 0 }).to_vec();
            assert_eq!(fused, as_numbers(&expected), "{context} selects");
            let dynamic = lhs.clone().into_dyn().$try_name(&rhs.clone().into_dyn()).expect("it is defined");
            assert_eq!(dynamic.to_vec::<Bool>().expect("booleans"), expected, "{context} dynamic");
            // Rows of equal shape take another way than rows and columns that broadcast.
            let all = typed.shape().to_vec();
            let [left, right] = [lhs.broadcast_to(&all[..]).into_dyn(), rhs.broadcast_to(&all[..]).into_dyn()];
            let alike = left.$try_name(&right).expect("it is defined");
            assert_eq!(alike.to_vec::<Bool>().expect("booleans"), expected, "{context} of one shape");
        )*};
    }
    macro_rules! of_width {
        ($($Signed:ident $signed:ident)*) => {$({
            let values = [$signed::MIN, $signed::MIN + 1, -1, 0, 1, $signed::MAX - 1, $signed::MAX];
            let unsigned = |shape| Tensor::<U64, Rank2, Numpy>::from_vec(UNSIGNED.to_vec(), shape).expect("nine");
            let signed = |shape| Tensor::<$Signed, Rank2, Numpy>::from_vec(values.to_vec(), shape).expect("seven");
            let (unsigned_values, signed_values) = (UNSIGNED.map(i128::from), values.map(i128::from));
            let (u64s, $signed) = (unsigned([9, 1]), signed([1, 7]));
            check!(u64s of unsigned_values, $signed of signed_values;
                equal try_equal eq not_equal try_not_equal ne lt try_lt lt le try_le le gt try_gt gt ge try_ge ge);
            let ($signed, u64s) = (signed([7, 1]), unsigned([1, 9]));
            check!($signed of signed_values, u64s of unsigned_values;
                equal try_equal eq not_equal try_not_equal ne lt try_lt lt le try_le le gt try_gt gt ge try_ge ge);
        })*};
    }
    of_width!(I8 i8 I16 i16 I32 i32 I64 i64);
}
