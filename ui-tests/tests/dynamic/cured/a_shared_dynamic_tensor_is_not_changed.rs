use supremum::DynTensor;

fn shift(d: &DynTensor) {
    let y = d + 1.0;
}

fn main() {}
