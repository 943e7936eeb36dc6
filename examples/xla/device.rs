//! Runs the programs by a plugin in this process.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use supremum::pjrt::{Client, ClientOptions, CompileOptions, Plugin};
supremum::prelude!();
use supremum::stablehlo::Program;

use crate::{Case, DEVICES};

/// A client with as many devices as the sharded modules are for.
fn client() -> Result<&'static Client, Error> {
    static CLIENT: OnceLock<Client> = OnceLock::new();
    if let Some(client) = CLIENT.get() {
        return Ok(client);
    }
    let path = std::env::var_os("SUPREMUM_PJRT_PLUGIN").unwrap_or_default();
    // SAFETY: the user of this example names a plugin to run.
    #[allow(unsafe_code, reason = "loads a plugin")]
    let plugin = unsafe { Plugin::load(path)? };
    let devices = i64::try_from(DEVICES).unwrap_or(i64::MAX);
    let client = Client::new(
        plugin,
        ClientOptions::new().integer("cpu_device_count", devices),
    )?;
    println!("{plugin:?}, {} devices", client.devices().len());
    Ok(CLIENT.get_or_init(|| client))
}

/// Runs a program on one device and on all of them, split in both ways, and writes the results to folders named
/// `PROGRAM-single`, `PROGRAM-data` and `PROGRAM-features`.
pub(crate) fn run(case: &Case, results: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let ways = [
        ("single", case.program.clone()),
        ("data", case.sharded("data", &case.data)?),
        ("features", case.sharded("features", &case.features)?),
    ];
    for (way, program) in ways {
        let outputs = outputs(case, way, &program)?;
        let folder = results.join(format!("{}-{way}", case.name));
        std::fs::create_dir_all(&folder)?;
        for (number, output) in outputs.iter().enumerate() {
            output.write_npy(folder.join(format!("out{number}.npy")))?;
        }
    }
    Ok(())
}

fn outputs(case: &Case, way: &str, program: &Program) -> Result<Vec<DynTensor>, Error> {
    // XLA takes minutes to optimise thousands of operations. And the plugin of API 0.115 computes `atan` in f64 wrongly if it
    // optimises it (docs/devices.md).
    let options = match program.operations() {
        0..500 => CompileOptions::new(),
        _ => CompileOptions::new().integer_flag("xla_backend_optimization_level", 0),
    };
    let start = Instant::now();
    let function = client()?.compile_with(program, &options)?;
    let compiled = start.elapsed();
    let start = Instant::now();
    let outputs = function.call(&case.inputs)?;
    println!(
        "  {} {way}: compiled in {compiled:.1?}, ran in {:.1?}",
        case.name,
        start.elapsed()
    );
    Ok(outputs)
}
