//! Donation: arguments whose memory results may take.

use super::program::Program;
use crate::error::Error;

impl<I, O> Program<I, O> {
    /// Returns the same program with arguments that give up their memory. The memory of each goes to a result of the
    /// same dtype, shape and sharding: the first one that no other argument serves. The list replaces an earlier one.
    ///
    /// Donation saves memory, and the time to allocate it. After XLA has run the program, a donated argument cannot be used
    /// again.
    ///
    /// # Errors
    /// [`Error::NotDonatable`] if there is no such argument, or no such result.
    ///
    /// ```
    /// supremum::prelude!();
    /// use supremum::stablehlo::{self, input};
    /// let inputs = (input::<F32, _>([4]), input::<BF16, _>([4]));
    /// let program = stablehlo::trace(inputs, |(weights, step)| weights - step)?;
    /// let program = program.donate(&[0])?;
    /// assert!(program.to_string().contains("%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}"));
    /// assert_eq!(
    ///     program.donate(&[1]).unwrap_err().to_string(),
    ///     "donate: input 1, bf16 [4]: no result of its dtype, shape and sharding is left"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub fn donate(&self, inputs: &[usize]) -> Result<Self, Error> {
        let (arguments, results) = (self.inputs(), self.outputs());
        let mut aliases = vec![None; arguments.len()];
        let is_split_alike = |input: usize, output: usize| {
            let sharding = self.sharding.as_ref();
            sharding.is_none_or(|sharding| sharding.inputs[input] == sharding.outputs[output])
        };
        for input in inputs.iter().copied() {
            let refused = |reason: &str| Error::NotDonatable {
                number: input,
                reason: reason.into(),
            };
            let Some(argument) = arguments.get(input) else {
                return Err(refused("the program has no such input"));
            };
            if aliases[input].is_some() {
                continue;
            }
            let result = (0..results.len()).find(|output| {
                results[*output] == *argument
                    && is_split_alike(input, *output)
                    && !aliases.contains(&Some(*output))
            });
            if result.is_none() {
                let reason =
                    format!("{argument}: no result of its dtype, shape and sharding is left");
                return Err(refused(&reason));
            }
            aliases[input] = result;
        }
        Ok(Self {
            aliases,
            ..self.clone()
        })
    }

    /// Returns the numbers of the donated arguments.
    pub(crate) fn donated(&self) -> Vec<usize> {
        let arguments = 0..self.aliases.len();
        arguments.filter(|at| self.aliases[*at].is_some()).collect()
    }
}
