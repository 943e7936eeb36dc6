//! Rules at run time: which ones a tensor follows, and exceptions to them.

use supremum::{
    AllowUnsafe, Bool, Class, ConvOptions, DType, DynTensor, Error, F16, F32, F64, I32, I64, Jax,
    Kind, Numpy, OpenVino, Rank1, Rank3, RuleSet, Rules, Scalar, Tensor, U8, U64, Weak, dispatch,
    tensor, try_concat, try_stack,
};

use crate::panics::panic_text;

/// The parameter of rules tells them apart as well as their name.
#[test]
fn rules_are_the_same_if_all_they_say_is() -> Result<(), Error> {
    let a = tensor![U64; 1].with_rules::<OpenVino<F32>>().into_dyn();
    let b = tensor![U64; 1].with_rules::<OpenVino<I64>>().into_dyn();
    assert_eq!(a.try_add(&a)?.dtype(), DType::U64);
    assert_eq!(
        a.try_add(&b).unwrap_err().to_string(),
        "add: operands under different rules: one follows `openvino` rules of f32, another `openvino` rules of i64; \
         move one side, free of cost, by `.with_rules(..)`"
    );
    let copy: &'static RuleSet = Box::leak(Box::new(*Jax::RULE_SET));
    let c = tensor![I32; 1].into_dyn();
    assert_eq!(c.try_add(c.with_rules(copy))?.rules(), Jax::RULE_SET);
    Ok(())
}

mod wrapping {
    supremum::promotion_rules! {
        /// Integers wrap.
        pub struct Same = "same";
        literals { Int: Weak<I32> wraps; Float: Weak<F32> }
        lattice { Weak<I32> -> I8; I8 -> Weak<F32>; Weak<F32> -> F16; }
    }
}

mod refusing {
    supremum::promotion_rules! {
        /// They do not.
        pub struct Same = "same";
        literals { Int: Weak<I32>; Float: Weak<F32> }
        lattice { Weak<I32> -> I8; I8 -> Weak<F32>; Weak<F32> -> F16; }
    }
}

#[test]
fn rules_differ_by_what_becomes_of_literals() {
    assert_ne!(wrapping::Same::RULE_SET, refusing::Same::RULE_SET);
}

/// Equal rule sets are one in memory, however often and wherever they are made, so none is leaked.
#[test]
fn rules_that_admit_more_are_made_at_run_time_without_a_leak() -> Result<(), Error> {
    let others = [wrapping::Same::RULE_SET, refusing::Same::RULE_SET];
    let all: Vec<&'static RuleSet> = [RuleSet::builtin(), &others].concat();
    let admitting = || -> Vec<&'static RuleSet> {
        let interned = all.iter().map(|rules| rules.allowing_unsafe().interned());
        interned.collect()
    };
    let first = admitting();
    let same = |found: &[&'static RuleSet]| {
        let pairs = found.iter().zip(&first);
        assert!(pairs.into_iter().all(|(a, b)| core::ptr::eq(*a, *b)));
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..100).for_each(|_| same(&admitting())));
        }
    });
    for (rules, admitting) in all.iter().zip(&first) {
        assert!(admitting.allows_unsafe() && admitting.name() == rules.name());
        assert!(core::ptr::eq(*admitting, admitting.interned()));
        assert!(core::ptr::eq(
            *admitting,
            admitting.allowing_unsafe().interned()
        ));
        let t = DynTensor::ones(DType::I8, [1])?;
        let moved = t.with_rules(rules.allowing_unsafe());
        assert!(core::ptr::eq(moved.rules(), *admitting));
    }
    // All operations admit then.
    let jax = RuleSet::named("jax")?.allowing_unsafe();
    let counts = DynTensor::ones(DType::I64, [2])?.with_rules(jax);
    let scaled = counts.try_mul(DynTensor::full(DType::F32, [], 0.5)?.with_rules(jax))?;
    assert_eq!(scaled.try_add(&counts)?.to_string(), "[1.5, 1.5] f32 [2]");
    Ok(())
}

#[test]
fn promote_unsafe_admits_one_operation() -> Result<(), Error> {
    let counts = tensor![I64; 3, 4].into_dyn();
    let scale = tensor![F32; 0.5].into_dyn();
    let scaled = counts.promote_unsafe() * &scale;
    assert_eq!(scaled.to_string(), "[1.5, 2.0] f32 [2]");
    assert_eq!(scaled.rules(), Jax::RULE_SET);
    assert!(matches!(
        scaled.try_add(&counts),
        Err(Error::UnsafePromotion { .. })
    ));
    assert_eq!(scaled.try_add(counts.promote_unsafe())?.dtype(), DType::F32);
    let typed = tensor![I64; 3, 4].promote_unsafe();
    assert_eq!(scaled.try_gt(typed)?.to_string(), "[false, false] bool [2]");
    let signal = Tensor::<I64, Rank3>::ones([1, 1, 4]);
    let filter = Tensor::<F32, Rank3>::ones([1, 1, 2]);
    let options = ConvOptions::new();
    let convolved: Tensor<F32, Rank3> = signal.promote_unsafe().conv1d(&filter, options);
    let (signal, filter) = (signal.into_dyn(), filter.into_dyn());
    assert_eq!(
        signal.promote_unsafe().try_conv1d(&filter, options)?,
        convolved.into_dyn()
    );
    assert!(matches!(
        signal.try_conv1d(&filter, options),
        Err(Error::UnsafePromotion { .. })
    ));
    let allowing: &'static RuleSet = AllowUnsafe::<Jax>::RULE_SET;
    let small = tensor![U8; 255].into_dyn().with_rules(allowing);
    assert_eq!(small.try_add(300)?.to_string(), "[43] u8 [1]");
    Ok(())
}

#[test]
fn promote_unsafe_lands_literals_as_the_system_does() {
    let bytes: Tensor<U8, Rank1> = tensor![1, 2];
    let any = bytes.clone().into_dyn();
    assert!(any.try_add(300).is_err());
    let typed: Tensor<U8, Rank1> = bytes.promote_unsafe() + 300;
    assert_eq!(any.promote_unsafe() + 300, typed.into_dyn());
    assert_eq!((300 - any.promote_unsafe()).to_string(), "[43, 42] u8 [2]");
    let condition: DynTensor = tensor![Bool; true, false].into_dyn();
    let chosen = condition.try_select(any.promote_unsafe(), -1);
    assert_eq!(chosen.expect("-1 wraps").to_string(), "[  1, 255] u8 [2]");
    // NumPy refuses integers in any case.
    let numpy = any.with_rules(Numpy::RULE_SET);
    let text = panic_text(move || numpy.promote_unsafe() + 300);
    assert_eq!(text, "add: the literal 300 is out of range for u8");
}

#[test]
fn the_type_says_which_rules_a_typed_tensor_follows() -> Result<(), Error> {
    let numpy = DynTensor::ones(DType::U8, [2])?.with_rules(Numpy::RULE_SET);
    let typed: Tensor<U8, Rank1, Numpy> = numpy.clone().try_into()?;
    assert_eq!((typed / 2).into_dyn().dtype(), DType::F64);
    let moved: Tensor<U8, Rank1> = numpy.clone().try_into()?;
    assert_eq!((moved / 2).into_dyn().dtype(), DType::F32);
    assert!(dispatch!(numpy in [U8], |t: Tensor<_, Rank1, Jax>| t.len()).is_err());
    Ok(())
}

#[test]
fn weak_results_yield_and_can_be_made_strong() -> Result<(), Error> {
    let weak = tensor![Bool; true, false].into_dyn() / 2.0;
    assert_eq!(
        (weak.is_weak(), weak.to_string()),
        (true, "[0.5, 0.0] f64* [2]".into())
    );
    assert_eq!(weak.try_add(tensor![F16; 1.0])?.dtype(), DType::F16);
    assert_eq!(
        weak.strong().try_add(tensor![F16; 1.0])?.dtype(),
        DType::F64
    );
    let error = weak.typed::<F64, Rank1, Jax>().unwrap_err();
    assert_eq!(error.to_string(), "typed tensor: expected f64, found f64*");
    assert!(weak.typed::<Weak<F64>, Rank1, Jax>().is_ok());
    assert_eq!(weak.to_vec::<F64>()?, [0.5, 0.0]);
    Ok(())
}

/// PyTorch has no operations on some formats of 8 bits, whose tensors are joined all the same.
#[test]
fn tensors_of_one_dtype_are_joined_under_all_rules() -> Result<(), Error> {
    for rules in RuleSet::builtin() {
        for dtype in DType::ALL {
            let x = DynTensor::ones(*dtype, [2])?.with_rules(rules);
            let joined = try_concat(&[&x, &x, &x], 0)?;
            assert_eq!((joined.dtype(), joined.shape()), (*dtype, &[6][..]));
            assert_eq!(try_stack(&[&x, &x], 0)?.dtype(), *dtype);
        }
    }
    Ok(())
}

#[test]
fn weak_tensors_promote_as_literals_do() -> Result<(), Error> {
    let t = DynTensor::ones(DType::BF16, [2])?;
    for rules in RuleSet::builtin() {
        let t = t.with_rules(rules);
        for (literal, kind) in [
            (Scalar::from(1), Kind::Signed),
            (Scalar::from(1.0), Kind::Float),
        ] {
            let operand = rules.literal(kind);
            if operand.class != Class::Weak {
                continue;
            }
            let weak = DynTensor::ones(operand.dtype, [])?.with_rules(rules).weak();
            assert!(weak.is_weak() && !weak.strong().is_weak());
            let (beside_weak, beside_literal) = (t.try_mul(&weak), t.try_mul(literal));
            let dtype = |result: &Result<DynTensor, Error>| {
                result.as_ref().ok().map(|t| (t.dtype(), t.is_weak()))
            };
            assert_eq!(
                dtype(&beside_weak),
                dtype(&beside_literal),
                "{}",
                rules.name()
            );
        }
    }
    Ok(())
}
