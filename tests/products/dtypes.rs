//! The dtypes of products beside those of each system.

use std::collections::BTreeMap;

use supremum::{DType, DynTensor, Error, RuleSet};

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

/// The reason for another answer than the system's.
fn reason(
    system: &str,
    function: &str,
    dtypes: &[DType],
    answer: &str,
    found: &Result<DynTensor, Error>,
) -> Option<&'static str> {
    let has = |dtype| dtypes.contains(&dtype);
    if let Err(Error::UnsafePromotion { promotion, .. }) = found
        && (promotion.dtype.name() == answer || answer != "error")
    {
        return Some("the promotion may lose values, so it is refused unless asked for");
    }
    Some(match (system, function) {
        ("numpy", _) if has(DType::BF16) => {
            "ml_dtypes has no loops of bf16 for this function, or for `matmul`"
        }
        ("torch", "cross") if answer == "error" => {
            "PyTorch's `cross` converts nothing; here it promotes as its products do"
        }
        ("tensorflow", _) if answer == "error" => {
            "TensorFlow's functions convert nothing; here they promote as its operators do"
        }
        ("jax", "kron") if has(DType::Bool) => "JAX has no Kronecker product of booleans",
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
        let rules = RuleSet::named(system).expect("a system");
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
        ("JAX has no Kronecker product of booleans", 1),
        ("PyTorch sums a single operand by `sum`", 5),
        (
            "PyTorch's `cross` converts nothing; here it promotes as its products do",
            58,
        ),
        (
            "TensorFlow's functions convert nothing; here they promote as its operators do",
            385,
        ),
        (
            "ml_dtypes has no loops of bf16 for this function, or for `matmul`",
            105,
        ),
        (
            "the promotion may lose values, so it is refused unless asked for",
            234,
        ),
    ];
    assert_eq!(
        (equal, reasons.into_iter().collect::<Vec<_>>()),
        (2298, expected.to_vec())
    );
}
