//! The types of arguments and results of functions: tensors, and tuples and vectors of them.

use super::on_device::{DynOnDevice, OnDevice, Value};
use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::dynamic::DynTensor;
use crate::error::{DeviceError, Error};
use crate::rank::Rank;
use crate::rules::{Jax, RuleSet, Rules};
use crate::stablehlo::{Signature, parameter};
use crate::tensor::Tensor;

/// The arguments of one call; opaque.
#[derive(Default)]
pub struct ArgumentList<'a> {
    pub(super) given: Vec<ArgumentValue<'a>>,
    /// The weakness of each argument, and its rules.
    pub(super) signature: Signature,
}

/// One argument.
pub(super) enum ArgumentValue<'a> {
    /// A tensor on the host, which stays.
    Host(&'a Array),
    /// A tensor on the host whose memory is given up.
    OwnedHost(Array),
    /// A value on devices, which stays.
    Device(&'a Value),
    /// A value on devices whose memory is given up.
    OwnedDevice(Value),
    /// A value on devices whose memory is given up once the program has started.
    Slot(&'a mut dyn Slot),
}

/// A place from which a call takes a value on devices.
pub(super) trait Slot {
    fn value(&self) -> Option<&Value>;
    fn clear(&mut self);
}

impl<D, N, R> Slot for Option<OnDevice<D, N, R>> {
    fn value(&self) -> Option<&Value> {
        self.as_ref().map(|given| &given.value)
    }

    fn clear(&mut self) {
        *self = None;
    }
}

impl Slot for Option<DynOnDevice> {
    fn value(&self) -> Option<&Value> {
        self.as_ref().map(|given| &given.value)
    }

    fn clear(&mut self) {
        *self = None;
    }
}

impl<'a> ArgumentList<'a> {
    fn push(&mut self, given: ArgumentValue<'a>, weak: bool, rules: &'static RuleSet) {
        self.given.push(given);
        self.signature.push(weak, rules);
    }

    /// The dtype and shape of each argument, or [`DeviceError::GivenUp`] for one that an earlier call has taken.
    pub(super) fn types(&self) -> impl Iterator<Item = Result<(DType, &[usize]), Error>> {
        self.given.iter().enumerate().map(|(number, given)| {
            Ok(match given {
                ArgumentValue::Host(array) => (array.dtype(), array.shape()),
                ArgumentValue::OwnedHost(array) => (array.dtype(), array.shape()),
                ArgumentValue::Device(value) => (value.dtype, &value.shape[..]),
                ArgumentValue::OwnedDevice(value) => (value.dtype, &value.shape[..]),
                ArgumentValue::Slot(slot) => {
                    let value = slot.value().ok_or(DeviceError::GivenUp { number })?;
                    (value.dtype, &value.shape[..])
                }
            })
        })
    }
}

/// The results of one call, in the order in which the program gives them; opaque.
pub struct ResultList<'a> {
    values: std::vec::IntoIter<Value>,
    tensors: core::slice::Iter<'a, (bool, &'static RuleSet)>,
    lengths: core::slice::Iter<'a, usize>,
}

impl<'a> ResultList<'a> {
    /// The values of a program's results, one for each tensor of the signature.
    pub(super) fn new(values: Vec<Value>, signature: &'a Signature) -> Self {
        assert_eq!(
            values.len(),
            signature.tensors.len(),
            "a value for each result"
        );
        Self {
            values: values.into_iter(),
            tensors: signature.tensors.iter(),
            lengths: signature.lengths.iter(),
        }
    }

    fn next(&mut self) -> (Value, bool, &'static RuleSet) {
        let (weak, rules) = self
            .tensors
            .next()
            .expect("as many tensors as the type has");
        (
            self.values.next().expect("a value for each tensor"),
            *weak,
            rules,
        )
    }

    fn length(&mut self) -> usize {
        *self.lengths.next().expect("a length for each vector")
    }
}

/// The dtypes, shapes and rules of the arguments of a function that is to be traced; opaque.
pub struct ArgumentTypes<'a> {
    pub(super) types: std::vec::IntoIter<(DType, &'a [usize])>,
    pub(super) tensors: core::slice::Iter<'a, (bool, &'static RuleSet)>,
    pub(super) lengths: core::slice::Iter<'a, usize>,
}

impl ArgumentTypes<'_> {
    /// Adds the next argument to the current trace.
    fn next(&mut self, to: &mut Signature) -> Result<(Array, bool, &'static RuleSet), Error> {
        let (dtype, shape) = self.types.next().expect("as many types as arguments");
        let (weak, rules) = self
            .tensors
            .next()
            .expect("as many signatures as arguments");
        to.push(*weak, rules);
        Ok((parameter(dtype, shape)?, *weak, rules))
    }
}

/// The types of arguments and results: [`Tensor`], [`DynTensor`], and tuples and vectors of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither argument nor result of a function on devices",
    label = "not made of tensors",
    note = "they are tensors, and tuples or vectors of tensors"
)]
pub trait TensorTree: Sized + 'static {
    /// References to the tensors: `(&Tensor<..>, &Tensor<..>)` for a tuple of two, a slice for a vector.
    type Refs<'a>: Copy;
    /// The same values on a device: `(OnDevice<..>, OnDevice<..>)`.
    type OnDevice;

    #[doc(hidden)]
    fn refs(&self) -> Self::Refs<'_>;
    #[doc(hidden)]
    fn collect<'a>(refs: Self::Refs<'a>, to: &mut ArgumentList<'a>);
    /// # Errors
    /// The errors of an invalid shape.
    #[doc(hidden)]
    fn traced(from: &mut ArgumentTypes<'_>, to: &mut Signature) -> Result<Self, Error>;
    /// # Errors
    /// The errors of the plugin.
    #[doc(hidden)]
    fn get(from: &mut ResultList<'_>) -> Result<Self, Error>;
    #[doc(hidden)]
    fn on_device(from: &mut ResultList<'_>) -> Self::OnDevice;
}

/// An argument where the function takes a `T`: for a tensor, a reference to it or to an [`OnDevice`] of the same dtype, rank
/// and rules; or one of these by value, whose memory is given up if the program [donates](crate::stablehlo::Program::donate)
/// the argument. A `&mut Option<OnDevice<..>>` is given up too, but only once the program has started: the call empties it, and
/// leaves it as it is if it fails. Tuples and vectors of arguments are arguments for tuples and vectors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is given where the function takes `{T}`",
    label = "not a `{T}`, nor one on the device",
    note = "the function was traced for that dtype, rank and rules; beside a tensor `.cast::<..>()` gives another dtype"
)]
pub trait Argument<T> {
    #[doc(hidden)]
    fn collect<'a>(self, to: &mut ArgumentList<'a>)
    where
        Self: 'a;
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> TensorTree for Tensor<D, N, R> {
    type Refs<'a> = &'a Self;
    type OnDevice = OnDevice<D, N, R>;

    fn refs(&self) -> &Self {
        self
    }

    fn collect<'a>(refs: &'a Self, to: &mut ArgumentList<'a>) {
        to.push(ArgumentValue::Host(refs.array()), D::WEAK, R::RULE_SET);
    }

    fn traced(from: &mut ArgumentTypes<'_>, to: &mut Signature) -> Result<Self, Error> {
        from.next(to).map(|(array, ..)| Self::from_array(array))
    }

    fn get(from: &mut ResultList<'_>) -> Result<Self, Error> {
        from.next().0.array().map(Self::from_array)
    }

    fn on_device(from: &mut ResultList<'_>) -> OnDevice<D, N, R> {
        OnDevice::new(from.next().0)
    }
}

#[diagnostic::do_not_recommend]
impl TensorTree for DynTensor {
    type Refs<'a> = &'a Self;
    type OnDevice = DynOnDevice;

    fn refs(&self) -> &Self {
        self
    }

    fn collect<'a>(refs: &'a Self, to: &mut ArgumentList<'a>) {
        to.push(
            ArgumentValue::Host(refs.array()),
            refs.is_weak(),
            refs.rules(),
        );
    }

    fn traced(from: &mut ArgumentTypes<'_>, to: &mut Signature) -> Result<Self, Error> {
        let (array, weak, rules) = from.next(to)?;
        Ok(Self::from_array(array, weak, rules))
    }

    fn get(from: &mut ResultList<'_>) -> Result<Self, Error> {
        let (value, weak, rules) = from.next();
        Ok(Self::from_array(value.array()?, weak, rules))
    }

    fn on_device(from: &mut ResultList<'_>) -> DynOnDevice {
        let (value, weak, rules) = from.next();
        DynOnDevice::new(value, weak, rules)
    }
}

#[diagnostic::do_not_recommend]
impl<T: TensorTree> TensorTree for Vec<T> {
    type Refs<'a> = &'a [T];
    type OnDevice = Vec<T::OnDevice>;

    fn refs(&self) -> &[T] {
        self
    }

    fn collect<'a>(refs: &'a [T], to: &mut ArgumentList<'a>) {
        to.signature.lengths.push(refs.len());
        for tensor in refs {
            T::collect(tensor.refs(), to);
        }
    }

    fn traced(from: &mut ArgumentTypes<'_>, to: &mut Signature) -> Result<Self, Error> {
        let length = *from.lengths.next().expect("a length for each vector");
        to.lengths.push(length);
        (0..length).map(|_| T::traced(from, to)).collect()
    }

    fn get(from: &mut ResultList<'_>) -> Result<Self, Error> {
        (0..from.length()).map(|_| T::get(from)).collect()
    }

    fn on_device(from: &mut ResultList<'_>) -> Vec<T::OnDevice> {
        (0..from.length()).map(|_| T::on_device(from)).collect()
    }
}

/// Implements [`Argument`] for one form of tensors, given its array, its weakness and its rules.
macro_rules! argument {
    ([$($parameters:tt)*] $of:ty, $tensor:ty, |$given:ident| $what:expr, $weak:expr, $rules:expr) => {
        #[diagnostic::do_not_recommend]
        impl<$($parameters)*> Argument<$tensor> for $of {
            fn collect<'a>(self, to: &mut ArgumentList<'a>)
            where
                Self: 'a,
            {
                let $given = self;
                let (weak, rules) = ($weak, $rules);
                to.push($what, weak, rules);
            }
        }
    };
}

argument!(['t, D: StaticDType, N: Rank, R: Rules] &'t Tensor<D, N, R>, Tensor<D, N, R>,
    |given| ArgumentValue::Host(given.array()), D::WEAK, R::RULE_SET);
argument!([D: StaticDType, N: Rank, R: Rules] Tensor<D, N, R>, Self,
    |given| ArgumentValue::OwnedHost(given.into_array()), D::WEAK, R::RULE_SET);
argument!(['t, D: StaticDType, N: Rank, R: Rules] &'t OnDevice<D, N, R>, Tensor<D, N, R>,
    |given| ArgumentValue::Device(&given.value), D::WEAK, R::RULE_SET);
argument!([D: StaticDType, N: Rank, R: Rules] OnDevice<D, N, R>, Tensor<D, N, R>,
    |given| ArgumentValue::OwnedDevice(given.value), D::WEAK, R::RULE_SET);
argument!(['t, D: StaticDType, N: Rank, R: Rules] &'t mut Option<OnDevice<D, N, R>>, Tensor<D, N, R>,
    |given| ArgumentValue::Slot(given), D::WEAK, R::RULE_SET);
argument!(['t] &'t DynTensor, DynTensor, |given| ArgumentValue::Host(given.array()), given.is_weak(), given.rules());
argument!([] DynTensor, Self, |given| ArgumentValue::OwnedHost(given.into_array()), given.is_weak(), given.rules());
argument!(['t] &'t DynOnDevice, DynTensor, |given| ArgumentValue::Device(&given.value), given.weak, given.rules);
argument!([] DynOnDevice, DynTensor, |given| ArgumentValue::OwnedDevice(given.value), given.weak, given.rules);

#[diagnostic::do_not_recommend]
impl Argument<DynTensor> for &mut Option<DynOnDevice> {
    fn collect<'a>(self, to: &mut ArgumentList<'a>)
    where
        Self: 'a,
    {
        let given = self.as_ref();
        // An empty one is refused for being empty, whatever stands here.
        let (weak, rules) = given.map_or((false, Jax::RULE_SET), |given| (given.weak, given.rules));
        to.push(ArgumentValue::Slot(self), weak, rules);
    }
}

#[diagnostic::do_not_recommend]
impl<T, A: Argument<T>> Argument<Vec<T>> for Vec<A> {
    fn collect<'a>(self, to: &mut ArgumentList<'a>)
    where
        Self: 'a,
    {
        to.signature.lengths.push(self.len());
        for argument in self {
            argument.collect(to);
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $of:ident $value:ident),*);)*) => {$(
        #[diagnostic::do_not_recommend]
        #[allow(unused_variables, reason = "the empty tuple has no elements")]
        #[allow(clippy::unused_unit, reason = "the empty tuple")]
        impl<$($name: TensorTree),*> TensorTree for ($($name,)*) {
            type Refs<'a> = ($($name::Refs<'a>,)*);
            type OnDevice = ($($name::OnDevice,)*);

            fn refs(&self) -> Self::Refs<'_> {
                let ($($value,)*) = self;
                ($($value.refs(),)*)
            }

            fn collect<'a>(refs: Self::Refs<'a>, to: &mut ArgumentList<'a>) {
                let ($($value,)*) = refs;
                $($name::collect($value, to);)*
            }

            fn traced(from: &mut ArgumentTypes<'_>, to: &mut Signature) -> Result<Self, Error> {
                Ok(($($name::traced(from, to)?,)*))
            }

            fn get(from: &mut ResultList<'_>) -> Result<Self, Error> {
                Ok(($($name::get(from)?,)*))
            }

            fn on_device(from: &mut ResultList<'_>) -> Self::OnDevice {
                ($($name::on_device(from),)*)
            }
        }

        // rustc would list these impls beside each wrong element of a tuple. So a message is about the whole tuple, whose types
        // stand beside those that the function takes.
        #[diagnostic::do_not_recommend]
        #[allow(unused_variables, reason = "the empty tuple has no elements")]
        impl<$($name, $of: Argument<$name>),*> Argument<($($name,)*)> for ($($of,)*) {
            fn collect<'a>(self, to: &mut ArgumentList<'a>)
            where
                Self: 'a,
            {
                let ($($value,)*) = self;
                $($value.collect(to);)*
            }
        }
    )*};
}

tuples! {
    ();
    (A AOf a);
    (A AOf a, B BOf b);
    (A AOf a, B BOf b, C COf c);
    (A AOf a, B BOf b, C COf c, D DOf d);
    (A AOf a, B BOf b, C COf c, D DOf d, E EOf e);
    (A AOf a, B BOf b, C COf c, D DOf d, E EOf e, F FOf f);
    (A AOf a, B BOf b, C COf c, D DOf d, E EOf e, F FOf f, G GOf g);
    (A AOf a, B BOf b, C COf c, D DOf d, E EOf e, F FOf f, G GOf g, H HOf h);
    (A AOf a, B BOf b, C COf c, D DOf d, E EOf e, F FOf f, G GOf g, H HOf h, I IOf i);
    (A AOf a, B BOf b, C COf c, D DOf d, E EOf e, F FOf f, G GOf g, H HOf h, I IOf i, J JOf j);
    (A AOf a, B BOf b, C COf c, D DOf d, E EOf e, F FOf f, G GOf g, H HOf h, I IOf i, J JOf j, K KOf k);
    (A AOf a, B BOf b, C COf c, D DOf d, E EOf e, F FOf f, G GOf g, H HOf h, I IOf i, J JOf j, K KOf k, L LOf l);
}
