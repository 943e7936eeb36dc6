use supremum::{FitsLiteral, literal};

fn holds<D: FitsLiteral<literal!(255_u8)>>() {}

fn main() {}
