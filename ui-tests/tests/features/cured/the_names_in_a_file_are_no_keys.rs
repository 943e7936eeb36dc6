use supremum::{Error, NpzFile};

fn run(path: &str) -> Result<(), Error> {
    let file = NpzFile::read(path)?;
    for name in file.names() {
        println!("{name}");
    }
    Ok(())
}

fn main() {}
