//! Random programs: what runs on tensors with elements can be traced, with the same errors, dtypes and shapes, and prints
//! as a program that defines every value before it is used.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use supremum::prelude::*;
use supremum::stablehlo::{self, DynInput, dyn_input};
use supremum::{AllowUnsafe, DynTensor, try_fuse};

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes.iter());
    let rules = [
        AllowUnsafe::<Jax>::RULE_SET,
        Numpy::RULE_SET,
        AllowUnsafe::<Torch>::RULE_SET,
    ][bytes.below(3)];
    let inputs: Vec<(DType, Vec<usize>)> = (0..1 + bytes.below(3))
        .map(|_| (bytes.dtype(), bytes.shape()))
        .collect();
    // A tensor with elements, which becomes a constant of the program.
    let (dtype, shape) = (bytes.dtype(), bytes.shape());
    let Ok(constant) = DynTensor::ones(dtype, &shape[..]) else {
        return;
    };
    let constant = constant.with_rules(rules);
    let steps: Vec<[usize; 5]> = std::iter::from_fn(|| bytes.step()).take(24).collect();

    let traced_inputs: Vec<DynInput> = inputs
        .iter()
        .map(|(dtype, shape)| dyn_input(*dtype, shape).with_rules(rules))
        .collect();
    let mut traced = vec![];
    let program = stablehlo::trace(traced_inputs, |mut tensors| {
        tensors.push(constant.clone());
        traced = run(&mut tensors, &steps);
        tensors
    });
    let program = match program {
        Ok(program) => program,
        Err(error) => panic!("nothing here needs elements: {error}"),
    };
    let ones = |(dtype, shape): &(DType, Vec<usize>)| {
        let ones = DynTensor::ones(*dtype, &shape[..]).expect("a few elements");
        ones.with_rules(rules)
    };
    let mut tensors: Vec<DynTensor> = inputs.iter().map(ones).collect();
    tensors.push(constant);
    let eager = run(&mut tensors, &steps);
    for (number, (eager, traced)) in eager.iter().zip(&traced).enumerate() {
        let values = matches!(
            eager,
            Err(Error::DivisionByZero { .. }
                | Error::NegativeExponent { .. }
                | Error::IndexOutOfRange { .. })
        );
        if values && traced.is_ok() {
            // Tensors without elements do not tell; what follows has other operands.
            return prints(&program.to_string());
        }
        assert_eq!(eager, traced, "step {number}: {:?}", steps[number]);
    }
    let outputs = program.outputs();
    assert_eq!(outputs.len(), tensors.len());
    for (output, tensor) in outputs.iter().zip(&tensors) {
        assert_eq!(
            (output.dtype, &output.shape[..]),
            (tensor.dtype(), tensor.shape())
        );
    }
    prints(&program.to_string());
});

/// Asserts that each value of a program is defined once, before it is used.
fn prints(text: &str) {
    fn names(line: &str) -> impl Iterator<Item = &str> {
        line.split('%').skip(1).map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            &rest[..end.unwrap_or(rest.len())]
        })
    }
    let mut defined = HashSet::new();
    for line in text.lines() {
        let (new, used) = match line.split_once(" = ") {
            Some((new, used)) if line.trim_start().starts_with('%') => (new, used),
            _ if line.contains("func.func") || line.trim_start().starts_with('^') => (line, ""),
            _ => ("", line),
        };
        for name in names(used) {
            assert!(defined.contains(name), "%{name} is not defined: {text}");
        }
        for name in names(new) {
            // The names of values within regions, which have letters in front, stand in several.
            let within =
                name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.starts_with("arg");
            assert!(
                defined.insert(name) || within,
                "%{name} is defined twice: {text}"
            );
        }
    }
}

/// What a step gave: dtype, weakness and shape.
type Outcome = Result<(DType, bool, Vec<usize>), Error>;

/// Runs all steps; what they give is pushed.
fn run(tensors: &mut Vec<DynTensor>, steps: &[[usize; 5]]) -> Vec<Outcome> {
    let run = |step: &[usize; 5]| {
        let found = apply(tensors, step);
        let outcome = found
            .as_ref()
            .map(|t| (t.dtype(), t.is_weak(), t.shape().to_vec()))
            .map_err(Clone::clone);
        // Large ones take long to compute.
        tensors.extend(found.ok().filter(|tensor| tensor.len() <= 512));
        outcome
    };
    steps.iter().map(run).collect()
}

fn apply(tensors: &[DynTensor], &[operation, a, b, c, d]: &[usize; 5]) -> Result<DynTensor, Error> {
    let [a, b, other] = [a, b, d].map(|number| &tensors[number % tensors.len()]);
    let rank = a.ndim().max(1);
    let axis = (c % (rank + 1)).cast_signed() - isize::from(d % 2 == 0);
    let (literal, fraction) = ((d % 5).cast_signed() as i64, (d % 7) as f64 / 2.0);
    match operation % 88 {
        0 => a.try_add(b),
        1 => a.try_sub(b),
        2 => a.try_mul(b),
        3 => a.try_div(b),
        4 => a.try_rem(b),
        5 => a.try_floor_div(b),
        6 => a.try_pow(b),
        7 => a.try_atan2(b),
        8 => a.try_minimum(b),
        9 => a.try_maximum(b),
        10 => a.try_bitand(b),
        11 => a.try_bitor(b),
        12 => a.try_bitxor(b),
        13 => a.try_shl(b),
        14 => a.try_shr(b),
        15 => a.try_equal(b),
        16 => a.try_not_equal(b),
        17 => a.try_lt(b),
        18 => a.try_ge(b),
        19 => a.try_add(literal),
        20 => a.try_mul(fraction),
        21 => a.try_pow(literal),
        22 => a.try_lt(fraction),
        23 => a.try_select(b, other),
        24 => a.try_select(literal, fraction),
        25 => a.try_clamp(b, other),
        26 => a.try_clamp(-literal, fraction),
        27 => a.try_matmul(b),
        28 => a.try_dot(b),
        29 => a.try_concat(b, axis),
        30 => try_concat(&[a, b, a], axis),
        31 => try_stack(&[a, b], axis),
        32 => a.try_neg(),
        33 => a.try_not(),
        34 => a.abs(),
        35 => a.sign(),
        36 => a.floor(),
        37 => a.round(),
        38 => a.real(),
        39 => a.imag(),
        40 => a.is_nan(),
        41 => a.is_finite(),
        42 => a.sqrt(),
        43 => a.recip(),
        44 => a.exp(),
        45 => a.tanh(),
        46 => a.sigmoid(),
        47 => Ok(a.conj()),
        // `try_cast` looks at the elements.
        48 => Ok(a.cast(DType::ALL[d % DType::ALL.len()])),
        49 => a.try_sum(),
        50 => a.try_sum_axis(axis),
        51 => a.try_prod_keepdims(&[axis]),
        52 => a.try_mean_keepdims(axis),
        53 => a.try_var_axis(&[axis, axis + 1]),
        54 => a.try_std(),
        55 => a.try_min_axis(axis),
        56 => a.try_max_keepdims(&[0, axis]),
        57 => a.try_any_axis(axis),
        58 => a.try_all(),
        59 => a.try_argmax_axis(axis),
        60 => a.try_argmin(),
        61 => a.try_cumsum(axis),
        62 => {
            let mut order: Vec<usize> = (0..a.ndim()).collect();
            order.rotate_left(c % rank % a.ndim().max(1));
            a.try_permute(&order)
        }
        63 => a.try_slice_step(axis, c % 4..d % 6, (d % 5).cast_signed() - 2),
        64 => a.try_flip(axis),
        65 => {
            let mut shape = a.shape().to_vec();
            shape.insert(0, d % 4);
            a.try_broadcast_to(&shape[..])
        }
        66 => a.try_reshape([a.len()]),
        67 => a.try_squeeze(axis),
        68 => a.try_unsqueeze(axis),
        69 => a.try_index_axis(axis, d % 4),
        70 => a.try_swap_axes(axis, 0),
        72 => a.try_cumprod(axis),
        73 => a.try_cummax(axis),
        74 => a.try_cummin(axis),
        75 => a.try_nan_sum_axis(axis),
        76 => a.try_nan_mean(),
        77 => a.try_nan_max_keepdims(&[0, axis]),
        78 => a.try_take(b, axis),
        79 => a.try_take_along_axis(b, axis),
        80 => a.try_tril((d % 5).cast_signed() - 2),
        81 => a.try_triu((d % 5).cast_signed() - 2),
        82 => a.try_diagonal((d % 5).cast_signed() - 2, axis, 0),
        83 => a.try_roll((d % 9).cast_signed() - 4, axis),
        84 => a.try_repeat(d % 4, axis),
        85 => a.try_tile(vec![d % 3; a.ndim()]),
        86 => a.try_pad(&vec![[c % 3, d % 3]; a.ndim()], d % 2 == 0),
        87 => a.try_chunk(d % 4, axis).map(|mut chunks| chunks.swap_remove(0)),
        _ => {
            type T = Tensor<F32, AnyRank, AllowUnsafe<Jax>>;
            let [x, y]: [T; 2] = [a.typed()?, b.typed()?];
            let fused = try_fuse!(if x > y { x * y + 1.0 } else { (y - 0.5).exp() })?;
            Ok(fused.into_dyn().with_rules(a.rules()))
        }
    }
}

struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    /// A number below a bound; zero at the end of the bytes.
    fn below(&mut self, bound: usize) -> usize {
        self.0.next().map_or(0, |byte| usize::from(*byte) % bound)
    }

    fn dtype(&mut self) -> DType {
        DType::ALL[self.below(DType::ALL.len())]
    }

    fn shape(&mut self) -> Vec<usize> {
        (0..self.below(4)).map(|_| self.below(5)).collect()
    }

    /// Operation, operands and details.
    fn step(&mut self) -> Option<[usize; 5]> {
        if self.0.len() == 0 {
            return None;
        }
        Some([256; 5].map(|bound| self.below(bound)))
    }
}
