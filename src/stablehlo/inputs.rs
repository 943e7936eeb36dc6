//! The arguments and results of traced functions.

use core::marker::PhantomData;

use crate::array::{Array, Dims, UNNAMED, element_count};
use crate::dtype::{DType, StaticDType, StrongDType};
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rank::{Rank, Shape};
use crate::rules::{IntoRuleSet, Jax, RuleSet, Rules};
use crate::tensor::Tensor;
use crate::trace::{array, with_graph};

/// The description of an argument of a program: the dtype, shape and rules of the tensor that the traced function gets.
/// Made by [`input()`].
#[derive(Clone, Debug)]
pub struct Input<D, N, R = Jax> {
    shape: Vec<usize>,
    types: PhantomData<fn() -> (D, N, R)>,
}

/// Describes an argument of dtype `D` and this shape. The compiler knows its rank if the type of the shape fixes it.
///
/// ```
/// supremum::prelude!();
/// use supremum::stablehlo::{self, input};
/// let program = stablehlo::trace(input::<BF16, _>([8, 4]), |x| x.exp())?;
/// assert_eq!(program.inputs()[0].to_string(), "bf16 [8, 4]");
/// # Ok::<(), Error>(())
/// ```
#[rustfmt::skip] // The compiler quotes the line, with its comment.
pub fn input<D: StrongDType, S: Shape>(shape: S) -> Input<D, S::Rank> { // `input::<F32, _>([8, 4])`, not as `help` says
    Input {
        shape: shape.as_ref().to_vec(),
        types: PhantomData,
    }
}

impl<D, N, R> Input<D, N, R> {
    /// Returns the same argument under other rules.
    #[must_use]
    pub fn with_rules<S: Rules>(self) -> Input<D, N, S> {
        Input {
            shape: self.shape,
            types: PhantomData,
        }
    }
}

/// The description of an argument whose dtype is known at run time only. Made by [`dyn_input`].
#[derive(Clone, Debug)]
pub struct DynInput {
    dtype: DType,
    shape: Vec<usize>,
    rules: &'static RuleSet,
}

/// Describes an argument of this dtype and shape; in the traced function it is a [`DynTensor`].
///
/// ```
/// supremum::prelude!();
/// use supremum::stablehlo::{self, dyn_input};
/// let inputs = [DType::F16, DType::BF16].map(|dtype| dyn_input(dtype, &[8])).to_vec();
/// let program = stablehlo::trace(inputs, |x| x[0].try_add(&x[1]))?;
/// assert_eq!(program.outputs()[0].to_string(), "f32 [8]");
/// # Ok::<(), Error>(())
/// ```
pub fn dyn_input(dtype: DType, shape: &[usize]) -> DynInput {
    DynInput {
        dtype,
        shape: shape.to_vec(),
        rules: Jax::RULE_SET,
    }
}

impl DynInput {
    /// Returns the same argument under other rules.
    #[must_use]
    pub fn with_rules(self, rules: impl IntoRuleSet) -> Self {
        let rules = rules.into_rule_set();
        Self { rules, ..self }
    }
}

/// The arguments of a program: an [`Input`], a [`DynInput`], or a vector or tuple of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which tensors the traced function takes",
    label = "not made of inputs",
    note = "give `supremum::stablehlo::input::<F32, _>([8, 16])` for an argument, and a tuple of them for several"
)]
pub trait Inputs {
    /// The argument type of the traced function.
    type Tensors;

    /// Adds the arguments to the current trace, and what their types do not say to a signature.
    ///
    /// # Errors
    /// The errors of an invalid shape.
    #[doc(hidden)]
    fn tensors(self, to: &mut Signature) -> Result<Self::Tensors, Error>;
}

/// The results of a traced function: a [`Tensor`], a [`DynTensor`], a vector or tuple of them, or a `Result` of these.
#[diagnostic::on_unimplemented(
    message = "a traced function cannot give `{Self}`",
    label = "not made of tensors",
    note = "it gives a tensor, a tuple or vector of tensors, or a `Result` of those"
)]
pub trait Outputs {
    /// The tensors without the `Result`: what a program gives.
    type Tensors;

    /// Appends the arrays to `to`.
    ///
    /// # Errors
    /// The error of a `Result`.
    #[doc(hidden)]
    fn arrays(self, to: &mut Results) -> Result<(), Error>;
}

/// The tensors that a traced function returned; opaque.
#[derive(Debug, Default)]
pub struct Results {
    pub(super) arrays: Vec<Array>,
    pub(super) signature: Signature,
}

impl Results {
    fn push(&mut self, array: &Array, weak: bool, rules: &'static RuleSet) {
        self.arrays.push(array.clone());
        self.signature.push(weak, rules);
    }
}

/// The facts about arguments or results that dtypes and shapes do not say; opaque.
#[doc(hidden)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    /// For each tensor, whether it is weak, and its rules.
    pub(crate) tensors: Vec<(bool, &'static RuleSet)>,
    /// The lengths of vectors, in the order in which they begin.
    pub(crate) lengths: Vec<usize>,
}

impl Signature {
    /// Adds a tensor.
    pub(crate) fn push(&mut self, weak: bool, rules: &'static RuleSet) {
        self.tensors.push((weak, rules));
    }
}

/// Adds an argument to the current trace.
///
/// # Errors
/// The errors of an invalid shape.
pub(crate) fn parameter(dtype: DType, shape: &[usize]) -> Result<Array, Error> {
    let dims = Dims::new(shape)?;
    element_count(UNNAMED, shape)?;
    let node = with_graph("input", |graph| Ok(graph.parameter(dtype, dims)))?;
    array("input", node)
}

#[diagnostic::do_not_recommend]
impl<D: StrongDType, N: Rank, R: Rules> Inputs for Input<D, N, R> {
    type Tensors = Tensor<D, N, R>;

    fn tensors(self, to: &mut Signature) -> Result<Tensor<D, N, R>, Error> {
        to.push(D::WEAK, R::RULE_SET);
        parameter(D::DTYPE, &self.shape).map(Tensor::from_array)
    }
}

#[diagnostic::do_not_recommend]
impl Inputs for DynInput {
    type Tensors = DynTensor;

    fn tensors(self, to: &mut Signature) -> Result<DynTensor, Error> {
        to.push(false, self.rules);
        let array = parameter(self.dtype, &self.shape)?;
        Ok(DynTensor::from_array(array, false, self.rules))
    }
}

#[diagnostic::do_not_recommend]
impl<I: Inputs> Inputs for Vec<I> {
    type Tensors = Vec<I::Tensors>;

    fn tensors(self, to: &mut Signature) -> Result<Self::Tensors, Error> {
        to.lengths.push(self.len());
        self.into_iter().map(|input| input.tensors(to)).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> Outputs for Tensor<D, N, R> {
    type Tensors = Self;

    fn arrays(self, to: &mut Results) -> Result<(), Error> {
        to.push(self.array(), D::WEAK, R::RULE_SET);
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl Outputs for DynTensor {
    type Tensors = Self;

    fn arrays(self, to: &mut Results) -> Result<(), Error> {
        to.push(self.array(), self.is_weak(), self.rules());
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<O: Outputs> Outputs for Vec<O> {
    type Tensors = Vec<O::Tensors>;

    fn arrays(self, to: &mut Results) -> Result<(), Error> {
        to.signature.lengths.push(self.len());
        self.into_iter().try_for_each(|output| output.arrays(to))
    }
}

#[diagnostic::do_not_recommend]
impl<O: Outputs> Outputs for Result<O, Error> {
    type Tensors = O::Tensors;

    fn arrays(self, to: &mut Results) -> Result<(), Error> {
        self?.arrays(to)
    }
}

/// No arguments.
#[diagnostic::do_not_recommend]
impl Inputs for () {
    type Tensors = ();

    fn tensors(self, _: &mut Signature) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! tuples {
    ($(($($name:ident $value:ident),*);)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($name: Inputs),*> Inputs for ($($name,)*) {
            type Tensors = ($($name::Tensors,)*);

            fn tensors(self, to: &mut Signature) -> Result<Self::Tensors, Error> {
                let ($($value,)*) = self;
                Ok(($($value.tensors(to)?,)*))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($name: Outputs),*> Outputs for ($($name,)*) {
            type Tensors = ($($name::Tensors,)*);

            fn arrays(self, to: &mut Results) -> Result<(), Error> {
                let ($($value,)*) = self;
                $($value.arrays(to)?;)*
                Ok(())
            }
        }
    )*};
}

tuples! {
    (A a);
    (A a, B b);
    (A a, B b, C c);
    (A a, B b, C c, D d);
    (A a, B b, C c, D d, E e);
    (A a, B b, C c, D d, E e, F f);
    (A a, B b, C c, D d, E e, F f, G g);
    (A a, B b, C c, D d, E e, F f, G g, H h);
    (A a, B b, C c, D d, E e, F f, G g, H h, I i);
    (A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);
    (A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
    (A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l);
}
