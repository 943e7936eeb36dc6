mod imports {
    supremum::prelude!();
    use std::error::Error;
    use std::rc::Weak;
    use supremum::{LoadTensors, PadMode, Rules, einsum, promotion_rules, s, tensor};

    promotion_rules! {
        pub(super) struct Mine = "mine";
        like Jax;
    }

    #[derive(LoadTensors)]
    pub(super) struct Layer<R: Rules> {
        pub(super) weight: Tensor<F32, Rank2, R>,
    }

    promotion_rules! {
        pub(super) struct Others = "others";
        like Numpy;
    }

    pub(super) fn product<R>(layer: &Layer<R>) -> Result<Tensor<F32, Rank1, R>, Box<dyn Error>>
    where
        R: Rules,
        F32: Floating<R, Rank2>,
    {
        let none: Weak<i32> = Weak::new();
        assert!(none.upgrade().is_none());
        let one: Tensor<F32, Rank2, R> = tensor![[1.0]];
        let padded = one.pad_with([[0, 1], [0, 0]], PadMode::Edge);
        let first = layer.weight.slice_axes(s![.., ..2]);
        Ok(einsum!("ij,jk->i", first, padded))
    }
}

/// Names of a program's own take precedence too, and without imports the same names are there.
mod definitions {
    supremum::prelude!();

    promotion_rules! {
        struct Mine = "mine";
        like Jax;
    }

    #[derive(Debug)]
    pub(super) struct Error;

    fn stack(of: &Tensor<F32, Rank1, Mine>) -> Result<usize, Error> {
        (of.len() > 1).then_some(of.len()).ok_or(Error)
    }

    pub(super) fn count() -> Result<usize, Error> {
        let one: Tensor<F32, Rank1, Mine> = tensor![1.0];
        stack(&one.pad_with([[0, 1]], PadMode::Edge))
    }
}

mod both_globs {
    supremum::prelude!();
    use super::imports::*;

    pub(super) fn layer() -> Layer<Others> {
        Layer { weight: Tensor::ones([2, 2]) }
    }
}

fn main() {
    let layer = both_globs::layer();
    assert_eq!(imports::product(&layer).expect("a product").to_vec(), [2.0, 2.0]);
    assert_eq!(definitions::count().expect("a count"), 2);
}
