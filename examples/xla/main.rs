//! Writes typed functions as StableHLO modules, with their inputs and the results that Supremum gives.
//! `run_stablehlo.py` runs the modules, and `compare.py` compares the results. With a second folder, the example itself
//! runs the modules by the plugin that `SUPREMUM_PJRT_PLUGIN` names, on one device and on eight, and writes the
//! plugin's results to that folder.
//!
//!     cargo run --release --features stablehlo --example xla -- DIR
//!     cargo run --release --features pjrt --example xla -- DIR RESULTS [PROGRAM ..]

#[cfg(feature = "pjrt")]
mod device;
mod digits;
mod elementwise;
mod moves;
mod networks;
mod order;
mod parts;
mod products;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

supremum::prelude!();
use supremum::stablehlo::{Mesh, Program};

/// The number of devices of the sharded modules.
const DEVICES: usize = 8;

/// A program with its inputs and expected outputs.
pub(crate) struct Case {
    name: &'static str,
    program: Program,
    inputs: Vec<DynTensor>,
    /// Each output, with a description.
    expected: Vec<(String, DynTensor)>,
    /// The dimension of each input and output that is split among the devices, for two ways of splitting.
    data: Split,
    features: Split,
}

/// A dimension of each input and of each output.
pub(crate) struct Split {
    inputs: Vec<Option<usize>>,
    outputs: Vec<Option<usize>>,
}

impl Case {
    /// A case whose inputs have the axes batch, rows, columns: they are split by batches, and by columns. Results that begin with the
    /// batches are split by them as well.
    fn of_batches(
        name: &'static str,
        program: Program,
        inputs: Vec<DynTensor>,
        expected: Vec<(&'static str, DynTensor)>,
        batches: usize,
    ) -> Self {
        let by_batches =
            |result: &DynTensor| (result.shape().first() == Some(&batches)).then_some(0);
        Self {
            name,
            program,
            data: Split {
                inputs: vec![Some(0); inputs.len()],
                outputs: expected
                    .iter()
                    .map(|(_, result)| by_batches(result))
                    .collect(),
            },
            features: Split {
                inputs: vec![Some(2); inputs.len()],
                outputs: vec![None; expected.len()],
            },
            inputs,
            expected: expected
                .into_iter()
                .map(|(name, result)| (name.into(), result))
                .collect(),
        }
    }

    fn write(&self, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let folder = folder.join(self.name);
        std::fs::create_dir_all(&folder)?;
        self.program.write(folder.join("single.mlir"))?;
        self.sharded("data", &self.data)?
            .write(folder.join("data.mlir"))?;
        self.sharded("features", &self.features)?
            .write(folder.join("features.mlir"))?;
        for (number, input) in self.inputs.iter().enumerate() {
            input.write_npy(folder.join(format!("in{number}.npy")))?;
        }
        let mut names = String::new();
        for (number, (name, output)) in self.expected.iter().enumerate() {
            output.write_npy(folder.join(format!("expected{number}.npy")))?;
            names += &format!("{name}: {}\n", output.dtype());
        }
        std::fs::write(folder.join("outputs.txt"), names)?;
        println!(
            "{:<12} {} inputs, {} outputs, {} operations",
            self.name,
            self.inputs.len(),
            self.expected.len(),
            self.program.operations()
        );
        Ok(())
    }

    /// The program with one dimension of each input and output split among all devices.
    fn sharded(&self, axis: &str, split: &Split) -> Result<Program, Error> {
        let mesh = Mesh::new([(axis, DEVICES)])?;
        let specs = |dimensions: &[Option<usize>], ranks: Vec<usize>| {
            let pairs = dimensions.iter().zip(ranks);
            let spec = |(dimension, rank): (&Option<usize>, usize)| {
                (0..rank)
                    .map(|at| (Some(at) == *dimension).then_some(axis))
                    .collect()
            };
            pairs.map(spec).collect::<Vec<Vec<Option<&str>>>>()
        };
        let ranks = |types: Vec<supremum::stablehlo::TensorType>| {
            types.iter().map(|of| of.shape.len()).collect()
        };
        let inputs = specs(&split.inputs, ranks(self.program.inputs()));
        let outputs = specs(&split.outputs, ranks(self.program.outputs()));
        let inputs: Vec<&[Option<&str>]> = inputs.iter().map(Vec::as_slice).collect();
        let outputs: Vec<&[Option<&str>]> = outputs.iter().map(Vec::as_slice).collect();
        self.program.shard(&mesh, &inputs, &outputs)
    }
}

fn cases() -> Result<[Case; 8], Error> {
    let [elementwise, functions] = elementwise::cases()?;
    Ok([
        digits::case()?,
        products::case()?,
        moves::case()?,
        order::case()?,
        parts::case()?,
        networks::case()?,
        elementwise,
        functions,
    ])
}

fn run(
    folder: &Path,
    results: Option<&Path>,
    names: &[String],
) -> Result<(), Box<dyn std::error::Error>> {
    let cases = cases()?;
    let named = |case: &&Case| names.is_empty() || names.iter().any(|name| name == case.name);
    for case in cases.iter().filter(named) {
        case.write(folder)?;
        let Some(results) = results else { continue };
        #[cfg(feature = "pjrt")]
        device::run(case, results)?;
        #[cfg(not(feature = "pjrt"))]
        return Err(format!("{}: results need the feature `pjrt`", results.display()).into());
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, rest @ ..] = &arguments[..] else {
        eprintln!("usage: xla DIR [RESULTS [PROGRAM ..]]");
        return ExitCode::from(2);
    };
    let results = rest.first().map(PathBuf::from);
    match run(
        &PathBuf::from(folder),
        results.as_deref(),
        rest.get(1..).unwrap_or_default(),
    ) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
