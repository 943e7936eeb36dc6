//! The classifier of `examples/digits`: its weights become constants of the program.

#[allow(dead_code, reason = "the classifier's own example uses all of it")]
#[path = "../digits/model.rs"]
mod model;

use std::path::Path;

use model::{HeldOut, Mixed};
supremum::prelude!();
use supremum::stablehlo::{self, input};

use crate::{Case, DEVICES, Split};

pub(crate) fn case() -> Result<Case, Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/digits/data");
    let model = Mixed::read(&folder.join("model.safetensors"))?;
    let images = HeldOut::read(&folder)?.images;
    let count = images.shape()[0] / DEVICES * DEVICES;
    let images = images.try_slice(0, ..count)?;
    let pixels = images.shape()[1];

    // The scores of the digits, and the digit.
    let classify = |images: Tensor<U8, Rank2>| {
        let scores: Tensor<F32, Rank2> = model.forward(&images)?;
        let digits: Tensor<I64, Rank1> = scores.try_argmax_axis(1)?;
        Ok((scores, digits))
    };
    let program = stablehlo::trace(input::<U8, _>([count, pixels]), classify)?;
    let (scores, digits) = classify(images.clone())?;
    Ok(Case {
        name: "digits",
        program: program.into_dyn(),
        inputs: vec![images.into_dyn()],
        expected: vec![
            ("scores".into(), scores.into_dyn()),
            ("digits".into(), digits.into_dyn()),
        ],
        data: Split {
            inputs: vec![Some(0)],
            outputs: vec![Some(0), Some(0)],
        },
        features: Split {
            inputs: vec![Some(1)],
            outputs: vec![None, None],
        },
    })
}
