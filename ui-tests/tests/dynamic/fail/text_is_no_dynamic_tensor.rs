//! A dynamic tensor is made from a typed one.
use supremum::DynTensor;

fn main() {
    let a = DynTensor::from("1, 2");
}
