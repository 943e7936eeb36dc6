//! Lowering of convolutions.

use crate::array::{Dims, ScalarBits};
use crate::dtype::DType;
use crate::kernel::facts::{SPATIAL, product_dtype};
use crate::kernel::{ConvShapes, TransposedShapes, Windows};
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
        let padding = windows
            .padding
            .iter()
            .map(|side| side.map(usize::cast_signed));
        let attributes = format!(
            "window_strides = {}, {}",
            array_of(windows.strides),
            attributes(padding, windows, false, shapes.groups),
        );
        debug_assert_eq!(spatial + SPATIAL, result.len());
        let dtype = self.dtype(operands[0]);
        let product = self.operation("convolution", &operands, attributes, dtype, result);
        self.cast(product, out)
    }

    /// Lowers [`exec::conv_transpose`](crate::exec::conv_transpose): the convolution of the operand with `stride - 1` zeros between
    /// neighbours by reversed filters.
    pub(in crate::trace) fn transposed_convolution(
        &mut self,
        [x, filters]: [Node; 2],
        shapes: &TransposedShapes<'_>,
        out: DType,
    ) -> Node {
        let (result, groups) = (shapes.result, shapes.groups);
        let is_empty = |graph: &Self, x: Node| graph.shape(x).contains(&0);
        if result.contains(&0) || is_empty(self, x) || is_empty(self, filters) {
            return self.splat(ScalarBits::of(out, 0.0), result);
        }
        // The filters of all groups stand beside each other: `[channels / groups, filters, ..]`.
        let shape = *self.shape(filters);
        let mut grouped = shape;
        (grouped[0], grouped[1]) = (shape[0] / groups, result[1]);
        let filters = match groups {
            1 => filters,
            _ => {
                let mut rows = Dims::single(3);
                (rows[0], rows[1]) = (groups, grouped[0]);
                rows[2] = shape[1..].iter().product();
                let rows = self.reshape(filters, rows);
                let rows = self.permuted(rows, &[1, 0, 2]);
                self.reshape(rows, grouped)
            }
        };
        let operands = [x, filters].map(|x| {
            let x = self.cast(x, out);
            self.cast(x, product_dtype(out))
        });
        let windows = &shapes.windows;
        let padding = shapes.removed.iter().enumerate().map(|(number, removed)| {
            let window = Windows::span(windows.sizes[number], windows.dilation[number]);
            removed.map(|removed| (window - 1).cast_signed() - removed)
        });
        let attributes = format!(
            "window_strides = {}, lhs_dilation = {}, {}",
            array_of(&vec![1; windows.sizes.len()]),
            array_of(windows.strides),
            attributes(padding, windows, true, groups),
        );
        let dtype = self.dtype(operands[0]);
        let product = self.operation("convolution", &operands, attributes, dtype, result);
        self.cast(product, out)
    }
}

/// The attributes that convolutions of both directions have.
fn attributes(
    padding: impl Iterator<Item = [isize; 2]>,
    windows: &Windows<'_>,
    transposed: bool,
    groups: usize,
) -> String {
    let sides: Vec<String> = padding
        .map(|[before, behind]| format!("[{before}, {behind}]"))
        .collect();
    let spatial = windows.sizes.len();
    let axes: Vec<String> = (0..spatial).map(|axis| axis.to_string()).collect();
    let axes = axes.join(", ");
    let (channels, reversal) = match transposed {
        true => ("i, o", "true"),
        false => ("o, i", "false"),
    };
    format!(
        "padding = dense<[{}]> : tensor<{spatial}x2xi64>, rhs_dilation = {}, window_reversal = array<i1: {}>, \
         dimension_numbers = #stablehlo.conv<[b, f, {axes}]x[{channels}, {axes}]->[b, f, {axes}]>, \
         feature_group_count = {groups} : i64, batch_group_count = 1 : i64, \
         precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]",
        sides.join(", "),
        array_of(windows.dilation),
        vec![reversal; spatial].join(", "),
    )
}
