use supremum::{C64, Rank1, Tensor};

fn main() {
    let z = Tensor::<C64, Rank1>::ones([2]);
    let _ = z.real().erf();
}
