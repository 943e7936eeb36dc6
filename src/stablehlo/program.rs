//! [`Program`]: the result of a trace.

use core::fmt;
use std::io;
use std::path::Path;

use super::shard::Sharding;
use crate::dtype::DType;
use crate::trace::graph::{Graph, Node, Origin};

/// A traced function, which prints as a StableHLO module.
#[derive(Clone)]
pub struct Program {
    pub(super) graph: Graph,
    /// The number of arguments; they are the first values of the graph.
    pub(super) arguments: usize,
    pub(super) results: Vec<Node>,
    /// For each value, whether a result depends on it.
    pub(super) live: Vec<bool>,
    pub(super) sharding: Option<Sharding>,
}

/// The dtype and the shape of an argument or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorType {
    /// The dtype of its elements.
    pub dtype: DType,
    /// The size of every dimension.
    pub shape: Vec<usize>,
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.dtype, self.shape)
    }
}

impl Program {
    pub(super) fn new(graph: Graph, arguments: usize, results: Vec<Node>) -> Self {
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
        }
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
    /// use supremum::prelude::*;
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

    fn tensor_type(&self, node: Node) -> TensorType {
        TensorType {
            dtype: self.graph.dtype(node),
            shape: self.graph.shape(node).to_vec(),
        }
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("inputs", &self.inputs())
            .field("outputs", &self.outputs())
            .field("operations", &self.operations())
            .finish_non_exhaustive()
    }
}
