//! The arguments of the command.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use supremum::Class;

/// What JAX, PyTorch, NumPy and other systems make of operands of two dtypes, and which values are lost.
#[derive(Debug, Parser)]
#[command(
    name = "supremum",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
#[command(after_help = "\
Examples:
  supremum table jax --only integer,float
  supremum table torch --op divide --class zero-dim --format markdown
  supremum rules

Exit codes: 0; 1 if `check` finds faults or `diff` differences; 2 for bad input.
NO_COLOR=1 turns colours off; they are off in pipes and files.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the rule sets, with the version that they follow and its source
    Rules,
    /// Show what a rule set makes of every pair of operands
    Table(Table),
    /// Write the explorer: all tables as a page that needs no server
    Site(Site),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  supremum site --out explore    # then open explore/index.html in a browser")]
pub(crate) struct Site {
    /// The folder to write to; files of the same names are replaced
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  supremum table jax
  supremum table torch --op / --only integer,f16,bf16
  supremum table numpy --class weak --format csv
  supremum table --format json > tables.json    # every system; docs/explorer-json.md describes it

Operations are named by a member of their group: + - * / // ** & << == < minimum where matmul atan2,
and of one operand sqrt abs sum cumsum mean var min argmin any, among others.")]
pub(crate) struct Table {
    /// The rule set, as `supremum rules` lists it; with `--format json` all of them if left out
    #[arg(required_unless_present = "format")]
    pub(crate) rules: Option<String>,
    /// The operation; without it the promotion alone
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) op: Option<String>,
    /// The class of the operands on the right; those on the left are dimensioned. For JSON, the classes of both
    #[arg(long)]
    pub(crate) class: Option<ClassName>,
    /// Dtypes and kinds to show: `u8,bf16,integer`
    #[arg(long)]
    pub(crate) only: Option<String>,
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Markdown,
    Csv,
    Json,
}

/// A class of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassName {
    /// Tensors of rank one or more
    Dimensioned,
    /// Tensors of rank zero
    ZeroDim,
    /// Literals, and results that only literals decided
    Weak,
}

impl From<ClassName> for Class {
    fn from(name: ClassName) -> Self {
        match name {
            ClassName::Dimensioned => Self::Dimensioned,
            ClassName::ZeroDim => Self::ZeroDim,
            ClassName::Weak => Self::Weak,
        }
    }
}
