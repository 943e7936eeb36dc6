//! A model as a record: writes it to a file, maps the file without a copy, and refuses the file for another model.
//!
//! ```sh
//! cargo run --example model_files
//! ```
#![allow(unsafe_code, reason = "mapping a file is")]

use supremum::SafeTensorsFile;
supremum::prelude!();

/// The tensors that the file must contain, with their dtypes and sizes.
#[derive(LoadTensors)]
struct Mlp {
    #[tensor("fc1")]
    hidden: Dense<BF16>,
    #[tensor("fc2")]
    scores: Dense<F16>,
}

/// One layer: its weights are `W`, and its biases `f32`.
#[derive(LoadTensors)]
struct Dense<W> {
    weight: Tensor<W, Rank2>,
    bias: Option<Tensor<F32, Rank1>>,
}

/// A network of another shape. Every difference is one line of the error.
#[derive(LoadTensors)]
struct Other {
    #[tensor("fc1.weight", shape = [3, 2])]
    _hidden: Tensor<F32, Rank2>,
    #[tensor("fc3.weight")]
    _scores: Tensor<F16, Rank2>,
}

impl Mlp {
    /// bf16 and f16 promote to f32; the compiler checks it.
    fn forward(&self, x: &Tensor<BF16, Rank2>) -> Result<Tensor<F32, Rank2>, Error> {
        let hidden: Tensor<BF16, Rank2> = x.try_matmul(&self.hidden.weight)?;
        let hidden: Tensor<F32, Rank2> = match &self.hidden.bias {
            Some(bias) => hidden.try_add(bias)?.maximum(0.0),
            None => hidden.widen::<F32>().maximum(0.0),
        };
        hidden.try_matmul(&self.scores.weight)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("model.safetensors");

    let w1: Tensor<BF16, Rank2> = tensor![[1.0, -1.0, 0.5], [0.25, 2.0, -0.5]];
    let b1: Tensor<F32, Rank1> = tensor![0.5, 0.0, -0.5];
    let w2: Tensor<F16, Rank2> = tensor![[1.0], [2.0], [3.0]];
    let tensors: [(&str, &dyn supremum::AnyTensor); 3] =
        [("fc1.weight", &w1), ("fc1.bias", &b1), ("fc2.weight", &w2)];
    SafeTensorsFile::write(&path, &tensors)?;

    // SAFETY: the folder is a fresh temporary one that only this program uses, and the program does not change the
    // file.
    let file = unsafe { SafeTensorsFile::map(&path)? };
    let model = Mlp::load_from(&file)?;
    assert!(model.scores.bias.is_none());
    let scores = model.forward(&tensor![[1.0, 2.0]])?;
    println!("scores: {scores}");

    match Other::load_from(&file) {
        Ok(_) => return Err("another model was accepted".into()),
        Err(error) => println!("\n{error}"),
    }
    Ok(())
}
