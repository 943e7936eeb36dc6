//! Classifies handwritten digits with a network in mixed precision: weights in bf16, biases in f16,
//! normalisation in f32, images in u8. The compiler decides the dtype of each step.
//!
//!     cargo run --release --example digits
//!     cargo run --release --example digits -- --mistake    # a line that does not compile
//!     cargo run --release --example digits -- --data DIR   # other files

mod model;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use model::{HeldOut, Mixed, Reference, correct};
supremum::prelude!();

/// A line that does not compile, and the compiler's message. The files are copies of a UI test's; a test compares them.
const MISTAKE: &str = include_str!("mistake.rs");
const VERDICT: &str = include_str!("mistake.stderr");

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/digits/data");
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => run(&default),
        ["--data", folder] => run(&PathBuf::from(folder)),
        ["--mistake"] => {
            println!("This does not compile:\n\n{MISTAKE}\nbecause:\n\n{VERDICT}");
            Ok(())
        }
        _ => {
            eprintln!("usage: digits [--data DIR | --mistake]");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path) -> Result<(), Error> {
    let held_out = HeldOut::read(folder)?;
    let model = Mixed::read(&folder.join("model.safetensors"))?;
    let reference = Reference::read(&folder.join("model_f32.safetensors"))?;
    let HeldOut { images, labels } = &held_out;
    let count = u32::try_from(images.shape()[0]).unwrap_or(u32::MAX);

    let start = Instant::now();
    let scores: Tensor<F32, Rank2> = model.forward(images)?;
    let time = start.elapsed();
    let predicted: Tensor<I64, Rank1> = scores.try_argmax_axis(1)?;

    println!("{count} held-out images of handwritten digits, 8x8, u8\n");
    println!("pipeline   u8 -(f32 mean)-> f32 -cast-> bf16 @ bf16 -> bf16 + f16 -> f32, twice");
    let report = |name: &str, right: u32| {
        println!(
            "{name}  {right}/{count} correct, {:.2} %",
            100.0 * f64::from(right) / f64::from(count)
        );
    };
    report("mixed    ", correct(&scores, labels)?);
    report("f32      ", correct(&reference.forward(images)?, labels)?);
    println!("time       {time:.1?} for the mixed forward pass\n");

    print_confusion(labels, &predicted);
    print_digits(&held_out, &predicted)
}

/// Prints a line for each digit: the number of times that each digit was predicted for it.
fn print_confusion(labels: &Tensor<I64, Rank1>, predicted: &Tensor<I64, Rank1>) {
    println!("confusion (rows: the digit, columns: the prediction)");
    println!(
        "     {}",
        (0..10)
            .map(|digit| format!("{digit:>4}"))
            .collect::<String>()
    );
    for digit in 0..10 {
        let row = (0..10).map(|guess| {
            let both = labels.equal(digit) & predicted.equal(guess);
            match both.widen::<I64>().sum().item() {
                Ok(0) | Err(_) => "   .".into(),
                Ok(count) => format!("{count:>4}"),
            }
        });
        println!("{digit:>4} {}", row.collect::<String>());
    }
    println!();
}

/// Prints some images with their predictions; two of the images are classified wrongly.
fn print_digits(held_out: &HeldOut, predicted: &Tensor<I64, Rank1>) -> Result<(), Error> {
    const INK: [char; 5] = [' ', '.', 'o', 'O', '#'];
    let side: usize = 8;
    let wrong = predicted.not_equal(&held_out.labels);
    let wrong = wrong
        .iter()
        .enumerate()
        .filter(|(_, wrong)| *wrong)
        .map(|(position, _)| position)
        .take(2);
    let shown: Vec<usize> = (0..3.min(held_out.images.shape()[0]))
        .chain(wrong)
        .collect();
    for row in 0..side {
        let line = shown.iter().map(|image| {
            let ink = |column| {
                held_out
                    .images
                    .get(&[*image, row * side + column])
                    .unwrap_or(0)
            };
            (0..side)
                .map(|column| INK[usize::from(ink(column).min(16)) / 4])
                .chain("    ".chars())
                .collect::<String>()
        });
        println!("  {}", line.collect::<String>());
    }
    for image in shown {
        let (label, guess) = (
            held_out.labels.try_index_axis(0, image)?.item()?,
            predicted.try_index_axis(0, image)?.item()?,
        );
        let text = if label == guess {
            format!("{guess}")
        } else {
            format!("{guess}, is {label}")
        };
        print!("  {text:<10}");
    }
    println!();
    Ok(())
}
