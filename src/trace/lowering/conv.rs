//! Lowering of convolutions.

use crate::array::ScalarBits;
use crate::dtype::DType;
use crate::kernel::ConvShapes;
use crate::kernel::facts::{SPATIAL, product_dtype};
use crate::trace::graph::{Graph, Node, array_of};

impl Graph {
    /// Lowers [`exec::conv`](crate::exec::conv). XLA has no convolution of no elements.
    pub(in crate::trace) fn convolved(
        &mut self,
        operands: [Node; 2],
        shapes: &ConvShapes<'_>,
        out: DType,
    ) -> Node {
        let result = shapes.result;
        let is_empty = |graph: &Self, x: &Node| graph.shape(*x).contains(&0);
        if result.contains(&0) || operands.iter().any(|x| is_empty(self, x)) {
            return self.splat(ScalarBits::of(out, 0.0), result);
        }
        let operands = operands.map(|x| {
            let x = self.cast(x, out);
            self.cast(x, product_dtype(out))
        });
        let windows = &shapes.windows;
        let spatial = windows.sizes.len();
        let sides: Vec<String> = windows
            .padding
            .iter()
            .map(|[before, behind]| format!("[{before}, {behind}]"))
            .collect();
        let axes: Vec<String> = (0..spatial).map(|axis| axis.to_string()).collect();
        let axes = axes.join(", ");
        let reversal = vec!["false"; spatial].join(", ");
        let attributes = format!(
            "window_strides = {}, padding = dense<[{}]> : tensor<{spatial}x2xi64>, rhs_dilation = {}, \
             window_reversal = array<i1: {reversal}>, \
             dimension_numbers = #stablehlo.conv<[b, f, {axes}]x[o, i, {axes}]->[b, f, {axes}]>, \
             feature_group_count = {} : i64, batch_group_count = 1 : i64, \
             precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]",
            array_of(windows.strides),
            sides.join(", "),
            array_of(windows.dilation),
            shapes.groups,
        );
        debug_assert_eq!(spatial + SPATIAL, result.len());
        let dtype = self.dtype(operands[0]);
        let product = self.operation("convolution", &operands, attributes, dtype, result);
        self.cast(product, out)
    }
}
