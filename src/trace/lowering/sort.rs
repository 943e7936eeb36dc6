//! Lowering of sorts and binary searches.
//!
//! Elements are compared by integer keys, as the kernel does (`kernel/order/keys.rs`), and the sort is stable. So -0 and +0 keep their
//! order, and NaN of either sign are last.

use crate::array::Dims;
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::{SearchSide, SortOrder};
use crate::trace::graph::{Graph, Node, Region};

impl Graph {
    /// Lowers [`exec::sort`](crate::exec::sort).
    pub(in crate::trace) fn sorted(&mut self, x: Node, axis: usize, order: SortOrder) -> Node {
        let keys = self.sort_keys(x);
        self.sorted_by(keys, x, axis, order)
    }

    /// Lowers [`exec::argsort`](crate::exec::argsort) of all elements, to positions in the dtype `i64`.
    pub(in crate::trace) fn sorted_positions(
        &mut self,
        x: Node,
        axis: usize,
        order: SortOrder,
    ) -> Node {
        let keys = self.sort_keys(x);
        let positions = self.positions(axis, DType::I64, *self.shape(x));
        self.sorted_by(keys, positions, axis, order)
    }

    /// Sorts values along an axis by their keys.
    fn sorted_by(&mut self, keys: Node, values: Node, axis: usize, order: SortOrder) -> Node {
        let mut graph = Self::default();
        let [key, value] = [keys, values].map(|operand| self.dtype(operand));
        let [a, b, ..] =
            [key, key, value, value].map(|dtype| graph.parameter(dtype, Dims::default()));
        let direction = match order {
            SortOrder::Ascending => "LT",
            SortOrder::Descending => "GT",
        };
        let results = vec![graph.compare(direction, a, b)];
        let attributes = format!("dimension = {axis} : i64, is_stable = true");
        self.with_region(
            "sort",
            &[keys, values],
            &[],
            attributes,
            Region { graph, results },
        )
    }

    /// Returns integer keys: a smaller element has a smaller key, equal ones have the same, and NaN the greatest.
    fn sort_keys(&mut self, x: Node) -> Node {
        match self.dtype(x).kind() {
            Kind::Bool => self.convert(x, DType::U8),
            Kind::Float => {
                let x = self.in_compute_dtype(x, self.dtype(x));
                self.float_keys(x)
            }
            _ => x,
        }
    }

    /// The keys of `f32` or `f64`: the magnitude, with the sign of the number.
    fn float_keys(&mut self, x: Node) -> Node {
        let (dtype, greatest) = match self.dtype(x) {
            DType::F32 => (DType::I32, i64::from(i32::MAX)),
            _ => (DType::I64, i64::MAX),
        };
        let bits = self.bits(x, dtype);
        let greatest = self.number(bits, dtype, greatest);
        let magnitude = self.and(bits, greatest);
        let negated = self.same("negate", &[magnitude]);
        let negative = self.is_below_zero(bits);
        let key = self.select(negative, negated, magnitude);
        let nan = self.is_nan(x);
        self.select(nan, greatest, key)
    }

    /// Returns the last of some sorted elements if it is NaN, else an element.
    pub(in crate::trace) fn or_nan(&mut self, last: Node, element: Node) -> Node {
        let number = self.in_compute_dtype(last, self.dtype(last));
        let nan = self.is_nan(number);
        self.select(nan, last, element)
    }

    /// Compares each value of a column with a sorted vector: whether an element of the vector comes before it.
    pub(in crate::trace) fn sorted_before(
        &mut self,
        [sorted, column]: [Node; 2],
        side: SearchSide,
    ) -> Result<Node, Error> {
        let keys = [sorted, column].map(|operand| self.sort_keys(operand));
        let [sorted, values] = self.broadcast_together("searchsorted", keys)?;
        let direction = match side {
            SearchSide::Left => "LT",
            SearchSide::Right => "LE",
        };
        Ok(self.compare(direction, sorted, values))
    }
}
