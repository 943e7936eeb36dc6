//! The dtypes of products beside those of each system.

use std::collections::BTreeMap;

use supremum::{
    AllowUnsafe, ArrayApi, DType, DynTensor, Error, Jax, JaxX32, Numpy, Rules, TensorFlow, Torch,
};

/// Runs a function of the file on ones.
fn run(function: &str, x: &[&DynTensor]) -> Result<DynTensor, Error> {
    match (function, x) {
        ("einsum1", _) => DynTensor::try_einsum("ij->i", x),
        ("einsum2", _) => DynTensor::try_einsum("ij,jk->ik", x),
        ("einsum3", _) => DynTensor::try_einsum("ij,jk,kl->il", x),
        ("tensordot", [a, b]) => a.try_tensordot(*b, -1, 0),
        ("outer", [a, b]) => a.index_axis(0, 0).try_outer(b.index_axis(0, 0)),
        ("kron", [a, b]) => a.try_kron(*b),
        ("cross", [a, b]) => a.try_cross(*b, -1),
        _ => panic!("{function} is not in the list"),
    }
}

/// The floats that ml_dtypes adds to NumPy.
const SMALL_FLOATS: [DType; 3] = [DType::BF16, DType::F8E4M3FN, DType::F8E5M2];

/// The reason for another answer than the system's.
fn reason(
    system: &str,
    function: &str,
    dtypes: &[DType],
    answer: &str,
    found: &Result<DynTensor, Error>,
) -> Option<&'static str> {
    let has = |dtype| dtypes.contains(&dtype);
    Some(match (system, function) {
        ("numpy", _) if SMALL_FLOATS.into_iter().any(has) => {
            "ml_dtypes has no loops of small floats for this function, or for `matmul`"
        }
        ("torch", "einsum2") if answer == "error" && dtypes[0].size() == 1 => {
            "PyTorch multiplies 8-bit floats by `matmul` only"
        }
        ("array_api", _) if matches!(found, Err(Error::NoPromotion { .. })) => {
            "array_api_strict promotes mixed kinds as NumPy does, which the standard leaves open"
        }
        ("torch", "cross") if answer == "error" => {
            "PyTorch's `cross` converts nothing; here it promotes as its products do"
        }
        ("tensorflow", _) if answer == "error" => {
            "TensorFlow's functions convert nothing; here they promote as its operators do"
        }
        ("jax" | "jax_x32", "kron") if has(DType::Bool) => {
            "JAX has no Kronecker product of booleans"
        }
        ("torch", "einsum1") => "PyTorch sums a single operand by `sum`",
        _ => return None,
    })
}

#[test]
fn products_have_the_dtypes_of_the_systems() {
    let mut equal = 0;
    let mut reasons = BTreeMap::<_, usize>::new();
    let mut others = Vec::new();
    for line in include_str!("../data/functions/products.csv")
        .lines()
        .skip(1)
    {
        let [system, function, operands, answer] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}");
        };
        // Systems promote these dtypes even where values can be lost, so nothing is refused as unsafe.
        let rules = match system {
            "jax" => <AllowUnsafe<Jax> as Rules>::RULE_SET,
            "jax_x32" => <AllowUnsafe<JaxX32> as Rules>::RULE_SET,
            "numpy" => <AllowUnsafe<Numpy> as Rules>::RULE_SET,
            "torch" => <AllowUnsafe<Torch> as Rules>::RULE_SET,
            "tensorflow" => <AllowUnsafe<TensorFlow> as Rules>::RULE_SET,
            "array_api" => <AllowUnsafe<ArrayApi> as Rules>::RULE_SET,
            other => panic!("no reading of {other}"),
        };
        let dtypes: Vec<DType> = operands
            .split('+')
            .map(|name| name.parse().expect("a dtype"))
            .collect();
        let x: Vec<_> = dtypes
            .iter()
            .map(|dtype| {
                DynTensor::ones(*dtype, [3, 3])
                    .expect("memory")
                    .with_rules(rules)
            })
            .collect();
        let found = run(function, &x.iter().collect::<Vec<_>>());
        if found.as_ref().map_or("error", |found| found.dtype().name()) == answer {
            equal += 1;
        } else if let Some(reason) = reason(system, function, &dtypes, answer, &found) {
            *reasons.entry(reason).or_default() += 1;
        } else {
            others.push(format!(
                "{line}, here {:?}",
                found.map(|found| found.dtype())
            ));
        }
    }
    assert!(
        others.is_empty(),
        "{} more than {equal}: {:#?}",
        others.len(),
        others
    );
    let expected = [
        ("JAX has no Kronecker product of booleans", 2),
        ("PyTorch multiplies 8-bit floats by `matmul` only", 2),
        ("PyTorch sums a single operand by `sum`", 10),
        (
            "PyTorch's `cross` converts nothing; here it promotes as its products do",
            134,
        ),
        (
            "TensorFlow's functions convert nothing; here they promote as its operators do",
            768,
        ),
        (
            "array_api_strict promotes mixed kinds as NumPy does, which the standard leaves open",
            216,
        ),
        (
            "ml_dtypes has no loops of small floats for this function, or for `matmul`",
            219,
        ),
    ];
    assert_eq!(
        (equal, reasons.into_iter().collect::<Vec<_>>()),
        (6774, expected.to_vec())
    );
}
