//! The range check by the compiler and the one at run time agree.

use core::marker::PhantomData;

use super::FitsLiteral;
use crate::dtype::{DType, for_each_marker};
use crate::literals::Scalar;
use crate::rule_set::LiteralPolicy;

/// Tells whether a literal's type fits a dtype: the constant of the impl below if it does, else that of the trait.
struct Probe<L, D>(PhantomData<(L, D)>);

trait Refused {
    const LANDS: bool = false;
}
impl<L, D> Refused for Probe<L, D> {}

impl<L, D: FitsLiteral<L>> Probe<L, D> {
    const LANDS: bool = true;
}

/// Lists the compiler's verdict on each literal for each dtype, with the value of the literal at run time.
macro_rules! judge {
    ($kind:ident: $($literal:expr),* $(,)?) => {
        &[$((Scalar::$kind($literal), for_each_marker!(lands_in [$literal]))),*]
    };
}

macro_rules! lands_in {
    ([$literal:expr] $($dtype:ident)*) => {
        {
            type Literal = literal!($literal);
            &[$((
                DType::$dtype,
                <Probe<Literal, crate::dtype::$dtype>>::LANDS,
                <Probe<Literal, crate::dtype::Weak<crate::dtype::$dtype>>>::LANDS,
            )),*]
        }
    };
}

type Judgements = &'static [(Scalar, &'static [(DType, bool, bool)])];

/// Returns the number of pairs, and the number of refused ones.
fn compare(judgements: Judgements) -> (usize, usize) {
    let literal_policy = LiteralPolicy {
        int: None,
        wraps: false,
        overflows: false,
    };
    let pairs = judgements.iter().flat_map(|(literal, judged)| {
        judged.iter().map(move |(dtype, lands, weak)| {
            let landed = literal
                .to_array("test", *dtype, &[], literal_policy)
                .is_ok();
            assert_eq!(*lands, landed, "{literal} in {dtype}");
            assert_eq!(*weak, landed, "{literal} in weak {dtype}");
            landed
        })
    });
    let landed: Vec<_> = pairs.collect();
    let refused = landed.iter().filter(|landed| !**landed).count();
    (landed.len(), refused)
}

const INTS: Judgements = judge! { Int:
    0, 1, 2, 126, 127, 128, 254, 255, 256, 447, 448, 449, 463, 464, 465, 479, 480, 481, 511, 512,
    32_766, 32_767, 32_768, 57_344, 61_439, 61_440, 61_441, 65_504, 65_519, 65_520, 65_521, 65_535, 65_536, 70_000,
    2_147_483_646, 2_147_483_647, 2_147_483_648, 4_294_967_295, 4_294_967_296,
    0x7fff_ffff_ffff_fffe, 0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, 0xffff_ffff_ffff_ffff,
    0x1_0000_0000_0000_0000, 1_267_650_600_228_229_401_496_703_205_376,
    170_141_183_460_469_231_731_687_303_715_884_105_727,
    -0, -1, -2, -127, -128, -129, -255, -256, -448, -464, -465, -480, -512, -32_767, -32_768, -32_769,
    -61_439, -61_440, -61_441, -65_504, -65_519, -65_520, -65_535, -65_536,
    -2_147_483_647, -2_147_483_648, -2_147_483_649, -4_294_967_295, -4_294_967_296,
    -0x7fff_ffff_ffff_ffff, -0x8000_0000_0000_0000, -0x8000_0000_0000_0001, -0x1_0000_0000_0000_0000,
    -170_141_183_460_469_231_731_687_303_715_884_105_728,
};

const FLOATS: Judgements = judge! { Float:
    0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 5e-324, -1e-10,
    447.9, 448.0, 463.999, 464.0, 464.00000000000006, -464.0, -464.1, 479.0, 480.0,
    57_344.0, 61_439.99, 61_440.0, -61_439.99, -61_440.0,
    65_504.0, 65_519.99, 65_519.999_999_999_99, 65_520.0, -65_519.99, -65_520.0, 1e5,
    3.389_531_389_251_535_5e38, 3.396_177_589_293_367_8e38, 3.396_177_589_293_368_5e38, -3.396_177_589_293_368_5e38,
    3.402_823_466_385_288_6e38, 3.402_823_567_797_336e38, 3.402_823_567_797_336_2e38, 3.402_823_567_797_336_6e38,
    3.402_823_567_797_337e38, -3.402_823_567_797_336_6e38,
    3.5e38, 1e39, -1e39, 1e300, 1.797_693_134_862_315_7e308, -1.797_693_134_862_315_7e308,
};

const TRUTHS: Judgements = judge! { Bool: true, false };

#[test]
fn the_compiler_and_the_run_time_judge_alike() {
    let dtypes = DType::ALL.len();
    assert_eq!(compare(TRUTHS), (2 * dtypes, 0));
    let (ints, refused) = compare(INTS);
    assert_eq!(ints, INTS.len() * dtypes);
    assert!(refused > 300, "{refused}");
    let (floats, refused) = compare(FLOATS);
    assert_eq!(floats, FLOATS.len() * dtypes);
    assert!(refused > 400, "{refused}");
}
