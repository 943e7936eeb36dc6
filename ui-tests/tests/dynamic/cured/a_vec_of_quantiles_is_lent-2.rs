use supremum::{DType, DynTensor, QuantileMethod};

fn main() {
    let data = DynTensor::full(DType::F32, [4], 0.5).expect("four elements");
    let list = vec![0.25, 0.75];
    let quartiles = data.quantile(&list, QuantileMethod::Linear);
}
