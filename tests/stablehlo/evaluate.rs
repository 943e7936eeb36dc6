//! Evaluates programs that move integers, so that tests compare what a program gives with what the function gives without a trace.
//! `scripts/xla_check` does the same with XLA, for all operations.

use std::collections::HashMap;

use supremum::stablehlo::Program;

/// A tensor of integers or booleans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) shape: Vec<usize>,
    pub(super) elements: Vec<i64>,
}

impl Value {
    /// The value of a shape whose element at each index is given.
    fn from_fn(shape: &[usize], element: impl FnMut(Vec<usize>) -> i64) -> Self {
        Self {
            elements: indices(shape).into_iter().map(element).collect(),
            shape: shape.to_vec(),
        }
    }

    fn at(&self, index: &[usize]) -> i64 {
        self.elements[offset(&self.shape, index)]
    }
}

/// All indices of a shape, in row-major order.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for size in shape {
        let longer =
            |index: Vec<usize>| (0..*size).map(move |position| [&index[..], &[position]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

fn offset(shape: &[usize], index: &[usize]) -> usize {
    assert_eq!(shape.len(), index.len(), "an index of the shape");
    shape.iter().zip(index).fold(0, |offset, (size, position)| {
        assert!(position < size, "{index:?} in {shape:?}");
        offset * size + position
    })
}

/// The text between two others, the first of which is found first.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let from = text.find(before)? + before.len();
    Some(&text[from..from + text[from..].find(after)?])
}

/// The numbers of an attribute: of `name = array<i64: 1, 2>`, `name = [1, 2]`, `name = 1 : i64` or `name = 1`.
fn numbers(line: &str, name: &str) -> Vec<usize> {
    let Some(at) = line.find(&format!("{name} = ")) else {
        return Vec::new();
    };
    let value = &line[at + name.len() + 3..];
    let list = match value {
        _ if value.starts_with("array<i64") => between(value, "array<i64", ">"),
        _ if value.starts_with('[') => between(value, "[", "]"),
        _ => value.split([' ', ',', '>', '}']).next(),
    };
    let list = list.expect("a list of numbers").trim_start_matches(':');
    let numbers = list.split(',').map(str::trim);
    numbers
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().expect("a number"))
        .collect()
}

/// The shape of a type such as `tensor<2x3xi32>`.
fn shape_of(of: &str) -> Vec<usize> {
    let inner = between(of, "tensor<", ">").expect("a tensor");
    let mut sizes: Vec<&str> = inner.split('x').collect();
    sizes.pop();
    sizes.iter().map(|size| size.parse().unwrap()).collect()
}

/// The elements of a constant: one for all, or their bytes.
fn constant(line: &str, shape: &[usize], of: &str) -> Value {
    let text = between(line, "dense<", "> : ").expect("a constant");
    let count: usize = shape.iter().product();
    let Some(hex) = text.strip_prefix("\"0x") else {
        let element = match text {
            "" | "false" => 0,
            "true" => 1,
            number => number.parse().expect("an integer"),
        };
        return Value::from_fn(shape, |_| element);
    };
    let bytes = hex.trim_end_matches('"').as_bytes().chunks(2);
    let bytes =
        bytes.map(|digits| u8::from_str_radix(str::from_utf8(digits).unwrap(), 16).unwrap());
    let bytes: Vec<u8> = bytes.collect();
    let width = bytes.len() / count;
    let is_signed = !of.contains("ui") && !of.contains("i1>");
    let elements = bytes.chunks(width).map(|bytes| {
        let fill = if is_signed && bytes[width - 1] > 127 {
            255
        } else {
            0
        };
        let mut wide = [fill; 8];
        wide[..width].copy_from_slice(bytes);
        i64::from_le_bytes(wide)
    });
    Value {
        shape: shape.to_vec(),
        elements: elements.collect(),
    }
}

/// The result of one operation.
fn evaluated(name: &str, line: &str, operands: &[&Value], of: &str) -> Value {
    let shape = shape_of(of);
    match (name, operands) {
        ("constant", []) => constant(line, &shape, of),
        ("iota", []) => {
            let axis = numbers(line, "iota_dimension")[0];
            Value::from_fn(&shape, |index| index[axis].try_into().unwrap())
        }
        ("convert", [x]) => (*x).clone(),
        ("add", [a, b]) => Value::from_fn(&shape, |index| a.at(&index) + b.at(&index)),
        ("subtract", [a, b]) => Value::from_fn(&shape, |index| a.at(&index) - b.at(&index)),
        ("multiply", [a, b]) => Value::from_fn(&shape, |index| a.at(&index) * b.at(&index)),
        ("reshape", [x]) => Value {
            shape,
            elements: x.elements.clone(),
        },
        ("broadcast_in_dim", [x]) => {
            let axes = numbers(line, "broadcast_dimensions");
            Value::from_fn(&shape, |index| {
                let own = axes.iter().zip(&x.shape);
                let own = own.map(|(axis, size)| if *size == 1 { 0 } else { index[*axis] });
                x.at(&own.collect::<Vec<_>>())
            })
        }
        ("slice", [x]) => {
            let (starts, steps) = (numbers(line, "start_indices"), numbers(line, "strides"));
            Value::from_fn(&shape, |index| {
                let axes = 0..index.len();
                let own = axes.map(|axis| starts[axis] + steps[axis] * index[axis]);
                x.at(&own.collect::<Vec<_>>())
            })
        }
        ("reverse", [x]) => {
            let axes = numbers(line, "dimensions");
            Value::from_fn(&shape, |mut index| {
                for axis in &axes {
                    index[*axis] = shape[*axis] - 1 - index[*axis];
                }
                x.at(&index)
            })
        }
        ("transpose", [x]) => {
            let order = numbers(line, "permutation");
            Value::from_fn(&shape, |index| {
                let mut own = vec![0; index.len()];
                for (position, axis) in index.iter().zip(&order) {
                    own[*axis] = *position;
                }
                x.at(&own)
            })
        }
        ("pad", [x, padding]) => {
            let low = numbers(line, "edge_padding_low");
            let between = numbers(line, "interior_padding");
            let mut result = Value::from_fn(&shape, |_| padding.at(&[]));
            for index in indices(&x.shape) {
                let axes = 0..index.len();
                let to = axes.map(|axis| low[axis] + index[axis] * (between[axis] + 1));
                result.elements[offset(&shape, &to.collect::<Vec<_>>())] = x.at(&index);
            }
            result
        }
        ("compare", [a, b]) if line.contains("comparison_direction EQ") => {
            Value::from_fn(&shape, |index| (a.at(&index) == b.at(&index)).into())
        }
        ("and", [a, b]) => Value::from_fn(&shape, |index| a.at(&index) & b.at(&index)),
        ("select", [mask, a, b]) => Value::from_fn(&shape, |index| match mask.at(&index) {
            0 => b.at(&index),
            _ => a.at(&index),
        }),
        ("concatenate", [first, ..]) => {
            let axis = numbers(line, "dimension")[0];
            Value::from_fn(&shape, |mut index| {
                let part = operands.iter().find(|part| {
                    let is_inside = index[axis] < part.shape[axis];
                    if !is_inside {
                        index[axis] -= part.shape[axis];
                    }
                    is_inside
                });
                part.unwrap_or(first).at(&index)
            })
        }
        ("dynamic_update_slice", [x, update, starts @ ..]) => {
            let mut result = (*x).clone();
            for index in indices(&update.shape) {
                let starts = starts
                    .iter()
                    .map(|start| usize::try_from(start.at(&[])).unwrap());
                let to = starts.zip(&index).map(|(start, position)| start + position);
                let to = offset(&shape, &to.collect::<Vec<_>>());
                result.elements[to] = update.at(&index);
            }
            result
        }
        // Of single elements, by vectors of indices.
        ("gather", [x, indices]) => {
            let all: Vec<usize> = (0..x.shape.len()).collect();
            assert_eq!(numbers(line, "start_index_map"), all);
            assert_eq!(numbers(line, "collapsed_slice_dims"), all);
            Value::from_fn(&shape, |at| {
                let position = |axis: &usize| indices.at(&[&at[..], &[*axis]].concat());
                let index = all
                    .iter()
                    .map(position)
                    .map(|position| usize::try_from(position).unwrap());
                x.at(&index.collect::<Vec<_>>())
            })
        }
        _ => panic!("{name} is not evaluated"),
    }
}

/// The results of a program.
pub(super) fn evaluate(program: &Program, inputs: &[Value]) -> Vec<Value> {
    let text = program.to_string();
    let mut values: HashMap<String, Value> = HashMap::new();
    for (number, input) in inputs.iter().enumerate() {
        values.insert(format!("%arg{number}"), input.clone());
    }
    let named = |values: &HashMap<String, Value>, list: &str| -> Vec<Value> {
        let names = list.split(", ").filter(|name| !name.is_empty());
        names.map(|name| values[name].clone()).collect()
    };
    for line in text.lines().map(str::trim) {
        if let Some(returned) = line.strip_prefix("return ") {
            return named(&values, returned.split(" : ").next().unwrap());
        }
        let Some((result, operation)) = line.split_once(" = \"stablehlo.") else {
            continue;
        };
        let (name, rest) = operation.split_once("\"(").unwrap();
        let operands = named(&values, rest.split(')').next().unwrap());
        let operands: Vec<&Value> = operands.iter().collect();
        let (_, of) = line.rsplit_once("-> ").unwrap();
        let value = evaluated(name, line, &operands, of);
        values.insert(result.into(), value);
    }
    Vec::new()
}
