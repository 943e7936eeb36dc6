use supremum::{FitsLiteral, literal};

fn holds<D: FitsLiteral<literal!(255)>>() {}

fn main() {}
