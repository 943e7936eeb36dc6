use supremum::{F32, Rank2, Tensor};

/// As the crate `ndarray` has it.
mod ndarray {
    pub(crate) struct SliceInfo;

    macro_rules! s {
        ($($range:expr),*) => {{
            let ranges = ($($range,)*);
            $crate::ndarray::SliceInfo
        }};
    }
    pub(crate) use s;
}

fn main() {
    let x = Tensor::<F32, Rank2>::zeros([3, 4]);
    let right = x.slice_axes(ndarray::s![.., 1..]);
}
