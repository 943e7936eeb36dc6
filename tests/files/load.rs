//! `#[derive(LoadTensors)]`: records of tensors, and everything that can be wrong with a file for one.

use std::collections::BTreeMap;

use supremum::prelude::*;
use supremum::{NpzFile, SafeTensorsFile, TensorMismatch};

/// `f32` zeros of these shapes.
fn zeros(tensors: &[(&str, &[usize])]) -> BTreeMap<String, DynTensor> {
    let zeros = |shape| DynTensor::zeros(DType::F32, shape).expect("small shapes");
    tensors
        .iter()
        .map(|(name, shape)| ((*name).to_owned(), zeros(shape)))
        .collect()
}

fn faults(error: Error) -> Vec<TensorMismatch> {
    match error {
        Error::UnexpectedTensors { faults, .. } => faults,
        other => panic!("{other}"),
    }
}

#[derive(Debug, LoadTensors)]
struct Layer<D: StrongDType = F32, R: Rules = Jax> {
    weight: Tensor<D, Rank2, R>,
    bias: Option<Tensor<D, Rank1, R>>,
}

#[derive(Debug, LoadTensors)]
struct Model {
    #[tensor("embed.weight", shape = [WORDS, _])]
    embedding: Tensor<F32, Rank2>,
    #[tensor("blocks")]
    layers: Vec<Layer>,
    ends: [Layer<F32, Numpy>; 2],
    #[tensor("")]
    head: Head,
    r#type: Option<Tensor<F32>>,
}

#[derive(Debug, LoadTensors)]
struct Head {
    scale: Tensor<F32, Rank0>,
}

const WORDS: usize = 7;

const MODEL: [(&str, &[usize]); 8] = [
    ("embed.weight", &[7, 2]),
    ("blocks.0.weight", &[2, 3]),
    ("blocks.0.bias", &[3]),
    ("blocks.1.weight", &[3, 4]),
    ("ends.0.weight", &[4, 5]),
    ("ends.1.weight", &[5, 6]),
    ("scale", &[]),
    ("type", &[1, 1]),
];

#[test]
fn records_nest() -> Result<(), Error> {
    let model = Model::load_from(&zeros(&MODEL))?;
    assert_eq!(model.embedding.shape(), [7, 2]);
    let shapes = model.layers.iter().map(|layer| layer.weight.shape());
    assert_eq!(shapes.collect::<Vec<_>>(), [[2, 3], [3, 4]]);
    let biases = model.layers.iter().map(|layer| layer.bias.is_some());
    assert_eq!(biases.collect::<Vec<_>>(), [true, false]);
    let ends = model.ends.each_ref().map(|layer| layer.weight.shape());
    assert_eq!(ends, [[4, 5], [5, 6]]);
    assert_eq!(model.head.scale.item(), Ok(0.0));
    assert_eq!(model.r#type.expect("it is there").shape(), [1, 1]);
    let without = Model::load_from(&zeros(&MODEL[..7]))?;
    assert!(without.r#type.is_none());
    Ok(())
}

#[test]
fn everything_that_is_wrong_is_reported_at_once() {
    let mut tensors = zeros(&[
        ("embed.weight", &[8, 2]),
        ("blocks.0.weight", &[2]),
        ("blocks.0.bias", &[3]),
        ("blocks.2.weight", &[3, 4]),
        ("ends.0.bias", &[4]),
        ("ends.1.weight", &[5, 6]),
        ("scales", &[]),
    ]);
    let ends = tensors["ends.1.weight"].cast(DType::F16);
    tensors.insert("ends.1.weight".into(), ends);
    let name = |name: &str| name.to_owned();
    let missing = |of: &str| TensorMismatch::Missing { name: name(of) };
    let extra = |of: &str| TensorMismatch::Extra { name: name(of) };
    let shape = |of: &str, expected: &[Option<usize>], found: &[usize]| TensorMismatch::Shape {
        name: name(of),
        expected: expected.to_vec(),
        found: found.to_vec(),
    };
    let error = Model::load_from(&tensors).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("\n  `embed.weight`: expected shape [7, _], found [8, 2]\n"),
        "{text}"
    );
    let dtype = TensorMismatch::DType {
        name: name("ends.1.weight"),
        expected: DType::F32,
        found: DType::F16,
    };
    assert_eq!(
        faults(error),
        [
            shape("embed.weight", &[Some(7), None], &[8, 2]),
            shape("blocks.0.weight", &[None, None], &[2]),
            missing("ends.0.weight"),
            dtype,
            missing("scale"),
            extra("blocks.2.weight"),
            extra("scales"),
        ]
    );
}

#[test]
fn a_tensor_of_another_dtype_and_shape_has_two_faults() {
    let tensors = zeros(&[("scale", &[3])]);
    #[derive(Debug, LoadTensors)]
    struct Wrong {
        #[tensor("scale", shape = [2])]
        _scale: Tensor<I32, Rank1>,
    }
    let found = faults(Wrong::load_from(&tensors).unwrap_err());
    assert!(
        matches!(
            &found[..],
            [TensorMismatch::DType { .. }, TensorMismatch::Shape { .. }]
        ),
        "{found:?}"
    );
}

#[test]
fn extra_tensors_can_be_allowed() {
    #[derive(Debug, LoadTensors)]
    #[tensor(allow_extra)]
    struct Part {
        scale: Tensor<F32, Rank0>,
    }
    /// Only the outermost record is asked.
    #[derive(Debug, LoadTensors)]
    struct Whole {
        #[tensor("")]
        _part: Part,
    }
    #[derive(Debug, LoadTensors)]
    struct Nothing {}
    let tensors = zeros(&[("scale", &[]), ("step", &[])]);
    assert_eq!(
        Part::load_from(&tensors).expect("allowed").scale.item(),
        Ok(0.0)
    );
    assert_eq!(faults(Whole::load_from(&tensors).unwrap_err()).len(), 1);
    assert_eq!(faults(Nothing::load_from(&tensors).unwrap_err()).len(), 2);
}

#[test]
fn records_are_loaded_from_every_kind_of_file() -> Result<(), Error> {
    #[derive(LoadTensors)]
    struct Pair {
        weights: Tensor<BF16, Rank2, Numpy>,
        mask: Tensor<Bool, Rank1>,
    }
    let folder = tempfile::tempdir().expect("a folder");
    let weights: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let mask: Tensor<Bool, Rank1> = tensor![true, false];
    let check = |pair: Pair| {
        assert_eq!(pair.weights.to_vec(), weights.to_vec());
        assert_eq!(pair.mask, mask);
    };
    let path = folder.path().join("pair.safetensors");
    SafeTensorsFile::write(&path, &[("weights", &weights), ("mask", &mask)])?;
    check(Pair::load(&path)?);
    // In an archive bf16 has no name, and is what the field says.
    let path = folder.path().join("pair.npz");
    NpzFile::write(&path, &[("weights", &weights), ("mask", &mask)])?;
    check(Pair::load(&path)?);
    assert!(matches!(
        Pair::load(folder.path().join("none.safetensors")),
        Err(Error::Unreadable { .. })
    ));
    Ok(())
}

#[test]
fn what_cannot_be_read_is_a_fault_among_others() -> Result<(), Error> {
    #[derive(Debug, LoadTensors)]
    struct Pair {
        #[tensor("weights")]
        _weights: Tensor<F32, Rank2>,
        #[tensor("bias")]
        _bias: Tensor<F32, Rank1>,
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("raw.npz");
    let weights: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    NpzFile::write(&path, &[("weights", &weights)])?;
    let found = faults(Pair::load(&path).unwrap_err());
    assert!(
        matches!(
            &found[..],
            [
                TensorMismatch::Unreadable { .. },
                TensorMismatch::Missing { .. }
            ]
        ),
        "{found:?}"
    );
    Ok(())
}

/// The library under another name, in a place without a prelude.
mod elsewhere {
    pub(super) mod renamed {
        pub(crate) use supremum::*;
    }

    /// Sizes of a tensor of which only the rank is known here.
    #[derive(supremum::LoadTensors)]
    #[tensor(crate = self::renamed)]
    pub(super) struct Sized<D> {
        #[tensor("weight", shape = [_, 3])]
        pub(super) weight: supremum::Tensor<D, supremum::Rank2>,
    }

    #[derive(supremum::LoadTensors)]
    #[tensor(crate = self::renamed, allow_extra)]
    pub(super) struct Record<T> {
        pub(super) inner: T,
    }
}

#[test]
fn a_record_can_be_over_what_it_holds() -> Result<(), Error> {
    let tensors = zeros(&[("inner.scale", &[]), ("more", &[])]);
    let record = elsewhere::Record::<Head>::load_from(&tensors)?;
    assert_eq!(record.inner.scale.item(), Ok(0.0));
    let matrix = zeros(&[("weight", &[2, 3])]);
    assert_eq!(
        elsewhere::Sized::<F32>::load_from(&matrix)?.weight.shape(),
        [2, 3]
    );
    assert!(elsewhere::Sized::<F16>::load_from(&matrix).is_err());
    let source: &dyn supremum::TensorSource = &tensors;
    assert!(elsewhere::Record::<Option<Layer>>::load_from(source).is_err());
    Ok(())
}
