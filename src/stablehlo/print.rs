//! Prints programs as MLIR text: `module`, `func.func` and `return` in their custom form, all other operations in the
//! generic form.

use core::fmt::{self, Write};

use super::program::Program;
use crate::array::{Array, ScalarBits};
use crate::dtype::{DType, Kind};
use crate::trace::graph::{Graph, Node, Operation, Origin, Region, Value};

/// Prints the module: a function `@main` of the inputs, for XLA or another consumer of StableHLO.
impl<I, O> fmt::Display for Program<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "module @supremum {{")?;
        if let Some(sharding) = &self.sharding {
            writeln!(f, "  sdy.mesh @mesh = {}", sharding.mesh)?;
        }
        let printer = Printer::new(&self.graph, "%", "%arg");
        f.write_str("  func.func public @main(")?;
        for index in 0..self.arguments {
            let node = self.graph.node(index);
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{}: {}", printer.name(node), printer.of(node))?;
            let alias = self.aliases[index];
            let alias = alias.map(|result| format!("tf.aliasing_output = {result} : i32"));
            let sharding = self.sharding.as_ref();
            let sharding = sharding.map(|sharding| sharding.attribute(&sharding.inputs[index]));
            let attributes: Vec<_> = sharding.into_iter().chain(alias).collect();
            if !attributes.is_empty() {
                write!(f, " {{{}}}", attributes.join(", "))?;
            }
        }
        f.write_str(") -> (")?;
        for (index, node) in self.results.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{}", printer.of(*node))?;
            if let Some(sharding) = &self.sharding {
                write!(f, " {{{}}}", sharding.attribute(&sharding.outputs[index]))?;
            }
        }
        f.write_str(") {\n")?;
        for index in self.arguments..self.graph.len() {
            if self.live[index] {
                printer.write(f, self.graph.node(index), "    ")?;
            }
        }
        f.write_str("    return")?;
        if !self.results.is_empty() {
            write!(
                f,
                " {} : {}",
                printer.names(&self.results),
                printer.types(&self.results)
            )?;
        }
        f.write_str("\n  }\n}\n")
    }
}

/// Prints the values of one graph.
struct Printer<'a> {
    graph: &'a Graph,
    /// The prefix of an operation's number.
    prefix: &'static str,
    /// The prefix of a parameter's number.
    parameter: &'static str,
}

impl<'a> Printer<'a> {
    fn new(graph: &'a Graph, prefix: &'static str, parameter: &'static str) -> Self {
        Self {
            graph,
            prefix,
            parameter,
        }
    }

    /// Returns the name of a value, with the number of the result if its operation has several.
    fn name(&self, node: Node) -> String {
        let number = node.number();
        match &self.graph.value(node).origin {
            Origin::Parameter => format!("{}{number}", self.parameter),
            Origin::Operation(operation) if !operation.unread.is_empty() => {
                format!("{}{number}#{}", self.prefix, operation.unread.len())
            }
            _ => format!("{}{number}", self.prefix),
        }
    }

    fn of(&self, node: Node) -> String {
        let Value { dtype, shape, .. } = self.graph.value(node);
        tensor(*dtype, shape)
    }

    fn names(&self, nodes: &[Node]) -> String {
        joined(nodes.iter().map(|node| self.name(*node)))
    }

    fn types(&self, nodes: &[Node]) -> String {
        joined(nodes.iter().map(|node| self.of(*node)))
    }

    /// Writes an operation: one line, or several if it has a region.
    fn write(&self, f: &mut fmt::Formatter<'_>, node: Node, indent: &str) -> fmt::Result {
        let (number, prefix) = (node.number(), self.prefix);
        let tensor = self.of(node);
        let elements = match &self.graph.value(node).origin {
            Origin::Parameter => return Ok(()),
            Origin::Operation(operation) => {
                return self.write_operation(f, node, operation, indent);
            }
            Origin::Splat(element) => single(*element),
            Origin::Constant(array) => blob(array),
        };
        writeln!(
            f,
            "{indent}{prefix}{number} = \"stablehlo.constant\"() {{value = dense<{elements}> : {tensor}}} : () -> {tensor}"
        )
    }

    fn write_operation(
        &self,
        f: &mut fmt::Formatter<'_>,
        node: Node,
        operation: &Operation,
        indent: &str,
    ) -> fmt::Result {
        let Operation {
            name,
            operands,
            attributes,
            region,
            unread,
        } = operation;
        let shape = self.graph.shape(node);
        write!(f, "{indent}{}{}", self.prefix, node.number())?;
        if !unread.is_empty() {
            write!(f, ":{}", unread.len() + 1)?;
        }
        write!(f, " = \"stablehlo.{name}\"({})", self.names(operands))?;
        if let Some(region) = region {
            write_region(f, region, indent)?;
        }
        if !attributes.is_empty() {
            write!(f, " {{{attributes}}}")?;
        }
        write!(f, " : ({}) -> ", self.types(operands))?;
        if unread.is_empty() {
            return writeln!(f, "{}", self.of(node));
        }
        let others = joined(unread.iter().map(|dtype| tensor(*dtype, shape)));
        writeln!(f, "({others}, {})", self.of(node))
    }
}

fn write_region(f: &mut fmt::Formatter<'_>, region: &Region, indent: &str) -> fmt::Result {
    let Region { graph, results } = region;
    let printer = Printer::new(graph, "%r", "%p");
    let nodes = || (0..graph.len()).map(|index| graph.node(index));
    let parameters = nodes().filter(|node| matches!(graph.value(*node).origin, Origin::Parameter));
    let parameters = parameters.map(|node| format!("{}: {}", printer.name(node), printer.of(node)));
    writeln!(f, " ({{\n{indent}^bb0({}):", joined(parameters))?;
    let inner = format!("{indent}  ");
    for node in nodes() {
        printer.write(f, node, &inner)?;
    }
    let (names, types) = (printer.names(results), printer.types(results));
    write!(
        f,
        "{inner}\"stablehlo.return\"({names}) : ({types}) -> ()\n{indent}}})"
    )
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Formats the type of a tensor.
fn tensor(dtype: DType, shape: &[usize]) -> String {
    let mut text = String::from("tensor<");
    for size in shape {
        let _ = write!(text, "{size}x");
    }
    let float8;
    text.push_str(match dtype {
        DType::Bool => "i1",
        DType::U8 => "ui8",
        DType::U16 => "ui16",
        DType::U32 => "ui32",
        DType::U64 => "ui64",
        DType::I8 => "i8",
        DType::I16 => "i16",
        DType::I32 => "i32",
        DType::I64 => "i64",
        DType::BF16 => "bf16",
        DType::F16 => "f16",
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::C64 => "complex<f32>",
        DType::C128 => "complex<f64>",
        // `f8E4M3FN`
        _ => {
            float8 = dtype.marker_name().replacen('F', "f", 1);
            &float8
        }
    });
    text.push('>');
    text
}

/// Formats one element: integers as numbers, floats by their bits, so that no value depends on decimal parsing.
fn single(element: ScalarBits) -> String {
    let bytes = element.bytes();
    let number = |bytes: &[u8]| {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(wide)
    };
    match element.dtype().kind() {
        Kind::Bool => (number(bytes) != 0).to_string(),
        Kind::Unsigned => number(bytes).to_string(),
        Kind::Signed => {
            let unused = 64 - 8 * u32::try_from(bytes.len()).unwrap_or(8);
            ((number(bytes) << unused).cast_signed() >> unused).to_string()
        }
        Kind::Float => format!("0x{:01$X}", number(bytes), 2 * bytes.len()),
        Kind::Complex => {
            let (re, im) = bytes.split_at(bytes.len() / 2);
            let width = 2 * re.len();
            format!("(0x{:02$X}, 0x{:02$X})", number(re), number(im), width)
        }
    }
}

/// Formats all elements as bytes in hexadecimal digits, in row-major order and little-endian, as MLIR reads them.
fn blob(array: &Array) -> String {
    if array.is_empty() {
        return String::new();
    }
    let bytes = array.len() * array.dtype().size();
    let mut text = String::with_capacity(2 * bytes + 4);
    text.push_str("\"0x");
    array.each_byte(|byte| {
        let _ = write!(text, "{byte:02X}");
    });
    text.push('"');
    text
}
