//! Who owns memory: sharing in and out, copies on write, donation, ends.

use supremum::pjrt::{Client, ClientOptions};
use supremum::prelude::*;
use supremum::stablehlo::{self, input};

use crate::{client, plugin};

/// More elements than are copied in place of being shared.
const LARGE: usize = 100_000;

fn counted() -> Tensor<F32, Rank1> {
    let numbers = Tensor::<F32, Rank1>::ones([LARGE]).cumsum(0) - 1.0;
    numbers.try_reshape([LARGE]).unwrap()
}

fn address<D: StaticDType>(t: &Tensor<D, Rank1>) -> usize {
    t.as_slice().unwrap().as_ptr().addr()
}

#[test]
fn a_value_shares_the_tensor_and_the_tensor_copies_on_write() {
    let Some(client) = client() else { return };
    let mut x = counted();
    let before = address(&x);
    let value = client.put(&x).unwrap();
    x.as_mut_slice()[0] = -1.0;
    assert_ne!(address(&x), before, "the plugin has the memory");
    assert_eq!(value.get().unwrap().get(&[0]), Some(0.0));
    assert_eq!(address(&value.get().unwrap()), before, "shared in and out");
    // A view from another address than the plugin takes in place.
    let view = counted().slice(0, 1..);
    assert_eq!(client.put(&view).unwrap().get().unwrap(), view);
    let reversed = counted().flip(0);
    assert_eq!(client.put(&reversed).unwrap().get().unwrap(), reversed);
}

#[test]
fn memory_comes_back_when_the_value_ends() {
    let Some(client) = client() else { return };
    // The plugin may drop it on a thread of its own, some time later.
    let comes_back = (0..20).any(|attempt| {
        let mut x = counted();
        let before = address(&x);
        drop(client.put(&x).unwrap());
        std::thread::sleep(std::time::Duration::from_millis(10 * attempt));
        x.as_mut_slice()[0] = 1.0; // copies if there is another owner
        address(&x) == before
    });
    assert!(comes_back, "the plugin keeps the memory");
}

#[test]
fn results_outlive_function_and_client() {
    let Some(plugin) = plugin() else { return };
    let y = {
        let client = Client::new(plugin, ClientOptions::new()).unwrap();
        let f = client
            .function(input::<F32, _>([LARGE]), |x| x + 1.0)
            .unwrap();
        f.call(&counted()).unwrap()
    };
    assert_eq!(
        (y.get(&[0]), y.get(&[LARGE - 1])),
        (Some(1.0), Some(100_000.0))
    );
}

#[test]
fn a_donated_value_gives_its_memory_to_the_result() {
    let Some(client) = client() else { return };
    let program = stablehlo::trace(
        (input::<F32, _>([LARGE]), input::<BF16, _>([LARGE])),
        |(w, g)| w - g,
    );
    let f = client
        .compile(&program.unwrap().donate(&[0]).unwrap())
        .unwrap();
    let g = Tensor::<BF16, Rank1>::ones([LARGE]);
    // Moved in: the memory of the host's tensor becomes the result's, step by step.
    let w = counted();
    let at = address(&w);
    let mut state = f.run((w, &g)).unwrap();
    for _ in 0..3 {
        state = f.run((state, &g)).unwrap();
    }
    let result = state.get().unwrap();
    assert_eq!(result.get(&[10]), Some(6.0));
    assert_eq!(address(&result), at, "no new memory");

    // The tensor `result` has the memory now, so it is not overwritten.
    let next = f.run((state, &g)).unwrap();
    assert_eq!(next.get().unwrap().get(&[10]), Some(5.0));
    assert_eq!(result.get(&[10]), Some(6.0));

    // Lent, not moved: both stay. A clone is another owner too.
    let w = client.put_owned(counted()).unwrap();
    let y = f.run((&w, &g)).unwrap();
    assert_eq!(
        (y.get().unwrap().get(&[10]), w.get().unwrap().get(&[10])),
        (Some(9.0), Some(10.0))
    );
    let clone = w.clone();
    let y = f.run((w, &g)).unwrap();
    assert_eq!(
        (y.get().unwrap().get(&[10]), clone.get().unwrap().get(&[10])),
        (Some(9.0), Some(10.0))
    );
}

#[test]
fn a_call_that_fails_leaves_what_it_was_lent() {
    let Some(client) = client() else { return };
    let inputs = (input::<F32, _>([LARGE]), input::<BF16, _>([LARGE]));
    let program = stablehlo::trace(inputs, |(w, g)| w - g).unwrap();
    let f = client.compile(&program.donate(&[0]).unwrap()).unwrap();
    let g = Tensor::<BF16, Rank1>::ones([LARGE]);
    let short = Tensor::<BF16, Rank1>::ones([LARGE - 1]);
    let w = counted();
    let at = address(&w);
    let mut state = Some(client.put_owned(w).unwrap());

    f.run((&mut state, &short)).unwrap_err();
    let kept = state.as_ref().map(|state| state.get().unwrap());
    assert_eq!(kept.unwrap().get(&[10]), Some(10.0));

    let next = f.run((&mut state, &g)).unwrap();
    assert!(state.is_none());
    let next = next.get().unwrap();
    assert_eq!((next.get(&[10]), address(&next)), (Some(9.0), at));

    let given_up = "argument 0 was given up to an earlier call";
    let error = f.run((&mut state, &g)).unwrap_err();
    assert_eq!(error.to_string(), given_up);

    // The same by functions that compile themselves, of tensors whose dtypes are known at run time.
    let jit = client.jit(|(w, g): (DynTensor, DynTensor)| w.try_add(&g));
    let g = DynTensor::from(g);
    let mut state = Some(client.put(&counted()).unwrap().into_dyn());
    jit.run((&mut state, &DynTensor::from(short))).unwrap_err();
    let sum = jit.run((&mut state, &g)).unwrap().get().unwrap();
    assert!(state.is_none());
    assert_eq!((sum.dtype(), sum.shape()), (DType::F32, &[LARGE][..]));
    let error = jit.run((&mut state, &g)).unwrap_err();
    assert_eq!(error.to_string(), given_up);
}

#[test]
fn shared_tensors_are_never_overwritten() {
    let Some(client) = client() else { return };
    let program = stablehlo::trace(input::<F32, _>([LARGE]), |w| w * 2.0);
    let f = client
        .compile(&program.unwrap().donate(&[0]).unwrap())
        .unwrap();
    let w = counted();
    // `put` shares the tensor's memory, which `w` has too.
    let y = f.run(client.put(&w).unwrap()).unwrap();
    assert_eq!(
        (y.get().unwrap().get(&[10]), w.get(&[10])),
        (Some(20.0), Some(10.0))
    );
    // `put_owned` of a tensor that has another owner.
    let y = f.run(client.put_owned(w.clone()).unwrap()).unwrap();
    assert_eq!(
        (y.get().unwrap().get(&[10]), w.get(&[10])),
        (Some(20.0), Some(10.0))
    );
    let y = f.run(w.clone()).unwrap();
    assert_eq!(
        (y.get().unwrap().get(&[10]), w.get(&[10])),
        (Some(20.0), Some(10.0))
    );
    assert_eq!(f.call(&w).unwrap().get(&[10]), Some(20.0));
    assert_eq!(w.get(&[10]), Some(10.0));
}

#[test]
fn a_program_without_donation_leaves_what_is_moved_in() {
    let Some(client) = client() else { return };
    let f = client
        .function(input::<F32, _>([LARGE]), |w| w * 2.0)
        .unwrap();
    let value = client.put(&counted()).unwrap();
    let clone = value.clone();
    assert_eq!(f.run(value).unwrap().get().unwrap().get(&[3]), Some(6.0));
    assert_eq!(clone.get().unwrap().get(&[3]), Some(3.0));
}

/// The error of a computation that the device has no memory for.
#[test]
fn without_memory_there_is_an_error() {
    let Some(client) = client() else { return };
    // 4 TiB, more than a process can have here.
    let side = 1 << 20;
    let f = client.function(
        (input::<F32, _>([side]), input::<F32, _>([side])),
        |(x, y)| {
            let x = x.reshape([side, 1]);
            x * y
        },
    );
    let result = f.and_then(|f| f.call((&Tensor::ones([side]), &Tensor::ones([side]))));
    let error = result.map(|y| y.len()).unwrap_err().to_string();
    assert!(
        error.contains("RESOURCE_EXHAUSTED") || error.contains("memory"),
        "{error}"
    );
}
