//! Elements of `arange`, `linspace` and `logspace` that the dtype does not have.

use supremum::prelude::*;

use crate::Faults;

/// The elements of sequences that their dtype does not have are named, and no others are refused.
#[test]
fn sequences_end_where_the_dtype_does() {
    let mut faults = Faults::default();
    let mention = |position: usize, value: &str, dtype: DType| {
        [
            format!("element {position} is {value},"),
            format!("out of range for {dtype}"),
        ]
    };
    for (dtype, [start, end, step], position, value) in [
        (DType::I8, [0.0, 300.0, 1.0], 128, "128"),
        (DType::I8, [0.0, -300.0, -1.5], 86, "-129"),
        (DType::U8, [-1.0, 3.0, 1.0], 0, "-1"),
        (DType::U8, [0.5, 1e12, 1e-2], 25550, "256"),
        (DType::I64, [9e18, 9.4e18, 1e16], 23, "9230000000000000000"),
        (DType::U64, [0.0, 2e19, 1e19], 2, "20000000000000000000"),
        (DType::F16, [0.0, 70_000.0, 10_000.0], 7, "70000.0"),
        (DType::BF16, [0.0, 4e38, 1e38], 4, "4e38"),
        (DType::F8E4M3FN, [440.0, 480.0, 8.0], 4, "472.0"),
        (DType::C64, [-1e39, 0.0, 1e38], 0, "-1e39"),
        (DType::F32, [0.0, 4e38, 1e38], 4, "4e38"),
    ] {
        let mention = &mention(position, value, dtype);
        let end = end + step / 2.0;
        faults.refused(("arange", "arange"), mention, || {
            DynTensor::try_arange(dtype, start, end, step)
        });
    }
    let call = ("linspace", "linspace");
    faults.refused(call, &mention(2, "200", DType::I8), || {
        DynTensor::try_linspace(DType::I8, 0, 300, 4)
    });
    faults.refused(call, &mention(3, "70000.0", DType::F16), || {
        Tensor::<F16, Rank1>::try_linspace(0, 70_000, 4)
    });
    let call = ("logspace", "logspace");
    faults.refused(call, &mention(3, "1000", DType::U8), || {
        DynTensor::try_logspace(DType::U8, 0, 3, 4)
    });
    faults.refused(call, &mention(2, "1e50", DType::F32), || {
        Tensor::<F32, Rank1>::try_logspace(0, 50, 3)
    });
    faults.refused(call, &mention(2, "inf", DType::F64), || {
        Tensor::<F64, Rank1>::try_logspace(0, 400, 3)
    });
    faults.refused(call, &mention(1, "1e200", DType::I64), || {
        Tensor::<I64, Rank1>::try_logspace(0, 400, 3)
    });
    let error = Tensor::<I8, Rank1>::try_arange(0, 300, 1).map(drop);
    let error = error.expect_err("128").to_string();
    faults.panics("arange", &error, &mut || {
        Tensor::<I8, Rank1>::arange(0, 300, 1);
    });
    drop(faults);

    // Elements are rounded, and the end is not one of them.
    let bytes = DynTensor::arange(DType::U8, -0.75, 256.0, 255.75);
    assert_eq!(bytes.unwrap().to_string(), "[  0, 255] u8 [2]");
    let all = Tensor::<I8, Rank1>::arange(-128, 128, 1).to_vec();
    assert_eq!((all.len(), all[0], all[255]), (256, -128, 127));
    let halves = Tensor::<F16, Rank1>::linspace(0, 65_519, 2);
    assert_eq!(halves[1].to_f32(), 65_504.0);
    let truths = Tensor::<Bool, Rank1>::linspace(0, 3, 4);
    assert_eq!(truths.to_vec(), [false, true, true, true]);
    let none = DynTensor::try_linspace(DType::I8, 1000, 2000, 0);
    assert_eq!(none.unwrap().shape(), [0]);
}
