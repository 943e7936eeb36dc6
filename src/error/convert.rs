//! Conversions that give an [`Error`].

use core::convert::Infallible;
use core::str::FromStr;

use super::Error;
use crate::dtype::DType;

// Here, because `dtype/` is below this module.
impl FromStr for DType {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.iter().find(|dtype| dtype.name() == name);
        found
            .copied()
            .ok_or_else(|| Error::UnknownDType { name: name.into() })
    }
}

/// `?` on conversions that cannot fail.
// It is also the second conversion: rustc proposes an only one for every type, which was that from the private `AllocError`.
#[diagnostic::do_not_recommend]
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
