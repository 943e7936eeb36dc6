use supremum::{DynTensor, Error, I32, stack, tensor};

fn main() -> Result<(), Error> {
    let [a, b] = [tensor![I32; 1, 2].into_dyn(), tensor![I32; 3, 4].into_dyn()];
    let rows = stack([&a, &b], 0);
    Ok(())
}
