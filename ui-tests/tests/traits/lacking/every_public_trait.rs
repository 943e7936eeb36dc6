//! `Wrong` has none of the public traits, and the message of each is ours. `tests/traits.rs` checks that none is left out.

use supremum::{F32, Jax, Rank1, Tensor};

struct Wrong;

fn main() {
    { fn needs<T: supremum::AccumulatesIn<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::AddAxis>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::AnyTensor>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::pjrt::Argument<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Axes>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Axis>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::AxisOrder>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::AxisSlice<Rank1, Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::AxisSlices<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Broadcast<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::ChangesShared>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Collected>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rules::CommonBy<(F32, ()), Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::CommonDType<Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Comparand<F32, Rank1, Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::dtype::ComparesWithDType>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Condition>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::dtype::Conversion<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::DTypeFrom<f32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rules::DTypeTuple>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::DefinedRules>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Defines<F32, F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::DefinesFor<F32, F32, Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rank::DiagonalRank>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::DynOperand<'static>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Element>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::ElementFrom<f32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::ElementIndex<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::EqDType>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Extent>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::FitsF64>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::FitsLiteral<supremum::literal!(1)>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::FloatDType>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::FuseOutput>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::fuse::HasDType<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::fuse::HasElements<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::HasMatrices>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rank::HasSizes<usize, [usize; 1]>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::equation::HasTerm<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Indices>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::IndicesOf<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::InferredTensor>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::stablehlo::Inputs>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::IntegerDType>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::fuse::IntoLeaf<Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::IntoPoolPadding<1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::IntoRuleSet>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rank::IntoShape<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::literals::IsComplexIn<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::IsElement<f32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::literals::IsLiteral>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::JoinTensors>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Keeps<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::KeepsRank<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::pjrt::KeyValueStore>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::fuse::KnownRules>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::KnowsRank<F32, F32, Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::LeftOperand<Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::ListedTensor>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::LoadTensors>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Makes<Tensor<F32, Rank1>>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::MakesDyn<Tensor<F32, Rank1>>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::MatrixProduct<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rank::MayBe<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::NewShape>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::OfOneNumber>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Offset>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Operand<Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Ordered>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::stablehlo::Outputs>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Padding>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rank::PairsWith<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rules::PartOf>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Positions>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Promote<F32, Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Quantiles<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::QuotientStaysIn<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Rank>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rank::RankOfLeft<Rank1, Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::RealDType>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::RemoveAxes<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::RemoveAxis>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::RightFactor<Tensor<F32>, F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Rules>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::fuse::RustNumber<F32, Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::SafeCommon<Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::SafePromote<F32, Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::SameRules<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::ScalarOf<Tensor<F32, Rank1>>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::dtype::Select>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rank::Shape>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rank::ShapeIndex>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::ShapedField>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::SizeList>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::StackTensors>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::StaticDType>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::StaticOperand>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::StaticRank>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::StaticVerdict>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::StaysIn<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::StrongDType>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::TakeAxis<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::TensorList>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::TensorRef>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::TensorSource>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::pjrt::TensorTree>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Tensors>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::TotallyOrdered<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::rank::VectorRanks<Rank1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::WholeTensor<F32, Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::WidensTo<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Wider<F32>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::WindowPadding<1>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Arithmetic>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::Floating>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::operations::Sum<Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::operations::MatrixMultiply<Jax>>() {} needs::<Wrong>(); }
    { fn needs<T: supremum::FitsLiteral<Wrong>>() {} needs::<F32>(); }
    { fn needs<T: supremum::SafeCommon>() {} needs::<(F32, Wrong)>(); }
    { fn needs<T: supremum::SafeCommon>() {} needs::<(F32,)>(); }
    { fn needs<T: supremum::JoinTensors>() {} needs::<Tensor<Wrong>>(); }
    { fn needs<T: supremum::StackTensors>() {} needs::<Tensor<F32, Wrong>>(); }
    { fn needs<T: supremum::RightFactor<Tensor<F32>, F32>>() {} needs::<Tensor<F32>>(); }
}
