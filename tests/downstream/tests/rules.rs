//! The rule sets of this crate, in the type system and at run time.

use promo::static_assertions::{assert_not_impl_any, assert_type_eq_all};
use promo::{
    Bool, DType, F16, F32, F64, I8, I16, I32, JaxX32, LosesPrecision, Lossless, OperandType,
    Promote, Promoted, Rules, SafePromote, U8, Verdict, Weak,
};
use supremum_downstream::systems::{Careful, Widening};

/// Returns the promotion of two dimensioned operands, with the verdict.
fn promoted<R: Rules>(lhs: DType, rhs: DType) -> Option<(DType, Verdict)> {
    let [lhs, rhs] = [lhs, rhs].map(OperandType::dimensioned);
    let promotion = R::rule_set().promote(lhs, rhs).ok()?;
    Some((promotion.dtype, promotion.verdict))
}

#[test]
fn a_table() {
    assert_type_eq_all!(Promoted<I32, F32, Careful>, F64);
    assert_type_eq_all!(<I32 as Promote<F32, Careful>>::Verdict, Lossless);
    assert_type_eq_all!(Promoted<Weak<F64>, I32, Careful>, F64);
    assert_type_eq_all!(Promoted<Weak<F32>, Weak<F32>, Careful>, Weak<F32>);
    assert_not_impl_any!(Bool: Promote<I32, Careful>);
    assert_not_impl_any!(U8: Promote<U8, Careful>);

    assert_eq!(Careful::NAME, "careful");
    assert_eq!(
        promoted::<Careful>(DType::F32, DType::I32),
        Some((DType::F64, Verdict::Lossless))
    );
    assert_eq!(promoted::<Careful>(DType::F32, DType::Bool), None);
}

#[test]
fn a_lattice() {
    assert_type_eq_all!(Promoted<I8, F16, Widening>, F16);
    assert_type_eq_all!(Promoted<I16, F16, Widening>, F32);
    assert_type_eq_all!(Promoted<I32, F16, Widening>, F64);
    assert_type_eq_all!(<I16 as Promote<F16, Widening>>::Verdict, Lossless);
    assert_not_impl_any!(I8: Promote<Bool, Widening>);

    assert_eq!(
        promoted::<Widening>(DType::I16, DType::F16),
        Some((DType::F32, Verdict::Lossless))
    );
    assert_type_eq_all!(<Widening as Rules>::Operations, JaxX32);
}

#[test]
fn the_bound_of_operators_holds_for_lossless_pairs() {
    fn promotes_safely<Lhs: SafePromote<Rhs, R>, Rhs, R>() {}
    promotes_safely::<I32, F32, Careful>();
    promotes_safely::<I8, F16, Widening>();
    assert_type_eq_all!(
        <promo::I64 as Promote<F32>>::Verdict,
        LosesPrecision<promo::I64>
    );
}

/// `derive(LoadTensors)` finds the name that this crate's Cargo.toml gives the library.
#[derive(promo::LoadTensors)]
struct Layer {
    weight: promo::Tensor<F32, promo::Rank2>,
}

#[test]
fn a_record_is_derived_under_the_other_name() {
    let weight = promo::DynTensor::full(DType::F32, [1, 2], 0.5).expect("memory");
    let tensors = std::collections::BTreeMap::from([("weight".to_owned(), weight)]);
    let layer = <Layer as promo::LoadTensors>::load_from(&tensors).expect("the record");
    assert_eq!(layer.weight.shape(), [1, 2]);
}
