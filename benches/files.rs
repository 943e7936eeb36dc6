//! Measures the time to load a mapped `.safetensors` file of 1 GiB, beside the crate `safetensors` alone.
//!
//! ```sh
//! cargo bench --bench files
//! ```
//!
//! Both map the file, check its header and make every tensor; neither reads elements. They take turns, and the minimum
//! of many runs counts. Fails if the library takes more than [`MOST`] times as long, or if a tensor is not in the
//! mapping. (Reading the file, which copies, is measured for comparison.)
#![allow(unsafe_code, reason = "mapping is")]

use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use memmap2::Mmap;
use safetensors::SafeTensors;
use supremum::prelude::*;
use supremum::{AnyTensor, SafeTensorsFile, memory};

/// The limit of the library's time, relative to the crate alone.
const MOST: f64 = 1.2;
/// The size of all tensors, in bytes.
const TOTAL: usize = 1 << 30;
const RUNS: usize = 200;

type Outcome = Result<(), Box<dyn Error>>;

/// Loads with the crate alone: views over the mapped bytes.
fn alone(path: &Path) -> Outcome {
    // SAFETY: the file is in a temporary folder that only this program uses, and nothing writes to it while this runs.
    let map = unsafe { Mmap::map(&File::open(path)?)? };
    let file = SafeTensors::deserialize(&map)?;
    black_box(file.tensors());
    Ok(())
}

fn mapped(path: &Path) -> Outcome {
    // SAFETY: the file is in a temporary folder that only this program uses, and nothing writes to it while this runs.
    let file = unsafe { SafeTensorsFile::map(path)? };
    let names = file.names();
    let tensors = names
        .iter()
        .map(|name| file.dyn_tensor(name, Jax::rule_set()));
    black_box(tensors.collect::<Result<Vec<_>, _>>()?);
    Ok(())
}

fn read(path: &Path) -> Outcome {
    let file = SafeTensorsFile::read(path)?;
    for name in file.names() {
        black_box(file.dyn_tensor(&name, Jax::rule_set())?);
    }
    Ok(())
}

fn time(path: &Path, load: fn(&Path) -> Outcome) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    load(path)?;
    Ok(start.elapsed())
}

fn main() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("model.safetensors");
    println!("1 GiB in | crate alone | mapped | ratio | read");
    println!("--- | --- | --- | --- | ---");
    let mut slow = false;
    for count in [1, 300, 3_000] {
        let tensor = Tensor::<F32, Rank1>::ones([TOTAL / 4 / count]);
        let names: Vec<_> = (0..count)
            .map(|number| format!("layers.{number}.weight"))
            .collect();
        let tensors: Vec<(&str, &dyn AnyTensor)> = names
            .iter()
            .map(|name| -> (&str, &dyn AnyTensor) { (name, &tensor) })
            .collect();
        SafeTensorsFile::write(&path, &tensors)?;
        drop(tensor);
        memory::trim();
        let before = memory::statistics();
        let mut least = [Duration::MAX; 2];
        for _ in 0..RUNS {
            for (least, load) in least.iter_mut().zip([alone, mapped]) {
                *least = time(&path, load)?.min(*least);
            }
        }
        assert_eq!(
            memory::statistics(),
            before,
            "mapping takes no memory for elements"
        );
        let [alone, mapped] = least;
        let ratio = mapped.as_secs_f64() / alone.as_secs_f64();
        slow |= ratio > MOST;
        println!(
            "{count} tensors | {alone:.1?} | {mapped:.1?} | {ratio:.2} | {:.0?}",
            time(&path, read)?
        );
    }
    match slow {
        true => Err(format!("more than {MOST} times as long").into()),
        false => Ok(()),
    }
}
