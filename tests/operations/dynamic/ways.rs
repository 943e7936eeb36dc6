//! The ways from and to typed code.

use supremum::operations::Add;
use supremum::{
    AnyRank, BF16, DType, DynTensor, Error, F16, F32, F64, I8, I16, I32, I64, Jax, Numpy, Promoted,
    Rank0, Rank1, Rank2, Rules, SafePromote, Scalar, StaticDType, Tensor, U8, U16, Weak, c128,
    dispatch, tensor,
};

use super::named;

#[test]
fn nothing_is_copied_on_the_way_between_typed_and_dynamic() -> Result<(), Error> {
    let typed: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let place = typed.as_slice().expect("contiguous").as_ptr();
    let any = typed.into_dyn();
    assert_eq!(any.as_slice::<F32>()?.expect("contiguous").as_ptr(), place);
    assert_eq!(
        any.try_slice(0, ..1)?
            .as_slice::<F32>()?
            .expect("contiguous")
            .as_ptr(),
        place
    );
    assert_eq!(
        any.with_rules(named("numpy"))
            .as_slice::<F32>()?
            .expect("contiguous")
            .as_ptr(),
        place
    );
    let inside = dispatch!(&any, |t: Tensor<_, Rank2>| t
        .as_slice()
        .map(|all| all.as_ptr().addr()))?;
    assert_eq!(inside, Some(place.addr()));
    let back: Tensor<F32, Rank2> = any.try_into()?;
    assert_eq!(back.as_slice().expect("contiguous").as_ptr(), place);
    Ok(())
}

#[test]
fn an_owned_operand_gives_its_memory_to_the_result() -> Result<(), Error> {
    let owned = DynTensor::ones(DType::F32, [64])?;
    let place = owned.as_slice::<F32>()?.expect("contiguous").as_ptr();
    let result = -(owned * 3 + tensor![F32; 0.5]);
    assert_eq!(
        result.as_slice::<F32>()?.expect("contiguous").as_ptr(),
        place
    );
    Ok(())
}

#[test]
fn tensors_without_elements_and_of_rank_zero_work() -> Result<(), Error> {
    let none = DynTensor::zeros(DType::I32, [0, 3])?;
    assert!(none.is_empty() && !DynTensor::ones(DType::I32, [1])?.is_empty());
    assert_eq!((&none / 0).shape(), [0, 3]);
    assert_eq!(none.try_floor_div(0)?.dtype(), DType::I32);
    assert_eq!(none.try_sum()?.item()?, Scalar::Int(0));
    assert_eq!(
        none.try_max().unwrap_err(),
        none.typed::<I32, Rank2, Jax>()?.try_max().unwrap_err()
    );
    assert_eq!(none.to_string(), "[] i32 [0, 3]");
    let scalar = DynTensor::full(DType::C64, [], c128::new(1.0, -2.0))?;
    assert_eq!(scalar.operand().to_string(), "zero-dim c64");
    assert_eq!(scalar.item()?, Scalar::Complex(c128::new(1.0, -2.0)));
    assert_eq!(
        (scalar.abs()?.dtype(), scalar.imag()?.item()?),
        (DType::F32, Scalar::Float(-2.0))
    );
    assert_eq!(
        scalar.try_matmul(&scalar).unwrap_err().to_string(),
        "matmul: at least 1 axis expected, found rank 0 (shape [])"
    );
    assert_eq!(
        DynTensor::full(DType::U64, [], Scalar::Int(u64::MAX.into()))?.item()?,
        Scalar::Int(u64::MAX.into())
    );
    Ok(())
}

#[test]
fn making_and_reading() -> Result<(), Error> {
    assert_eq!(
        DynTensor::eye(DType::Bool, 2)?.to_string(),
        "[[ true, false],\n [false,  true]] bool [2, 2]"
    );
    assert_eq!(
        DynTensor::ones(DType::BF16, vec![1])?,
        tensor![BF16; 1.0].into_dyn()
    );
    assert!(DynTensor::ones(DType::BF16, [1])? != DynTensor::ones(DType::F16, [1])?);
    assert!(matches!(
        DynTensor::eye(DType::F64, usize::MAX),
        Err(Error::ShapeTooLarge { .. })
    ));
    assert!(matches!(
        DynTensor::zeros(DType::F64, [1; 9]),
        Err(Error::RankTooLarge { .. })
    ));
    assert!(matches!(
        DynTensor::arange(DType::F64, 0.0, 1.0, 0.0),
        Err(Error::Arange { .. })
    ));
    assert!(matches!(
        DynTensor::from_bytes(DType::Bool, [1], &[2]),
        Err(Error::NotABool { .. })
    ));
    assert!(matches!(
        DynTensor::from_bytes(DType::F16, [1], &[2]),
        Err(Error::LengthMismatch { .. })
    ));
    let t = DynTensor::arange(DType::I16, 3.0, 0.0, -1.0)?;
    assert_eq!(t.iter::<I16>()?.collect::<Vec<_>>(), [3, 2, 1]);
    assert!(t.iter::<U16>().is_err());
    assert!(t.approx_eq(&t, 0.0, 0.0)? && t.approx_eq(&t.cast(DType::F16), 0.0, 0.0).is_err());
    assert_eq!(
        t.widen(DType::U32).unwrap_err().to_string(),
        "widen: i16 to u32 loses range; `.try_cast(..)` checks the values, `.cast(..)` does not"
    );
    assert_eq!(t.try_cast(DType::U8)?, t.cast(DType::U8));
    Ok(())
}

/// The type of elements decides the dtype, as that of typed tensors does.
#[test]
fn elements_make_tensors_of_their_dtype() -> Result<(), Error> {
    macro_rules! made_of {
        ($($dtype:ident)*) => {$(
            let typed = Tensor::<supremum::$dtype, Rank2>::from_fn([2, 2], |[i, j]| {
                let number: Tensor<supremum::$dtype> = Tensor::<U8, Rank0>::scalar([[0, 1], [1, 2]][i][j]).cast().into_any();
                number.to_vec()[0]
            });
            let elements = typed.to_vec();
            let expected = typed.clone().into_dyn();
            assert_eq!(expected.dtype(), DType::$dtype);
            let index = |[i, j]: [usize; 2]| elements[2 * i + j];
            let vector = [
                DynTensor::from(elements.clone()),
                DynTensor::from(&elements[..]),
                DynTensor::from([elements[0], elements[1], elements[2], elements[3]]),
                elements.iter().copied().collect(),
            ];
            for found in vector {
                assert_eq!(found.shape(), [4]);
                assert_eq!(found.reshape([2, 2]).to_bytes()?, expected.to_bytes()?);
                assert_eq!((found.dtype(), found.is_weak(), found.rules()), (DType::$dtype, false, Jax::RULE_SET));
            }
            let [a, b, c, d] = elements[..] else { panic!("four elements") };
            for (found, shape) in [
                (DynTensor::from([[[a, b]], [[c, d]]]), &[2, 1, 2][..]),
                (DynTensor::from([[[[a], [b], [c], [d]]]]), &[1, 1, 4, 1]),
            ] {
                assert_eq!((found.shape(), found.to_bytes()?), (shape, expected.to_bytes()?));
            }
            for found in [
                [[a, b], [c, d]].into(),
                DynTensor::from_vec(elements.clone(), [2, 2])?,
                DynTensor::from_slice(&elements, vec![2, 2])?,
                DynTensor::from_fn([2, 2], index),
                DynTensor::from_fn(typed.shape(), |at| elements[2 * at[0] + at[1]]),
            ] {
                assert_eq!((found.to_bytes()?, &found), (expected.to_bytes()?, &expected));
                assert_eq!(found.rules(), Jax::RULE_SET);
            }
            let one = DynTensor::scalar(DType::$dtype, true)?;
            assert_eq!(one, DynTensor::ones(DType::$dtype, [])?);
        )*};
    }
    made_of! { Bool U8 U16 U32 U64 I8 I16 I32 I64 F8E4M3FN F8E5M2 F8E4M3FNUZ F8E5M2FNUZ F8E4M3B11FNUZ BF16 F16 F32 F64 C64 C128 }
    let refused = DynTensor::scalar(DType::U8, 300).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "scalar: the literal 300 is out of range for u8"
    );
    let refused = Tensor::<F16, Rank0>::try_scalar(1e6).unwrap_err();
    assert_eq!(
        refused.to_string(),
        DynTensor::scalar(DType::F16, 1e6).unwrap_err().to_string()
    );
    Ok(())
}

/// Any bytes are elements, but for booleans: also NaN with a payload, and both zeros.
#[test]
fn bytes_of_every_dtype_come_back() -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(5);
    for dtype in DType::ALL {
        let len = 6 * dtype.size();
        let bytes: Vec<u8> = match dtype {
            DType::Bool => (0..len).map(|_| random.u8(0..2)).collect(),
            _ => (0..len).map(|_| random.u8(..)).collect(),
        };
        let t = DynTensor::from_bytes(*dtype, [2, 3], &bytes)?;
        assert_eq!(
            (t.dtype(), t.shape(), t.is_weak()),
            (*dtype, &[2, 3][..], false)
        );
        assert_eq!(t.to_bytes()?, bytes, "{dtype}");
        assert_eq!(t.weak().to_bytes()?, bytes, "{dtype}");
        // Views in row-major order, whatever their strides are.
        let view = t.try_slice_step(1, .., -2)?.transpose();
        let element = |at: usize| bytes[at * dtype.size()..][..dtype.size()].to_vec();
        assert_eq!(
            view.to_bytes()?,
            [2, 5, 0, 3].map(element).concat(),
            "{dtype}"
        );
        let back = DynTensor::from_bytes(*dtype, [2, 2], &view.to_bytes()?)?;
        assert_eq!(back.to_bytes()?, view.to_bytes()?);
        assert!(
            DynTensor::from_bytes(*dtype, [0, 3], &[])?
                .to_bytes()?
                .is_empty()
        );
        for wrong in [&bytes[1..], &[&bytes[..], &[0]].concat(), &[]] {
            let refused = DynTensor::from_bytes(*dtype, [2, 3], wrong);
            assert!(
                matches!(refused, Err(Error::LengthMismatch { .. })),
                "{dtype}: {refused:?}"
            );
        }
    }
    Ok(())
}

fn doubled<D>(t: &Tensor<D>) -> Tensor<Promoted<D, D>>
where
    D: StaticDType + SafePromote<D>,
    Promoted<D, D>: Add<Jax, Output = Promoted<D, D>>,
    Jax: Rules<Add = Jax, Operations = Jax, Operand<D, AnyRank> = D>,
{
    t + t
}

#[test]
fn dispatch_calls_generic_code_with_the_dtype_that_arrives() -> Result<(), Error> {
    let t = DynTensor::full(DType::F16, [2], 1.5)?;
    let sum = dispatch!(t in [F16, BF16, F32], |t| doubled(&t).into_dyn())?;
    assert_eq!(sum.to_string(), "[3.0, 3.0] f16 [2]");
    assert_eq!(dispatch!(t, |t| t.dtype())?, DType::F16);
    assert_eq!(dispatch!(&t, |t| t.dtype())?, DType::F16);
    assert_eq!(dispatch!(t.clone(), move |t| t.len(),)?, 2);
    let mut seen = Vec::new();
    dispatch!(DynTensor::ones(DType::I8, [3])? in [I8, I16,], |t| seen.push(t.shape().to_vec()))?;
    assert_eq!(seen, [[3]]);
    // The macro copies the code for each dtype, and only the copy that runs takes the moved values.
    let text = String::from("of ");
    assert_eq!(
        dispatch!(t in [F16, F32], move |t| text + t.dtype().name())?,
        "of f16"
    );
    // `?` leaves the code only.
    let item =
        dispatch!(t in [F16], |t: Tensor<_>| -> Result<f32, Error> { Ok(t.item()?.to_f32()) })?;
    assert!(matches!(item, Err(Error::NotOneElement { .. })));
    Ok(())
}

#[test]
fn dispatch_enters_other_ranks_and_rules_on_demand() -> Result<(), Error> {
    let t = DynTensor::ones(DType::I32, [2, 3])?;
    let means = dispatch!(t in [I32, I64], |t: Tensor<_, Rank2>| t.mean_axis(0).into_dyn())?;
    assert_eq!(means.to_string(), "[1.0, 1.0, 1.0] f32 [3]");
    let error = dispatch!(t in [I32], |t: Tensor<_, Rank1>| t.len()).unwrap_err();
    assert_eq!(
        error,
        Error::RankMismatch {
            operation: "dispatch!",
            expected: 1,
            shape: vec![2, 3]
        }
    );

    let error = dispatch!(t in [I32], |t: Tensor<_, AnyRank, Numpy>| t.len()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dispatch!: expected `numpy` rules, found `jax` rules; move the tensor, free of cost, by `.with_rules(..)`"
    );
    let moved = t.with_rules(Numpy::RULE_SET);
    let half = dispatch!(moved in [I32], |t: Tensor<_, AnyRank, Numpy>| (t / 2).into_dyn())?;
    assert_eq!((half.dtype(), half.rules().name()), (DType::F64, "numpy"));
    assert!(matches!(
        dispatch!(moved, |t| t.len()),
        Err(Error::UnexpectedRules { .. })
    ));
    Ok(())
}

#[test]
fn dispatch_takes_two_operands() -> Result<(), Error> {
    let x = DynTensor::full(DType::F16, [2], 0.5)?;
    let y = DynTensor::full(DType::I8, [2], 3)?;
    let product = dispatch!((x in [F16, F32], y in [I8, U8]), |x, y| (x * y).into_dyn())?;
    assert_eq!(product.to_string(), "[1.5, 1.5] f16 [2]");
    let lengths = dispatch!((&x, y in [I8]), |x: Tensor<_, Rank1>, y| x.len() + y.len())?;
    assert_eq!(lengths, 4);
    let error =
        dispatch!((x in [F16, F32], y in [F16, F32]), |x, y| x.len() + y.len()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dispatch!: expected one of f16, f32, found i8"
    );
    assert_eq!(dispatch!((x in [F16]), |x| x.len())?, 2);
    Ok(())
}

#[test]
fn weak_tensors_enter_as_weak_if_that_is_listed() -> Result<(), Error> {
    let weak = DynTensor::ones(DType::Bool, [1])? * 2.5;
    assert!(weak.is_weak());
    let text = |t: &dyn core::fmt::Display| t.to_string();
    assert_eq!(
        dispatch!(weak in [F64, Weak<F64>], |t| text(&t))?,
        "[2.5] f64* [1]"
    );
    assert_eq!(dispatch!(weak in [F64], |t| text(&t))?, "[2.5] f64 [1]");
    assert_eq!(dispatch!(weak, |t| text(&t))?, "[2.5] f64 [1]");
    let error = dispatch!(weak.strong() in [Weak<F64>], |t| text(&t)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dispatch!: expected one of f64*, found f64"
    );
    Ok(())
}

#[test]
fn an_operand_that_admits_a_promotion_stands_on_either_side() -> Result<(), Error> {
    let (a, b) = (
        DynTensor::arange(DType::I64, 1, 4, 1)?,
        DynTensor::full(DType::F32, [3], 0.5)?,
    );
    let (left, right) = (|| a.promote_unsafe(), || b.promote_unsafe());
    let results = [
        (
            a.try_matmul(&b),
            left().try_matmul(&b),
            a.try_matmul(right()),
        ),
        (
            a.try_matmul_in(&b, DType::F64),
            left().try_matmul_in(&b, DType::F64),
            a.try_matmul_in(right(), DType::F64),
        ),
        (a.try_dot(&b), left().try_dot(&b), a.try_dot(right())),
        (a.try_outer(&b), left().try_outer(&b), a.try_outer(right())),
        (a.try_kron(&b), left().try_kron(&b), a.try_kron(right())),
        (
            a.try_cross(&b, 0),
            left().try_cross(&b, 0),
            a.try_cross(right(), 0),
        ),
        (
            a.try_tensordot(&b, 0, -1),
            left().try_tensordot(&b, 0, -1),
            a.try_tensordot(right(), 0, -1),
        ),
        (
            a.try_concat(&b, 0),
            left().try_concat(&b, 0),
            a.try_concat(right(), 0),
        ),
        (
            a.try_clamp(&b, 2),
            left().try_clamp(&b, 2),
            a.try_clamp(right(), 2),
        ),
    ];
    for (refused, left, right) in results {
        assert!(matches!(refused, Err(Error::UnsafePromotion { .. })));
        let (left, right) = (left?, right?);
        assert_eq!((left.dtype(), &left), (right.dtype(), &right));
    }
    Ok(())
}
