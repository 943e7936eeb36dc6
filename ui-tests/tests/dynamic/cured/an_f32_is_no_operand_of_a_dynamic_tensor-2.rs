use supremum::DynTensor;

fn run(x: DynTensor) {
    let _ = &x + f64::from(1.5_f32);
    let _ = x.try_add(1);
}

fn main() {}
