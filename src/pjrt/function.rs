//! [`Function`]: a compiled program with the types of the traced function.

use core::fmt;
use std::sync::Arc;

use super::arguments::{Argument, ArgumentList, ArgumentValue, ResultList, Slot, TensorTree};
use super::client::Client;
use super::on_device::Value;
use super::options::CompileOptions;
use super::placement::Placement;
use super::raw::{Lifetime, Part, RawBuffer, RawExecutable};
use crate::array::{Array, Dims};
use crate::dtype::DType;
use crate::error::{DeviceError, Error};
use crate::rules::OperandType;
use crate::stablehlo::{Program, Spec, TensorType};

/// A function on tensors that runs on devices: `I` and `O` are the types of its arguments and results, as the traced function
/// takes and gives them. Made by [`Client::function`], [`Client::compile`] and [`Client::sharded`]. Clones share it.
///
/// It can be called from several threads at once.
pub struct Function<I, O> {
    pub(super) compiled: Arc<Compiled<I, O>>,
}

/// The parts of a function that its clones share.
pub(super) struct Compiled<I, O> {
    pub(super) client: Client,
    pub(super) program: Program<I, O>,
    pub(super) options: Vec<u8>,
    pub(super) executable: RawExecutable,
    inputs: Vec<Argued>,
    outputs: Vec<Argued>,
    donated: Vec<bool>,
}

/// An argument or a result: its dtype and whole shape, and where it is.
struct Argued {
    dtype: DType,
    shape: Dims,
    placement: Arc<Placement>,
}

/// The parts of a program that a client needs: the encoded options, and its arguments and results.
pub(super) struct Plan {
    pub(super) options: Vec<u8>,
    inputs: Vec<Argued>,
    outputs: Vec<Argued>,
}

impl Plan {
    /// Plans a program for the devices of its mesh, or for the device of the options.
    ///
    /// # Errors
    /// [`DeviceError::NoSuchDevice`].
    pub(super) fn new<I, O>(
        client: &Client,
        program: &Program<I, O>,
        options: &CompileOptions,
    ) -> Result<Self, Error> {
        let sharding = program.sharding();
        let devices = sharding.map_or(1, |sharding| sharding.mesh.devices());
        let device = if sharding.is_some() {
            0
        } else {
            options.device
        };
        client.check_devices(devices, device)?;
        let placement = |spec: Option<&Spec>| {
            Arc::new(match (sharding, spec) {
                (Some(sharding), Some(spec)) => Placement::Mesh {
                    sizes: sharding.mesh.sizes().collect(),
                    spec: spec.clone(),
                },
                _ => Placement::Device(device),
            })
        };
        let argued = |types: Vec<TensorType>, specs: Option<&Vec<Spec>>| {
            let numbered = types.into_iter().enumerate();
            let argued = numbered.map(|(number, TensorType { dtype, shape })| {
                let shape = Dims::new(&shape)?;
                let placement = placement(specs.map(|specs| &specs[number]));
                Ok(Argued {
                    dtype,
                    shape,
                    placement,
                })
            });
            argued.collect::<Result<Vec<_>, Error>>()
        };
        let id = client.devices()[device].id;
        Ok(Self {
            options: options.encoded(client.platform(), devices, id.into()),
            inputs: argued(program.inputs(), sharding.map(|sharding| &sharding.inputs))?,
            outputs: argued(
                program.outputs(),
                sharding.map(|sharding| &sharding.outputs),
            )?,
        })
    }

    /// The arguments and the results on each device.
    pub(super) fn parts(&self) -> [Vec<Part>; 2] {
        [&self.inputs, &self.outputs].map(|argued| argued.iter().map(Argued::part).collect())
    }
}

impl Argued {
    fn part(&self) -> Part {
        Part {
            dtype: self.dtype,
            shape: self.placement.part_shape(&self.shape),
        }
    }

    fn described(dtype: DType, shape: &[usize]) -> String {
        let shape = shape.to_vec();
        TensorType { dtype, shape }.to_string()
    }
}

/// An argument on its devices: a value that stays, one that this call owns, or one that it takes if it succeeds.
enum Placed<'a> {
    Kept(&'a Value),
    Owned(Value),
    Slot(&'a mut dyn Slot),
}

impl Placed<'_> {
    fn value(&self) -> &Value {
        match self {
            Self::Kept(value) => value,
            Self::Owned(value) => value,
            Self::Slot(slot) => slot.value().expect("no argument is missing: `check` asks"),
        }
    }

    /// Returns whether the program may overwrite the value.
    fn may_be_donated(&self) -> bool {
        !matches!(self, Self::Kept(_)) && self.value().may_be_donated()
    }
}

impl<I, O> Function<I, O> {
    /// Compiles a program.
    ///
    /// # Errors
    /// The errors of [`Client::compile`].
    pub(super) fn compile(
        client: &Client,
        program: &Program<I, O>,
        options: &CompileOptions,
    ) -> Result<Self, Error> {
        let plan = Plan::new(client, program, options)?;
        let [inputs, outputs] = plan.parts();
        let module = program.to_string();
        let executable = client
            .raw
            .compile(&module, &plan.options, inputs, &outputs)?;
        Self::new(client, program, plan, executable)
    }

    /// Wraps the executable of a plan.
    ///
    /// # Errors
    /// [`DeviceError::Count`] if it runs on another number of devices.
    pub(super) fn new(
        client: &Client,
        program: &Program<I, O>,
        plan: Plan,
        executable: RawExecutable,
    ) -> Result<Self, Error> {
        let expected = program
            .sharding()
            .map_or(1, |sharding| sharding.mesh.devices());
        let found = executable.devices();
        if found != expected {
            return Err(DeviceError::Count { expected, found }.into());
        }
        let mut donated = vec![false; plan.inputs.len()];
        for number in program.donated() {
            donated[number] = true;
        }
        Ok(Self {
            compiled: Arc::new(Compiled {
                client: client.clone(),
                program: program.clone(),
                options: plan.options,
                executable,
                inputs: plan.inputs,
                outputs: plan.outputs,
                donated,
            }),
        })
    }

    /// The program.
    pub fn program(&self) -> &Program<I, O> {
        &self.compiled.program
    }
}

impl<I: TensorTree, O: TensorTree> Function<I, O> {
    /// Runs it on tensors and waits for the results: `f.call((&x, &w))`. Dtypes, ranks and rules are those of the traced
    /// function, which the compiler checks.
    ///
    /// # Errors
    /// [`DeviceError::Argument`] for an argument of another shape (or dtype, where it is known at run time only);
    /// [`Error::UnexpectedOperand`] and [`Error::UnexpectedRules`] for a [`DynTensor`](crate::DynTensor) that is weak or follows
    /// other rules than the traced one; [`DeviceError::Count`] for a vector of another length; [`DeviceError::Plugin`];
    /// [`Error::OutOfMemory`].
    pub fn call(&self, arguments: I::Refs<'_>) -> Result<O, Error> {
        let mut list = ArgumentList::default();
        I::collect(arguments, &mut list);
        self.call_list(list)
    }

    /// Starts it and gives its results on the device, without waiting for them. Arguments are tensors and values on the device:
    /// `f.run((&x, &w, state))`. The call consumes arguments that are moved in: their memory is overwritten if the program
    /// [donates](Program::donate) them and nobody else has them. Arguments behind references stay as they are. If the call fails,
    /// the consumed ones are gone. To keep a value then, lend an `&mut Option<OnDevice<..>>`: only a call that starts empties it.
    ///
    /// # Errors
    /// The errors of [`Self::call`]; [`DeviceError::Placement`] for a value on other devices or of another client;
    /// [`DeviceError::GivenUp`] for an `Option` that an earlier call has emptied. Errors during the
    /// computation surface when a result is read.
    pub fn run(&self, arguments: impl Argument<I>) -> Result<O::OnDevice, Error> {
        let mut list = ArgumentList::default();
        arguments.collect(&mut list);
        self.run_list(list)
    }

    pub(super) fn call_list(&self, list: ArgumentList<'_>) -> Result<O, Error> {
        let values = self.compiled.start(list)?;
        O::get(&mut ResultList::new(
            values,
            self.compiled.program.output_signature(),
        ))
    }

    pub(super) fn run_list(&self, list: ArgumentList<'_>) -> Result<O::OnDevice, Error> {
        let values = self.compiled.start(list)?;
        let mut results = ResultList::new(values, self.compiled.program.output_signature());
        Ok(O::on_device(&mut results))
    }
}

impl<I, O> Compiled<I, O> {
    /// Checks the arguments, puts those on the devices that are not there, and starts the program.
    fn start(&self, list: ArgumentList<'_>) -> Result<Vec<Value>, Error> {
        self.check(&list)?;
        let given = list.given.into_iter().zip(&self.inputs).enumerate();
        let placed = given.map(|(number, (given, input))| self.place(number, given, input));
        let mut placed = placed.collect::<Result<Vec<_>, Error>>()?;
        let overwritten: Vec<bool> = placed
            .iter()
            .zip(&self.donated)
            .map(|(placed, donated)| *donated && placed.may_be_donated())
            .collect();
        let devices = 0..self.executable.devices();
        let arguments: Vec<Vec<&RawBuffer>> = devices
            .map(|device| {
                placed
                    .iter()
                    .map(|placed| &*placed.value().parts[device])
                    .collect()
            })
            .collect();
        let mut of_devices: Vec<_> = self.executable.start(&arguments, &overwritten)?;
        for placed in &mut placed {
            if let Placed::Slot(slot) = placed {
                slot.clear();
            }
        }
        // From lists for each device to lists for each result.
        let mut values: Vec<Value> = self.outputs.iter().map(|output| output.value()).collect();
        for of_device in &mut of_devices {
            for (value, buffer) in values.iter_mut().zip(of_device.drain(..)) {
                value.parts.push(Arc::new(buffer));
            }
        }
        Ok(values)
    }

    /// Compares the arguments with the program's: their number, dtypes, shapes, weakness and rules.
    fn check(&self, list: &ArgumentList<'_>) -> Result<(), Error> {
        let signature = self.program.input_signature();
        if list.given.len() != self.inputs.len() {
            let (expected, found) = (self.inputs.len(), list.given.len());
            return Err(DeviceError::Count { expected, found }.into());
        }
        let lengths = signature.lengths.iter().zip(&list.signature.lengths);
        for (expected, found) in lengths {
            if expected != found {
                let (expected, found) = (*expected, *found);
                return Err(DeviceError::Count { expected, found }.into());
            }
        }
        for (number, (given, input)) in list.types().zip(&self.inputs).enumerate() {
            let (dtype, shape) = given?;
            if dtype != input.dtype || *shape != input.shape[..] {
                return Err(DeviceError::Argument {
                    number,
                    expected: Argued::described(input.dtype, &input.shape),
                    found: Argued::described(dtype, shape),
                }
                .into());
            }
            let (weak, rules) = signature.tensors[number];
            let (found_weak, found_rules) = list.signature.tensors[number];
            if weak != found_weak {
                let operand = |weak| match weak {
                    true => OperandType::weak(dtype),
                    false => OperandType::dimensioned(dtype),
                };
                return Err(Error::UnexpectedOperand {
                    operation: "call",
                    expected: operand(weak),
                    found: operand(found_weak),
                });
            }
            if rules != found_rules {
                return Err(Error::UnexpectedRules {
                    operation: "call",
                    expected: rules,
                    found: found_rules,
                });
            }
        }
        Ok(())
    }

    /// Puts an argument on the function's devices, or checks that it is there.
    fn place<'a>(
        &self,
        number: usize,
        given: ArgumentValue<'a>,
        input: &Argued,
    ) -> Result<Placed<'a>, Error> {
        let put = |array: Array, lifetime| {
            Value::put(&self.client.raw, array, &input.placement, lifetime).map(Placed::Owned)
        };
        let placed = match given {
            ArgumentValue::Host(array) => return put(array.clone(), Lifetime::Shared),
            ArgumentValue::OwnedHost(array) if self.donated[number] => {
                return put(array, Lifetime::Owned);
            }
            ArgumentValue::OwnedHost(array) => return put(array, Lifetime::Shared),
            ArgumentValue::Device(value) => Placed::Kept(value),
            ArgumentValue::OwnedDevice(value) => Placed::Owned(value),
            ArgumentValue::Slot(slot) => Placed::Slot(slot),
        };
        let found = &placed.value().placement;
        match Arc::ptr_eq(found, &input.placement) || *found == input.placement {
            true => Ok(placed),
            false => Err(DeviceError::Placement {
                number,
                expected: input.placement.to_string(),
                found: found.to_string(),
            }
            .into()),
        }
    }
}

impl Argued {
    /// A value without parts yet.
    fn value(&self) -> Value {
        Value {
            dtype: self.dtype,
            shape: self.shape,
            placement: Arc::clone(&self.placement),
            parts: Vec::with_capacity(self.placement.devices().len()),
        }
    }
}

impl<I, O> Clone for Function<I, O> {
    fn clone(&self) -> Self {
        Self {
            compiled: Arc::clone(&self.compiled),
        }
    }
}

impl<I, O> fmt::Debug for Function<I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function")
            .field("program", &self.compiled.program)
            .field("devices", &self.compiled.executable.devices())
            .finish_non_exhaustive()
    }
}
