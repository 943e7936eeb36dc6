use supremum::einsum;

fn main() {
    let product = einsum!("ij,jk->ik");
}
