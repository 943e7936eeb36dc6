use supremum::DynTensor;

fn run(x: DynTensor, n: usize) {
    let _ = &x + n as i64;
    let _ = x.try_add(1);
}

fn main() {}
