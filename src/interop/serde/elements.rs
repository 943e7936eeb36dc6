//! Elements: a list in formats for people, bytes in others.

use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;

use ::serde::de::{self, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use ::serde::ser::{Error as _, Serialize, SerializeSeq, Serializer};

use crate::array::{Array, Dims, UNNAMED, element_count};
use crate::dtype::cast::cast;
use crate::dtype::{DType, Element, Kind, StaticDType, c128, dispatch_dtype};
use crate::error::Error;
use crate::exec;
use crate::interop::byte_order::swap;
use crate::literals::Scalar;
use crate::rule_set::LiteralPolicy;

/// The elements of an array that is not a tracer.
pub(super) struct Elements<'a>(pub(super) &'a Array);

impl Serialize for Elements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let array = self.0;
        if serializer.is_human_readable() {
            return dispatch_dtype!(array.dtype(), D => {
                let mut list = serializer.serialize_seq(Some(array.len()))?;
                for element in exec::iter::<<D as StaticDType>::Element>(array) {
                    list.serialize_element(&Item(element))?;
                }
                list.end()
            });
        }
        let mut bytes = exec::to_bytes(array).map_err(S::Error::custom)?;
        to_little_endian(&mut bytes, array.dtype());
        serializer.serialize_bytes(&bytes)
    }
}

/// Converts between the machine's byte order and little-endian.
fn to_little_endian(bytes: &mut [u8], dtype: DType) {
    if cfg!(target_endian = "big") {
        swap(bytes, dtype);
    }
}

/// An element in a list.
struct Item<E>(E);

impl<E: Element> Serialize for Item<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(element) = *self;
        match E::DTYPE.kind() {
            Kind::Bool => serializer.serialize_bool(cast::<E, u64>(element) != 0),
            Kind::Unsigned => serializer.serialize_u64(cast(element)),
            Kind::Signed => serializer.serialize_i64(cast(element)),
            Kind::Float if E::DTYPE == DType::F64 => {
                Float(cast::<E, f64>(element)).serialize(serializer)
            }
            Kind::Float => Float(cast::<E, f32>(element)).serialize(serializer),
            Kind::Complex => {
                let number: c128 = cast(element);
                match E::DTYPE {
                    DType::C128 => [number.re, number.im].map(Float).serialize(serializer),
                    _ => [number.re, number.im]
                        .map(|part| Float(cast::<f64, f32>(part)))
                        .serialize(serializer),
                }
            }
        }
    }
}

/// A float. NaN and infinities are written by name, because JSON and similar formats have finite numbers only.
struct Float<T>(T);

const NAN: &str = "NaN";
const INFINITY: &str = "inf";
const MINUS_INFINITY: &str = "-inf";

impl<T: Element + Serialize> Serialize for Float<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: f64 = cast(self.0);
        match value {
            _ if value.is_nan() => serializer.serialize_str(NAN),
            f64::INFINITY => serializer.serialize_str(INFINITY),
            f64::NEG_INFINITY => serializer.serialize_str(MINUS_INFINITY),
            _ => self.0.serialize(serializer),
        }
    }
}

/// Elements that were read, before their shape may be known.
pub(super) enum Read<'de> {
    /// A vector.
    List(Array),
    /// Their bytes, little-endian.
    Bytes(Cow<'de, [u8]>),
}

impl Read<'_> {
    /// Makes the array. It is allocated only after the elements were found to be as many as the shape has.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are more or fewer, and the errors of an invalid shape; [`Error::NotABool`],
    /// [`Error::OutOfMemory`].
    pub(super) fn into_array(self, dtype: DType, shape: &[usize]) -> Result<Array, Error> {
        Dims::new(shape)?;
        let expected = element_count(UNNAMED, shape)?;
        match self {
            Read::List(list) if list.len() != expected => Err(Error::LengthMismatch {
                operation: "deserialize",
                what: "elements",
                expected,
                found: list.len(),
            }),
            Read::List(list) => exec::reshape(&list, shape),
            Read::Bytes(bytes) if cfg!(target_endian = "big") => {
                let mut bytes = bytes.into_owned();
                to_little_endian(&mut bytes, dtype);
                Array::from_bytes(dtype, shape, &bytes)
            }
            Read::Bytes(bytes) => Array::from_bytes(dtype, shape, &bytes),
        }
    }
}

/// Reads the elements of a dtype.
pub(super) struct ReadElements(pub(super) DType);

impl<'de> DeserializeSeed<'de> for ReadElements {
    type Value = Read<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Read<'de>, D::Error> {
        if !deserializer.is_human_readable() {
            return deserializer.deserialize_bytes(BytesVisitor);
        }
        dispatch_dtype!(self.0, M => {
            deserializer.deserialize_seq(ListVisitor::<<M as StaticDType>::Element>(PhantomData))
        })
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Read<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of the elements")
    }

    fn visit_borrowed_bytes<E: de::Error>(self, bytes: &'de [u8]) -> Result<Read<'de>, E> {
        Ok(Read::Bytes(Cow::Borrowed(bytes)))
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Read<'de>, E> {
        self.visit_byte_buf(bytes.to_vec())
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Read<'de>, E> {
        Ok(Read::Bytes(Cow::Owned(bytes)))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Element> Visitor<'de> for ListVisitor<T> {
    type Value = Read<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of elements of {}", T::DTYPE)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Read<'de>, A::Error> {
        // Grows with the input; the length that the input claims is not believed.
        let mut elements = Vec::<T>::new();
        while let Some(element) = list.next_element_seed(ReadItem(PhantomData))? {
            if elements.len() == elements.capacity() {
                let more = elements.len().max(64);
                elements.try_reserve(more).map_err(de::Error::custom)?;
            }
            elements.push(element);
        }
        let array = Array::from_elements(&elements, &[elements.len()]);
        array.map(Read::List).map_err(de::Error::custom)
    }
}

/// Reads an element of a list. Only text formats are read so, whose values show their types (`deserialize_any`).
struct ReadItem<T>(PhantomData<T>);

impl<'de, T: Element> DeserializeSeed<'de> for ReadItem<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<T: Element> ReadItem<T> {
    /// Converts the number as a literal: a value that the dtype does not have is an error, but floats round.
    fn number<E: de::Error>(number: impl Into<Scalar>) -> Result<T, E> {
        let literal = number.into();
        if T::DTYPE == DType::Bool {
            return Err(E::custom(format_args!("{literal} is not a truth value")));
        }
        literal
            .convert_literal(LiteralPolicy::EXACT)
            .map_err(|dtype| {
                E::custom(Error::LiteralOutOfRange {
                    operation: "deserialize",
                    literal,
                    dtype,
                })
            })
    }
}

impl<'de, T: Element> Visitor<'de> for ReadItem<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an element of {}", T::DTYPE)?;
        match T::DTYPE.kind() {
            Kind::Float => write!(f, ", or \"{NAN}\", \"{INFINITY}\" or \"{MINUS_INFINITY}\""),
            Kind::Complex => f.write_str(", as a list of its real and imaginary part"),
            _ => Ok(()),
        }
    }

    fn visit_bool<E: de::Error>(self, truth: bool) -> Result<T, E> {
        match T::DTYPE {
            DType::Bool => Ok(cast(truth)),
            _ => Err(E::invalid_type(de::Unexpected::Bool(truth), &self)),
        }
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        Self::number(number)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        Self::number(number)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
        Self::number(number)
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        let value = match name {
            NAN => f64::NAN,
            INFINITY => f64::INFINITY,
            MINUS_INFINITY => f64::NEG_INFINITY,
            _ => return Err(E::invalid_value(de::Unexpected::Str(name), &self)),
        };
        let element: T = cast(value);
        let same = cast::<T, f64>(element);
        match T::DTYPE.kind() {
            Kind::Float if same == value || same.is_nan() && value.is_nan() => Ok(element),
            _ => Err(E::invalid_value(de::Unexpected::Str(name), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<T, A::Error> {
        if T::DTYPE.kind() != Kind::Complex {
            return Err(de::Error::invalid_type(de::Unexpected::Seq, &self));
        }
        let mut part = |position| -> Result<f64, A::Error> {
            let part = match T::DTYPE {
                DType::C64 => parts
                    .next_element_seed(ReadItem::<f32>(PhantomData))?
                    .map(f64::from),
                _ => parts.next_element_seed(ReadItem::<f64>(PhantomData))?,
            };
            part.ok_or_else(|| de::Error::invalid_length(position, &self))
        };
        Ok(cast(c128::new(part(0)?, part(1)?)))
    }
}
