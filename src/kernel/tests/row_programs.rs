//! Tests that row programs compute the same bits as operations on whole arrays. They cover rows with and without a partial pack, and
//! each form of operand that a plan accepts, on each instruction set, on several threads, and with and without streaming stores.

use std::borrow::Cow;

use super::fused_reductions::{Here, numbers};
use super::graph::assert_same;
use super::{binary, cast, copied, reduce, unary};
use crate::array::{Array, Dims};
use crate::dtype::{DType, Element, bf16};
use crate::kernel::drive::nontemporal::with_streaming;
use crate::kernel::fused::reduce::{self as reductions, with_loops};
use crate::kernel::fused::{
    Binary, Cast, Input, Loop, LoopExpression, LoopInputs, Node, OutputMemory, RepeatingLoop,
    RowBlocks, RowOperand, RowProgram, Unary, operations,
};
use crate::kernel::{BinaryOp, ReduceOp, UnaryOp};
use crate::simd::{SimdLevel, with_level};

/// The number of the input of the result that repeats along rows.
const VALUE: usize = 1;

/// `((x - mean) * sqrt(var)) * gain`, where passes compute the mean, the variance, its root and the difference.
#[derive(Clone, Copy)]
struct Normalised<'a> {
    x: &'a Array,
    gain: &'a Array,
    axes: &'a [usize],
}

fn sources<'a>(arrays: &[&'a Array]) -> LoopInputs<'a> {
    let mut sources = LoopInputs::default();
    for (number, array) in arrays.iter().enumerate() {
        sources.array(number, array);
    }
    sources
}

/// Makes the loop of a result. The inputs that `REPEATS` has a bit for repeat an element along rows.
fn result_loop<'e, A: Node, const REPEATS: u32>(
    expression: &'e LoopExpression<(), A>,
    sources: &'e LoopInputs<'e>,
) -> Loop<'e> {
    let repeating = RepeatingLoop::new::<Here, (), A, REPEATS>();
    Loop::new::<Here, _, _>(expression, sources).with_repeating(Some(repeating))
}

type Difference<T> = Binary<operations::Sub, Input<0, T>, Input<1, T>>;
type Product<T> =
    Binary<operations::Mul, Binary<operations::Mul, Input<0, T>, Input<VALUE, T>>, Input<2, T>>;

impl Normalised<'_> {
    /// Computes the expression by the library's operations on arrays, one after the other.
    fn expected(&self) -> Array {
        let dtype = self.x.dtype();
        let of = |op| reduce(op, self.x, self.axes, true, dtype).unwrap();
        let (mean, var) = (of(ReduceOp::Mean), of(ReduceOp::Var { ddof: 0 }));
        let root = unary(UnaryOp::Sqrt, dtype, Cow::Owned(var));
        let two = |op, a: &Array, b: &Array| {
            binary(op, dtype, Cow::Borrowed(a), Cow::Borrowed(b)).unwrap()
        };
        let wide = two(BinaryOp::Sub, self.x, &mean);
        two(BinaryOp::Mul, &two(BinaryOp::Mul, &wide, &root), self.gain)
    }

    /// Evaluates the first rows and records the loops, then runs these for the others. `None` if there is no plan. The result goes to an
    /// output, if there is one.
    fn by_program<T: Element>(&self, into: Option<&OutputMemory<'_>>) -> Option<Option<Array>> {
        let leaves = [Some(self.x), Some(self.gain)];
        let blocks = RowBlocks::new(&leaves, 2)?;
        let mut cut = [None, None];
        blocks.rows(&blocks.ranges().next()?, &mut cut).unwrap();
        let [x, gain] = [0, 1].map(|at: usize| cut[at].as_ref().or(leaves[at]).unwrap());
        let mut program = RowProgram::default();
        let dtype = T::DTYPE;
        let of_x = [(0, RowOperand::Given(0))];
        let read = sources(&[x]);
        let rank = x.rank();
        let (mean, var) = with_loops::<
            Here,
            reductions::Var,
            _,
            _,
            <reductions::Var as reductions::Reduction>::Accumulated<T, T>,
            _,
            true,
        >(((), Input::<0, T>::NEW), &read, |code| {
            let axes = Some(self.axes);
            program.reduce(code, (rank, axes), &of_x, Some((0, dtype)), (1, dtype));
            code.with_shape(|shape| code.reduce_with_means(shape, axes, true, (dtype, dtype)))
        })?
        .unwrap();
        let node = Unary::<operations::Sqrt, Input<0, T>>::new(Input::NEW);
        let (expression, read) = (LoopExpression::new((), node), sources(&[&var]));
        let code = Loop::new::<Here, _, _>(&expression, &read);
        program.compute(&code, &[(0, RowOperand::Computed(1))], 2);
        let root = code.evaluate().unwrap();
        let node = Difference::<T>::new(Input::NEW, Input::NEW);
        let (expression, read) = (LoopExpression::new((), node), sources(&[x, &mean]));
        let code = Loop::new::<Here, _, _>(&expression, &read);
        program.compute(
            &code,
            &[(0, RowOperand::Given(0)), (1, RowOperand::Computed(0))],
            3,
        );
        let wide = code.evaluate().unwrap();
        let node = Product::<T>::new(Binary::new(Input::NEW, Input::NEW), Input::NEW);
        let node = Cast::<_, T>::new(node);
        let (expression, read) = (
            LoopExpression::new((), node),
            sources(&[&wide, &root, gain]),
        );
        let code = result_loop::<_, { 1 << VALUE }>(&expression, &read);
        let inputs = [
            (0, RowOperand::Computed(3)),
            (VALUE, RowOperand::Computed(2)),
            (2, RowOperand::Given(1)),
        ];
        program.result(&code, &inputs);
        let first = code.evaluate().unwrap();
        let plan = program.plan(&leaves)?;
        let mut output = match into {
            Some(memory) => blocks.output_at(memory, &first)?,
            None => blocks.output(&first)?,
        };
        assert!(output.run(&plan), "a plan for this output");
        Some(output.finish())
    }
}

/// Checks every way to run a program. Returns whether there is a plan.
fn check<T: Element>(x: &Array, gain: &Array, axes: &[usize]) -> bool {
    let of = Normalised { x, gain, axes };
    let expected = of.expected();
    let mut is_planned = true;
    // `with_level` does nothing for a level that the processor lacks, which is no missing plan.
    let levels = SimdLevel::ALL.into_iter();
    for level in levels.filter(|level| *level <= SimdLevel::detected()) {
        let context = format!("{:?} {:?} {level:?}", x.shape(), gain.shape());
        let run = || {
            let (mut found, mut in_place) = (None, None);
            // Memory of its own, which the result overwrites while the program reads it.
            let mut out = copied(x);
            with_level(level, || {
                with_streaming(|| {
                    found = of.by_program::<T>(None);
                    let memory = OutputMemory::of(&mut out).unwrap();
                    let of = Normalised {
                        x: memory.array(),
                        ..of
                    };
                    in_place = of.by_program::<T>(Some(&memory));
                });
            });
            match found {
                Some(found) => {
                    assert_same(&found.unwrap(), &expected, &context);
                    assert!(matches!(in_place, Some(None)), "{context}");
                    assert_same(&out, &expected, &context);
                    true
                }
                None => {
                    assert_same(&out, x, &context);
                    false
                }
            }
        };
        is_planned &= run();
        #[cfg(feature = "parallel")]
        crate::kernel::drive::parallel::with_threads(3, || {
            run();
        });
    }
    is_planned
}

#[test]
fn rows_are_computed_as_the_whole_is() {
    // Packs, packs and a rest, more than a block, and several rows at a time.
    let shapes: [(&[usize], &[usize], &[usize]); 9] = [
        (&[50, 32], &[32], &[1]),
        (&[41, 33], &[41, 1], &[1]),
        (&[70, 64], &[1], &[1]),
        (&[23, 96], &[23, 96], &[1]),
        (&[9, 3, 64], &[9, 3, 1], &[2]),
        (&[9, 3, 64], &[64], &[2]),
        (&[11, 4, 8, 4], &[8, 4], &[2, 3]),
        (&[12, 5, 40], &[1, 1, 1], &[2]),
        (&[10, 1, 3, 40], &[10, 1, 3, 40], &[3]),
    ];
    for (seed, (x, gain, axes)) in (1..).zip(shapes) {
        let (x, gain) = (
            numbers(DType::F32, x, seed),
            numbers(DType::F32, gain, seed + 9),
        );
        assert!(check::<f32>(&x, &gain, axes), "{:?}", x.shape());
        let [x, gain] = [&x, &gain].map(|x| cast(Cow::Borrowed(x), DType::BF16));
        assert!(check::<bf16>(&x, &gain, axes), "{:?} of bf16", x.shape());
        let [x, gain] = [&x, &gain].map(|x| cast(Cow::Borrowed(x), DType::F64));
        assert!(check::<f64>(&x, &gain, axes), "{:?} of f64", x.shape());
    }
    // Rows that lie apart, and in the reverse order.
    let x = numbers(DType::F32, &[40, 100], 77);
    let gain = numbers(DType::F32, &[64], 78);
    let part = x.slice(1, 3, 67, 1).unwrap();
    assert!(check::<f32>(&part, &gain, &[1]));
    let reversed = part.flip(0).unwrap();
    assert_eq!(reversed.shape(), part.shape());
    assert!(check::<f32>(&reversed, &gain, &[1]));
}

#[test]
fn other_operands_have_no_plan() {
    let of = |shape: &[usize]| numbers(DType::F32, shape, 5);
    // Rows of less than a pack; with a rest after a block that is less than a pack.
    assert!(!check::<f32>(&of(&[100, 31]), &of(&[31]), &[1]));
    // The axes that are reduced are not the last; an operand repeats in between.
    assert!(!check::<f32>(&of(&[20, 40, 3]), &of(&[3]), &[1]));
    assert!(!check::<f32>(&of(&[20, 3, 40]), &of(&[3, 40]), &[2]));
    assert!(!check::<f32>(&of(&[20, 3, 40]), &of(&[20, 1, 1]), &[2]));
    // An operand that is read backwards along rows, or at every other element.
    let gain = of(&[80]);
    let reversed = gain.slice(0, 40, 80, 1).unwrap().flip(0).unwrap();
    assert_eq!(reversed.shape(), [40]);
    assert!(!check::<f32>(&of(&[50, 40]), &reversed, &[1]));
    let apart = gain.slice(0, 0, 80, 2).unwrap();
    assert!(!check::<f32>(&of(&[50, 40]), &apart, &[1]));
}

/// Memory that an array of its own does not have: elements that another array shares, and elements that lie apart.
#[test]
fn outputs_own_their_elements() {
    let mut x = numbers(DType::F32, &[50, 64], 1);
    assert!(OutputMemory::of(&mut x).is_some());
    let mut part = x.slice(1, 3, 60, 1).unwrap();
    assert!(OutputMemory::of(&mut x).is_none());
    assert!(OutputMemory::of(&mut part).is_none());
    drop(x);
    assert!(OutputMemory::of(&mut part).is_none());
    // Of another shape or dtype than the result.
    let x = numbers(DType::F32, &[50, 64], 1);
    let all = [Some(&x)];
    with_streaming(|| {
        let blocks = RowBlocks::new(&all, 2).unwrap();
        let mut rows = [None];
        blocks
            .rows(&blocks.ranges().next().unwrap(), &mut rows)
            .unwrap();
        let first = rows[0].as_ref().unwrap();
        let fits = |dtype, shape: &[usize]| {
            let mut out = numbers(dtype, shape, 2);
            let memory = OutputMemory::of(&mut out).unwrap();
            blocks.output_at(&memory, first).is_some()
        };
        assert!(fits(DType::F32, &[50, 64]));
        assert!(!fits(DType::F32, &[51, 64]));
        assert!(!fits(DType::F32, &[50, 1, 64]));
        assert!(!fits(DType::I32, &[50, 64]));
    });
}

/// A result that reads the elements which it replaces: the last pack of uneven rows would read some that have been replaced.
#[test]
fn results_that_replace_their_operand_have_whole_packs() {
    let run = |width: usize| {
        let mut x = numbers(DType::F32, &[50, width], 1);
        let mean = reduce(ReduceOp::Mean, &x, &[1], true, DType::F32).unwrap();
        let [lhs, rhs] = [&x, &mean].map(Cow::Borrowed);
        let expected = binary(BinaryOp::Sub, DType::F32, lhs, rhs).unwrap();
        let before = copied(&x);
        let memory = OutputMemory::of(&mut x).unwrap();
        let leaves = [Some(memory.array())];
        let blocks = RowBlocks::new(&leaves, 2).unwrap();
        let mut cut = [None];
        let rows = blocks.ranges().next().unwrap();
        blocks.rows(&rows, &mut cut).unwrap();
        let first = cut[0].as_ref().unwrap();
        let mut program = RowProgram::default();
        let (of_x, read) = ([(0, RowOperand::Given(0))], sources(&[first]));
        let mean = with_loops::<Here, reductions::Mean, _, _, f64, _, true>(
            ((), Input::<0, f32>::NEW),
            &read,
            |code| {
                program.reduce(code, (2, Some(&[1])), &of_x, None, (0, DType::F32));
                code.with_shape(|shape| code.reduce(shape, Some(&[1]), true, DType::F32))
            },
        );
        let mean = mean.unwrap().array().unwrap();
        let node = Cast::<_, f32>::new(Difference::<f32>::new(Input::NEW, Input::NEW));
        let (expression, read) = (LoopExpression::new((), node), sources(&[first, &mean]));
        let code = result_loop::<_, { 1 << VALUE }>(&expression, &read);
        let inputs = [of_x[0], (1, RowOperand::Computed(0))];
        program.result(&code, &inputs);
        let first = code.evaluate().unwrap();
        let plan = program.plan(&leaves).unwrap();
        let is_run = blocks.output_at(&memory, &first).unwrap().run(&plan);
        drop(cut);
        let context = format!("rows of {width}");
        match is_run {
            true => assert_same(&x, &expected, &context),
            false => assert_same(&x, &before, &context),
        }
        is_run
    };
    with_streaming(|| {
        assert!(run(64));
        assert!(!run(40));
    });
}

/// Passes read rows of one element; an operand without elements makes the rows of the result empty.
#[test]
fn rows_without_elements_have_no_plan() {
    let [x, empty] = [1, 0].map(|width| numbers(DType::F32, &[50, width], 1));
    let of_x = [(0, RowOperand::Given(0))];
    let mut program = RowProgram::default();
    with_loops::<Here, reductions::Mean, _, _, f64, _, true>(
        ((), Input::<0, f32>::NEW),
        &sources(&[&x]),
        |code| {
            program.reduce(code, (2, Some(&[1])), &of_x, None, (0, DType::F32));
            Some(())
        },
    );
    let node = Cast::<_, f32>::new(Difference::<f32>::new(Input::NEW, Input::NEW));
    let (expression, read) = (LoopExpression::new((), node), sources(&[&x, &empty]));
    let code = result_loop::<_, 0>(&expression, &read);
    let inputs = [of_x[0], (1, RowOperand::Given(1))];
    program.result(&code, &inputs);
    assert!(program.plan(&[Some(&x), Some(&empty)]).is_none());
}

/// A program whose passes or result could not be recorded, or that reads what no step computes.
#[test]
fn incomplete_programs_have_no_plan() {
    let x = numbers(DType::F32, &[50, 64], 1);
    let node = Cast::<_, f32>::new(Input::<0, f32>::NEW);
    let (expression, read) = (LoopExpression::new((), node), sources(&[&x]));
    let code = result_loop::<_, 0>(&expression, &read);
    let leaves = [Some(&x)];
    let of_x: &[_] = &[(0, RowOperand::Given(0))];
    let with_mean = |inputs: &[_]| {
        let mut program = RowProgram::default();
        let axes = Some(&[1][..]);
        with_loops::<Here, reductions::Mean, _, _, f64, _, true>(
            ((), Input::<0, f32>::NEW),
            &read,
            |code| {
                program.reduce(code, (2, axes), inputs, None, (0, DType::F32));
                Some(())
            },
        )
        .unwrap();
        program
    };
    let plans = |mut program: RowProgram, inputs: &[_]| {
        program.result(&code, inputs);
        program.plan(&leaves).is_some()
    };
    assert!(plans(with_mean(of_x), of_x));
    // Without a result, without a reduction, without the input.
    assert!(with_mean(of_x).plan(&leaves).is_none());
    assert!(!plans(RowProgram::default(), of_x));
    assert!(!plans(with_mean(&[]), of_x));
    // A value that no step computes, an operand that does not exist, and a result with one element for each row.
    assert!(!plans(with_mean(of_x), &[(0, RowOperand::Computed(1))]));
    assert!(!plans(with_mean(of_x), &[(0, RowOperand::Given(1))]));
    assert!(!plans(with_mean(of_x), &[(0, RowOperand::Computed(0))]));
    // A loop of two inputs, of which one is not known.
    let node = Cast::<_, f32>::new(Difference::<f32>::new(Input::NEW, Input::NEW));
    let (two, both) = (LoopExpression::new((), node), sources(&[&x, &x]));
    let difference = result_loop::<_, 0>(&two, &both);
    for inputs in [of_x, &[of_x[0], (1, RowOperand::Given(0))]] {
        let mut program = with_mean(of_x);
        program.result(&difference, inputs);
        assert_eq!(program.plan(&leaves).is_some(), inputs.len() == 2);
    }
    // The plan of another output.
    let mut program = with_mean(of_x);
    program.result(&code, of_x);
    let plan = program.plan(&leaves).unwrap();
    let other = numbers(DType::F32, &[50, 32], 1);
    let all = [Some(&other)];
    with_streaming(|| {
        let blocks = RowBlocks::new(&all, 2).unwrap();
        let rows = blocks.ranges().next().unwrap();
        let mut first = [None];
        blocks.rows(&rows, &mut first).unwrap();
        let mut output = blocks.output(first[0].as_ref().unwrap()).unwrap();
        assert!(!output.run(&plan));
        assert_eq!(*plan.shape(), Dims::new(&[50, 64]).unwrap());
    });
}
