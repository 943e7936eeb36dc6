supremum::assert_refused!(I64, F32);

fn main() {}
