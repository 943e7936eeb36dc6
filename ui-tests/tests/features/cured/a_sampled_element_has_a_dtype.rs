use supremum::Sampled;

fn noise<E: Sampled>(elements: &[E]) {}

fn noise_of<E: Sampled>(elements: &[E]) {
    noise(elements);
}

fn main() {
    noise::<i64>(&[1, 2]);
}
