use supremum::Tensor;

struct Linear {
    weight: Tensor,
}

fn main() {}
