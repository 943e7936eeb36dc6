//! The example `transformer`: its model answers as PyTorch's does with the same weights, in f32 and in bf16.

#[path = "../../examples/transformer/chains.rs"]
mod chains;
#[path = "../../examples/transformer/model.rs"]
mod model;

use std::path::{Path, PathBuf};

use chains::{Restored, infill, read_chains, restore};
use model::{Compute, Encoder};
use rand_pcg::rand_core::SeedableRng;
use supremum::prelude::*;

/// PyTorch's answers, as `examples/transformer/prepare.py` writes them.
#[derive(LoadTensors)]
struct Expected {
    /// The logits in f32 of the first chain.
    logits: Tensor<F32, Rank2>,
    loss: Tensor<F32, Rank1>,
    hits: Tensor<I64, Rank1>,
    loss_bf16: Tensor<F32, Rank1>,
    hits_bf16: Tensor<I64, Rank1>,
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/transformer/data")
        .join(name)
}

fn model<D: Compute>() -> Encoder<D> {
    Encoder::read(&data("model.safetensors")).unwrap()
}

fn expected() -> Expected {
    Expected::load(data("expected.safetensors")).unwrap()
}

/// The answers for the first chain.
fn first<D: Compute>() -> Restored {
    let chains = read_chains(&data("chains.txt")).unwrap();
    assert_eq!((chains.len(), chains[0].name.as_str()), (52, "HV102"));
    restore(&model::<D>(), &chains[0].residues).unwrap()
}

/// Only the order of summation differs. A wrong layer moves logits, which lie in -2.7 to 5.9, by more than 0.1.
#[test]
fn f32_gives_the_logits_of_pytorch() {
    let (restored, expected) = (first::<F32>(), expected());
    let difference = (&restored.logits - &expected.logits)
        .abs()
        .max()
        .item()
        .unwrap();
    println!("logits differ by up to {difference}");
    assert!(difference < 1e-4);
    assert!((restored.loss - expected.loss[0]).abs() < 1e-5);
    assert_eq!(restored.hits, expected.hits[0]);
}

/// In PyTorch, logits in bf16 are 0.0064 from those in f32 in the mean. The order of summation decides which sums near a tie go up, so
/// the two bf16 answers differ too. Norms in bf16 would raise the mean to 0.0082. The loss is a mean over 98 residues.
#[test]
fn bf16_is_as_good_as_in_pytorch() {
    let (restored, expected) = (first::<BF16>(), expected());
    let difference = (&restored.logits - &expected.logits)
        .abs()
        .mean()
        .item()
        .unwrap();
    println!(
        "logits differ from those of f32 by {difference}, the loss by {}",
        restored.loss - expected.loss_bf16[0]
    );
    assert!((0.005..0.0075).contains(&difference));
    assert!((restored.loss - expected.loss_bf16[0]).abs() < 5e-3);
    assert!(restored.hits.abs_diff(expected.hits_bf16[0]) <= 1);
}

/// The README of Sapiens fills this chain.
#[test]
fn masked_residues_are_those_of_the_publication() {
    let masked = "**QLV*SGVEVKKPGASVKVSCKASGYTFTNYYMYWVRQAPGQGLEWMGGINPSNGGTNFNEKFKNRVTLTTDSSTTTAYMELKSLQFDDTAVYYCARRDYRFDMGFDYWGQGTTVTVSS";
    let mut rng = rand_pcg::Pcg64::seed_from_u64(0);
    let filled = infill(&model::<BF16>(), masked, 0.0, &mut rng).unwrap();
    assert_eq!(filled, masked.replacen("**", "QV", 1).replace('*', "Q"));
}

#[test]
fn letters_that_are_no_amino_acids_are_errors() {
    let error = chains::tokens("QVB").unwrap_err();
    assert_eq!(error, "`B` is no amino acid");
}
