//! Threads, arrays of other libraries, and a process whose memory is limited.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use supremum::{
    Bool, DType, DynTensor, Error, F16, F32, F64, Rank1, Tensor, fuse, try_concat, try_fuse,
    try_select, try_stack,
};

use super::allocator::{IS_TEST, THREADS, alone, refusing};
use super::attempts::{fails, panics, try_up_to, with_operands};

/// Work that several threads share: none of them ends the process.
#[test]
pub(super) fn threads() {
    let _alone = alone();
    let x = Tensor::<F32>::from_fn([300, 3000], |index| {
        f32::from(u8::try_from(index[1] % 7).unwrap_or(0))
    });
    fails("sums side by side", || {
        x.try_sum_axis(0).map(Tensor::into_dyn)
    });
    try_up_to(usize::MAX, "a sum", &|| x.try_sum().map(Tensor::into_dyn));
    let turned = x.transpose();
    let once = |name: &str, run: &dyn Fn() -> Tensor<F32>| {
        let expected = run();
        for first in 0..6 {
            THREADS.store(true, Ordering::SeqCst);
            let (result, _) = refusing(first, true, || catch_unwind(AssertUnwindSafe(run)));
            THREADS.store(false, Ordering::SeqCst);
            if let Ok(found) = result {
                assert!(found == expected, "{name}");
            }
        }
    };
    once("sums side by side", &|| x.sum_axis(0));
    once("a function", &|| x.exp());
    once("a function in tiles", &|| turned.exp());
    once("fuse!", &|| fuse!((&turned + 1.0).exp()));
}

#[cfg(feature = "dlpack")]
#[test]
fn what_other_libraries_get() {
    with_operands(|x, _, _| {
        panics("into_dlpack_legacy", || {
            let managed = x.clone().into_dlpack_legacy();
            // SAFETY: it is a tensor of this library, and nobody else has it.
            unsafe { Tensor::<F32>::from_dlpack(managed) }
                .expect("ours")
                .into_dyn()
        });
    });
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays_of_ndarray() {
    with_operands(|x, _, _| {
        panics("to_ndarray", || {
            Tensor::<F32>::from_ndarray(x.transpose().to_ndarray())
                .unwrap_or_else(|error| panic!("{error}"))
                .into_dyn()
        });
        let view = x.view_ndarray();
        fails("from a view", || {
            Tensor::<F32>::try_from(view.view()).map(Tensor::into_dyn)
        });
    });
}

/// No operation ends a process whose address space is limited.
#[test]
fn in_a_limited_process() {
    const GIVEN: &str = "SUPREMUM_LIMITED";
    IS_TEST.set(true);
    if std::env::var_os(GIVEN).is_some() {
        return limited();
    }
    if !cfg!(target_os = "linux") {
        return;
    }
    let this = std::env::current_exe().expect("a test has a path");
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 400000 && exec \"$0\" --exact boundaries::in_a_limited_process --nocapture --test-threads 1"])
        .arg(this)
        .env(GIVEN, "")
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("23 operations gave an error"),
        "{}: {text}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

fn limited() {
    const LEN: usize = 1 << 28; // 1 GiB of `f32`
    let one = Tensor::<F32, Rank1>::ones([1]);
    let x = one.broadcast_to([LEN]);
    let column = one.broadcast_to([LEN, 1]);
    let any = x.clone().into_dyn();
    let flags = Tensor::<Bool, Rank1>::ones([1]).broadcast_to([LEN]);
    let a = Tensor::<F64, Rank1>::ones([1 << 21]); // 16 MiB
    let panicking = |run: &dyn Fn() -> DynTensor| {
        std::panic::set_hook(Box::new(|_| {}));
        let payload = catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
            let text = payload
                .downcast_ref::<String>()
                .cloned()
                .unwrap_or_default();
            assert!(text.starts_with("there is no memory for "), "{text}");
            Error::OutOfMemory { bytes: 1 }
        });
        drop(std::panic::take_hook());
        payload
    };
    let operations: [(&str, &dyn Fn() -> Result<DynTensor, Error>); 23] = [
        ("outer sum", &|| {
            a.reshape([1 << 21, 1])
                .try_add(&a.reshape([1, 1 << 21]))
                .map(Tensor::into_dyn)
        }),
        ("add", &|| x.try_add(&x).map(Tensor::into_dyn)),
        ("dynamic add", &|| any.try_add(&any)),
        ("operator", &|| panicking(&|| (&x + &x).into_dyn())),
        ("fuse!", &|| try_fuse!(x * 2.0 + x).map(Tensor::into_dyn)),
        ("cast", &|| panicking(&|| x.cast::<F16>().into_dyn())),
        ("try_cast", &|| any.try_cast(DType::F64)),
        ("reshape", &|| {
            let rows = a.reshape([1 << 21, 1]).broadcast_to([1 << 21, 64]);
            rows.try_reshape([1 << 27]).map(Tensor::into_dyn)
        }),
        ("copy", &|| {
            panicking(&|| {
                let mut copy = x.clone();
                copy.as_mut_slice()[0] = 2.0;
                copy.into_dyn()
            })
        }),
        ("sqrt", &|| any.sqrt()),
        ("concat", &|| try_concat(&[&x, &x], 0).map(Tensor::into_dyn)),
        ("stack", &|| try_stack(&[&x, &x], 0).map(Tensor::into_dyn)),
        ("matmul", &|| {
            let column = one.broadcast_to([1 << 14, 1]);
            column.try_matmul(&column.transpose()).map(Tensor::into_dyn)
        }),
        ("cumsum", &|| x.try_cumsum(0).map(Tensor::into_dyn)),
        ("select", &|| {
            try_select(&flags, &x, 0.0).map(Tensor::into_dyn)
        }),
        ("clamp", &|| x.try_clamp(0.0, 1.0).map(Tensor::into_dyn)),
        ("kept sums", &|| {
            column.try_sum_keepdims(1).map(Tensor::into_dyn)
        }),
        ("sums", &|| column.try_sum_axis(1).map(Tensor::into_dyn)),
        ("argmax", &|| {
            column.try_argmax_axis(1).map(Tensor::into_dyn)
        }),
        ("comparison", &|| {
            x.try_lt(0.5)
                .and_then(|t| t.try_add(&column))
                .map(Tensor::into_dyn)
        }),
        ("arange", &|| {
            DynTensor::arange(DType::F32, 0.0, 268_435_456.0, 1.0)
        }),
        ("zeros", &|| DynTensor::zeros(DType::F64, [LEN])),
        ("to_vec", &|| any.to_vec::<F32>().map(|_| any.clone())),
    ];
    let mut count = 0;
    for (name, operation) in operations {
        match operation() {
            Err(Error::OutOfMemory { bytes }) if bytes > 0 => count += 1,
            Err(error) => panic!("{name}: {error}"),
            Ok(_) => panic!("{name}: there was memory"),
        }
    }
    println!("{count} operations gave an error");
}
