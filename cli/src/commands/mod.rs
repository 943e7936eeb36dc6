//! The commands, a file for each: arguments to a page.

mod chain;
mod check;
mod completions;
mod diff;
mod explain;
mod lattice;
mod laws;
mod rules;
mod site;
mod table;

use crate::args::{Arguments, Command};
use crate::page::{Failure, Page};

/// Runs a command.
pub(crate) fn run(arguments: Arguments) -> Result<Page, Failure> {
    match arguments.command {
        Command::Rules => Ok(rules::run().into()),
        Command::Site(arguments) => site::run(&arguments).map(Page::from),
        Command::Table(arguments) => table::run(&arguments).map(Page::from),
        Command::Explain(arguments) => explain::run(&arguments).map(Page::from),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Laws(arguments) => laws::run(&arguments).map(Page::from),
        Command::Chain(arguments) => chain::run(&arguments).map(Page::from),
        Command::Lattice(arguments) => lattice::run(&arguments).map(Page::from),
        Command::Check(arguments) => check::run(&arguments),
        Command::Completions(arguments) => Ok(completions::run(&arguments).into()),
    }
}
