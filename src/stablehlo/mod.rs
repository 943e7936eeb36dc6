//! Exports functions on tensors as StableHLO programs, which XLA runs on other processors or on many machines.
//!
//! [`trace`] runs a function on tensors that have a dtype, a rank and a shape but no elements, and records its
//! operations. The same function also runs on ordinary tensors: operators, methods, [`fuse!`](crate::fuse), reductions,
//! products and views all work, and the dtypes are those that `cargo check` proved. Every promotion is a `convert` in
//! the program, and every literal is a constant of the dtype to which it converts.
//!
//! ```
//! supremum::prelude!();
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
//! constants of the program, bit for bit. An operation that reads elements of a traced tensor cannot be traced; the
//! error of [`trace`] names it. The guide [StableHLO](crate::guide::stablehlo) explains how to run programs.

mod donate;
mod inputs;
mod mesh;
mod print;
mod program;
mod shard;
mod tensor_type;

pub use crate::error::ShardingError;
pub(crate) use inputs::Signature;
#[cfg(feature = "pjrt")]
pub(crate) use inputs::parameter;
pub use inputs::{DynInput, Input, Inputs, Outputs, dyn_input, input};
pub use mesh::Mesh;
#[cfg(feature = "pjrt")]
pub(crate) use mesh::Spec;
pub use program::Program;
pub use tensor_type::TensorType;

use crate::error::Error;
use crate::trace::{record, record_function};

/// Records the operations of a function on tensors of these dtypes and shapes.
///
/// The function is called once. The program contains only the operations that its results depend on. A traced tensor
/// belongs to its trace: operations refuse it after the function returns (if it was stored in a captured variable), on
/// other threads, and in a nested trace.
///
/// # Errors
/// The error that the function returns; the errors of invalid shapes; [`Error::Untraceable`] for the first operation
/// that needs elements. If that operation does not return a `Result`, such as
/// [`Tensor::to_vec`](crate::Tensor::to_vec), the function ends there by unwinding; with `panic = "abort"`, the process
/// aborts.
///
/// ```
/// supremum::prelude!();
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
// `Arguments` and `Results` are parameters so that a wrong input or output is one error of the compiler: it would check a
// projection in the result a second time.
pub fn trace<I, O, Arguments, Results>(
    inputs: I,
    function: impl FnOnce(Arguments) -> O,
) -> Result<Program<Arguments, Results>, Error>
where
    I: Inputs<Tensors = Arguments>,
    O: Outputs<Tensors = Results>,
{
    trace_tensors(|to| inputs.tensors(to), function)
}

/// Records the operations of a function on the tensors that `arguments` adds to the new trace.
///
/// # Errors
/// The errors of [`trace`].
pub(crate) fn trace_tensors<I, O: Outputs>(
    arguments: impl FnOnce(&mut Signature) -> Result<I, Error>,
    function: impl FnOnce(I) -> O,
) -> Result<Program<I, O::Tensors>, Error> {
    let mut inputs = Signature::default();
    let mut outputs = Signature::default();
    let (graph, results) = record_function(|| {
        let tensors = arguments(&mut inputs)?;
        let mut results = inputs::Results::default();
        function(tensors).arrays(&mut results)?;
        outputs = results.signature;
        record::results(&results.arrays)
    })?;
    Ok(Program::new(graph, results, inputs, outputs))
}
