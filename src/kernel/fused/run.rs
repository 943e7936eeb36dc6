//! An expression with its loop, which is evaluated into new memory or into an array.
#![allow(unsafe_code, reason = "hands arrays to loops over raw memory")]

use core::sync::atomic::{AtomicBool, Ordering};

use super::call_site::{CallSite, Code, code, code_of_part, has_code_of_parts};
use super::inputs::LoopInputs;
use super::{
    DTypes, Elementwise, ExpressionAt, Extent, Extents, LoopExpression, MAX_BOUND, MAX_INPUTS,
    Node, PackByPack, Values,
};
use crate::array::{Array, Dims, UNNAMED, Uninit, element_count};
use crate::dtype::{DType, Element};
use crate::simd::LANES;

/// The cost, in additions, up to which operations on operands smaller than the result are computed anew for each element
/// of the result. Costlier ones are computed once: before the loop if they are hoistable, else by the interpreter.
const MAX_REPEATED_COST: usize = 12;

/// The cost, in additions, up to which a loop computes operations anew for all elements of the result together: to prepare anything else takes
/// longer.
const MAX_REPEATED_IN_ALL: usize = 1 << 14;

/// [`MAX_REPEATED_IN_ALL`] of parts that a loop of their own computes before the whole, which takes a quarter of a microsecond.
const MAX_REPEATED_BEFORE_PART: usize = 1 << 12;

/// Returns the extent of an expression in a result; writes those of its bound values.
type ExtentOf = fn(&mut Extents) -> Extent;

/// The [`ExtentOf`] of an expression with these values.
fn extent_of<V: Values, A: Node>(extents: &mut Extents) -> Extent {
    let before = V::extents(extents);
    let mut own = A::extent(extents);
    own.repeated = own.repeated.saturating_add(before);
    own
}

impl LoopInputs<'_> {
    /// Returns the shape to which the inputs broadcast if a loop of the expression should read hoistable parts in place of computing them anew
    /// for each element. `out` is the shape of an output.
    pub(crate) fn hoists<V: Values, A: Node>(&self, out: Option<&Dims>) -> Option<Dims> {
        let mut shape = Dims::default();
        if self.alike && self.output.is_none() {
            return None;
        }
        let axes = self.broadcast(out, &mut shape)?;
        let (_, extent) = self.extent(extent_of::<V, A>, &axes);
        if !extent.repeats_hoistable {
            return None;
        }
        let most = match has_code_of_parts() {
            true => MAX_REPEATED_BEFORE_PART,
            false => MAX_REPEATED_IN_ALL,
        };
        (extent.repeated_for(&shape) > most).then_some(shape)
    }

    /// Returns the axes of the result along which each input extends, and writes the result's shape. `None` if there is no shape, or if an array
    /// has no elements here. An input that is the output has the shape `out`.
    // The shape is written in place because reading a value as a whole, right after its parts were stored, stalls.
    pub(super) fn broadcast(
        &self,
        out: Option<&Dims>,
        shape: &mut Dims,
    ) -> Option<[u8; MAX_INPUTS]> {
        let arrays = &self.arrays[..self.end];
        let mut rank = out.map_or(0, |out| out.len());
        for array in arrays.iter().flatten() {
            // An array without elements is not an operand: the graph says so.
            if array.has_handle() {
                return None;
            }
            rank = rank.max(array.rank());
        }
        *shape = Dims::single(rank);
        let (mut axes, mut all, mut widest) = ([0; MAX_INPUTS], 0, 0);
        for (number, array) in arrays.iter().enumerate() {
            let target = out.filter(|_| self.output == Some(number));
            if let Some(dims) = array.map(Array::dims).or(target) {
                let extended = shape.broadcast_with(dims)?;
                axes[number] = extended;
                (all, widest) = (all | extended, extended.max(widest));
            }
        }
        // An operand that extends along all axes has as many elements as the value. As a number, its axes are the greatest: those of the
        // others are among them.
        let is_counted = widest == all;
        (is_counted || element_count(UNNAMED, shape).is_ok()).then_some(axes)
    }

    /// Returns the extent of all inputs together, which extend along these axes, and that of the expression.
    fn extent(&self, extent: ExtentOf, axes: &[u8; MAX_INPUTS]) -> (Extent, Extent) {
        let none = Extent::operand(0, 0);
        let mut extents = Extents {
            inputs: [none; MAX_INPUTS],
            bound: [none; MAX_BOUND],
            all: 0,
        };
        let mut all = none;
        for (number, dtype) in self.dtypes().iter().enumerate() {
            if dtype.is_some() {
                extents.inputs[number] = Extent::operand(axes[number], 1 << number);
                all.axes |= axes[number];
                all.inputs |= 1 << number;
            }
        }
        extents.all = all.axes;
        (all, extent(&mut extents))
    }
}

/// A loop for rows along which some inputs repeat an element, and which can store past the caches.
#[derive(Clone, Copy)]
pub struct RepeatingLoop {
    pub(super) code: Code,
    /// The inputs that must repeat an element along rows, one bit for each number.
    repeats: u32,
}

impl RepeatingLoop {
    /// Makes the loop of an expression. The inputs that `REPEATS` has a bit for repeat an element along rows.
    pub(crate) fn new<S: CallSite, V: Values, A: Node, const REPEATS: u32>() -> Self {
        Self {
            code: code::<S, Elementwise<V, A, true, REPEATS>>(),
            repeats: REPEATS,
        }
    }

    /// Returns whether it may run over rows, along which the inputs repeat that `repeats` has a bit for.
    #[inline]
    pub(super) fn fits(self, repeats: u32) -> bool {
        repeats & self.repeats == self.repeats
    }
}

/// An expression with its loop for the SIMD level in use.
#[derive(Clone, Copy)]
pub struct Loop<'e> {
    pub(super) code: Code,
    /// The loop of the same expression for rows along which some inputs repeat, if there is one.
    pub(super) repeating: Option<RepeatingLoop>,
    pub(super) expression: ExpressionAt,
    pub(super) sources: &'e LoopInputs<'e>,
    pub(super) dtype: DType,
    pub(super) cost: usize,
    pub(super) calls: bool,
    /// If this is a part of the rows, the bytes that the whole expression reads and writes; else zero.
    pub(super) bytes_of_whole: usize,
    /// `true` if it may compute elements that do not exist.
    pub(super) computes_padding: bool,
    /// `true` if an operation has failed; `None` if none can.
    pub(super) failed: Option<&'e AtomicBool>,
    /// `None` if the extent need not be known: all inputs are read, and the whole expression may be repeated.
    pub(super) extent: Option<ExtentOf>,
}

impl<'e> Loop<'e> {
    /// Makes the loop of an expression.
    ///
    /// # Panics
    /// If the inputs' dtypes are not those that the expression reads.
    #[inline]
    pub(crate) fn new<S: CallSite, V: Values, A: Node>(
        expression: &'e LoopExpression<V, A>,
        sources: &'e LoopInputs<'e>,
    ) -> Self {
        Self::of_code(code::<S, Elementwise<V, A>>(), expression, sources)
    }

    /// Makes a loop of an expression, with other code than [`Elementwise`].
    ///
    /// # Panics
    /// As [`Self::new`].
    #[inline]
    pub(in crate::kernel) fn of_code<V: Values, A: Node>(
        code: Code,
        expression: &'e LoopExpression<V, A>,
        sources: &'e LoopInputs<'e>,
    ) -> Self {
        let mut bound = DTypes::default();
        let inputs = sources.dtypes();
        assert!(
            V::fits(inputs, &mut bound)
                && A::fits(inputs, &bound)
                && sources.output_fits(A::Format::DTYPE),
            "an expression's operands have the dtypes that it was made for"
        );
        Self {
            code,
            repeating: None,
            expression: ExpressionAt::new(expression),
            sources,
            dtype: A::Format::DTYPE,
            cost: 1 + V::COST + A::COST,
            calls: V::CALLS || A::CALLS,
            bytes_of_whole: 0,
            computes_padding: LoopExpression::<V, A>::COMPUTES_PADDING,
            failed: LoopExpression::<V, A>::CAN_FAIL.then_some(&expression.failed),
            // A user's function is never repeated, whatever it costs.
            extent: if const { V::COUNT == 0 && !A::CALLS && A::COST <= MAX_REPEATED_COST } {
                None
            } else {
                Some(extent_of::<V, A>)
            },
        }
    }

    /// Makes the loop of a part that is computed before the whole. `None` if the processor has none, or if the part reads values that
    /// only the whole binds.
    pub(crate) fn of_part<S: CallSite, A: Node>(
        expression: &'e LoopExpression<(), A>,
        sources: &'e LoopInputs<'e>,
    ) -> Option<Self> {
        let code = code_of_part::<S, PackByPack<A>>()?;
        let is_whole = A::fits(sources.dtypes(), &DTypes::default());
        is_whole.then(|| Self::of_code(code, expression, sources))
    }

    /// Adds the loop of the same expression for rows along which some inputs repeat.
    #[inline]
    pub(crate) fn with_repeating(self, repeating: Option<RepeatingLoop>) -> Self {
        Self { repeating, ..self }
    }

    /// Returns one of the arrays if all are row-major and have one shape.
    #[inline]
    pub(super) fn like(&self) -> Option<&'e Array> {
        self.sources.first.filter(|_| self.sources.alike)
    }

    /// Returns whether the loop may run over a whole pack of arrays that have fewer elements: their buffers have padding, and the
    /// expression can be computed for it.
    #[inline]
    pub(super) fn reads_padding(&self) -> bool {
        self.sources.is_padded_to && self.computes_padding
    }

    /// Computes the value into new memory. Returns `None` if there is no memory, if shapes do not broadcast, if parts of
    /// the expression are better computed once, before the rest, or if an operation fails: then the graph gives the value or the
    /// error.
    pub(crate) fn evaluate(&self) -> Option<Array> {
        let size = self.dtype.size();
        let Some(like) = self.like() else {
            return self.evaluate_broadcast();
        };
        let mut buffer = Uninit::new(like.len() * size).ok()?;
        let is_padded = self.is_padded(like.len(), buffer.is_padded_to(LANES * size));
        // SAFETY: all inputs are row-major (`like`) and have `like.len()` elements, or a pack of initialised bytes if they are
        // padded. The output has room for as many, in memory that nothing else refers to; `pieces` writes all elements.
        let buffer = unsafe {
            self.pieces(buffer.as_mut_ptr(), like.len(), is_padded);
            buffer.assume_init()
        };
        self.succeeded(like.len())
            .then(|| like.like(buffer, self.dtype))
    }

    /// Returns whether no operation has failed, after `len` elements of the result were computed. If there are none, it returns
    /// `false`: parts of the expression that have elements may fail, but the loop has not computed them.
    #[inline]
    fn succeeded(&self, len: usize) -> bool {
        self.failed
            .is_none_or(|failed| len > 0 && !failed.load(Ordering::Relaxed))
    }

    /// [`Self::evaluate`] of operands that broadcast.
    #[inline(never)]
    fn evaluate_broadcast(&self) -> Option<Array> {
        let mut shape = Dims::default();
        if !self.has_shape(None, &mut shape) {
            return None;
        }
        let len = shape.iter().product::<usize>();
        let mut buffer = Uninit::new(len * self.dtype.size()).ok()?;
        let is_padded = buffer.is_padded_to(LANES * self.dtype.size());
        // SAFETY: the new memory has room for the shape's elements, and for a pack if it is padded. Nothing else refers to
        // it; no input is the output's. `run_strided` writes all elements.
        let buffer = unsafe {
            self.run_strided(&shape, buffer.as_mut_ptr(), is_padded);
            buffer.assume_init()
        };
        self.succeeded(len)
            .then(|| Array::from_buffer(buffer, self.dtype, shape))
    }

    /// Writes the shape of the value, and returns whether the loop should compute it. It should not if there is no shape, or for the
    /// other reasons that [`Self::evaluate`] names. A value that is written to an array has the array's shape, `out`.
    pub(crate) fn has_shape(&self, out: Option<&Dims>, shape: &mut Dims) -> bool {
        let Some(axes) = self.sources.broadcast(out, shape) else {
            return false;
        };
        if out.is_some_and(|out| *out != *shape) {
            return false;
        }
        self.extent
            .is_none_or(|extent| self.is_whole(extent, &axes, shape))
    }

    /// Returns whether no costly part of the expression is smaller than the result: the loop would compute such a part again for
    /// each element.
    fn is_whole(&self, extent: ExtentOf, axes: &[u8; MAX_INPUTS], shape: &Dims) -> bool {
        let (all, extent) = self.sources.extent(extent, axes);
        // Inputs that only unused bindings read do not count for the shape.
        let is_whole = extent.inputs == all.inputs && extent.axes == all.axes;
        let is_cheap = usize::from(extent.repeated) <= MAX_REPEATED_COST;
        is_whole
            && (is_cheap || !extent.calls() && extent.repeated_for(shape) <= MAX_REPEATED_IN_ALL)
    }

    /// Overwrites a row-major array of the value's dtype and shape that has no other owner. Returns whether it was
    /// overwritten; if not, the graph gives the value or the error.
    pub(crate) fn evaluate_into(&self, out: &mut Array) -> bool {
        if self.failed.is_some() {
            return self.replace(out);
        }
        let first = self.sources.first;
        if !self.sources.alike || first.is_some_and(|first| first.dims() != out.dims()) {
            return self.overwrite(out);
        }
        let is_padded = self.is_padded(out.len(), out.is_padded_to(LANES * self.dtype.size()));
        let Some(pointer) = self.memory(out) else {
            return false;
        };
        // SAFETY: all inputs are row-major (`alike`) and have `out.len()` elements, or a pack of initialised bytes if they are
        // padded. So has the output, and it has no other owner (`memory`), so no operand shares its elements.
        unsafe { self.pieces(pointer, out.len(), is_padded) };
        true
    }

    /// [`Self::evaluate_into`] of an expression that can fail. It computes into new memory and gives that to the output at the end,
    /// so that the output is unchanged if an operation fails.
    #[inline(never)]
    fn replace(&self, out: &mut Array) -> bool {
        let fits = out.dtype() == self.dtype && !out.has_handle();
        let value = self.with_output(out, |code| code.evaluate());
        match value.filter(|_| fits) {
            Some(array) if array.dims() == out.dims() => {
                *out = array;
                true
            }
            _ => false,
        }
    }

    /// Calls a function with the loop that reads an array where this one reads the output's former elements.
    pub(crate) fn with_output<T>(&self, out: &Array, run: impl FnOnce(&Loop<'_>) -> T) -> T {
        let mut sources = *self.sources;
        if let Some(number) = sources.output.take() {
            sources.array(number, out);
        }
        run(&Loop {
            sources: &sources,
            ..*self
        })
    }

    /// [`Self::evaluate_into`] of operands that broadcast.
    #[inline(never)]
    fn overwrite(&self, out: &mut Array) -> bool {
        let mut shape = Dims::default();
        if !self.has_shape(Some(out.dims()), &mut shape) {
            return false;
        }
        let Some(pointer) = self.memory(out) else {
            return false;
        };
        // SAFETY: the array has the shape's elements, of this dtype, and no other owner (`memory`), so no operand
        // shares them.
        unsafe { self.run_strided(&shape, pointer, false) };
        true
    }

    /// Returns whether to run over a whole pack of fewer elements: the output and all inputs are padded to one, and the padding may
    /// be computed. Else a part of a pack is copied there and back, which takes longer than computing it.
    #[inline]
    fn is_padded(&self, len: usize, output_has_room: bool) -> bool {
        0 < len && len < LANES && output_has_room && self.reads_padding()
    }

    /// Returns the address of an array's elements, if the value may overwrite them: it has the value's dtype, is
    /// contiguous, and has no other owner.
    fn memory(&self, out: &mut Array) -> Option<*mut u8> {
        let fits = out.dtype() == self.dtype && out.is_contiguous();
        if fits { out.unique_mut_ptr() } else { None }
    }
}
