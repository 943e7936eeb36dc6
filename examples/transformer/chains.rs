//! Protein chains as tokens, and how well a model restores residues that are masked.

use std::fs;
use std::path::Path;

supremum::prelude!();
use supremum::rand::Rng;

use super::model::{Compute, Encoder};

/// The letters of residues; their tokens begin at `FIRST`.
const RESIDUES: &str = "ACDEFGHIKLMNPQRSTVWY";
const START: i64 = 0;
const END: i64 = 2;
const FIRST: i64 = 4;
const MASK: i64 = 24;
/// Every seventh residue is masked, about as many as in training.
const PERIOD: usize = 7;

/// The variable part of an antibody's heavy chain.
pub(crate) struct Chain {
    pub(crate) name: String,
    pub(crate) residues: String,
}

/// The answers of a model for the masked residues of a chain.
pub(crate) struct Restored {
    /// The logits of all tokens for each residue, shape `[residues, tokens]`.
    pub(crate) logits: Tensor<F32, Rank2>,
    /// The mean of `-ln p` of the residues.
    pub(crate) loss: f32,
    /// The number of residues that the model finds most likely.
    pub(crate) hits: i64,
}

/// Reads a file with a name and a chain in each line.
///
/// # Errors
/// If the file cannot be read, or a line is something else.
pub(crate) fn read_chains(path: &Path) -> Result<Vec<Chain>, Box<dyn std::error::Error>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let chain = |line: &str| {
        let (name, residues) = line
            .split_once(' ')
            .ok_or(format!("no chain in `{line}`"))?;
        let (name, residues) = (name.to_owned(), residues.to_owned());
        Ok(Chain { name, residues })
    };
    text.lines().map(chain).collect()
}

/// Returns the tokens of a chain between those of start and end. `*` is a masked residue.
///
/// # Errors
/// If there is another letter.
pub(crate) fn tokens(residues: &str) -> Result<Tensor<I64, Rank1>, String> {
    let token = |letter| match RESIDUES.find(letter) {
        _ if letter == '*' => Ok(MASK),
        Some(place) => i64::try_from(place)
            .map(|place| FIRST + place)
            .map_err(|error| error.to_string()),
        None => Err(format!("`{letter}` is no amino acid")),
    };
    let inner: Vec<i64> = residues.chars().map(token).collect::<Result<_, _>>()?;
    Ok([&[START], &inner[..], &[END]].concat().into())
}

/// Masks each residue in one of `PERIOD` copies of a chain, and compares the model's answers with the residues.
///
/// # Errors
/// If the chain has a letter that is no amino acid.
pub(crate) fn restore<D: Compute>(
    model: &Encoder<D>,
    residues: &str,
) -> Result<Restored, Box<dyn std::error::Error>> {
    let tokens = tokens(residues)?;
    let masked = masks(residues.len());
    let logits = model.forward(&hide(&masked, &tokens));
    let kinds = logits.shape()[2];

    // The masked residues, row by row; `masked` broadcasts over the logits of a token, and a chain over rows.
    let logits: Tensor<F32, Rank2> = logits
        .masked_select(&masked.unsqueeze(-1))
        .reshape([residues.len(), kinds]);
    let truth: Tensor<I64, Rank1> = tokens.masked_select(&masked);
    let likelihoods = logits
        .log_softmax(-1)
        .take_along_axis(&truth.unsqueeze(-1), -1);
    let hits = logits.argmax_axis(-1).equal(&truth).sum();
    Ok(Restored {
        loss: -likelihoods.mean().item()?,
        hits: hits.item()?,
        logits,
    })
}

/// Returns whether a token is masked, for `PERIOD` rows of the tokens of so many residues.
fn masks(residues: usize) -> Tensor<Bool, Rank2> {
    Tensor::from_fn([PERIOD, residues + 2], |at| {
        (1..=residues).contains(&at[1]) && (at[1] - 1) % PERIOD == at[0]
    })
}

/// Returns rows of the same tokens, of which some are masked.
fn hide(masked: &Tensor<Bool, Rank2>, tokens: &Tensor<I64, Rank1>) -> Tensor<I64, Rank2> {
    select(masked, MASK, tokens)
}

/// Replaces each `*` of a chain, from left to right, by a residue drawn from the model's probabilities. These are
/// sharpened by the temperature: at 0 the most likely residue is taken.
///
/// # Errors
/// If the chain has another letter that is no amino acid.
pub(crate) fn infill<D: Compute, G: Rng>(
    model: &Encoder<D>,
    residues: &str,
    temperature: f64,
    rng: &mut G,
) -> Result<String, Box<dyn std::error::Error>> {
    let mut tokens = tokens(residues)?;
    let mut filled = residues.to_owned();
    while let Some(place) = filled.find('*') {
        let logits = model
            .forward(&tokens.unsqueeze(0))
            .slice_axes(s![0, place + 1, 4..24]);
        let choice = if temperature > 0.0 {
            let up_to = (logits / temperature).softmax(-1).cumsum(-1);
            up_to.searchsorted(&Tensor::<F32, Rank1>::uniform([1], 0.0..1.0, rng))[0].min(19)
        } else {
            logits.argmax().item()?
        };
        tokens[place + 1] = FIRST + choice;
        let letter = usize::try_from(choice)?;
        filled.replace_range(place..=place, &RESIDUES[letter..=letter]);
    }
    Ok(filled)
}
