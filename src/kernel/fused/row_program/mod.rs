//! Row programs: the loops of several passes, recorded once and run for a few rows at a time.
//!
//! An expression with reductions along its last axes is evaluated in passes (`macros/src/fuse/passes.rs`). Each pass prepares its loop:
//! it checks shapes, decides on the order of elements, and allocates its value. That takes half a microsecond, so the passes are
//! evaluated for many rows at a time, and while one pass computes, memory is idle. A row program prepares them once:
//!
//! ```text
//! x - x.mean_keepdims(-1)
//!
//! first rows:   each pass is evaluated, and its loop recorded with the inputs that it reads      RowProgram
//! then:         where each input lies for a row: in an operand, or in scratch memory             RowPlan
//! other rows:   for a few rows:    x -> means in scratch    x from the cache, means -> result to memory
//! ```
//!
//! A few rows and the values of all passes stay in the L1 and L2 caches, and the processor reads the next rows from memory while it computes
//! these. A normalisation of 16 million `f32` takes 0.75 of the time of blocks of 64 rows
//! (`docs/decisions/row-programs.md`).
//!
//! All rows have one length, the product of the last axes. Each input of a loop is a matrix of such rows: it advances along a row or repeats an
//! element there, and has one distance between rows. Expressions with other operands have no plan.
//!
//! `record` takes the loops, `plan` finds the places of their inputs, and `run` runs them.

mod plan;
mod record;
mod run;

pub use record::RowOperand;
pub(crate) use record::RowProgram;
pub(crate) use run::RowPlan;
