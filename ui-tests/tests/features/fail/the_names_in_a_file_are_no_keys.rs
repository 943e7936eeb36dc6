//! The names of tensors in a file have another method than in Python.
use supremum::{Error, NpzFile};

fn run(path: &str) -> Result<(), Error> {
    let file = NpzFile::read(path)?;
    for name in file.keys() {
        println!("{name}");
    }
    Ok(())
}

fn main() {}
