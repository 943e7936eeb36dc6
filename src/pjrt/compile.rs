//! Functions of a client: programs that are compiled now, or when they are called.

use super::arguments::TensorTree;
use super::client::Client;
use super::function::Function;
use super::jit::Jit;
use super::options::CompileOptions;
use crate::error::Error;
use crate::stablehlo::{self, Inputs, Mesh, Outputs, Program};

/// # Functions
impl Client {
    /// Traces a function of tensors and compiles it for the first device. The compiler knows what [`Function::call`] takes and
    /// gives.
    ///
    /// # Errors
    /// The errors of [`trace`](stablehlo::trace) and of [`Self::compile`].
    ///
    /// # Panics
    /// If the function does.
    pub fn function<I, O, Arguments, Results>(
        &self,
        inputs: I,
        function: impl FnOnce(Arguments) -> O,
    ) -> Result<Function<Arguments, Results>, Error>
    where
        I: Inputs<Tensors = Arguments>,
        O: Outputs<Tensors = Results>,
    {
        self.compile(&stablehlo::trace(inputs, function)?)
    }

    /// Compiles a program: for the first device, or for the devices of its mesh if it is [sharded](Program::shard).
    ///
    /// # Errors
    /// [`DeviceError::Plugin`](crate::pjrt::DeviceError::Plugin) if the plugin refuses the program,
    /// [`DeviceError::NoSuchDevice`](crate::pjrt::DeviceError::NoSuchDevice) if this process has fewer devices than the mesh,
    /// [`DeviceError::Compiled`](crate::pjrt::DeviceError::Compiled) if the plugin compiles it to results of other dtypes or shapes.
    pub fn compile<I, O>(&self, program: &Program<I, O>) -> Result<Function<I, O>, Error> {
        self.compile_with(program, &CompileOptions::new())
    }

    /// Compiles a program with options.
    ///
    /// # Errors
    /// The errors of [`Self::compile`].
    pub fn compile_with<I, O>(
        &self,
        program: &Program<I, O>,
        options: &CompileOptions,
    ) -> Result<Function<I, O>, Error> {
        Function::compile(self, program, options)
    }

    /// Compiles a program for the devices of a mesh, with the specifications of [`Program::shard`]: arguments are split among
    /// the devices, and results come in parts.
    ///
    /// # Errors
    /// The errors of [`Program::shard`] and [`Self::compile`].
    pub fn sharded<I, O>(
        &self,
        program: &Program<I, O>,
        mesh: &Mesh,
        inputs: &[&[Option<&str>]],
        outputs: &[&[Option<&str>]],
    ) -> Result<Function<I, O>, Error> {
        self.compile(&program.shard(mesh, inputs, outputs)?)
    }

    /// Makes a function that is traced and compiled when it is called, once for each combination of shapes (and of dtypes, where
    /// they are known at run time only).
    pub fn jit<I: TensorTree, O: Outputs, F: Fn(I) -> O>(&self, function: F) -> Jit<I, O, F> {
        Jit::new(self, function)
    }
}
