//! Tensors as `.npy` files; bf16 and the 8-bit floats, which the format has no name for, as raw bytes.

use std::io;
use std::path::Path;

use supremum::prelude::*;

fn bytes<D: StaticDType>(tensor: &DynTensor) -> Result<Vec<u8>, Error> {
    let elements = tensor.to_vec::<D>()?;
    Ok(bytemuck::cast_slice(&elements).to_vec())
}

pub(crate) fn write(path: &Path, tensor: &DynTensor) -> io::Result<()> {
    let (name, bytes) = match tensor.dtype() {
        DType::Bool => ("|b1", bytes::<Bool>(tensor)),
        DType::U8 => ("|u1", bytes::<U8>(tensor)),
        DType::U16 => ("<u2", bytes::<U16>(tensor)),
        DType::U32 => ("<u4", bytes::<U32>(tensor)),
        DType::U64 => ("<u8", bytes::<U64>(tensor)),
        DType::I8 => ("|i1", bytes::<I8>(tensor)),
        DType::I16 => ("<i2", bytes::<I16>(tensor)),
        DType::I32 => ("<i4", bytes::<I32>(tensor)),
        DType::I64 => ("<i8", bytes::<I64>(tensor)),
        DType::F8E4M3FN => ("|V1", bytes::<F8E4M3FN>(tensor)),
        DType::F8E5M2 => ("|V1", bytes::<F8E5M2>(tensor)),
        DType::BF16 => ("|V2", bytes::<BF16>(tensor)),
        DType::F16 => ("<f2", bytes::<F16>(tensor)),
        DType::F32 => ("<f4", bytes::<F32>(tensor)),
        DType::F64 => ("<f8", bytes::<F64>(tensor)),
        DType::C64 => ("<c8", bytes::<C64>(tensor)),
        DType::C128 => ("<c16", bytes::<C128>(tensor)),
    };
    let shape: Vec<String> = tensor
        .shape()
        .iter()
        .map(|size| format!("{size},"))
        .collect();
    let mut header = format!(
        "{{'descr': '{name}', 'fortran_order': False, 'shape': ({}), }}",
        shape.concat()
    );
    // Ten bytes come before; all is a multiple of 64, and ends the line.
    header += &" ".repeat(63 - (10 + header.len()) % 64);
    header.push('\n');
    let length = u16::try_from(header.len()).map_err(io::Error::other)?;
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend(length.to_le_bytes());
    file.extend(header.bytes());
    file.extend(bytes.map_err(io::Error::other)?);
    std::fs::write(path, file)
}
