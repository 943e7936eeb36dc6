//! Rule sets made from others: single cells in the type system and at run time.

#[path = "../../types/rows.rs"]
mod rows;

use core::marker::PhantomData;

use promo as library;
use promo::operations::{ArgMinMax, Divide, Equality, Sum};
use promo::static_assertions::{assert_not_impl_any, assert_type_eq_all};
use promo::{
    Accepted, BF16, Bool, C64, C128, Class, DType, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ,
    F8E5M2, F8E5M2FNUZ, F16, F32, F64, I8, I16, I32, I64, Jax, Kind, LosesPrecision, LosesRange,
    Lossless, MarkedUnsafe, OpenVino, OperandType, Operation, Promote, Promoted, Rank0, Rank1,
    RuleSet, Rules, SafePromote, StaticDType, StaticVerdict, Tensor, Torch, U8, U16, U32, U64,
    Unranked, Verdict, Weak, WidensBoth, ZeroDim, promotion_rules, tensor,
};
use rows::{NoRow as _, RowCells, TableRow};
use supremum_downstream::extended::elsewhere::{Outside, WiderYet};
use supremum_downstream::extended::{
    ByRank, Device, IsALabel, NumbersOnly, OneTarget, TorchWithU16, Trusting,
};
use supremum_downstream::{Careful, Wider};

/// Promotes at run time: the dtype and the verdict.
fn promoted<R: Rules>(lhs: OperandType, rhs: OperandType) -> Option<(DType, Verdict)> {
    let promotion = R::rule_set().promote(lhs, rhs).ok()?;
    Some((promotion.dtype, promotion.verdict))
}

const fn strong(dtype: DType) -> OperandType {
    OperandType::dimensioned(dtype)
}

#[test]
fn a_few_cells_of_jax() {
    assert_type_eq_all!(Promoted<I32, F32, Wider>, Promoted<F32, I32, Wider>, F64);
    assert_type_eq_all!(<I32 as Promote<F32, Wider>>::Verdict, Lossless);
    assert_type_eq_all!(<I64 as Promote<F32, Wider>>::Verdict, LosesPrecision<I64>);
    assert_eq!(
        promoted::<Wider>(strong(DType::F32), strong(DType::I64)),
        Some((DType::F64, Verdict::LosesPrecision(DType::I64)))
    );
    // The rest is as it was, and operations promote by the new cells.
    assert_type_eq_all!(Promoted<I16, F32, Wider>, F32);
    assert_eq!(Wider::rule_set().name(), "wider");
    let product =
        Wider::rule_set().binary(Operation::Multiply, strong(DType::I32), strong(DType::F32));
    assert_eq!(product.map(|product| product.dtype), Ok(DType::F64));
    assert_type_eq_all!(<Wider as Rules>::Operations, Jax);

    let counts: Tensor<I32, Rank1, Wider> = tensor![16_777_217];
    let weights: Tensor<F32, Rank1, Wider> = tensor![1.0];
    let weighted: Tensor<F64, Rank1, Wider> = counts * weights;
    assert_eq!(weighted.to_vec(), [16_777_217.0]);
}

#[test]
fn powers_of_an_extension_keep_their_base() {
    let base: Tensor<F32, Rank1, Wider> = tensor![2.0];
    let exponent: Tensor<I32, Rank1, Wider> = tensor![3];
    let power: Tensor<F32, Rank1, Wider> = base.pow(&exponent);
    assert_eq!(power.to_vec(), [8.0]);
    let power = Wider::rule_set().binary(Operation::Power, strong(DType::F32), strong(DType::I32));
    assert_eq!(power.map(|power| power.dtype), Ok(DType::F32));
}

#[test]
fn marks_and_denied_widening() {
    assert_type_eq_all!(<I8 as Promote<F32, Careful>>::Verdict, IsALabel);
    assert_type_eq_all!(<F32 as Promote<I8, Careful>>::Verdict, IsALabel);
    assert_type_eq_all!(<U8 as Promote<F32, Careful>>::Verdict, MarkedUnsafe);
    assert_type_eq_all!(<I64 as Promote<F32, Careful>>::Verdict, Accepted);
    assert_type_eq_all!(<F16 as Promote<BF16, Careful>>::Verdict, WidensBoth);
    // That of the base, judged by these rules.
    assert_type_eq_all!(<I32 as Promote<F32, Careful>>::Verdict, WidensBoth);
    assert_type_eq_all!(<I16 as Promote<F16, Careful>>::Verdict, LosesPrecision<I16>);
    assert_type_eq_all!(<F16 as Promote<Weak<F64>, Careful>>::Verdict, Lossless);
    assert_not_impl_any!(I8: SafePromote<F32, Careful>);
    assert_not_impl_any!(U8: SafePromote<F32, Careful>);
    assert_not_impl_any!(F16: SafePromote<BF16, Careful>);

    let refused = |lhs, rhs| match promoted::<Careful>(strong(lhs), strong(rhs)) {
        Some((_, Verdict::Refused(reason))) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(DType::I8, DType::F32), "8-bit integers are labels");
    assert_eq!(refused(DType::U8, DType::F32), "marked as unsafe");
    assert_eq!(
        refused(DType::F16, DType::BF16),
        "the result is the dtype of neither operand"
    );
    let [i64, f32] = [DType::I64, DType::F32].map(strong);
    assert!(Careful::rule_set().safe_promote(i64, f32).is_ok());
    let [i8, f32] = [DType::I8, DType::F32].map(strong);
    assert!(matches!(
        Careful::rule_set().safe_promote(i8, f32),
        Err(Error::UnsafePromotion { .. })
    ));
    let admitted = Careful::rule_set()
        .allowing_unsafe()
        .safe_promote(i8, f32)
        .map(|promotion| promotion.dtype);
    assert_eq!(admitted, Ok(DType::F32));

    let labels: Tensor<I8, Rank1, Careful> = tensor![1, 2];
    let weights: Tensor<F32, Rank1, Careful> = tensor![0.5, 0.25];
    let admitted: Tensor<F32, Rank1, Careful> = labels.promote_unsafe() * weights;
    assert_eq!(admitted.to_vec(), [0.5, 0.5]);
}

#[test]
fn values_do_not_count_where_marks_do() {
    assert_type_eq_all!(<I32 as Promote<F16, Trusting>>::Verdict, Accepted);
    assert_type_eq_all!(
        <I64 as Promote<F32, Trusting>>::Verdict,
        LosesPrecision<I64>
    );
    assert_type_eq_all!(<I8 as Promote<I16, Trusting>>::Verdict, Lossless);
    let counts: Tensor<I32, Rank1, Trusting> = tensor![3];
    let weights: Tensor<F16, Rank1, Trusting> = tensor![0.5];
    let weighted: Tensor<F16, Rank1, Trusting> = counts * weights;
    assert_eq!(weighted.widen::<F32>().to_vec(), [1.5]);
}

#[test]
fn a_few_cells_of_torch_and_its_ranks() {
    assert_type_eq_all!(Promoted<U16, I32, TorchWithU16>, I32);
    assert_not_impl_any!(U16: Promote<I32, Torch>);
    assert_type_eq_all!(Promoted<U16, U8, TorchWithU16>, U16);
    // Two operands of rank zero follow the table, of two ranks the tensor with dimensions decides.
    assert_type_eq_all!(Promoted<ZeroDim<U16>, ZeroDim<I32>, TorchWithU16>, I32);
    assert_type_eq_all!(Promoted<U16, ZeroDim<I32>, TorchWithU16>, U16);
    assert_type_eq_all!(Promoted<F16, Unranked<I32>, TorchWithU16>, F16);
    assert_not_impl_any!(F16: SafePromote<Unranked<F64>, TorchWithU16>);

    let [u16, i32] = [DType::U16, DType::I32];
    let zero_dim = OperandType::zero_dim;
    let result = |lhs, rhs| promoted::<TorchWithU16>(lhs, rhs).map(|(dtype, _)| dtype);
    assert_eq!(result(zero_dim(u16), zero_dim(i32)), Some(i32));
    assert_eq!(result(strong(u16), zero_dim(i32)), Some(u16));
    assert_eq!(result(zero_dim(i32), strong(u16)), Some(u16));
    assert!(TorchWithU16::rule_set().looks_at_rank());
    // A literal `True` is what it is in PyTorch.
    let literal = TorchWithU16::rule_set().literal(Kind::Bool);
    assert_eq!(literal, OperandType::weak(DType::Bool));

    let pixels: Tensor<U16, Rank1, TorchWithU16> = tensor![1, 65_535];
    let offset: Tensor<I32, Rank1, TorchWithU16> = tensor![-1];
    let moved: Tensor<I32, Rank1, TorchWithU16> = pixels + offset;
    assert_eq!(moved.to_vec(), [0, 65_534]);
}

#[test]
fn openvino_with_and_without_its_parameter() {
    assert_not_impl_any!(Bool: Promote<U8, NumbersOnly>);
    assert_type_eq_all!(Promoted<U64, I8, NumbersOnly>, F64);
    assert_type_eq_all!(Promoted<U64, I8, NumbersOnly<I64>>, I64);
    assert_type_eq_all!(Promoted<U64, I8, OneTarget>, Promoted<U64, I8, OpenVino>, F32);
    // The overridden cell is not marked, and the rules accept what is not.
    assert_type_eq_all!(<I8 as Promote<U8, NumbersOnly>>::Verdict, Lossless);
    assert_type_eq_all!(
        <U64 as Promote<I8, NumbersOnly<I64>>>::Verdict,
        <U64 as Promote<I8, OneTarget>>::Verdict,
        promo::rules::openvino::MixesU64WithSigned
    );

    let [u64, i8] = [DType::U64, DType::I8].map(strong);
    let dtype = |found: Option<(DType, Verdict)>| found.map(|(dtype, _)| dtype);
    assert_eq!(dtype(promoted::<NumbersOnly>(u64, i8)), Some(DType::F64));
    assert_eq!(
        dtype(promoted::<NumbersOnly<I64>>(u64, i8)),
        Some(DType::I64)
    );
    assert_eq!(dtype(promoted::<OneTarget>(i8, u64)), Some(DType::F32));
    let division = <NumbersOnly>::rule_set().operation(Operation::Divide, strong(DType::I32));
    assert!(matches!(division, Err(Error::UndefinedOperation { .. })));

    let large: Tensor<U64, Rank1, NumbersOnly<I64>> = tensor![5];
    let small: Tensor<I8, Rank1, NumbersOnly<I64>> = tensor![-7];
    let sum: Tensor<I64, Rank1, NumbersOnly<I64>> = large.promote_unsafe() + small;
    assert_eq!(sum.to_vec(), [-2]);
}

#[test]
fn a_restricted_rule_set() {
    assert_type_eq_all!(Promoted<F16, BF16, Device>, F32);
    assert_type_eq_all!(Promoted<F16, Weak<F64>, Device>, F16);
    assert_type_eq_all!(Promoted<Weak<I64>, Weak<F64>, Device>, Weak<F64>);
    assert_not_impl_any!(F32: Promote<F64, Device>);
    assert_not_impl_any!(F64: Promote<F64, Device>);
    assert_not_impl_any!(I8: Promote<I32, Device>);
    // Results too, but for truth values and positions.
    assert_type_eq_all!(
        <I32 as Divide<Device>>::Output,
        <I32 as Divide<Jax>>::Output,
        F32
    );
    assert_not_impl_any!(I32: Sum<Device>);
    assert_not_impl_any!(F64: Divide<Device>);
    assert_type_eq_all!(<F16 as Equality<Device>>::Output, Bool);
    assert_type_eq_all!(<F16 as ArgMinMax<Device>>::Output, I64);

    let device = Device::rule_set();
    let [f32, f64, i32] = [DType::F32, DType::F64, DType::I32].map(strong);
    assert!(device.promote(f32, f64).is_err());
    assert!(device.operation(Operation::Sum, i32).is_err());
    let position = device.operation(Operation::ArgMinMax, f32);
    assert_eq!(position, Ok(strong(DType::I64)));
}

#[test]
fn ranks_literals_and_a_parameter_of_ones_own() {
    assert_type_eq_all!(Promoted<I64, U64, ByRank>, I64);
    assert_type_eq_all!(Promoted<I64, U64, ByRank<F64>>, F64);
    assert_type_eq_all!(Promoted<I64, ZeroDim<U64>, ByRank<F32>>, F32);
    assert_type_eq_all!(Promoted<F32, ZeroDim<F64>, ByRank>, F32);
    assert_type_eq_all!(
        <F32 as Promote<ZeroDim<F64>, ByRank>>::Verdict,
        LosesRange<F64>
    );
    assert_type_eq_all!(<F32 as Promote<ZeroDim<I64>, ByRank>>::Verdict, Accepted);
    assert_type_eq_all!(Promoted<ZeroDim<F32>, ZeroDim<F64>, ByRank>, F64);
    assert_type_eq_all!(Promoted<ZeroDim<F32>, Weak<F32>, ByRank>, F32);
    assert_type_eq_all!(Promoted<Unranked<F64>, F32, ByRank>, F64);

    let rules = <ByRank<F64>>::rule_set();
    assert_eq!(rules.literal(Kind::Signed), OperandType::weak(DType::I32));
    assert_eq!(rules.literal(Kind::Float), OperandType::weak(DType::F32));
    let [i64, u64] = [DType::I64, DType::U64].map(strong);
    assert_eq!(
        promoted::<ByRank<F64>>(i64, u64),
        Some((DType::F64, Verdict::Refused("marked as unsafe")))
    );

    let image: Tensor<F32, Rank1, ByRank> = tensor![1.0, 2.0];
    let count: Tensor<I64, Rank0, ByRank> = Tensor::scalar(3);
    let scaled: Tensor<F32, Rank1, ByRank> = (image * count) * 2;
    assert_eq!(scaled.to_vec(), [6.0, 12.0]);
    let half: Tensor<Weak<F32>, Rank0, ByRank> =
        Tensor::<Weak<I32>, Rank0, ByRank>::scalar(1) * 0.5;
    assert_eq!(half.item(), Ok(0.5));
}

// Rules of another crate, which are like rules of the library; and rules like both in one macro call.
promotion_rules! {
    /// Those of the other crate with one cell changed.
    struct Wildest = "wildest";
    extend supremum_downstream::Careful { I8 I16 => I8 }

    /// The same, restricted.
    struct Tame = "tame";
    like Wildest;
    only [I8 I16 F32]

    /// Beside rules like others of the library.
    struct Plain = "plain";
    extend Numpy { F16 BF16 => F16 }
}

#[test]
fn rules_of_another_crate() {
    assert_type_eq_all!(Promoted<I8, I16, Wildest>, Promoted<I8, I16, Tame>, I8);
    assert_type_eq_all!(<I8 as Promote<I16, Wildest>>::Verdict, LosesRange<I16>);
    assert_type_eq_all!(<I8 as Promote<F32, Wildest>>::Verdict, IsALabel);
    assert_type_eq_all!(<I16 as Promote<U16, Wildest>>::Verdict, WidensBoth);
    assert_type_eq_all!(Promoted<I64, F32, Wildest>, F64);
    assert_not_impl_any!(I64: Promote<F32, Tame>);
    assert_type_eq_all!(Promoted<F16, BF16, Plain>, F16);
    assert_eq!(
        promoted::<Wildest>(strong(DType::I8), strong(DType::F32)),
        Some((DType::F32, Verdict::Refused("8-bit integers are labels")))
    );
    assert!(
        Tame::rule_set()
            .promote(strong(DType::I64), strong(DType::F32))
            .is_err()
    );
    // NumPy has another table for its ufuncs; rules like NumPy's use their own for all.
    let sum = Plain::rule_set().binary(Operation::Add, strong(DType::F16), strong(DType::BF16));
    assert!(matches!(
        sum,
        Err(Error::UnsafePromotion { rules: "plain", .. })
    ));
}

#[test]
fn rules_of_another_invocation_of_the_same_crate() {
    assert_type_eq_all!(Promoted<I16, F16, WiderYet>, Promoted<I16, F16, Outside>, F32);
    assert_type_eq_all!(Promoted<I32, F32, WiderYet>, Promoted<I32, F32, Outside>, F64);
}

// Rules that are not at the root of their crate.
promotion_rules! {
    struct Deep = "deep";
    extend supremum_downstream::extended::Careful { I8 I16 => I8 }
}

/// A pair of operands, asked what the type system finds for it.
struct Pair<Lhs, Rhs, R>(PhantomData<(Lhs, Rhs, R)>);

/// The constants that a pair has if it promotes, and if the rules accept it, hide these.
trait Undefined {
    const PROMOTED: Option<(DType, bool, Verdict)> = None;
    const ACCEPTED: bool = false;
}
impl<Lhs, Rhs, R> Undefined for Pair<Lhs, Rhs, R> {}

impl<Lhs, Rhs, R> Pair<Lhs, Rhs, R>
where
    Lhs: Promote<Rhs, R>,
    Lhs::Verdict: StaticVerdict,
{
    const PROMOTED: Option<(DType, bool, Verdict)> = Some((
        <Lhs::Output as StaticDType>::DTYPE,
        <Lhs::Output as StaticDType>::WEAK,
        <Lhs::Verdict as StaticVerdict>::VERDICT,
    ));
}
impl<Lhs: SafePromote<Rhs, R>, Rhs, R> Pair<Lhs, Rhs, R> {
    const ACCEPTED: bool = true;
}

/// The answers for every pair of these operands, row by row: what the pair gives, whether that is weak, and the verdict; and whether
/// the rules accept it, where that is asked.
type Answers = Vec<Vec<(Option<(DType, bool, Verdict)>, Option<bool>)>>;

/// Asks the type system for every pair of these operands.
macro_rules! every_pair {
    ($rules:ty, [$($lhs:ty,)*], $operands:tt) => {
        vec![$(every_pair!(@ $rules, $lhs, $operands),)*]
    };
    (@ $rules:ty, $lhs:ty, [$($rhs:ty,)*]) => {{
        const ROW: &[(Option<(DType, bool, Verdict)>, Option<bool>)] =
            &[$((<Pair<$lhs, $rhs, $rules>>::PROMOTED, Some(<Pair<$lhs, $rhs, $rules>>::ACCEPTED)),)*];
        ROW.to_vec()
    }};
}

/// Reads the rows of these operands in the type system, of which the compiler makes less than of pairs.
fn read_rows(rows: &[RowCells], classes: &[Class]) -> Answers {
    let read = |cells: &RowCells| {
        let cells = classes
            .iter()
            .flat_map(|class| rows::of_class(*cells, *class));
        let promoted = |(operand, verdict): (OperandType, Verdict)| {
            (operand.dtype, operand.class == Class::Weak, verdict)
        };
        cells
            .map(|(_, found)| (found.map(promoted), None))
            .collect()
    };
    rows.iter().map(read).collect()
}

/// Compares the type system with the table at run time: all operands of these classes on the left with all operands on the right. Only
/// rules that look at rank have operands of rank zero; other rules know such a tensor at run time only, where it is as any other. Pairs
/// are asked under rules with marks, reasons, parameters or ranks. Rows are read for the other rules, which come to their cells and to
/// the answer whether a verdict is accepted in the same way.
macro_rules! agreement {
    ($($name:ident: $rules:ty, $how:ident $($class:ident)*;)*) => {
        promo::__private::with_markers! { agreement @ { $($name: $rules, [$how $($class)*];)* } }
    };
    (@ { $($name:ident: $rules:ty, $asked:tt;)* } $dtypes:tt) => {$(
        #[test]
        fn $name() {
            agree(<$rules>::rule_set(), &agreement!(@@ $rules, $asked, $dtypes));
        }
    )*};
    (@@ $rules:ty, [rows Dimensioned], [$($dtype:ident)*]) => {
        read_rows(&[$(TableRow::<$dtype, $rules>::CELLS),*], &[Class::Dimensioned, Class::Weak])
    };
    (@@ $rules:ty, [rows Dimensioned Weak], [$($dtype:ident)*]) => {
        read_rows(
            &[$(TableRow::<$dtype, $rules>::CELLS,)* $(TableRow::<Weak<$dtype>, $rules>::CELLS),*],
            &[Class::Dimensioned, Class::Weak],
        )
    };
    (@@ $rules:ty, [rows Dimensioned ZeroDim Weak], [$($dtype:ident)*]) => {
        read_rows(
            &[
                $(TableRow::<$dtype, $rules>::CELLS,)*
                $(TableRow::<ZeroDim<$dtype>, $rules>::CELLS,)*
                $(TableRow::<Weak<$dtype>, $rules>::CELLS),*
            ],
            &[Class::Dimensioned, Class::ZeroDim, Class::Weak],
        )
    };
    (@@ $rules:ty, [pairs Dimensioned], [$($dtype:ident)*]) => {
        every_pair!($rules, [$($dtype,)*], [$($dtype,)* $(Weak<$dtype>,)*])
    };
    (@@ $rules:ty, [pairs Dimensioned ZeroDim], [$($dtype:ident)*]) => {
        every_pair!(
            $rules,
            [$($dtype,)* $(ZeroDim<$dtype>,)*],
            [$($dtype,)* $(ZeroDim<$dtype>,)* $(Weak<$dtype>,)*]
        )
    };
    (@@ $rules:ty, [pairs Dimensioned Weak], [$($dtype:ident)*]) => {
        every_pair!($rules, [$($dtype,)* $(Weak<$dtype>,)*], [$($dtype,)* $(Weak<$dtype>,)*])
    };
}

fn agree(rules: &RuleSet, of_types: &Answers) {
    let classes: &[fn(DType) -> OperandType] = match rules.looks_at_rank() {
        true => &[
            OperandType::dimensioned,
            OperandType::zero_dim,
            OperandType::weak,
        ],
        false => &[OperandType::dimensioned, OperandType::weak],
    };
    let operands = classes
        .iter()
        .map(|class| DType::ALL.iter().map(move |dtype| class(*dtype)));
    let operands: Vec<_> = operands.into_iter().flatten().collect();
    assert!(of_types.len() >= DType::ALL.len());
    let mut promoted = 0;
    for (lhs, row) in operands.iter().zip(of_types) {
        assert_eq!(operands.len(), row.len(), "whether the rules look at rank");
        for (rhs, found) in operands.iter().zip(row) {
            let promotion = rules.promote(*lhs, *rhs).ok();
            let at_run_time = promotion.map(|found| (found.dtype, found.weak, found.verdict));
            let accepted = (found.1).map(|_| rules.safe_promote(*lhs, *rhs).is_ok());
            assert_eq!(*found, (at_run_time, accepted), "{lhs} with {rhs}");
            promoted += usize::from(at_run_time.is_some());
        }
    }
    assert!(promoted > 20, "{promoted} pairs promote");
}

agreement! {
    deep_agrees: Deep, rows Dimensioned;
    wider_yet_agrees: WiderYet, rows Dimensioned;
    outside_agrees: Outside, rows Dimensioned;
    wider_agrees: Wider, rows Dimensioned Weak;
    careful_agrees: Careful, pairs Dimensioned Weak;
    trusting_agrees: Trusting, pairs Dimensioned;
    device_agrees: Device, rows Dimensioned;
    torch_with_u16_agrees: TorchWithU16, rows Dimensioned ZeroDim Weak;
    numbers_only_agrees: NumbersOnly, rows Dimensioned;
    numbers_only_of_another_target_agrees: NumbersOnly<I64>, pairs Dimensioned;
    one_target_agrees: OneTarget, rows Dimensioned;
    by_rank_agrees: ByRank, rows Dimensioned ZeroDim Weak;
    by_rank_of_floats_agrees: ByRank<F64>, pairs Dimensioned ZeroDim;
    wildest_agrees: Wildest, rows Dimensioned;
    tame_agrees: Tame, rows Dimensioned;
    plain_agrees: Plain, rows Dimensioned;
}
