//! Calls: typed and dynamic arguments, shapes, results, caches, saved executables.

use supremum::pjrt::{CompileOptions, DeviceError, DynOnDevice, OnDevice};
use supremum::prelude::*;
use supremum::stablehlo::{self, dyn_input, input};

use crate::client;

/// The elements of one dtype from a list of numbers.
fn numbers(dtype: DType, numbers: &[f64]) -> DynTensor {
    let wide = Tensor::<F64, Rank1>::from_vec(numbers.to_vec(), [numbers.len()]).unwrap();
    wide.into_dyn().cast(dtype)
}

#[test]
fn a_call_computes_what_the_function_does() {
    let Some(client) = client() else { return };
    let both = |(x, w): (Tensor<BF16, Rank2>, Tensor<F16, Rank2>)| (x.matmul(&w), x.sum());
    let layer = client
        .function((input::<BF16, _>([2, 3]), input::<F16, _>([3, 2])), both)
        .unwrap();
    let x: Tensor<BF16, Rank2> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let w: Tensor<F16, Rank2> = tensor![[0.5, 1.0], [0.25, 2.0], [0.125, 4.0]];
    let (y, total): (Tensor<F32, Rank2>, Tensor<BF16, Rank0>) = layer.call((&x, &w)).unwrap();
    let (ours, our_total) = both((x, w));
    assert_eq!((y, total), (ours, our_total));
}

/// Each dtype goes to the device and back bit for bit: in programs that return their argument, and without programs.
#[test]
fn every_dtype_keeps_its_bits() {
    let Some(client) = client() else { return };
    for dtype in DType::ALL {
        let x = numbers(*dtype, &[0.0, 1.0, 0.5, 2.0, 7.0, -1.0, 100.0, f64::NAN]);
        let stays = client.put_dyn(0, &x).unwrap().get().unwrap();
        assert!(same_bits(&stays, &x), "{dtype}");
        let f = client
            .function(dyn_input(*dtype, &[8]), |x: DynTensor| {
                x.try_reshape([2, 4])
            })
            .unwrap();
        let y = f.call(&x).unwrap();
        assert!(same_bits(&y, &x.try_reshape([2, 4]).unwrap()), "{dtype}");
        let large = x
            .try_reshape([8, 1])
            .unwrap()
            .try_broadcast_to([8, 4000])
            .unwrap();
        assert!(
            same_bits(&client.put_dyn(0, &large).unwrap().get().unwrap(), &large),
            "{dtype}"
        );
    }
}

fn same_bits(a: &DynTensor, b: &DynTensor) -> bool {
    a.dtype() == b.dtype() && a.shape() == b.shape() && a.to_string() == b.to_string()
}

/// The dtypes of dynamic arguments are compared when the function is called: the plugin would read one as the other.
#[test]
fn wrong_dtypes_and_shapes_are_refused_at_run_time() {
    let Some(client) = client() else { return };
    let inputs = vec![dyn_input(DType::F32, &[4]), dyn_input(DType::BF16, &[4])];
    let f = client.function(inputs, |x| x[0].try_add(&x[1])).unwrap();
    let [single, brain, whole] =
        [DType::F32, DType::BF16, DType::I32].map(|dtype| numbers(dtype, &[1.0, 2.0, 3.0, 4.0]));
    let good = f.call(&[single.clone(), brain.clone()]).unwrap();
    assert_eq!(good.to_string(), "[2.0, 4.0, 6.0, 8.0] f32 [4]");

    let text = |error: Error| error.to_string();
    // Of the same size: XLA would take it.
    let error = f.call(&[whole.clone(), brain.clone()]).unwrap_err();
    assert_eq!(text(error), "argument 0: expected f32 [4], found i32 [4]");
    let value = client.put_dyn(0, &whole).unwrap();
    let error = f
        .run(vec![value, client.put_dyn(0, &brain).unwrap()])
        .unwrap_err();
    assert_eq!(text(error), "argument 0: expected f32 [4], found i32 [4]");
    let error = f.call(&[single.clone(), single.clone()]).unwrap_err();
    assert_eq!(text(error), "argument 1: expected bf16 [4], found f32 [4]");
    let error = f
        .call(&[single.clone(), numbers(DType::BF16, &[1.0])])
        .unwrap_err();
    assert_eq!(text(error), "argument 1: expected bf16 [4], found bf16 [1]");
    let error = f.call(std::slice::from_ref(&single)).unwrap_err();
    assert_eq!(text(error), "2 arguments expected, found 1");
    let other = single.clone().with_rules(Numpy::rule_set());
    let error = f.call(&[other, brain.clone()]).unwrap_err();
    assert!(matches!(error, Error::UnexpectedRules { .. }), "{error}");
    let weak = single.try_mul(1.5).unwrap();
    assert!(!weak.is_weak());
    // Nothing is lost: the function works on.
    assert!(f.call(&[single, brain]).is_ok());
}

#[test]
fn values_stay_on_the_device_between_calls() {
    let Some(client) = client() else { return };
    let step = client
        .function((input::<F32, _>([4]), input::<BF16, _>([4])), |(w, g)| {
            w - g
        })
        .unwrap();
    let g: Tensor<BF16, Rank1> = tensor![0.5, 1.0, 1.5, 2.0];
    let on_device: OnDevice<BF16, Rank1> = client.put(&g).unwrap();
    let mut w: OnDevice<F32, Rank1> = client.put(&Tensor::zeros([4])).unwrap();
    for _ in 0..10 {
        w = step.run((&w, &on_device)).unwrap();
    }
    // A tensor beside a value.
    w = step.run((w, &g)).unwrap();
    assert_eq!(w.get().unwrap().to_vec(), [-5.5, -11.0, -16.5, -22.0]);
    assert_eq!(format!("{w:?}"), "OnDevice(f32 [4], device 0)");
    let w: DynOnDevice = w.into_dyn();
    assert!(w.clone().typed::<F16, Rank1, Jax>().is_err());
    assert!(w.clone().typed::<F32, Rank2, Jax>().is_err());
    let w: OnDevice<F32, Rank1> = w.typed().unwrap();
    assert_eq!(
        (w.dtype(), w.shape(), w.devices()),
        (DType::F32, &[4][..], 0..1)
    );
}

#[test]
fn results_are_tuples_vectors_and_nothing() {
    let Some(client) = client() else { return };
    let f = client
        .function(vec![input::<F32, _>([2]); 3], |x| {
            let sums: Vec<_> = x.iter().map(Tensor::sum).collect();
            (sums, x)
        })
        .unwrap();
    let x: Vec<Tensor<F32, Rank1>> = [1.0, 2.0, 3.0].map(|n| Tensor::full([2], n)).into();
    let (sums, same) = f.call(&x).unwrap();
    assert_eq!(
        sums.iter()
            .map(|sum| sum.item().unwrap())
            .collect::<Vec<_>>(),
        [2.0, 4.0, 6.0]
    );
    assert_eq!(same, x);
    let (sums, _) = f.run(x.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!(sums.len(), 3);
    // No arguments, a scalar, an empty tensor.
    let f = client
        .function((), |()| {
            (
                Tensor::<F32, Rank0>::scalar(2.5),
                Tensor::<I8, Rank2>::zeros([0, 3]),
            )
        })
        .unwrap();
    let (scalar, empty) = f.call(()).unwrap();
    assert_eq!((scalar.item().unwrap(), empty.shape()), (2.5, &[0, 3][..]));
}

#[test]
fn weak_results_stay_weak() {
    let Some(client) = client() else { return };
    let f = client.function(input::<U8, _>([2]), |x| &x * 0.5).unwrap();
    let halves: Tensor<Weak<F64>, Rank1> = f.call(&tensor![1, 3]).unwrap();
    assert_eq!(halves.to_vec(), [0.5, 1.5]);
    let f = client
        .function(vec![dyn_input(DType::U8, &[2])], |x| x[0].try_mul(0.5))
        .unwrap();
    let halves = f.call(&[numbers(DType::U8, &[1.0, 3.0])]).unwrap();
    assert!(halves.is_weak());
}

#[test]
fn a_jit_compiles_once_for_each_shape() {
    let Some(client) = client() else { return };
    let f = client
        .jit(|(x, y): (Tensor<F32, Rank1>, Tensor<BF16, Rank1>)| x.try_add(&y))
        .with_capacity(2);
    for size in [3, 4, 3, 4, 3] {
        let y: Tensor<F32, Rank1> = f
            .call((&Tensor::ones([size]), &Tensor::ones([size])))
            .unwrap();
        assert_eq!(y.to_vec(), vec![2.0; size]);
    }
    let counts = |f: &dyn Fn() -> supremum::pjrt::JitStatistics| {
        let all = f();
        (all.compiled, all.reused, all.dropped, all.kept)
    };
    assert_eq!(counts(&|| f.statistics()), (2, 3, 0, 2));
    // 4 was called longest ago.
    f.call((&Tensor::ones([5]), &Tensor::ones([5]))).unwrap();
    f.call((&Tensor::ones([3]), &Tensor::ones([3]))).unwrap();
    assert_eq!(counts(&|| f.statistics()), (3, 4, 1, 2));
    // An error of the traced function keeps nothing.
    let error = f
        .call((&Tensor::ones([5]), &Tensor::ones([6])))
        .unwrap_err();
    assert!(matches!(error, Error::ShapeMismatch { .. }), "{error}");
    assert_eq!(counts(&|| f.statistics()).0, 3);
    // Four threads, one compilation.
    let g = client.jit(|x: Tensor<F32, Rank1>| x.exp());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| g.call(&Tensor::zeros([7])).unwrap());
        }
    });
    assert_eq!(counts(&|| g.statistics()), (1, 3, 0, 1));
}

#[test]
fn threads_share_a_function() {
    let Some(client) = client() else { return };
    let f = client
        .function((input::<BF16, _>([4]), input::<F32, _>([4])), |(x, y)| {
            x + y
        })
        .unwrap();
    let x: Tensor<BF16, Rank1> = Tensor::full([4], bf16::from_f32(0.5));
    std::thread::scope(|scope| {
        for thread in [0.0, 1.0, 2.0, 3.0] {
            let (f, x) = (&f, &x);
            scope.spawn(move || {
                let mine: Tensor<F32, Rank1> = Tensor::full([4], thread);
                for _ in 0..500 {
                    assert_eq!(f.call((x, &mine)).unwrap().to_vec(), [0.5 + thread; 4]);
                }
            });
        }
    });
}

#[test]
#[allow(unsafe_code, reason = "loads machine code")]
fn saved_executables_are_recognised() {
    let Some(client) = client() else { return };
    let trace = |scale: f32| {
        stablehlo::trace(input::<F32, _>([4]), |x: Tensor<F32, Rank1>| {
            x * Tensor::<F32, Rank0>::scalar(scale)
        })
        .unwrap()
    };
    let program = trace(3.0);
    let bytes = client.compile(&program).unwrap().serialize().unwrap();
    // SAFETY: `serialize` made the bytes, here and now.
    let load = |program, bytes: &[u8]| unsafe { client.deserialize(program, bytes) };
    let f = load(&program, &bytes).unwrap();
    assert_eq!(f.call(&Tensor::ones([4])).unwrap().to_vec(), [3.0; 4]);
    let saved = |error: Error| match error {
        Error::Device(DeviceError::Saved { what, .. }) => what,
        other => panic!("{other}"),
    };
    let other = trace(4.0);
    assert_eq!(saved(load(&other, &bytes).unwrap_err()), "the program");
    assert_eq!(saved(load(&program, &bytes[..100]).unwrap_err()), "format");
    assert_eq!(saved(load(&program, b"").unwrap_err()), "format");
    let options = CompileOptions::new().device(1);
    // SAFETY: as above; the options differ, which is seen.
    let other = unsafe { client.deserialize_with(&program, &options, &bytes) };
    assert_eq!(saved(other.unwrap_err()), "the options");
}

#[test]
fn refused_programs_and_flags_are_errors_with_the_plugins_text() {
    let Some(client) = client() else { return };
    let program = stablehlo::trace(input::<F32, _>([4]), |x: Tensor<F32, Rank1>| x).unwrap();
    let options = CompileOptions::new().flag("xla_no_such_flag", true);
    let error = client
        .compile_with(&program, &options)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("PJRT_Client_Compile: INVALID_ARGUMENT")
            && error.contains("xla_no_such_flag"),
        "{error}"
    );
    let error = client
        .compile_with(&program, &CompileOptions::new().device(99))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "no device 99: this process has 8 devices"
    );
    // On another device than the first.
    let f = client
        .compile_with(&program, &CompileOptions::new().device(3))
        .unwrap();
    let y = f.run(Tensor::ones([4])).unwrap();
    assert_eq!(y.devices(), 3..4);
    let error = f.run(client.put(&Tensor::ones([4])).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument 0: expected device 3, found device 0"
    );
    let there = client.put_on(3, &Tensor::ones([4])).unwrap();
    assert_eq!(f.run(&there).unwrap().get().unwrap().to_vec(), [1.0; 4]);
}

#[test]
fn minima_keep_nan() {
    let Some(client) = client() else { return };
    let inputs = (input::<F32, _>([2]), input::<F32, _>([2]));
    let f = client
        .function(inputs, |(x, y)| (x.minimum(&y), x.maximum(&y)))
        .unwrap();
    let (low, high) = f
        .call((&tensor![f32::NAN, 1.0], &tensor![1.0, f32::NAN]))
        .unwrap();
    assert!(low.iter().chain(high.iter()).all(f32::is_nan));
}

#[test]
fn a_traced_tensor_is_no_argument() {
    let Some(client) = client() else { return };
    let f = client.function(input::<F32, _>([2]), |x| x + 1.0).unwrap();
    let nested = stablehlo::trace(input::<F32, _>([2]), |x| f.call(&x));
    assert!(matches!(nested.unwrap_err(), Error::Untraceable { .. }));
    let nested = stablehlo::trace(input::<F32, _>([2]), |x| client.put(&x).map(|_| x));
    assert!(matches!(nested.unwrap_err(), Error::Untraceable { .. }));
}
