//! The command `supremum`: shows how the promotion systems of the library promote operands.

mod answer;
mod args;
mod commands;
mod hasse;
mod json;
mod names;
mod operations;
mod order;
mod page;
mod relation;
mod spelling;
mod witness;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::args::Arguments;
use crate::page::{Failure, Page};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match commands::run(arguments) {
        Ok(page) => print(&page),
        Err(Failure(message)) => {
            // A closed standard error leaves nobody to tell.
            let _ = writeln!(anstream::stderr(), "error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Prints a page, without colours where the terminal or `NO_COLOR` asks for none. A reader that stops early, as `head` does,
/// is not an error.
fn print(page: &Page) -> ExitCode {
    let mut out = anstream::stdout();
    let written = out
        .write_all(page.text.as_bytes())
        .and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(
                anstream::stderr(),
                "error: cannot write the output: {error}"
            );
            ExitCode::from(2)
        }
        _ if page.differs => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}
