//! Generic code samples elements of dtypes. No dtype has elements of `usize`.
use supremum::Sampled;

fn noise<E: Sampled>(elements: &[E]) {}

fn noise_of<E: Clone>(elements: &[E]) {
    noise(elements);
}

fn main() {
    noise::<usize>(&[1, 2]);
}
