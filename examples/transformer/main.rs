//! Restores masked residues of human antibodies by a transformer with published weights, in bf16 and in f32: the same code,
//! generic over the dtype. Norms and softmax compute in f32 in both.
//!
//!     cargo run --release --example transformer

mod chains;
mod model;

use std::path::Path;
use std::time::Instant;

use chains::{Chain, Restored, infill, read_chains, restore};
use model::{Compute, Encoder};
use rand_pcg::rand_core::SeedableRng;
supremum::prelude!();

/// PyTorch's answers, as `prepare.py` writes them: for each chain the mean of `-ln p`, and the number of residues that it restores.
#[derive(LoadTensors)]
struct Expected {
    /// The logits in f32 of the residues of the first chain.
    logits: Tensor<F32, Rank2>,
    loss: Tensor<F32, Rank1>,
    hits: Tensor<I64, Rank1>,
    loss_bf16: Tensor<F32, Rank1>,
    hits_bf16: Tensor<I64, Rank1>,
}

/// The front of a human gene and the end that most human chains have, with the loop between them masked. The loop differs most from
/// antibody to antibody.
const LOOP: &str = "EVQLLESGGGLVQPGGSLRLSCAASGFTFSSYAMSWVRQAPGKGLEWVSAISGSGGSTYYADSVKGRFTISRDNSKNTLYLQMNSLRAEDTAVYYCAK\
                    **********WGQGTLVTVSS";

/// The number of times that the model sees each chain.
const COPIES: f64 = 7.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/transformer/data");
    let chains = read_chains(&data.join("chains.txt"))?;
    let expected = Expected::load(data.join("expected.safetensors"))?;
    let weights = data.join("model.safetensors");
    let full = Encoder::<F32>::read(&weights)?;
    let half = Encoder::<BF16>::read(&weights)?;

    println!(
        "{} human heavy chains; every seventh residue is masked, in seven copies of each\n",
        chains.len()
    );
    println!("            perplexity    restored   tokens/s");
    let in_full = report("f32", &full, &chains, &expected.loss, &expected.hits)?;
    let in_half = report(
        "bf16",
        &half,
        &chains,
        &expected.loss_bf16,
        &expected.hits_bf16,
    )?;
    let away = |restored: &[Restored]| (&restored[0].logits - &expected.logits).abs().max().item();
    let (exact, rounded) = (away(&in_full)?, away(&in_half)?);
    println!(
        "\nlogits of {}: within {exact:.0e} of PyTorch's in f32, {rounded:.0e} in bf16",
        chains[0].name
    );

    println!("\nten masked residues, drawn in bf16:");
    let mut rng = rand_pcg::Pcg64::seed_from_u64(3);
    for _ in 0..3 {
        println!("  ..{}", &infill(&half, LOOP, 0.8, &mut rng)?[90..]);
    }
    Ok(())
}

/// Prints a line for a model, and one for PyTorch in the same dtype.
fn report<D: Compute>(
    name: &str,
    model: &Encoder<D>,
    chains: &[Chain],
    expected_loss: &Tensor<F32, Rank1>,
    expected_hits: &Tensor<I64, Rank1>,
) -> Result<Vec<Restored>, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let restored = chains
        .iter()
        .map(|chain| restore(model, &chain.residues))
        .collect::<Result<Vec<_>, _>>()?;
    let time = start.elapsed().as_secs_f64();

    let lengths = chains
        .iter()
        .map(|chain| u32::try_from(chain.residues.len()));
    let lengths: Tensor<U32, Rank1> = lengths.collect::<Result<Vec<_>, _>>()?.into();
    let lengths = lengths.widen::<F64>();
    let residues = lengths.sum().item()?;
    // The mean over residues of all chains, not over chains.
    let perplexity = |loss: &Tensor<F32, Rank1>| ((loss * &lengths).sum() / residues).exp().item();
    let loss = restored.iter().map(|one| one.loss).collect();
    let hits: i64 = restored.iter().map(|one| one.hits).sum();
    let rate = COPIES * residues / time;
    println!(
        "{name:10}  {:10.4}  {hits:5}/{residues}  {rate:9.0}",
        perplexity(&loss)?
    );
    println!(
        "  PyTorch   {:10.4}  {:5}/{residues}",
        perplexity(expected_loss)?,
        expected_hits.sum().item()?
    );
    Ok(restored)
}
