//! `&&` joins two `bool`s.
use supremum::prelude::*;

fn main() {
    let age: Tensor<I32, Rank1> = tensor![12, 30, 70];
    let working = age.ge(18) && age.lt(65);
    assert_eq!(working.sum().item(), Ok(1));
}
