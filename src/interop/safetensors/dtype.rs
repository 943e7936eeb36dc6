//! The format's names of dtypes.

use safetensors::Dtype;

use crate::dtype::DType;

const NAMES: &[(Dtype, DType)] = &[
    (Dtype::BOOL, DType::Bool),
    (Dtype::U8, DType::U8),
    (Dtype::U16, DType::U16),
    (Dtype::U32, DType::U32),
    (Dtype::U64, DType::U64),
    (Dtype::I8, DType::I8),
    (Dtype::I16, DType::I16),
    (Dtype::I32, DType::I32),
    (Dtype::I64, DType::I64),
    (Dtype::F8_E4M3, DType::F8E4M3FN),
    (Dtype::F8_E5M2, DType::F8E5M2),
    (Dtype::F8_E4M3FNUZ, DType::F8E4M3FNUZ),
    (Dtype::F8_E5M2FNUZ, DType::F8E5M2FNUZ),
    (Dtype::BF16, DType::BF16),
    (Dtype::F16, DType::F16),
    (Dtype::F32, DType::F32),
    (Dtype::F64, DType::F64),
    (Dtype::C64, DType::C64),
];

pub(super) fn dtype_of(name: Dtype) -> Option<DType> {
    let found = NAMES.iter().find(|(theirs, _)| *theirs == name);
    found.map(|(_, ours)| *ours)
}

/// Returns the format's name of a dtype; `None` for `c128` and `f8e4m3b11fnuz`, which it does not have.
pub(super) fn name_of(dtype: DType) -> Option<Dtype> {
    let found = NAMES.iter().find(|(_, ours)| *ours == dtype);
    found.map(|(theirs, _)| *theirs)
}
