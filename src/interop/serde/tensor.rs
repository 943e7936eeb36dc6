//! Tensors: dtype, shape and elements.

use core::fmt;

use ::serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};

use super::elements::{Elements, ReadElements};
use crate::array::Array;
use crate::dtype::StaticDType;
use crate::dynamic::DynTensor;
use crate::exec;
use crate::rank::Rank;
use crate::rules::{Class, Jax, OperandType, Rules};
use crate::tensor::Tensor;

/// The fields, in their order. The dtype comes first, also in the order of the alphabet, because elements are read by it.
const FIELDS: &[&str] = &["dtype", "shape", "elements"];

fn serialize<S: Serializer>(array: &Array, weak: bool, serializer: S) -> Result<S::Ok, S::Error> {
    exec::require_concrete("serialize", array).map_err(S::Error::custom)?;
    let operand = match weak {
        true => OperandType::weak(array.dtype()),
        false => OperandType::dimensioned(array.dtype()),
    };
    let mut fields = serializer.serialize_struct("Tensor", FIELDS.len())?;
    fields.serialize_field(FIELDS[0], &operand)?;
    fields.serialize_field(FIELDS[1], array.shape())?;
    fields.serialize_field(FIELDS[2], &Elements(array))?;
    fields.end()
}

/// With the feature `serde`: the fields `dtype` (by name, with a star if it is weak), `shape` and `elements` (in row-major order).
///
/// - In formats for people, such as JSON, elements are a list of numbers or truth values; a complex number is a list of two.
///   What is not a number is a text: `"NaN"`, `"inf"` or `"-inf"`. NaN loses its sign and payload. Numbers have all digits that they
///   need, but `serde_json` reads some `f64` one unit in the last place off, unless its feature `float_roundtrip` is on.
/// - In binary formats, such as postcard, elements are the bytes that they have in memory, little-endian; they come back bit by bit.
///
/// The rules are not part of the data, as they are not in files.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use supremum::{F32, Rank1, Tensor, tensor};
/// let t: Tensor<F32, Rank1> = tensor![0.5, 1.0 / 0.0];
/// let json = serde_json::to_string(&t).expect("JSON");
/// assert_eq!(json, r#"{"dtype":"f32","shape":[2],"elements":[0.5,"inf"]}"#);
/// assert_eq!(serde_json::from_str::<Tensor<F32, Rank1>>(&json).expect("the same"), t);
/// # }
/// ```
impl<D: StaticDType, N: Rank, R: Rules> Serialize for Tensor<D, N, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.array(), D::WEAK, serializer)
    }
}

/// With the feature `serde`: as that of [`Tensor`]. The rules are not part of the data.
impl Serialize for DynTensor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.array(), self.is_weak(), serializer)
    }
}

/// With the feature `serde`. Another dtype or rank, a number that the dtype does not have, and elements that are more or fewer
/// than the shape has are errors; floats round. In formats with named fields, `dtype` stands before `elements`.
///
/// Memory grows with the input, whatever lengths it claims.
impl<'de, D: StaticDType, N: Rank, R: Rules> Deserialize<'de> for Tensor<D, N, R> {
    fn deserialize<T: Deserializer<'de>>(deserializer: T) -> Result<Self, T::Error> {
        let tensor = DynTensor::deserialize(deserializer)?;
        tensor.typed().map_err(de::Error::custom)
    }
}

/// With the feature `serde`: as that of [`Tensor`], of any dtype and rank. The tensor follows [`Jax`] rules;
/// [`DynTensor::with_rules`] changes them.
impl<'de> Deserialize<'de> for DynTensor {
    fn deserialize<T: Deserializer<'de>>(deserializer: T) -> Result<Self, T::Error> {
        deserializer.deserialize_struct("Tensor", FIELDS, TensorVisitor)
    }
}

struct TensorVisitor;

/// Checks that an operand is one that a tensor is written as.
fn stored<E: de::Error>(operand: OperandType) -> Result<OperandType, E> {
    match operand.class {
        Class::ZeroDim => Err(E::custom(format_args!(
            "a tensor has a dtype, as `{}`, not `{operand}`",
            operand.dtype
        ))),
        Class::Dimensioned | Class::Weak => Ok(operand),
    }
}

fn tensor(array: Array, operand: OperandType) -> DynTensor {
    DynTensor::from_array(array, operand.class == Class::Weak, Jax::RULE_SET)
}

impl<'de> Visitor<'de> for TensorVisitor {
    type Value = DynTensor;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tensor: `dtype`, `shape` and `elements`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<DynTensor, A::Error> {
        let missing = |position| de::Error::invalid_length(position, &self);
        let operand = stored(fields.next_element()?.ok_or_else(|| missing(0))?)?;
        let shape: Vec<usize> = fields.next_element()?.ok_or_else(|| missing(1))?;
        let elements = fields.next_element_seed(ReadElements(operand.dtype))?;
        let elements = elements.ok_or_else(|| missing(2))?;
        let array = elements.into_array(operand.dtype, &shape);
        Ok(tensor(array.map_err(de::Error::custom)?, operand))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DynTensor, A::Error> {
        let (mut operand, mut shape, mut elements) = (None, None::<Vec<usize>>, None);
        while let Some(field) = map.next_key::<String>()? {
            match field.as_str() {
                "dtype" if operand.is_some() => return Err(de::Error::duplicate_field(FIELDS[0])),
                "shape" if shape.is_some() => return Err(de::Error::duplicate_field(FIELDS[1])),
                "elements" if elements.is_some() => {
                    return Err(de::Error::duplicate_field(FIELDS[2]));
                }
                "dtype" => operand = Some(stored(map.next_value()?)?),
                "shape" => shape = Some(map.next_value()?),
                "elements" => {
                    let Some(OperandType { dtype, .. }) = operand else {
                        return Err(de::Error::custom("`dtype` has to stand before `elements`"));
                    };
                    elements = Some(map.next_value_seed(ReadElements(dtype))?);
                }
                other => return Err(de::Error::unknown_field(other, FIELDS)),
            }
        }
        let missing = de::Error::missing_field;
        let operand = operand.ok_or_else(|| missing(FIELDS[0]))?;
        let shape = shape.ok_or_else(|| missing(FIELDS[1]))?;
        let elements = elements.ok_or_else(|| missing(FIELDS[2]))?;
        let array = elements.into_array(operand.dtype, &shape);
        Ok(tensor(array.map_err(de::Error::custom)?, operand))
    }
}
