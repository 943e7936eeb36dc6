supremum::prelude!();

fn limit(x: &mut Tensor<F32, Rank1>, top: &Tensor<F64, Rank0>) -> [Tensor<Bool, Rank1>; 4] {
    let masks = [x.gt(0), x.ge(top), x.lt(1.5), x.le(-3.0)];
    *x = select(&masks[1], 1.0, &*x);
    masks
}

fn generic<D, N, R>(x: &mut Tensor<D, N, R>) -> usize
where
    D: Floating<R, N>,
    N: Rank,
    R: Rules,
{
    let positive = x.gt(0);
    positive.len() + x.lt(0).len()
}

fn main() {
    let mut x: Tensor<F32, Rank1> = tensor![1.0, -3.0];
    let top: Tensor<F64, Rank0> = Tensor::scalar(1.0);
    let [gt, ge, lt, le] = limit(&mut x, &top);
    assert_eq!(gt.to_vec(), [true, false]);
    assert_eq!(ge.to_vec(), [true, false]);
    assert_eq!(lt.to_vec(), [true, true]);
    assert_eq!(le.to_vec(), [false, true]);
    assert_eq!(generic(&mut x), 4);

    // Of other types, these are the methods of Rust.
    assert!("a".lt("b") && 1.5.gt(&0.5));
    let mut layers = [x.clone(), x];
    for layer in layers.iter_mut() {
        assert_eq!(layer.equal(1).to_vec(), layer.ge(1).to_vec());
        *layer += 1;
    }
    let positive = layers.iter().filter(|layer| (*layer).gt(0).any().item().unwrap());
    assert_eq!(positive.count(), 2);
}
