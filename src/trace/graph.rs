//! The graph that a trace records: StableHLO operations, each with its dtype and shape.
//!
//! The methods here add single StableHLO operations; `lowering` builds Supremum's operations from them.

use core::fmt::Write;
use std::collections::HashMap;

use crate::array::{Array, Dims, ScalarBits, Strides, element_count};
use crate::dtype::DType;
use crate::dtype::cast::CastElement;
use crate::error::Error;

/// A value of a graph, by its number. Each value has a dtype and a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node(u32);

/// Operations in the order in which they were recorded; each reads earlier ones only.
#[derive(Clone, Default)]
pub(crate) struct Graph {
    values: Vec<Value>,
    /// The constants recorded so far, to record each once.
    splats: HashMap<(ScalarBits, Dims), Node>,
    arrays: HashMap<Key, Node>,
    /// The conversions recorded so far, to record each once: a small float is converted at every use.
    converted: HashMap<(Node, DType), Node>,
}

#[derive(Clone)]
pub(crate) struct Value {
    pub(crate) origin: Origin,
    pub(crate) dtype: DType,
    pub(crate) shape: Dims,
}

#[derive(Clone)]
pub(crate) enum Origin {
    /// An argument of the function, or of a region.
    Parameter,
    /// One element, repeated.
    Splat(ScalarBits),
    /// The elements of an array. The graph shares the array, so that nobody can write to its elements or free them.
    Constant(Array),
    Operation(Operation),
}

#[derive(Clone)]
pub(crate) struct Operation {
    /// The name without the dialect.
    pub(crate) name: &'static str,
    pub(crate) operands: Vec<Node>,
    /// The attributes as they are printed between braces.
    pub(crate) attributes: String,
    pub(crate) region: Option<Box<Region>>,
    /// The dtypes of the results that are not read; they come before the one that is.
    pub(crate) unread: Vec<DType>,
}

/// The function on single elements (values of rank 0) that an operation such as `reduce` or `sort` applies.
#[derive(Clone)]
pub(crate) struct Region {
    pub(crate) graph: Graph,
    pub(crate) results: Vec<Node>,
}

/// The identity of an array's elements: address, dtype and layout.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    address: usize,
    dtype: DType,
    shape: Dims,
    strides: Strides,
}

impl Node {
    pub(crate) fn numbered(number: u32) -> Self {
        Self(number)
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }

    pub(crate) fn index(self) -> usize {
        // A `u32` fits: programs are not traced on 16-bit machines.
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl Graph {
    pub(crate) fn value(&self, node: Node) -> &Value {
        &self.values[node.index()]
    }

    /// Returns the value with a number.
    pub(crate) fn node(&self, index: usize) -> Node {
        debug_assert!(index < self.values.len());
        Node(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Returns whether a value is a constant of the program.
    pub(crate) fn is_constant(&self, node: Node) -> bool {
        matches!(
            self.value(node).origin,
            Origin::Splat(_) | Origin::Constant(_)
        )
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn dtype(&self, node: Node) -> DType {
        self.value(node).dtype
    }

    pub(crate) fn shape(&self, node: Node) -> &Dims {
        &self.value(node).shape
    }

    /// Appends a value.
    ///
    /// # Panics
    /// With 2^32 values or more.
    fn push(&mut self, origin: Origin, dtype: DType, shape: Dims) -> Node {
        let node = Node(u32::try_from(self.values.len()).expect("fewer values than 2^32"));
        self.values.push(Value {
            origin,
            dtype,
            shape,
        });
        node
    }

    pub(crate) fn parameter(&mut self, dtype: DType, shape: Dims) -> Node {
        self.push(Origin::Parameter, dtype, shape)
    }

    /// Adds an operation whose result has this dtype and shape.
    pub(crate) fn operation(
        &mut self,
        name: &'static str,
        operands: &[Node],
        attributes: String,
        dtype: DType,
        shape: Dims,
    ) -> Node {
        let operation = Operation {
            name,
            operands: operands.to_vec(),
            attributes,
            region: None,
            unread: Vec::new(),
        };
        self.push(Origin::Operation(operation), dtype, shape)
    }

    /// Adds an elementwise operation on operands of one shape.
    pub(crate) fn elementwise(
        &mut self,
        name: &'static str,
        operands: &[Node],
        dtype: DType,
    ) -> Node {
        let shape = *self.shape(operands[0]);
        self.operation(name, operands, String::new(), dtype, shape)
    }

    /// Adds an elementwise operation whose result has the dtype of its operands, which have one shape.
    pub(crate) fn same(&mut self, name: &'static str, operands: &[Node]) -> Node {
        self.elementwise(name, operands, self.dtype(operands[0]))
    }

    /// Adds a constant: one element, repeated to a shape.
    pub(crate) fn splat(&mut self, element: ScalarBits, shape: Dims) -> Node {
        if let Some(known) = self.splats.get(&(element, shape)) {
            return *known;
        }
        let node = self.push(Origin::Splat(element), element.dtype(), shape);
        self.splats.insert((element, shape), node);
        node
    }

    /// Adds a constant: a number, converted to a dtype and repeated to the shape of `like`.
    pub(crate) fn number<E: CastElement>(&mut self, like: Node, dtype: DType, number: E) -> Node {
        let shape = *self.shape(like);
        self.splat(ScalarBits::of(dtype, number), shape)
    }

    /// Adds the elements of an array as a constant; the array must not stand for a traced value.
    pub(crate) fn constant(&mut self, array: &Array) -> Node {
        if let Some(element) = array.repeated() {
            return self.splat(element, *array.dims());
        }
        let key = Key {
            address: array.as_ptr().addr(),
            dtype: array.dtype(),
            shape: *array.dims(),
            strides: Strides::new(array.strides()).unwrap_or_default(),
        };
        if let Some(known) = self.arrays.get(&key) {
            return *known;
        }
        // Booleans are written as bytes, because MLIR's encoding of boolean constants differs between versions.
        let dtype = match array.dtype() {
            DType::Bool => DType::U8,
            dtype => dtype,
        };
        let elements = self.push(Origin::Constant(array.clone()), dtype, *array.dims());
        let node = self.cast(elements, array.dtype());
        self.arrays.insert(key, node);
        node
    }

    /// Reduces values along axes by a region, each from its start value; returns the last result.
    pub(crate) fn reduce(
        &mut self,
        values: &[Node],
        starts: &[Node],
        axes: &[usize],
        region: Region,
    ) -> Node {
        let [unread @ .., last] = values else {
            unreachable!("something is reduced");
        };
        let shape = self.shape(*last);
        let kept = (0..shape.len()).filter(|axis| !axes.contains(axis));
        let kept: Vec<usize> = kept.map(|axis| shape[axis]).collect();
        let shape = Dims::new(&kept).unwrap_or_default();
        let operation = Operation {
            name: "reduce",
            operands: [values, starts].concat(),
            attributes: format!("dimensions = {}", array_of(axes)),
            region: Some(Box::new(region)),
            unread: unread.iter().map(|value| self.dtype(*value)).collect(),
        };
        let dtype = self.dtype(*last);
        self.push(Origin::Operation(operation), dtype, shape)
    }

    /// Adds an operation with a region, whose results have the dtypes and the shape of its values. Returns the last result.
    pub(crate) fn with_region(
        &mut self,
        name: &'static str,
        values: &[Node],
        others: &[Node],
        attributes: String,
        region: Region,
    ) -> Node {
        let [unread @ .., last] = values else {
            unreachable!("an operation has results");
        };
        let operation = Operation {
            name,
            operands: [values, others].concat(),
            attributes,
            region: Some(Box::new(region)),
            unread: unread.iter().map(|value| self.dtype(*value)).collect(),
        };
        let (dtype, shape) = (self.dtype(*last), *self.shape(*last));
        self.push(Origin::Operation(operation), dtype, shape)
    }

    /// Reshapes a value, in row-major order; the number of elements stays the same.
    pub(crate) fn reshape(&mut self, x: Node, shape: Dims) -> Node {
        if *self.shape(x) == shape {
            return x;
        }
        let dtype = self.dtype(x);
        match &self.value(x).origin {
            Origin::Splat(element) => {
                let element = *element;
                self.splat(element, shape)
            }
            _ => self.operation("reshape", &[x], String::new(), dtype, shape),
        }
    }

    /// Broadcasts a value to a shape, along new leading axes and axes of size one.
    pub(crate) fn broadcast(&mut self, x: Node, shape: Dims) -> Node {
        let from = *self.shape(x);
        if from == shape {
            return x;
        }
        if let Origin::Splat(element) = self.value(x).origin {
            return self.splat(element, shape);
        }
        let axes: Vec<usize> = (shape.len() - from.len()..shape.len()).collect();
        let attributes = format!("broadcast_dimensions = {}", array_of(&axes));
        let dtype = self.dtype(x);
        self.operation("broadcast_in_dim", &[x], attributes, dtype, shape)
    }

    /// Broadcasts values to their common shape.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`].
    pub(crate) fn broadcast_together<const N: usize>(
        &mut self,
        operation: &'static str,
        values: [Node; N],
    ) -> Result<[Node; N], Error> {
        let mut shape = *self.shape(values[0]);
        for value in &values[1..] {
            shape = crate::array::broadcast(operation, &shape, self.shape(*value))?;
        }
        element_count(operation, &shape)?;
        Ok(values.map(|value| self.broadcast(value, shape)))
    }

    /// Compares elements; the direction is `EQ`, `NE`, `LT`, `LE`, `GT` or `GE`.
    pub(crate) fn compare(&mut self, direction: &str, lhs: Node, rhs: Node) -> Node {
        let attributes =
            format!("comparison_direction = #stablehlo<comparison_direction {direction}>");
        let shape = *self.shape(lhs);
        self.operation("compare", &[lhs, rhs], attributes, DType::Bool, shape)
    }

    pub(crate) fn select(&mut self, condition: Node, then: Node, otherwise: Node) -> Node {
        let dtype = self.dtype(then);
        self.elementwise("select", &[condition, then, otherwise], dtype)
    }

    pub(crate) fn convert(&mut self, x: Node, to: DType) -> Node {
        if self.dtype(x) == to {
            return x;
        }
        if let Some(known) = self.converted.get(&(x, to)) {
            return *known;
        }
        let node = self.elementwise("convert", &[x], to);
        self.converted.insert((x, to), node);
        node
    }

    /// Reinterprets the bits as another dtype of the same size.
    pub(crate) fn bits(&mut self, x: Node, to: DType) -> Node {
        self.elementwise("bitcast_convert", &[x], to)
    }

    /// Numbers the positions along an axis (`iota`).
    pub(crate) fn positions(&mut self, axis: usize, dtype: DType, shape: Dims) -> Node {
        let attributes = format!("iota_dimension = {axis} : i64");
        self.operation("iota", &[], attributes, dtype, shape)
    }
}

/// Formats numbers as an array attribute.
pub(crate) fn array_of(numbers: &[usize]) -> String {
    let mut text = String::from("array<i64");
    for (at, number) in numbers.iter().enumerate() {
        let separator = if at == 0 { ": " } else { ", " };
        let _ = write!(text, "{separator}{number}");
    }
    text.push('>');
    text
}
