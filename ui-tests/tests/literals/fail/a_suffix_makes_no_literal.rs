use supremum::{Holds, literal};

fn holds<D: Holds<literal!(255_u8)>>() {}

fn main() {}
