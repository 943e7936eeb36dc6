//! Long sums, wide results, reductions of nothing, and errors.

use supremum::{
    AnyRank, BF16, Bool, C64, Error, F8E4M3FN, F16, F32, I32, I64, Rank0, Rank1, Rank2, Rank3,
    Tensor, U8, U64, bf16, c64, f16, fuse, tensor,
};

use crate::naive::convert;
use crate::panics::refused;

/// A number of 2^-30 units, exactly.
fn scaled(x: f64) -> i128 {
    let scaled = x * 1_073_741_824.0;
    assert_eq!(scaled.fract(), 0.0, "a multiple of 2^-30");
    scaled as i128
}

#[test]
fn a_million_values() {
    let count = 1_000_000;
    let mut state = 1_u64;
    let values: Vec<f32> = (0..count)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // Between 0 and 2, of different magnitudes, so that naive sums in few digits stall.
            (state >> 40) as f32 / 8_388_608.0
        })
        .collect();
    let halves: Vec<f16> = values
        .iter()
        .map(|x| f16::from_bits(convert::<f32, f16>(*x).to_bits()))
        .collect();
    let brains: Vec<bf16> = values.iter().map(|x| convert(*x)).collect();
    let exactly = |values: &mut dyn Iterator<Item = f64>| -> f64 {
        values.map(scaled).sum::<i128>() as f64 / 1_073_741_824.0
    };

    let total = exactly(&mut values.iter().map(|x| f64::from(*x)));
    let singles = Tensor::<F32, Rank1>::from_vec(values.clone(), [count]).expect("a vector");
    assert_eq!(
        singles.sum().item(),
        Ok(total as f32),
        "f32 adds in f64 and rounds once"
    );
    assert_eq!(singles.mean().item(), Ok((total / count as f64) as f32));
    let strided = singles.reshape([1000, 1000]).transpose();
    assert_eq!(strided.sum().item(), Ok(total as f32), "in another order");

    let total = exactly(&mut brains.iter().map(|x| f64::from(convert::<bf16, f32>(*x))));
    let t = Tensor::<BF16, Rank1>::from_vec(brains, [count]).expect("a vector");
    let found: f32 = convert(t.sum().item().expect("one"));
    assert!(
        (f64::from(found) - total).abs() <= total / 256.0,
        "{found} for {total}"
    );
    assert_eq!(
        t.sum().item(),
        Ok(convert(total)),
        "rounded once, from an accurate sum"
    );
    let mean: f32 = convert(t.mean().item().expect("one"));
    assert_eq!(mean, convert::<bf16, f32>(convert(total / count as f64)));

    let total = exactly(&mut halves.iter().map(|x| f64::from(convert::<f16, f32>(*x))));
    let t = Tensor::<F16, Rank1>::from_vec(halves.clone(), [count]).expect("a vector");
    assert!(total > 65520.0);
    assert_eq!(t.sum().item(), Ok(f16::INFINITY), "beyond f16");
    assert_eq!(
        t.mean().item(),
        Ok(convert(total / count as f64)),
        "but the mean is not"
    );
    // Beyond f16 on the way, and back.
    let there: Tensor<F16, Rank1> = tensor![60000.0, 60000.0, -60000.0, -58976.0];
    assert_eq!(there.sum().item(), Ok(f16::from_f32(1024.0)));
    assert_eq!(
        there.cumsum(0).to_vec(),
        [60000.0, f32::INFINITY, 60000.0, 1024.0].map(f16::from_f32)
    );
    assert_eq!(there.prod().item(), Ok(f16::INFINITY));
    assert_eq!(
        there.slice(0, ..2).mean().item(),
        Ok(f16::from_f32(60000.0))
    );
    assert_eq!(there.slice(0, ..2).std().item(), Ok(f16::ZERO));
    // 4,096 squares of 100 are far beyond f16; their mean is not.
    let swings = Tensor::<F16, Rank1>::from_fn([4096], |at| {
        f16::from_f32(if at[0] % 2 == 0 { 100.0 } else { -100.0 })
    });
    assert_eq!(swings.var().item(), Ok(f16::from_f32(10000.0)));
    assert_eq!(swings.std().item(), Ok(f16::from_f32(100.0)));
    // A variance beside a large mean needs the second pass.
    let far = Tensor::<F32, Rank1>::from_fn([1000], |at| 1e6 + (at[0] % 2) as f32);
    assert_eq!(far.var().item(), Ok(0.25));
    let ones = Tensor::<F8E4M3FN, Rank1>::ones([400]);
    assert_eq!(
        convert::<_, f32>(ones.sum().item().expect("one")),
        384.0,
        "400 lies between 384 and 416; the even significand wins"
    );
    println!("sums of {count} values in f32, bf16 and f16");
}

#[test]
fn sums_of_integers_are_wide() {
    let bytes = Tensor::<U8, Rank1>::full([1000], 255);
    let total: Tensor<U64, Rank0> = bytes.sum();
    assert_eq!(total.item(), Ok(255_000));
    let running: Tensor<U8, Rank1> = bytes.cumsum(0);
    assert_eq!(running.get(&[1]), Some(254));
    let truths: Tensor<Bool, Rank1> = Tensor::ones([300]);
    assert_eq!(
        (truths.sum().item(), truths.prod().item()),
        (Ok(300_i64), Ok(1))
    );
    assert_eq!(truths.cumsum(0).get(&[299]), Some(300_i64));
    let extremes: Tensor<I64, Rank1> = tensor![i64::MAX, 1];
    assert_eq!(extremes.sum().item(), Ok(i64::MIN));
    let wide: Tensor<U64, Rank1> = tensor![u64::MAX, u64::MAX];
    assert_eq!(wide.mean().item(), Ok(u64::MAX as f64));
    let complex: Tensor<C64, Rank1> = tensor![c64::new(1.0, 2.0), c64::new(3.0, -2.0)];
    assert_eq!(complex.mean().item(), Ok(c64::new(2.0, 0.0)));
    assert_eq!(complex.var().item(), Ok(5.0_f32));
    assert_eq!(complex.prod().item(), Ok(c64::new(7.0, 4.0)));
}

#[test]
fn no_elements() {
    let none = Tensor::<F32>::zeros([0, 3]);
    assert_eq!(none.sum_axis(0).to_vec(), [0.0; 3]);
    assert_eq!(none.prod_axis(0).to_vec(), [1.0; 3]);
    assert!(none.mean_axis(0).iter().all(f32::is_nan));
    assert!(none.var_axis(0).iter().all(f32::is_nan));
    assert!(none.std().item().expect("one").is_nan());
    assert_eq!(none.any_axis(0).to_vec(), [false; 3]);
    assert_eq!(none.all_keepdims(0).to_vec(), [true; 3]);
    assert_eq!(none.sum_axis(1).shape(), [0]);
    assert_eq!(none.max_axis(1).shape(), [0], "no group is empty");
    assert_eq!(none.argmax_axis(1).shape(), [0]);
    assert_eq!(none.cumsum(1).shape(), [0, 3]);
}

#[test]
fn errors_in_full() {
    let t: Tensor<F32, AnyRank> = Tensor::zeros([2, 0]);
    refused! {
        t.try_sum_axis(2), t.sum_axis(2) => "sum_axis: axis 2 does not exist at rank 2";
        t.try_sum_axis(&[0, -3]), t.sum_axis(&[0, -3]) => "sum_axis: axis -3 does not exist at rank 2";
        t.try_sum_keepdims([1, -1]), t.sum_keepdims([1, -1]) => "sum_keepdims: axis 1 is named twice, as 1 and -1";
        t.try_mean_keepdims(7), t.mean_keepdims(7) => "mean_keepdims: axis 7 does not exist at rank 2";
        t.try_min(), t.min() => "min: no elements along the reduced axes of shape [2, 0]";
        t.try_max_axis(1), t.max_axis(1) => "max_axis: no elements along the reduced axes of shape [2, 0]";
        t.try_argmin(), t.argmin() => "argmin: no elements along the reduced axes of shape [2, 0]";
        t.try_argmax_axis(-1), t.argmax_axis(-1) => "argmax_axis: no elements along the reduced axes of shape [2, 0]";
        t.try_argmax_axis(2), t.argmax_axis(2) => "argmax_axis: axis 2 does not exist at rank 2";
        t.try_nan_sum_axis(2), t.nan_sum_axis(2) => "nan_sum_axis: axis 2 does not exist at rank 2";
        t.try_nan_min(), t.nan_min() => "nan_min: no elements along the reduced axes of shape [2, 0]";
        t.try_nan_max_axis(1), t.nan_max_axis(1) => "nan_max_axis: no elements along the reduced axes of shape [2, 0]";
        t.try_nan_prod_axis(2), t.nan_prod_axis(2) => "nan_prod_axis: axis 2 does not exist at rank 2";
        t.try_nan_argmin(), t.nan_argmin() => "nan_argmin: no elements along the reduced axes of shape [2, 0]";
        t.try_nan_argmax_axis(-1), t.nan_argmax_axis(-1) => "nan_argmax_axis: no elements along the reduced axes of shape [2, 0]";
        t.try_nan_argmax_axis(2), t.nan_argmax_axis(2) => "nan_argmax_axis: axis 2 does not exist at rank 2";
        t.try_nan_mean_keepdims([1, -1]), t.nan_mean_keepdims([1, -1]) => "nan_mean_keepdims: axis 1 is named twice, as 1 and -1";
        t.try_cumprod(2), t.cumprod(2) => "cumprod: axis 2 does not exist at rank 2";
        t.try_cummax(-3), t.cummax(-3) => "cummax: axis -3 does not exist at rank 2";
        Tensor::<I32, Rank0>::scalar(1).try_cummin(0), Tensor::<I32, Rank0>::scalar(1).cummin(0) => "cummin: axis 0 does not exist at rank 0";
        t.try_cumsum(2), t.cumsum(2) => "cumsum: axis 2 does not exist at rank 2";
        Tensor::<F32, Rank0>::scalar(1.0).try_cumsum(0), Tensor::<F32, Rank0>::scalar(1.0).cumsum(0) => "cumsum: axis 0 does not exist at rank 0";
    }
}

#[test]
fn positions_keep_their_axis_if_asked() {
    let t: Tensor<F32, Rank2> = tensor![[1.0, f32::NAN, 5.0], [7.0, 2.0, 7.0]];
    let kept: Tensor<I64, _> = t.argmax_keepdims(-1);
    assert_eq!((kept.shape(), kept.to_vec()), (&[2, 1][..], vec![1, 0]));
    assert_eq!(t.argmin_keepdims(0).shape(), [1, 3]);
    assert_eq!(t.argmin_keepdims(0).to_vec(), t.argmin_axis(0).to_vec());
    assert!(t.try_argmax_keepdims(2).is_err());
}

#[test]
fn the_rank_is_known_where_the_number_of_axes_is() -> Result<(), Error> {
    let t = Tensor::<F32, Rank3>::from_fn([2, 3, 4], |at| (at[0] + 2 * at[1] + 7 * at[2]) as f32);
    let rows: Tensor<F32, Rank1> = t.mean_axis([0, -1]);
    let column: Tensor<F32, Rank2> = t.max_axis(1);
    let all: Tensor<F32, Rank0> = t.var_axis(..);
    let none: Tensor<F32, Rank3> = t.sum_axis([]);
    let any: Tensor<F32> = t.sum_axis(&[0, 1, 2]);
    let axes = vec![2, 0];
    let listed: Tensor<F32> = t.try_mean_axis(&axes)?;
    assert_eq!((rows.into_any(), column), (listed, t.max_axis(1)));
    assert_eq!((all, none), (t.var(), t.clone()));
    assert_eq!(any, t.sum().into_any());
    assert_eq!(t.min_keepdims(..), t.min_keepdims([0, 1, 2]));
    let fused: Tensor<F32, Rank1> = fuse!((t * 2).sum_axis([0, 2]));
    assert_eq!(fused, (&t * 2).sum_axis([2, 0]));
    let fused: Tensor<F32, Rank0> = fuse!((t * 2).mean_axis(..));
    assert_eq!(fused, (&t * 2).mean());
    assert_eq!(fuse!((t - 1).sum_keepdims(..)).shape(), [1, 1, 1]);
    let dynamic = t.clone().into_dyn();
    assert_eq!(
        dynamic.try_mean_axis([0, -1])?,
        t.mean_axis([0, -1]).into_dyn()
    );
    assert_eq!(dynamic.try_sum_axis(..)?, t.sum().into_dyn());
    assert_eq!(dynamic.try_sum_axis(0)?, dynamic.try_sum_axis(0)?);
    let any = t.into_any();
    let error = any.try_sum_axis([0, 3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "sum_axis: axis 3 does not exist at rank 3"
    );
    let error = any.try_sum_axis([0, -3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "sum_axis: axis 0 is named twice, as 0 and -3"
    );
    Ok(())
}
