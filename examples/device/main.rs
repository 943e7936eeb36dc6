//! The classifier of handwritten digits on devices: the same typed function runs by the loops of this library, by a plugin on
//! one device, and on eight devices that share the images.
//!
//!     SUPREMUM_PJRT_PLUGIN=.../plugin.so cargo run --release --features npy,safetensors,pjrt --example device
//!
//! docs/devices.md says where plugins come from. With a plugin for CPUs the eight devices are virtual ones.

#[allow(dead_code, reason = "the classifier's own example uses all of it")]
#[path = "../digits/model.rs"]
mod model;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use model::{HeldOut, Mixed, correct};
use supremum::pjrt::{Client, ClientOptions, OnDevice, Plugin};
supremum::prelude!();
use supremum::stablehlo::{self, Mesh, input};

const VARIABLE: &str = "SUPREMUM_PJRT_PLUGIN";
/// The number of devices that share the images.
const DEVICES: usize = 8;
/// The number of runs of each way; the fastest counts.
const RUNS: usize = 50;

fn main() -> ExitCode {
    if std::env::var_os(VARIABLE).is_none() {
        println!("`{VARIABLE}` names no plugin; docs/devices.md says where plugins come from");
        return ExitCode::SUCCESS;
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The least time of several runs, and the last result.
fn timed<T>(mut work: impl FnMut() -> Result<T, Error>) -> Result<(Duration, T), Error> {
    let mut once = || {
        let start = Instant::now();
        let result = work()?;
        Ok::<_, Error>((start.elapsed(), result))
    };
    let (mut least, mut result) = once()?;
    for _ in 1..RUNS {
        let (time, next) = once()?;
        least = least.min(time);
        result = next;
    }
    Ok((least, result))
}

fn run() -> Result<(), Error> {
    let path = std::env::var_os(VARIABLE).unwrap_or_default();
    // SAFETY: the user of this example names a plugin to run.
    #[allow(unsafe_code, reason = "loads a plugin")]
    let plugin = unsafe { Plugin::load(path)? };
    let client = Client::new(plugin, ClientOptions::new().integer("cpu_device_count", 8))
        .or_else(|_| Client::new(plugin, ClientOptions::new()))?; // other plugins do not know the option
    println!("{plugin:?}");
    for device in client.devices() {
        println!("  device {}: {} ({})", device.id, device.name, device.kind);
    }

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/digits/data");
    let model = Mixed::read(&folder.join("model.safetensors"))?;
    let HeldOut { images, labels } = HeldOut::read(&folder)?;
    let count = images.shape()[0] / DEVICES * DEVICES;
    let (images, labels) = (images.try_slice(0, ..count)?, labels.try_slice(0, ..count)?);
    let report = |name: &str, time: Duration, scores: &Tensor<F32, Rank2>| {
        let right = correct(scores, &labels)?;
        println!("{name:<34} {time:>9.1?}  {right}/{count} correct");
        Ok::<(), Error>(())
    };

    let (time, expected) = timed(|| model.forward(&images))?;
    report("this library's loops", time, &expected)?;

    // The weights become constants of the program; the images are its argument.
    let inputs = input::<U8, _>([count, images.shape()[1]]);
    let program = stablehlo::trace(inputs, |images| model.forward(&images))?;
    let start = Instant::now();
    let classify = client.compile(&program)?;
    println!("compiled in {:.1?}", start.elapsed());
    let (time, scores) = timed(|| classify.call(&images))?;
    report("one device", time, &scores)?;
    assert_eq!(scores, expected, "equal bit for bit");
    let there: OnDevice<U8, Rank2> = client.put(&images)?;
    let (time, scores) = timed(|| classify.run(&there)?.get())?;
    report("one device, images on it", time, &scores)?;
    assert_eq!(scores, expected, "equal bit for bit");

    if client.devices().len() < DEVICES {
        println!("{DEVICES} devices are needed to share the images");
        return Ok(());
    }
    let mesh = Mesh::new([("images", DEVICES)])?;
    let rows: &[Option<&str>] = &[Some("images"), None];
    let classify = client.sharded(&program, &mesh, &[rows], &[rows])?;
    let parts = client.put_sharded(&images, &mesh, rows)?;
    let (time, scores) = timed(|| classify.run(&parts)?.get())?;
    report("eight devices, images on them", time, &scores)?;
    assert_eq!(scores, expected, "equal bit for bit");
    Ok(())
}
