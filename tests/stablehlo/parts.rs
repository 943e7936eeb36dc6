//! Writes to parts of traced tensors: programs give what the same functions give without a trace.

use std::ops::Range;

use supremum::prelude::*;
use supremum::stablehlo::{self, Outputs, Program, dyn_input, input};
use supremum::{DynTensorViewMut, TensorViewMut, try_fuse};

use super::evaluate::{Value, evaluate};
use super::{names, outputs, traced};

/// A write to a part of a tensor of any rank. Parts are narrowed one after the other.
#[derive(Debug)]
struct Write {
    narrowed: Vec<Narrowed>,
    what: What,
}

#[derive(Debug)]
enum Narrowed {
    Slice(usize, Range<usize>, isize),
    IndexAxis(usize, usize),
    Diagonal(isize, [usize; 2]),
}

#[derive(Debug)]
enum What {
    Fill(i32),
    /// Assigns elements of the second tensor with this shape, which broadcasts to that of the part.
    Assign(Vec<usize>),
    Add(i64),
    /// Adds the part's own elements, reversed along the last axis.
    AddReversed,
}

/// Writes to a whole tensor, after those to parts.
#[derive(Debug)]
enum Whole {
    Element(Vec<usize>, i32),
    Rows(usize),
    Columns(usize),
}

/// The methods of both types of tensors have the same names.
macro_rules! functions {
    ($run:ident, $write:ident, $tensor:ty, $view:ty, $to_tensor:ident) => {
        fn $run(mut t: $tensor, x: &$tensor, writes: &[Write], whole: &[Whole]) -> [$tensor; 2] {
            let before = t.clone();
            for Write { narrowed, what } in writes {
                $write(&mut t.view_mut(), narrowed, what, x);
            }
            for whole in whole {
                match whole {
                    Whole::Element(index, value) => t.set(index, *value),
                    Whole::Rows(from) => {
                        for mut row in t.rows_mut().skip(*from) {
                            row *= 2;
                            row.slice_step_mut(0, .., 2).fill(-1);
                        }
                    }
                    Whole::Columns(from) => {
                        // Each is written after all were made, from the last one on.
                        let columns: Vec<_> = t.axis_iter_mut(-1).skip(*from).collect();
                        for (number, mut column) in columns.into_iter().enumerate().rev() {
                            column += number as i64;
                        }
                    }
                }
            }
            [t, before]
        }

        fn $write(view: &mut $view, narrowed: &[Narrowed], what: &What, x: &$tensor) {
            match narrowed {
                [Narrowed::Slice(axis, range, step), more @ ..] => {
                    let mut part = view.slice_step_mut(*axis, range.clone(), *step);
                    $write(&mut part, more, what, x);
                }
                [Narrowed::IndexAxis(axis, position), more @ ..] => {
                    $write(&mut view.index_axis_mut(*axis, *position), more, what, x);
                }
                [Narrowed::Diagonal(offset, [first, second]), more @ ..] => {
                    $write(
                        &mut view.diagonal_mut(*offset, *first, *second),
                        more,
                        what,
                        x,
                    );
                }
                [] => match what {
                    What::Fill(value) => view.fill(*value),
                    What::Assign(shape) => {
                        let len: usize = shape.iter().product();
                        view.assign(&x.flatten().slice(0, ..len).reshape(shape.clone()));
                    }
                    What::Add(value) => *view += *value,
                    What::AddReversed => {
                        let own = $to_tensor(view);
                        *view += own.flip(-1);
                    }
                },
            }
        }
    };
}

fn copy(view: &mut TensorViewMut<'_, I32>) -> Tensor<I32> {
    view.to_tensor()
}

fn dyn_copy(view: &mut DynTensorViewMut<'_>) -> DynTensor {
    view.to_dyn().expect("memory")
}

functions!(run, write, Tensor<I32>, TensorViewMut<'_, I32>, copy);
functions!(
    run_dyn,
    write_dyn,
    DynTensor,
    DynTensorViewMut<'_>,
    dyn_copy
);

/// A random write to a part of a tensor of this shape.
fn random_write(rng: &mut fastrand::Rng, shape: &[usize]) -> Write {
    let (mut shape, mut narrowed) = (shape.to_vec(), vec![]);
    for _ in 0..rng.usize(..4) {
        if shape.is_empty() {
            break;
        }
        let axis = rng.usize(..shape.len());
        let size = shape[axis];
        match rng.u8(..8) {
            0 if size > 0 => {
                narrowed.push(Narrowed::IndexAxis(axis, rng.usize(..size)));
                shape.remove(axis);
            }
            1 if shape.len() > 1 => {
                let other = (axis + rng.usize(1..shape.len())) % shape.len();
                let offset = rng.isize(-2..3);
                let left = [axis, other].map(|axis| shape[axis] as isize);
                let count = (left[0] + offset.min(0)).min(left[1] - offset.max(0));
                narrowed.push(Narrowed::Diagonal(offset, [axis, other]));
                shape.remove(axis.max(other));
                shape.remove(axis.min(other));
                shape.push(count.max(0) as usize);
            }
            _ => {
                // Most parts have several positions.
                let start = rng.usize(..=size.min(2));
                let end = if rng.bool() {
                    size
                } else {
                    rng.usize(start..=size)
                };
                let step = [1, 1, 2, -1, -2, 3][rng.usize(..6)];
                narrowed.push(Narrowed::Slice(axis, start..end, step));
                shape[axis] = (end - start).div_ceil(step.unsigned_abs());
            }
        }
    }
    let what = match rng.u8(..4) {
        0 => What::Fill(rng.i32(-99..0)),
        1 => What::Add(rng.i64(100..200)),
        2 if !shape.is_empty() => What::AddReversed,
        _ => {
            let first = rng.usize(..=shape.len());
            let mut from = shape.split_off(first);
            for size in &mut from {
                *size = if rng.u8(..4) == 0 { 1 } else { *size };
            }
            What::Assign(from)
        }
    };
    Write { narrowed, what }
}

fn value(t: &DynTensor) -> Value {
    Value {
        shape: t.shape().to_vec(),
        elements: t.cast(DType::I64).to_vec::<I64>().expect("integers"),
    }
}

/// Typed = dynamic = traced, for random parts of tensors of rank 0 to 4. Clones made before keep their elements. In some programs
/// the tensor that is written has elements until a traced one is assigned.
#[test]
fn programs_write_parts_as_the_same_functions_do() {
    let mut recorded = std::collections::BTreeSet::new();
    for seed in 0..600 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let rank = rng.usize(..5);
        let smallest = usize::from(rng.u8(..8) > 0);
        let shape: Vec<usize> = (0..rank)
            .map(|_| rng.usize(smallest..7 - rank / 2))
            .collect();
        let writes: Vec<Write> = (0..rng.usize(1..5))
            .map(|_| random_write(&mut rng, &shape))
            .collect();
        let mut whole = vec![];
        if !shape.contains(&0) {
            let index = shape.iter().map(|size| rng.usize(..*size)).collect();
            whole.push(Whole::Element(index, 77));
        }
        match rng.u8(..3) {
            0 if rank > 0 => whole.push(Whole::Rows(rng.usize(..3))),
            1 if rank > 0 => whole.push(Whole::Columns(rng.usize(..3))),
            _ => {}
        }
        let count: usize = shape.iter().product();
        let t = Tensor::<I32>::from_vec((0..count as i32).collect(), &shape[..]).expect("a shape");
        let x = Tensor::<I32, Rank1>::from_vec((1000..4000).collect(), [3000]).expect("a shape");
        let x = x.into_any();
        let context = format!("{seed}: {shape:?} {writes:?} {whole:?}");

        let typed = run(t.clone(), &x, &writes, &whole).map(Tensor::into_dyn);
        let dynamic = run_dyn(t.clone().into_dyn(), &x.clone().into_dyn(), &writes, &whole);
        assert_eq!(typed, dynamic, "{context}");

        let is_known = rng.bool();
        let typed_program = stablehlo::trace(
            (input::<I32, _>(shape.clone()), input::<I32, _>(vec![3000])),
            |(own, x)| {
                let own = if is_known { t.clone() } else { own };
                run(own, &x, &writes, &whole).to_vec()
            },
        );
        let dyn_program = stablehlo::trace(
            vec![
                dyn_input(DType::I32, &shape),
                dyn_input(DType::I32, &[3000]),
            ],
            |tensors: Vec<DynTensor>| {
                let own = if is_known {
                    t.clone().into_dyn()
                } else {
                    tensors[0].clone()
                };
                run_dyn(own, &tensors[1], &writes, &whole).to_vec()
            },
        );
        let programs: [Program; 2] = [
            typed_program.expect(&context).into_dyn(),
            dyn_program.expect(&context).into_dyn(),
        ];
        assert_eq!(
            programs[0].to_string(),
            programs[1].to_string(),
            "{context}"
        );
        let inputs = [&t.clone().into_dyn(), &x.clone().into_dyn()].map(value);
        assert_eq!(
            evaluate(&programs[0], &inputs),
            typed.each_ref().map(value),
            "{context}\n{}",
            programs[0]
        );
        recorded.extend(names(&programs[0]));
    }
    for name in [
        "dynamic_update_slice",
        "pad",
        "slice",
        "gather",
        "transpose",
    ] {
        assert!(recorded.contains(name), "{name}");
    }
}

/// Compound writes with operands of other dtypes, which the rules promote to that of the part.
macro_rules! mixed {
    ($($test:ident, $rules:ty;)*) => {$(
        #[test]
        fn $test() {
            type Matrix<D> = Tensor<D, Rank2, $rules>;

            fn function(mut t: Matrix<I32>, bytes: &Matrix<I8>, bits: &Matrix<Bool>) -> Matrix<I32> {
                let row = bytes.index_axis(1, 0);
                *t.slice_step_mut(1, .., -2) += bytes;
                *t.slice_axes_mut(s![.., 1..3]) += bits;
                *t.index_axis_mut(1, -1) *= &row;
                fuse!(t.slice_axes_mut(s![..;-1, 1]) += row * 5);
                fuse!(t.slice_mut(1, ..2) = (bits + bytes * 2).cast::<I32>());
                try_fuse!(t.diagonal_mut(0, 0, 1) -= row).expect("one shape");
                t
            }

            fn dyn_function(mut t: DynTensor, bytes: &DynTensor, bits: &DynTensor) -> DynTensor {
                let row = bytes.index_axis(1, 0);
                *t.slice_step_mut(1, .., -2) += bytes;
                *t.slice_axes_mut(s![.., 1..3]) += bits;
                *t.index_axis_mut(1, -1) *= &row;
                *t.slice_axes_mut(s![..;-1, 1]) += &row * 5;
                t.slice_mut(1, ..2).assign(&(bits + bytes * 2).cast(DType::I32));
                *t.diagonal_mut(0, 0, 1) -= row;
                t
            }

            let t = Matrix::<I32>::from_fn([3, 4], |[row, column]| (row * 4 + column) as i32);
            let bytes = Matrix::<I8>::from_fn([3, 2], |[row, column]| (row + 3 * column) as i8 - 4);
            let bits = Matrix::<Bool>::from_fn([3, 2], |[row, column]| row != column);
            let typed = function(t.clone(), &bytes, &bits).into_dyn();
            let tensors = [t.into_dyn(), bytes.into_dyn(), bits.into_dyn()];
            let [t, bytes, bits] = &tensors;
            assert_eq!(dyn_function(t.clone(), bytes, bits), typed);

            let inputs = (
                input::<I32, _>([3, 4]).with_rules::<$rules>(),
                input::<I8, _>([3, 2]).with_rules::<$rules>(),
                input::<Bool, _>([3, 2]).with_rules::<$rules>(),
            );
            let program = traced(inputs, |(t, bytes, bits)| function(t, &bytes, &bits));
            let inputs = tensors.each_ref().map(value);
            assert_eq!(evaluate(&program, &inputs), [value(&typed)], "{program}");
            assert_eq!(outputs(&program), ["i32 [3, 4]"]);

            let inputs = tensors.each_ref().map(|t| dyn_input(t.dtype(), t.shape()).with_rules(t.rules()));
            let dynamic = stablehlo::trace(inputs.to_vec(), |tensors: Vec<DynTensor>| {
                dyn_function(tensors[0].clone(), &tensors[1], &tensors[2])
            });
            let inputs = tensors.each_ref().map(value);
            assert_eq!(evaluate(&dynamic.unwrap().into_dyn(), &inputs), [value(&typed)]);
        }
    )*};
}

mixed! {
    other_dtypes_are_promoted_under_jax, Jax;
    other_dtypes_are_promoted_under_numpy, Numpy;
    other_dtypes_are_promoted_under_torch, Torch;
}

/// A part is read, computed with and written as a tensor of its own is: small floats are rounded once, after each operation.
#[test]
fn compound_writes_compute_as_tensors_do() {
    let inputs = || (input::<BF16, _>([4, 6]), input::<BF16, _>([6]));
    let in_place = traced(inputs(), |(mut t, x)| {
        *t.slice_mut(0, 1..3) *= &x;
        t
    });
    let as_tensor = traced(inputs(), |(mut t, x)| {
        let part = t.slice(0, 1..3) * &x;
        t.slice_mut(0, 1..3).assign(&part);
        t
    });
    let fused = traced(inputs(), |(mut t, x)| {
        fuse!(t.slice_mut(0, 1..3) *= x);
        t
    });
    let operations = [
        "slice",
        "convert",
        "convert",
        "broadcast_in_dim",
        "multiply",
        "convert",
        "constant",
        "constant",
        "dynamic_update_slice",
    ];
    for program in [in_place, as_tensor, fused] {
        assert_eq!(names(&program), operations, "{program}");
    }
    let whole = traced(inputs(), |(mut t, x)| {
        t.view_mut().assign(&x);
        t
    });
    assert_eq!(names(&whole), ["broadcast_in_dim"]);
}

/// The cache of docs/cookbook.md, with numbers that a product of integers keeps.
#[test]
fn a_cache_of_keys_is_a_program() {
    fn steps(all: &Tensor<I32, Rank3>) -> Vec<DynTensor> {
        let mut keys = Tensor::<I32, Rank3>::zeros([2, 8, 4]);
        let (mut start, mut results) = (0, vec![]);
        for length in [3, 1, 1] {
            let end = start + length;
            keys.slice_mut(1, start..end)
                .assign(&all.slice(1, start..end));
            results.push(keys.slice(1, ..end).into_dyn());
            start = end;
        }
        results.push(keys.into_dyn());
        results
    }
    let all = Tensor::<I32, Rank3>::from_fn([2, 5, 4], |[head, at, of]| {
        (head * 100 + at * 10 + of) as i32
    });
    let expected = steps(&all);
    let program = traced(input::<I32, _>([2, 5, 4]), |all| steps(&all));
    let expected: Vec<Value> = expected.iter().map(value).collect();
    assert_eq!(evaluate(&program, &[value(&all.into_dyn())]), expected);
    let writes = names(&program).into_iter();
    assert_eq!(
        writes.filter(|name| name == "dynamic_update_slice").count(),
        3
    );
}

#[test]
fn tensors_with_elements_keep_them_until_a_traced_one_is_written() {
    let program = traced(input::<F32, _>([2]), |x| {
        let mut known = Tensor::<F32, Rank2>::zeros([2, 2]);
        let before = known.clone();
        known.slice_mut(0, 1..).fill(1.0);
        known.view_mut()[[0, 1]] = 2.0;
        known.index_axis_mut(1, 1).map_inplace(|x| x + 3.0);
        known.set(&[0, 0], 9.0);
        let mut part = known.view_mut();
        let mut row = part.index_axis_mut(0, 0);
        row += 1.0;
        assert_eq!((row[0], row.get(&[1])), (10.0, Some(6.0)));
        assert_eq!(part[[0, 1]], 6.0);
        part.slice_mut(1, 1..).fill(7.0);
        assert_eq!(part[[0, 1]], 7.0);
        part[[0, 1]] = 6.0;
        assert_eq!(part[[0, 1]], 6.0);
        for mut row in known.rows_mut() {
            let sum = row[0] + row[1];
            row.slice_mut(0, ..1).fill(sum);
        }
        assert_eq!(known.to_vec(), [16.0, 6.0, 8.0, 7.0]);
        let mut result = known.clone();
        result.index_axis_mut(0, 1).assign(&x);
        assert_eq!(known.to_vec(), [16.0, 6.0, 8.0, 7.0]);
        assert_eq!(before.to_vec(), [0.0; 4]);
        result
    });
    assert_eq!(
        names(&program),
        [
            "constant",
            "reshape",
            "constant",
            "constant",
            "dynamic_update_slice"
        ]
    );
}

#[test]
fn elements_of_known_rows_are_written_in_a_trace() {
    let program = traced(input::<F32, _>([2]), |x| {
        let mut known = Tensor::<F32, Rank2>::zeros([2, 2]);
        let before = known.clone();
        for mut row in known.rows_mut() {
            row[0] = 1.0;
            row[1] += row[0] + 1.0;
        }
        assert_eq!(
            (known.to_vec(), before.to_vec()),
            (vec![1.0, 2.0, 1.0, 2.0], vec![0.0; 4])
        );

        let mut columns: Vec<_> = known.axis_iter_mut(1).collect();
        assert_eq!((columns[0][1], columns[1][1]), (1.0, 2.0));
        let (left, right) = columns.split_at_mut(1);
        std::mem::swap(&mut left[0][0], &mut right[0][1]);
        assert_eq!((columns[0][0], columns[1][1]), (2.0, 1.0));
        columns[0].slice_mut(0, 1..).fill(5.0);
        columns[0].map_inplace(|x| x + 1.0);
        assert_eq!(
            columns[0]
                .try_assign(&Tensor::<F32, Rank1>::ones([3]))
                .map_err(|error| error.to_string()),
            Err(
                "assign: shapes [2] and [3] do not fit together; axis 0 has sizes 2 and 3"
                    .to_owned()
            )
        );
        // The array keeps its elements as long as they may be borrowed.
        let refused = columns[1].try_assign(&x);
        assert!(matches!(
            refused,
            Err(Error::Untraceable {
                operation: "assign"
            })
        ));
        assert!(matches!(
            try_fuse!(columns[1] = x + 1.0),
            Err(Error::Untraceable { .. })
        ));
        drop(columns);
        assert_eq!(known.to_vec(), [3.0, 2.0, 6.0, 1.0]);
        known
            .rows_mut()
            .rev()
            .take(1)
            .for_each(|mut row| row.assign(&x));
        known
    });
    assert!(names(&program).contains(&"dynamic_update_slice".to_owned()));
}

#[test]
fn errors_are_those_without_a_trace() {
    fn errors(mut t: Tensor<F32, Rank2>) -> Vec<Error> {
        let wrong = Tensor::<F32, Rank1>::zeros([4]);
        let mut dynamic = t.clone().into_dyn();
        let integers = DynTensor::ones(DType::I32, [3]).expect("memory");
        let mut errors = vec![
            t.slice_mut(1, ..2).try_assign(&wrong).unwrap_err(),
            t.try_slice_mut(2, ..).map(drop).unwrap_err(),
            t.try_slice_mut(1, 2..5).map(drop).unwrap_err(),
            t.try_slice_step_mut(1, .., 0).map(drop).unwrap_err(),
            t.try_index_axis_mut(0, 3).map(drop).unwrap_err(),
            t.try_set(&[0, 3], 1.0).unwrap_err(),
            t.try_set(&[0], 1.0).unwrap_err(),
            dynamic.view_mut().try_fill(1e300).unwrap_err(),
            try_fuse!(t.slice_mut(1, ..2) = wrong).unwrap_err(),
            dynamic.view_mut().try_assign(&integers).unwrap_err(),
            dynamic.try_set(&[3, 0], 1).unwrap_err(),
            dynamic.try_diagonal_mut(0, 0, 0).map(drop).unwrap_err(),
        ];
        errors.extend(Tensor::<F32>::zeros([]).try_rows_mut().map(drop).err());
        errors
    }
    let t = Tensor::<F32, Rank2>::zeros([3, 3]);
    let expected = errors(t);
    traced(input::<F32, _>([3, 3]), |t| {
        assert_eq!(errors(t.clone()), expected);
        t
    });
}

/// The text of the error that ends a trace.
#[track_caller]
fn message<O: Outputs>(write: impl FnOnce(Tensor<F32, Rank2>) -> O) -> String {
    let refused = stablehlo::trace(input::<F32, _>([2, 2]), write);
    refused.map(drop).unwrap_err().to_string()
}

#[test]
fn what_needs_elements_is_refused_with_what_works() {
    let texts = [
        message(|mut t| {
            t.slice_mut(0, 1..).map_inplace(f32::sqrt);
            t
        }),
        message(|t| t.map(f32::sqrt)),
        message(|mut t| {
            t.as_mut_slice()[0] = 1.0;
            t
        }),
        message(|mut t| {
            t.iter_mut().for_each(|x| *x = 1.0);
            t
        }),
        message(|mut t| {
            t[[0, 1]] = 1.0;
            t
        }),
        message(|mut t| {
            t.rows_mut().for_each(|mut row| row[0] = 1.0);
            t
        }),
    ];
    let [closure, slice, index] = [
        "compute with operations on tensors or `fuse!` in place of the closure, and choose by `select`",
        "a part is written by `t.slice_mut(axis, range).assign(&x)`, `.fill(value)` or `+=`",
        "an element is written by `t.set(&index, value)`, and read as a tensor by `t.slice_axes(s![i, j])`",
    ];
    let advice = [
        ("map_inplace", closure),
        ("map", closure),
        ("as_mut_slice", slice),
        ("as_mut_slice", slice),
        ("index", index),
        ("index", index),
    ];
    for (text, (operation, instead)) in texts.iter().zip(advice) {
        let expected = format!("{operation}: a traced tensor has no elements; {instead}");
        assert_eq!(*text, expected);
    }
}

#[test]
fn parts_are_written_in_the_trace_in_which_they_are_borrowed() {
    let mut outside = Tensor::<F32, Rank2>::zeros([2, 2]);
    let mut part = outside.index_axis_mut(0, 0);
    assert_eq!(
        message(|t| part.try_assign(&t.index_axis(0, 0)).map(|()| t)),
        "assign: a traced tensor has no elements; borrow the part, as by `t.slice_mut(axis, range)`, within the traced function"
    );
    let hint = "borrow the part, as by `t.slice_mut(axis, range)`, within the traced function";
    let error = stablehlo::trace(input::<F32, _>([2, 2]), |t| {
        part += &t.index_axis(0, 0);
        t
    });
    assert_eq!(
        error.map(drop).unwrap_err().to_string(),
        format!("+=: a traced tensor has no elements; {hint}")
    );
    let error = stablehlo::trace(input::<F32, _>([2]), |t| try_fuse!(part -= t).map(|()| t));
    assert_eq!(
        error.map(drop).unwrap_err().to_string(),
        format!("fuse!: a traced tensor has no elements; {hint}")
    );
    part.fill(1.0);
    assert_eq!(outside.to_vec(), [1.0, 1.0, 0.0, 0.0]);

    // Parts that have left their trace.
    let (mut tensor, mut known) = (outside.clone(), outside.clone());
    let mut left = Vec::new();
    traced(input::<F32, _>([2, 2]), |t| {
        tensor = t.clone();
        left.push(tensor.slice_mut(0, 1..));
        left.push(known.slice_mut(0, 1..));
        t
    });
    let is_outside = |result: Result<(), Error>| matches!(result, Err(Error::OutsideTrace { .. }));
    let ones = Tensor::<F32, Rank2>::ones([1, 2]);
    let outside_of = |operation| Err(Error::OutsideTrace { operation });
    assert_eq!(left[0].try_fill(1.0), outside_of("fill"));
    assert_eq!(left[0].try_assign(&ones), outside_of("assign"));
    let zipped = left[0].try_zip_mut_with(&ones, |_, _| ());
    assert_eq!(zipped, outside_of("zip_mut_with"));
    assert!(is_outside(try_fuse!(left[0] = ones)));
    assert!(is_outside(try_fuse!(left[0] += ones)));
    assert!(is_outside(try_fuse!(left[0] = left[0] - left[0].sum())));
    assert!(is_outside(try_fuse!(left[0].slice_mut(0, ..) *= 2.0)));
    assert!(is_outside(try_fuse!(left[1] += 1.0)));
    left[1].fill(2.0);
    drop(left);
    assert_eq!(known.to_vec(), [1.0, 1.0, 2.0, 2.0]);

    // The parts along an axis stay on the thread of the trace.
    let program = traced(input::<F32, _>([2, 2]), |mut t| {
        let mut rows: Vec<_> = t.rows_mut().collect();
        std::thread::scope(|scope| {
            let first = &mut rows[0];
            let elsewhere = scope.spawn(move || {
                let mut first = first.slice_mut(0, ..);
                [
                    first.try_fill(1.0),
                    try_fuse!(first += 1.0),
                    try_fuse!(first = first - first.max()),
                ]
            });
            let results = elsewhere.join().expect("no panic");
            assert_eq!(results[0], outside_of("fill"));
            assert!(results.into_iter().all(is_outside));
        });
        rows[1].fill(0.0);
        t
    });
    assert!(names(&program).contains(&"dynamic_update_slice".to_owned()));
}
