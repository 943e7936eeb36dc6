//! The common dtype of more than two operands.

use supremum::static_assertions::assert_type_eq_all;
use supremum::*;

fn operands(names: &[&str]) -> Vec<OperandType> {
    let dtype = |name: &&str| name.parse().expect("a dtype");
    names
        .iter()
        .map(dtype)
        .map(OperandType::dimensioned)
        .collect()
}

/// Every three dtypes. Where they differ NumPy refuses: it looks at pairs in an order that depends on
/// the order of the operands, and its answer for one order of a triple can be that there is none.
#[test]
fn three_dtypes_under_numpy_are_as_numpy_answers() {
    let numpy = Numpy::rule_set();
    let (mut equal, mut refused_by_numpy) = (0, 0);
    for row in include_str!("../data/numpy_result_type_3.csv")
        .lines()
        .skip(1)
    {
        let names: Vec<_> = row.split(',').collect();
        let (expected, names) = names.split_last().expect("four columns");
        let found = numpy.common(&operands(names));
        let found = found.map_or("error", |common| common.dtype.name());
        if found == *expected {
            equal += 1;
        } else {
            assert_eq!(*expected, "error", "{names:?}: found {found}");
            assert!(names.iter().any(|name| ["bf16", "f8e4m3fn"].contains(name)));
            refused_by_numpy += 1;
        }
    }
    println!("{equal} triples equal, {refused_by_numpy} answered here and refused by NumPy");
    assert_eq!((equal, refused_by_numpy), (4761, 152));
}

/// Three markers as a static list and at run time.
macro_rules! agree {
    ($($rules:ident: $a:ident $b:ident $c:ident;)*) => {$({
        let dtypes = [DType::$a, DType::$b, DType::$c].map(OperandType::dimensioned);
        let common = $rules::rule_set().common(&dtypes).expect("a common dtype");
        assert_eq!(common.dtype, <common!($rules: $a, $b, $c) as StaticDType>::DTYPE);
    })*};
}

#[test]
fn lists_of_types_meet_as_lists_of_operands() {
    agree! {
        Numpy: I8 U16 F16;
        Numpy: U16 I8 F32;
        Numpy: Bool U8 I8;
        Numpy: F16 C64 U32;
        NumpyUfunc: BF16 F16 I8;
        Jax: I8 U16 F16;
        Torch: U8 I8 F16;
        Anvil: U8 I8 F32;
    }
    assert_type_eq_all!(common!(Numpy: Weak<I64>, Bool, I8), I8);
    assert_type_eq_all!(common!(Numpy: Weak<F64>, I32, F32), F64);
    assert_type_eq_all!(common!(I32), I32);
    assert_type_eq_all!(common!(Torch: F16, BF16, U8), F32);
}

/// PyTorch's categories: a float literal beside a zero-dim f64 is an f64 of a lower category, which wins over
/// integers.
#[test]
fn classes_meet_among_themselves_first() {
    let torch = Torch::rule_set();
    let u8 = OperandType::dimensioned(DType::U8);
    let (literal, zero_dim) = (
        torch.literal(Kind::Float),
        OperandType::zero_dim(DType::F64),
    );
    for operands in [
        [u8, literal, zero_dim],
        [zero_dim, u8, literal],
        [literal, zero_dim, u8],
    ] {
        assert_eq!(
            torch.common(&operands).map(|common| common.dtype),
            Ok(DType::F64)
        );
    }
    let scalars = [zero_dim, OperandType::zero_dim(DType::I64)];
    assert_eq!(
        torch.common(&scalars).map(|common| common.dtype),
        Ok(DType::F64)
    );
    let f16 = OperandType::dimensioned(DType::F16);
    assert_eq!(
        torch
            .common(&[f16, zero_dim, literal])
            .map(|common| common.dtype),
        Ok(DType::F16)
    );
}

/// A list of one is a promotion too: with itself.
#[test]
fn one_operand_alone_is_narrowed_and_has_to_be_known() {
    let i64 = OperandType::dimensioned(DType::I64);
    let narrowed = JaxX32::rule_set().common(&[i64]);
    assert_eq!(narrowed.map(|common| common.dtype), Ok(DType::I32));
    assert_type_eq_all!(common!(JaxX32: I64), I32);
    let bf16 = OperandType::dimensioned(DType::BF16);
    assert!(ArrayApi::rule_set().common(&[bf16]).is_err());
}

/// Two tensors of rank zero give one of rank zero, which still yields to one with axes.
#[test]
fn rank_zero_lasts_until_a_tensor_with_axes_comes() {
    let tensor = OperandType::dimensioned(DType::F16);
    let scalars = [DType::F32, DType::F64].map(OperandType::zero_dim);
    for rules in [<OpenVinoScalar>::rule_set(), Torch::rule_set()] {
        let common = rules.common(&[scalars[0], scalars[1], tensor]);
        assert_eq!(
            common.map(|common| common.dtype),
            Ok(DType::F16),
            "{}",
            rules.name()
        );
    }
}

#[test]
fn none_and_undefined_are_errors() {
    assert_eq!(
        Jax::rule_set().common(&[]),
        Err(Error::NoOperands { rules: "jax" })
    );
    let [int, float] = [DType::I8, DType::F32].map(OperandType::dimensioned);
    let expected = Error::NoPromotion {
        lhs: int,
        rhs: float,
        rules: "array-api",
        context: None,
    };
    assert_eq!(ArrayApi::rule_set().common(&[int, float]), Err(expected));
}
