//! The arguments of the command.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use supremum::Class;

/// Answers which dtype JAX, PyTorch, NumPy and other systems give for operands of two dtypes, and which values are lost.
#[derive(Debug, Parser)]
#[command(
    name = "supremum",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
#[command(after_help = "\
Examples:
  supremum explain torch u8 bf16
  supremum table jax --only integer,float
  supremum diff jax torch --op /
  supremum chain numpy i8 u16 f16

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
    /// Show what a rule set promotes every pair of operands to
    Table(Table),
    /// Explain one promotion: its result, what it loses, and how to get the result on purpose
    Explain(Explain),
    /// Compare two rule sets
    Diff(Diff),
    /// Check whether a rule set is commutative, idempotent and associative
    Laws(Laws),
    /// Promote several operands in every order
    Chain(Chain),
    /// Show which operands promote to which, as the Hasse diagram of a rule set that is a lattice
    Lattice(Lattice),
    /// Check a file with rule sets in the syntax of `promotion_rules!`
    Check(Check),
    /// Write the explorer: all tables as a page that needs no server
    Site(Site),
    /// Print completions for a shell
    Completions(Completions),
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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  supremum explain torch u8 bf16
  supremum explain jax i64 / f32
  supremum explain numpy u8 + 2.5
  supremum explain torch f32 + f64:zero-dim
  supremum explain jax sum i8
  supremum explain numpy i8 u16 f16

An operand is a dtype (f32), a tensor of rank zero (f32:zero-dim), a weak dtype (f32:weak or f32*),
or a literal (2, 2.5, 1j, true). Put * and < in quotes.")]
pub(crate) struct Explain {
    /// The rule set, as `supremum rules` lists it
    pub(crate) rules: String,
    /// Operands, and the operation before, between or after them
    #[arg(required = true, allow_negative_numbers = true)]
    pub(crate) terms: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  supremum diff jax torch --only u8,i64,f16,f32
  supremum diff numpy jax --op /
  supremum diff jax jax-x32 --op sum

Exit code 1 if they differ.")]
pub(crate) struct Diff {
    /// The first rule set
    pub(crate) this: String,
    /// The second rule set
    pub(crate) other: String,
    /// The operation; without it the promotion alone
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) op: Option<String>,
    /// Dtypes and kinds to compare: `u8,bf16,integer`
    #[arg(long)]
    pub(crate) only: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  supremum laws torch")]
pub(crate) struct Laws {
    /// The rule set
    pub(crate) rules: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  supremum chain numpy i8 u16 f16
  supremum chain torch bool u16 f32 --op +")]
pub(crate) struct Chain {
    /// The rule set
    pub(crate) rules: String,
    /// Two to six operands, as for `explain`
    #[arg(required = true, num_args = 2..)]
    pub(crate) operands: Vec<String>,
    /// The operation between them; without it the promotion alone
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) op: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  supremum lattice jax --svg jax.svg")]
pub(crate) struct Lattice {
    /// The rule set
    pub(crate) rules: String,
    /// Write the diagram to this file too
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  supremum check mine.rules

The file has what stands between the braces of `promotion_rules! { .. }`, or is Rust source with such calls.
Each fault has its line and column. Exit code 1 if there are faults.")]
pub(crate) struct Check {
    /// The file; `-` for the standard input
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  supremum completions bash > ~/.local/share/bash-completion/completions/supremum"
)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  supremum site --out explore    # then open explore/index.html in a browser")]
pub(crate) struct Site {
    /// The folder to write to; files of the same names are replaced
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}
