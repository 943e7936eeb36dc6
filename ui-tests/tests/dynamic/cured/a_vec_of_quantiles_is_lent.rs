// A list of quantiles is an array, or a reference to a slice or a `Vec`.
use supremum::{DType, DynTensor, QuantileMethod};

fn main() {
    let data = DynTensor::full(DType::F32, [4], 0.5).expect("four elements");
    let quartiles = data.quantile([0.25, 0.75], QuantileMethod::Linear);
}
