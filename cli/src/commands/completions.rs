//! `supremum completions`: a script that completes the command in a shell.

use clap::CommandFactory;

use crate::args::{Arguments, Completions};

/// Writes the script.
pub(crate) fn run(arguments: &Completions) -> String {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "supremum", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
