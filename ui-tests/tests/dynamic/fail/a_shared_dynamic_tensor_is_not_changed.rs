//! A dynamic tensor behind `&` is not changed in place.

use supremum::DynTensor;

fn shift(d: &DynTensor) {
    d += 1.0;
}

fn main() {}
