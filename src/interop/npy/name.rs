//! NumPy's names of dtypes.

use npyz::{TypeChar, TypeStr};

use super::super::file::Reason;
use crate::dtype::{DType, Kind};

/// Returns whether NumPy has no name for the dtype, so that its elements are raw bytes in files: `|V2` or `|V1`.
fn is_raw(dtype: DType) -> bool {
    dtype == DType::BF16 || (dtype.kind() == Kind::Float && dtype.size() == 1)
}

fn type_char(dtype: DType) -> TypeChar {
    match dtype.kind() {
        _ if is_raw(dtype) => TypeChar::RawData,
        Kind::Bool => TypeChar::Bool,
        Kind::Unsigned => TypeChar::Uint,
        Kind::Signed => TypeChar::Int,
        Kind::Float => TypeChar::Float,
        Kind::Complex => TypeChar::Complex,
    }
}

/// Returns the name of a dtype in this machine's byte order.
pub(super) fn type_str(dtype: DType) -> Result<TypeStr, Reason> {
    let order = match dtype.size() {
        _ if is_raw(dtype) => "|",
        1 => "|",
        _ if cfg!(target_endian = "big") => ">",
        _ => "<",
    };
    let name = format!("{order}{}{}", type_char(dtype).to_str(), dtype.size());
    Ok(name.parse()?)
}

/// Says what the elements are, if the name does not tell a reader who does not know NumPy's letters.
fn what(name: &TypeStr) -> &'static str {
    match name.type_char() {
        TypeChar::UnicodeStr | TypeChar::ByteStr => ", which is text",
        TypeChar::DateTime => ", which is dates",
        TypeChar::TimeDelta => ", which is spans of time",
        TypeChar::Object => ", which is Python objects",
        TypeChar::Float if name.size_field() > 8 => {
            ", which is NumPy's long double; half precision is `<f2`"
        }
        TypeChar::Complex if name.size_field() > 16 => ", which is two of NumPy's long doubles",
        _ => "",
    }
}

/// The reason why elements of another name are not read.
fn unknown(name: &TypeStr) -> Reason {
    format!("no dtype of Supremum: {name}{}", what(name)).into()
}

/// Returns the dtype of a name; raw elements get the expected dtype.
pub(super) fn dtype_of(name: &TypeStr, expected: Option<DType>) -> Result<DType, Reason> {
    let named = |dtype: &DType| {
        type_char(*dtype) == name.type_char()
            && u64::try_from(dtype.size()) == Ok(name.size_field())
    };
    if name.type_char() != TypeChar::RawData {
        let found = DType::ALL.iter().copied().find(named);
        return found.ok_or_else(|| unknown(name));
    }
    let raw: Vec<DType> = DType::ALL.iter().copied().filter(named).collect();
    match expected {
        Some(dtype) if raw.contains(&dtype) => Ok(dtype),
        _ if raw.is_empty() => Err(unknown(name)),
        _ => {
            let names: Vec<_> = raw.iter().map(|dtype| dtype.name()).collect();
            let (names, first) = (names.join(" or "), raw[0]);
            let message = format!(
                "raw elements ({name}), which may be {names}: name the dtype, by `Tensor<{first:?}>`, or by `read_npy_as` or \
                 `dyn_tensor_as` with `DType::{first:?}`"
            );
            Err(message.into())
        }
    }
}
