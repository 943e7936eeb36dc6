//! Typed functions as programs of XLA: what outgrows one machine is traced and printed as StableHLO.
//!
//! [`trace`] runs a function on tensors that have a dtype, a rank and a shape but no elements, and records what it does.
//! The function is the one that runs here: operators, methods, [`fuse!`](crate::fuse), reductions, products and views
//! all work, and the dtypes are those that `cargo check` proved. Every promotion is a `convert` in the program, and
//! every literal a constant of the dtype in which it lands.
//!
//! ```
//! use supremum::prelude::*;
//! use supremum::stablehlo::{self, input};
//! fn layer(
//!     (x, w, b): (Tensor<BF16, Rank2>, Tensor<BF16, Rank2>, Tensor<F16, Rank1>),
//! ) -> Result<Tensor<F32, Rank2>, Error> {
//!     Ok(x.try_matmul(&w)?.try_add(&b)?.maximum(0.0))
//! }
//! let inputs = (input::<BF16, _>([16, 64]), input::<BF16, _>([64, 10]), input::<F16, _>([10]));
//! let program = stablehlo::trace(inputs, layer)?;
//! assert_eq!(program.outputs()[0].to_string(), "f32 [16, 10]");
//! assert!(program.to_string().contains("stablehlo.dot_general"));
//! # Ok::<(), Error>(())
//! ```
//!
//! Tensors that have elements (weights that a closure holds, literals, [`Tensor::zeros`](crate::Tensor::zeros)) become
//! constants of the program, bit for bit. What needs elements cannot be traced, and [`trace`] says which operation it
//! was. The guide, [StableHLO](crate::guide::stablehlo), says how programs are run.

mod graph;
mod inputs;
mod lowering;
mod print;
mod program;
pub(crate) mod record;
mod shard;
mod tracing;

pub use crate::error::ShardingError;
pub use inputs::{DynInput, Input, Inputs, Outputs, dyn_input, input};
pub(crate) use lowering::Positions;
pub use program::{Program, TensorType};
pub use shard::Mesh;
pub(crate) use tracing::{abort_trace, belongs, is_tracing, or_abort_trace, reads};

use crate::error::Error;

/// Records what a function does to tensors of these dtypes and shapes.
///
/// The function is called once. Only what its results depend on becomes part of the program. A tensor
/// that leaves it (by a variable that it captures) is refused wherever it is used afterwards, as it is on
/// other threads and in a trace within this one.
///
/// # Errors
/// Those that the function gives, the errors of shapes that cannot be, and [`Error::Untraceable`] for the first operation
/// that needs elements: also for one that gives no `Result`, such as [`Tensor::to_vec`](crate::Tensor::to_vec), which ends
/// the function there (by unwinding; where panics abort, so does it).
///
/// ```
/// use supremum::prelude::*;
/// use supremum::stablehlo::{self, input};
/// let clipped = |x: Tensor<F32, Rank1>| if x.get(&[0]) > Some(1.0) { &x * 0.0 } else { x };
/// let error = stablehlo::trace(input::<F32, _>([4]), clipped).unwrap_err();
/// assert!(matches!(error, Error::Untraceable { operation: "get" }));
///
/// let clipped = |x: Tensor<F32, Rank1>| select(&x.index_axis(0, 0).gt(1.0), &x * 0.0, &x);
/// assert!(stablehlo::trace(input::<F32, _>([4]), clipped).is_ok());
/// ```
///
/// # Panics
/// If the function does.
pub fn trace<I: Inputs, O: Outputs>(
    inputs: I,
    function: impl FnOnce(I::Tensors) -> O,
) -> Result<Program, Error> {
    let (graph, (arguments, results)) = tracing::record(|| {
        let tensors = inputs.tensors()?;
        let arguments = tracing::with_graph("trace", |graph| Ok(graph.len()))?;
        let mut results = inputs::Results::default();
        function(tensors).arrays(&mut results)?;
        Ok((arguments, record::results(&results.0)?))
    })?;
    Ok(Program::new(graph, arguments, results))
}
