use supremum::DynTensor;

fn run(x: DynTensor) {
    let _ = &x + 1.5;
    let _ = x.try_add(2);
}

fn main() {}
