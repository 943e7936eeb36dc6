//! Programs on several devices.

use supremum::pjrt::{Client, ClientOptions};
use supremum::prelude::*;
use supremum::stablehlo::{self, Mesh, input};

use crate::{DEVICES, client, plugin};

type Matrix<D> = Tensor<D, Rank2>;

fn matrices() -> (Matrix<BF16>, Matrix<F16>) {
    let small = |rows: usize, columns: usize| {
        let numbers = Tensor::<F32, Rank1>::ones([rows * columns]).cumsum(0) * 7.0 % 11.0;
        ((numbers - 5.0) / 4.0).reshape([rows, columns])
    };
    let (x, w): (Matrix<F32>, Matrix<F32>) = (small(16, 32), small(32, 8));
    (x.cast(), w.cast())
}

#[test]
fn eight_devices_compute_what_one_does() {
    let Some(client) = client() else { return };
    assert_eq!(client.devices().len(), DEVICES);
    let inputs = (input::<BF16, _>([16, 32]), input::<F16, _>([32, 8]));
    let layer = |(x, w): (Matrix<BF16>, Matrix<F16>)| (x.matmul(&w), x.sum_axis(0));
    let program = stablehlo::trace(inputs, layer).unwrap();
    let (x, w) = matrices();
    let expected = layer((x.clone(), w.clone()));
    let mesh = Mesh::new([("data", 4), ("model", 2)]).unwrap();
    let (data, model) = (Some("data"), Some("model"));
    let ways: [([&[Option<&str>]; 2], [&[Option<&str>]; 2]); 3] = [
        ([&[data, None], &[None, None]], [&[data, None], &[None]]),
        ([&[data, model], &[model, None]], [&[data, None], &[model]]),
        ([&[model, data], &[data, model]], [&[None, model], &[data]]),
    ];
    for (inputs, outputs) in ways {
        let f = client.sharded(&program, &mesh, &inputs, &outputs).unwrap();
        assert_eq!(f.call((&x, &w)).unwrap(), expected);

        // Parts in, parts out.
        let parts = client.put_sharded(&x, &mesh, inputs[0]).unwrap();
        assert_eq!(parts.devices(), 0..8);
        assert_eq!(parts.get().unwrap(), x);
        let (y, _) = f.run((&parts, &w)).unwrap();
        assert_eq!((y.devices(), y.get().unwrap()), (0..8, expected.0.clone()));
        // Split in another way, or not at all.
        let whole = client.put(&x).unwrap();
        let error = f.run((&whole, &w)).unwrap_err().to_string();
        assert!(error.ends_with("found device 0"), "{error}");
        let other = client.put_sharded(&x, &mesh, &[None, None]).unwrap();
        let error = f.run((other, &w)).unwrap_err().to_string();
        assert!(
            error.ends_with("found a mesh of [4, 2] devices, split nowhere"),
            "{error}"
        );
    }
}

#[test]
fn parts_are_donated() {
    let Some(client) = client() else { return };
    let program = stablehlo::trace(input::<F32, _>([8, 20_000]), |x: Matrix<F32>| x * 2.0);
    let program = program.unwrap().donate(&[0]).unwrap();
    let mesh = Mesh::new([("data", 8)]).unwrap();
    let split: &[Option<&str>] = &[Some("data"), None];
    let f = client.sharded(&program, &mesh, &[split], &[split]).unwrap();
    let x = Matrix::<F32>::ones([8, 20_000]);
    let mut state = client.put_sharded(&x, &mesh, split).unwrap();
    for _ in 0..3 {
        state = f.run(state).unwrap();
    }
    assert_eq!(state.get().unwrap(), Matrix::<F32>::full([8, 20_000], 8.0));
    assert_eq!(
        x,
        Matrix::<F32>::ones([8, 20_000]),
        "shared, so copied by the first call"
    );
    // A result that is split otherwise cannot take the memory.
    let error = program
        .shard(&mesh, &[split], &[&[None, Some("data")]])
        .unwrap_err();
    assert!(
        matches!(error, Error::NotDonatable { number: 0, .. }),
        "{error}"
    );
}

#[test]
fn a_mesh_is_no_larger_than_the_client() {
    let Some(plugin) = plugin() else { return };
    let options = ClientOptions::new().integer("cpu_device_count", 2);
    let client = Client::new(plugin, options).unwrap();
    let program = stablehlo::trace(input::<F32, _>([8]), |x: Tensor<F32, Rank1>| x).unwrap();
    let mesh = Mesh::new([("data", 8)]).unwrap();
    let split: &[Option<&str>] = &[Some("data")];
    let error = client
        .sharded(&program, &mesh, &[split], &[split])
        .unwrap_err();
    assert_eq!(error.to_string(), "no device 7: this process has 2 devices");
    let error = client
        .put_sharded(&Tensor::<F32, Rank1>::ones([8]), &mesh, split)
        .unwrap_err();
    assert_eq!(error.to_string(), "no device 7: this process has 2 devices");
    let error = client
        .put_on(2, &Tensor::<F32, Rank1>::ones([8]))
        .unwrap_err();
    assert_eq!(error.to_string(), "no device 2: this process has 2 devices");

    // Values of one client are not those of another.
    let f = client.function(input::<F32, _>([8]), |x| x + 1.0).unwrap();
    let other = Client::new(plugin, ClientOptions::new()).unwrap();
    let error = f.run(other.put(&Tensor::ones([8])).unwrap()).unwrap_err();
    assert!(
        error.to_string().ends_with("found one of another client"),
        "{error}"
    );
}
