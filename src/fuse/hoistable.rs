//! Hoistable parts: costly parts of an expression that may have fewer elements than the whole.
//!
//! ```text
//! (x - mean) * (var + 1e-5).rsqrt()      x: [rows, columns], mean and var: [rows, 1]
//! ```
//!
//! A loop over the result would compute the root for each element. The macros mark such a part, because it does not read all operands. Only
//! the shapes tell whether it is smaller, and they are known at run time: then a loop of the part alone computes it, and the loop of the whole
//! reads its elements as an input of its own. Else the loop of the whole computes the part like all others.

use std::cell::OnceCell;

use super::{
    CallSite, Compilation, Compile, Context, DynExpr, ElementOf, Expression, Fused, GraphBuilder,
    GraphValue, In, LoopInputs, Record, compile_in,
};
use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::error::Error;
use crate::kernel::fused::{self, Loop, LoopExpression, MAX_INPUTS, Node};

/// Memory for the elements of a hoistable part; opaque.
#[derive(Debug, Default)]
pub struct Hoisted(OnceCell<Option<Array>>);

/// Makes memory for a hoistable part.
pub fn hoisted() -> Hoisted {
    Hoisted::default()
}

/// Marks a part of an expression as hoistable. Its elements, if they are computed before the loop, are input `NUMBER`.
pub fn hoistable<S: CallSite, const NUMBER: usize, E: Expression>(
    elements: &Hoisted,
    part: Fused<E>,
) -> Fused<Hoistable<'_, NUMBER, E>> {
    Fused(Hoistable {
        elements,
        part: part.0,
        compute: compute::<S, E>,
    })
}

/// The number of elements up to which a part is computed by a loop of its own. The interpreter takes some 2 us to prepare, and then has loops
/// for each instruction set.
const MAX_COMPILED: usize = 1 << 12;

/// Computes a part that has fewer elements than the result of the loop with these inputs. `None` if it has not.
type Compute<E> = fn(&E, &LoopInputs<'_>) -> Option<Array>;

/// A hoistable part.
#[derive(Clone, Copy)]
pub struct Hoistable<'h, const NUMBER: usize, E> {
    elements: &'h Hoisted,
    part: E,
    compute: Compute<E>,
}

impl<const NUMBER: usize, E: Expression> Expression for Hoistable<'_, NUMBER, E> {
    type DType = E::DType;
    type Operand = E::Operand;
    type Rank = E::Rank;
    type Rules = E::Rules;
}

impl<const NUMBER: usize, E: Expression> Compile for Hoistable<'_, NUMBER, E> {
    type Loop = fused::Hoistable<NUMBER, In<E, ElementOf<E::DType>>>;
    const COMPILABLE: bool = NUMBER < MAX_INPUTS && E::COMPILABLE;

    #[inline]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>, _: DType) -> Option<Self::Loop> {
        let mut unread = LoopInputs::default();
        let sources = match self.computed(sources) {
            Some(elements) => {
                sources.array(NUMBER, elements);
                &mut unread
            }
            None => sources,
        };
        compile_in(&self.part, sources, E::DType::DTYPE).map(fused::Hoistable::new)
    }
}

impl<const NUMBER: usize, E: Expression> Record for Hoistable<'_, NUMBER, E> {
    fn record<'a>(
        &'a self,
        to: &mut GraphBuilder<'a>,
        context: Context,
    ) -> Result<GraphValue, Error> {
        self.part.record(to, context)
    }
}

impl<const NUMBER: usize, E: Expression> Hoistable<'_, NUMBER, E> {
    /// Returns the elements of the part if they are to be computed before the loop.
    #[inline]
    fn computed(&self, sources: &LoopInputs<'_>) -> Option<&Array> {
        // If an operation fails, the graph of the whole has the error.
        if const { <E::Loop as Node>::CAN_FAIL } || !sources.is_hoisting() {
            return None;
        }
        let computed = self
            .elements
            .0
            .get_or_init(|| (self.compute)(&self.part, sources));
        computed.as_ref()
    }
}

/// [`Compute`] at a call site.
fn compute<S: CallSite, E: Expression>(part: &E, whole: &LoopInputs<'_>) -> Option<Array> {
    let compiled = || {
        let mut inputs = LoopInputs::default();
        let node: In<E, ElementOf<E::DType>> = compile_in(part, &mut inputs, E::DType::DTYPE)?;
        let expression = LoopExpression::new((), node);
        if let Some(code) = Loop::of_part::<S, _>(&expression, &inputs) {
            let shape = whole.hoisted_shape(&inputs)?;
            if shape.iter().product::<usize>() <= MAX_COMPILED
                && let Some(elements) = code.evaluate()
            {
                return Some(elements);
            }
        }
        interpret(part, whole)
    };
    S::Compilation::choose(compiled, || None)
}

/// Computes a part by the interpreter, because it is long, it reads values that the whole binds, the processor has no loop of it, or parts of
/// it are better computed before.
fn interpret<E: Expression>(part: &E, whole: &LoopInputs<'_>) -> Option<Array> {
    let part = DynExpr {
        expression: part,
        dtype: E::DType::DTYPE,
    };
    let (graph, value) = part.graph().ok()?;
    if !whole.hoists_part(graph.shape(value)) {
        return None;
    }
    graph.evaluate(value).ok()
}
