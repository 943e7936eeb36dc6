//! Sharding: the distribution of arguments and results over the devices of a mesh.

use super::mesh::{Mesh, Sharding};
use super::program::Program;
use super::tensor_type::TensorType;
use crate::error::{Error, ShardingError};

impl<I, O> Program<I, O> {
    /// Returns the same program with a sharding over many devices, which replaces an earlier one.
    ///
    /// For every dimension of every input and output, the specification names the mesh axis along which it is split;
    /// `None` keeps the dimension whole on each device. XLA's Shardy partitioner decides the sharding of all other
    /// values.
    ///
    /// # Errors
    /// [`Error::Sharding`] if an input or output has no specification, a specification has not one entry for each
    /// dimension, the mesh has no axis of a name, an axis splits two dimensions of one tensor, or a dimension is not
    /// divisible by the number of devices along its axis (XLA would silently move elements). [`Error::NotDonatable`] if
    /// no result is split in the same way as a donated input.
    ///
    /// ```
    /// supremum::prelude!();
    /// use supremum::stablehlo::{self, Mesh, input};
    /// let inputs = (input::<F16, _>([16, 32]), input::<BF16, _>([32, 6]));
    /// let program = stablehlo::trace(inputs, |(x, w)| x.matmul(&w))?;
    /// let mesh = Mesh::new([("data", 4), ("model", 2)])?;
    /// let sharded = program.shard(
    ///     &mesh,
    ///     &[&[Some("data"), Some("model")], &[Some("model"), None]],
    ///     &[&[Some("data"), None]],
    /// )?;
    /// assert!(sharded.to_string().contains(r#"sdy.mesh @mesh = <["data"=4, "model"=2]>"#));
    /// let error = program.shard(&mesh, &[&[None, None], &[None, Some("data")]], &[&[None, None]]);
    /// assert_eq!(
    ///     error.unwrap_err().to_string(),
    ///     "shard: input 1, bf16 [32, 6]: dimension 1 is not divisible by the 4 devices of `data`"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub fn shard(
        &self,
        mesh: &Mesh,
        inputs: &[&[Option<&str>]],
        outputs: &[&[Option<&str>]],
    ) -> Result<Self, Error> {
        let attributes =
            |what: [&'static str; 2], tensors: Vec<TensorType>, specs: &[&[Option<&str>]]| {
                if specs.len() != tensors.len() {
                    return Err(ShardingError::Count {
                        what: what[1],
                        expected: tensors.len(),
                        found: specs.len(),
                    });
                }
                let pairs = tensors.iter().zip(specs).enumerate();
                pairs
                    .map(|(number, (tensor, spec))| mesh.spec(what[0], number, tensor, spec))
                    .collect()
            };
        let sharding = Sharding {
            inputs: attributes(["input", "inputs"], self.inputs(), inputs)?,
            outputs: attributes(["output", "outputs"], self.outputs(), outputs)?,
            mesh: mesh.clone(),
        };
        let donated = self.donated();
        let program = Self {
            sharding: Some(sharding),
            ..self.clone()
        };
        program.donate(&donated)
    }
}
