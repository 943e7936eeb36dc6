//! [`Program`]: the result of a trace.

use core::fmt;
use core::marker::PhantomData;
use std::io;
use std::path::Path;

use super::inputs::Signature;
use super::mesh::Sharding;
use super::tensor_type::TensorType;
use crate::dynamic::DynTensor;
use crate::trace::graph::{Graph, Node, Origin};

/// A traced function, which prints as a StableHLO module.
///
/// `I` and `O` are the types of its arguments and results: tensors, and tuples or vectors of them, as the traced function
/// takes and gives them. A [`Program`] without parameters knows its types at run time only; see
/// [`Self::into_dyn`].
///
/// ```
/// supremum::prelude!();
/// use supremum::stablehlo::{self, Program, input};
/// let inputs = (input::<BF16, _>([4]), input::<F16, _>([4]));
/// let program: Program<(Tensor<BF16, Rank1>, Tensor<F16, Rank1>), Tensor<F32, Rank1>> =
///     stablehlo::trace(inputs, |(x, y)| x + y)?;
/// let untyped: Program = program.into_dyn();
/// assert_eq!(untyped.outputs()[0].to_string(), "f32 [4]");
/// # Ok::<(), Error>(())
/// ```
pub struct Program<I = Vec<DynTensor>, O = Vec<DynTensor>> {
    pub(super) graph: Graph,
    /// The number of arguments; they are the first values of the graph.
    pub(super) arguments: usize,
    pub(super) results: Vec<Node>,
    /// For each value, whether a result depends on it.
    pub(super) live: Vec<bool>,
    pub(super) sharding: Option<Sharding>,
    /// For each argument, the number of the result that may take its memory.
    pub(super) aliases: Vec<Option<usize>>,
    pub(super) signature: [Signature; 2],
    pub(super) types: PhantomData<fn(I) -> O>,
}

impl<I, O> Clone for Program<I, O> {
    fn clone(&self) -> Self {
        self.retyped()
    }
}

impl<I, O> Program<I, O> {
    pub(super) fn new(
        graph: Graph,
        results: Vec<Node>,
        inputs: Signature,
        outputs: Signature,
    ) -> Self {
        let arguments = inputs.tensors.len();
        let mut live = vec![false; graph.len()];
        for result in &results {
            live[result.index()] = true;
        }
        for index in (0..live.len()).rev() {
            let node = graph.node(index);
            if live[index]
                && let Origin::Operation(operation) = &graph.value(node).origin
            {
                for operand in &operation.operands {
                    live[operand.index()] = true;
                }
            }
        }
        Self {
            graph,
            arguments,
            results,
            live,
            sharding: None,
            aliases: vec![None; arguments],
            signature: [inputs, outputs],
            types: PhantomData,
        }
    }

    /// Copies the program; the caller says its types.
    fn retyped<J, P>(&self) -> Program<J, P> {
        Program {
            graph: self.graph.clone(),
            arguments: self.arguments,
            results: self.results.clone(),
            live: self.live.clone(),
            sharding: self.sharding.clone(),
            aliases: self.aliases.clone(),
            signature: self.signature.clone(),
            types: PhantomData,
        }
    }

    /// Forgets the types of arguments and results: a program of a list of dynamic tensors.
    #[must_use]
    pub fn into_dyn(self) -> Program {
        let mut program = self.retyped();
        for signature in &mut program.signature {
            signature.lengths = vec![signature.tensors.len()];
        }
        program
    }

    /// Returns the types of the arguments, in the order of the traced function's.
    pub fn inputs(&self) -> Vec<TensorType> {
        let nodes = (0..self.arguments).map(|index| self.graph.node(index));
        nodes.map(|node| self.tensor_type(node)).collect()
    }

    /// Returns the types of the results.
    pub fn outputs(&self) -> Vec<TensorType> {
        let nodes = self.results.iter();
        nodes.map(|node| self.tensor_type(*node)).collect()
    }

    /// Counts the StableHLO operations, including constants, without those inside the regions of reductions.
    ///
    /// ```
    /// supremum::prelude!();
    /// use supremum::stablehlo::{self, input};
    /// let program = stablehlo::trace(input::<F16, _>([4]), |x| {
    ///     let _unused = x.exp();
    ///     &x + 1.0
    /// })?;
    /// assert_eq!(program.operations(), 6); // the constant, to f32, broadcast; x to f32; add; back to f16
    /// # Ok::<(), Error>(())
    /// ```
    pub fn operations(&self) -> usize {
        self.live[self.arguments..]
            .iter()
            .filter(|live| **live)
            .count()
    }

    /// Writes the module's text to a file.
    ///
    /// # Errors
    /// The errors of writing.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        std::fs::write(path, self.to_string())
    }

    /// The sharding, if it has one.
    #[cfg(feature = "pjrt")]
    pub(crate) fn sharding(&self) -> Option<&Sharding> {
        self.sharding.as_ref()
    }

    /// The weakness and rules of its arguments, and the lengths of vectors.
    #[cfg(feature = "pjrt")]
    pub(crate) fn input_signature(&self) -> &Signature {
        &self.signature[0]
    }

    /// The weakness and rules of its results, and the lengths of vectors.
    #[cfg(feature = "pjrt")]
    pub(crate) fn output_signature(&self) -> &Signature {
        &self.signature[1]
    }

    fn tensor_type(&self, node: Node) -> TensorType {
        TensorType {
            dtype: self.graph.dtype(node),
            shape: self.graph.shape(node).to_vec(),
        }
    }
}

impl<I, O> fmt::Debug for Program<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("inputs", &self.inputs())
            .field("outputs", &self.outputs())
            .field("operations", &self.operations())
            .finish_non_exhaustive()
    }
}
