//! The commands, a file for each: arguments to a page.

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
    }
}
