use supremum::{DynTensor, Error, I32, concat, tensor};

fn main() -> Result<(), Error> {
    let [a, b] = [tensor![I32; 1, 2].into_dyn(), tensor![I32; 3, 4].into_dyn()];
    let tensors = vec![a, b];
    let rows = concat(&tensors, 0);
    Ok(())
}
