//! Operands. `operand` in peers.py makes the same elements.

use supremum::{DType, DynTensor, Error, Torch, c64};

/// Makes the operand that the list writes so. The seed distinguishes the operands of a case.
pub fn make(operand: &str, dtype: DType, seed: u32) -> Result<DynTensor, Error> {
    let mut parts = operand.split('/');
    let mut shape: Vec<usize> = parts
        .next()
        .unwrap_or("")
        .split('x')
        .map(|size| size.parse().expect("a size"))
        .collect();
    let (mut kind, mut transposed) = ("", false);
    for part in parts {
        match part {
            "T" => transposed = true,
            _ => kind = part,
        }
    }
    if transposed {
        shape.reverse();
    }
    let len: usize = shape.iter().product();
    let numbers = |seed| (0..len).map(move |i| number(kind, dtype, i, len, seed));
    let tensor = if kind.starts_with("index=") {
        DynTensor::from_vec(numbers(seed).collect::<Vec<f64>>(), &shape)?.cast(DType::I64)
    } else if kind == "mask" || kind == "sparse" {
        DynTensor::from_vec(numbers(seed).collect::<Vec<f64>>(), &shape)?.cast(DType::Bool)
    } else if dtype == DType::C64 {
        let numbers = numbers(seed).zip(numbers(seed + 100));
        DynTensor::from_vec(
            numbers
                .map(|(re, im)| c64::new(re as f32, im as f32))
                .collect::<Vec<c64>>(),
            &shape,
        )?
    } else {
        DynTensor::from_vec(numbers(seed).collect::<Vec<f64>>(), &shape)?.cast(dtype)
    };
    let tensor = tensor.with_rules(Torch);
    Ok(if transposed {
        tensor.transpose()
    } else {
        tensor
    })
}

/// Element `i` of `len` in row-major order.
fn number(kind: &str, dtype: DType, i: usize, len: usize, seed: u32) -> f64 {
    let bits = hash(i as u32, seed);
    let below = |count: u32| f64::from(bits % count);
    let share = f64::from(bits >> 8) / f64::from(1 << 24);
    let is_integer = matches!(dtype, DType::I8 | DType::U8 | DType::I32 | DType::I64);
    if let Some(count) = kind.strip_prefix("index=") {
        return below(count.parse().expect("a number of positions"));
    }
    match (kind, is_integer) {
        ("mask", _) => below(2),
        ("sparse", _) => f64::from(u8::from(bits.is_multiple_of(50))),
        ("zero", _) => 0.0,
        ("one", _) => 1.0,
        ("few", _) => below(100),
        ("sorted", true) => i as f64,
        ("sorted", false) => i as f64 / len as f64 * 8.0 - 4.0,
        ("pos", true) => 1.0 + below(100),
        ("pos", false) => 0.1 + 3.9 * share,
        ("small", true) => 1.0 + below(6),
        ("small" | "above", _) => 1.0 + 3.0 * share,
        ("unit", true) => below(3) - 1.0,
        ("unit", false) => 1.98 * share - 0.99,
        ("", _) => match dtype {
            DType::Bool => below(2),
            DType::I8 => below(256) - 128.0,
            DType::U8 => below(256),
            DType::I32 | DType::I64 => below(2_000_001) - 1e6,
            _ => 8.0 * share - 4.0,
        },
        _ => panic!("cases.txt: `{kind}` is no kind of elements"),
    }
}

/// An avalanching hash of 32 bits.
fn hash(i: u32, seed: u32) -> u32 {
    let mut bits = i
        .wrapping_mul(0x9E37_79B1)
        .wrapping_add(seed.wrapping_mul(0x85EB_CA6B));
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x7FEB_352D);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x846C_A68B);
    bits ^ (bits >> 16)
}
