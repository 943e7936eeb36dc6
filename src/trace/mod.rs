//! Traces: the current trace of a thread, the graph that it records, and the lowering of operations to StableHLO.
//!
//! `exec/` calls the functions of [`record`] in place of kernels if an operand stands for a value of a trace. The public
//! module `stablehlo` begins traces and prints their graphs.

mod constants;
mod current;
pub(crate) mod graph;
mod lowering;
pub(crate) mod record;

pub(crate) use current::{
    abort_trace, array, belongs, is_tracing, or_abort_trace, reads, record_function, stray,
    with_graph,
};
