//! [`TensorSource`]: named tensors from which records are loaded.

use std::collections::BTreeMap;
use std::path::Path;

use crate::dtype::DType;
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rules::RuleSet;

/// A collection of named tensors from which a record can be [loaded](super::LoadTensors::load_from): a file, or tensors
/// in memory.
///
/// ```
/// supremum::prelude!();
/// use supremum::TensorSource;
/// /// A source of ones, in the requested dtype.
/// struct Ones;
/// impl TensorSource for Ones {
///     fn names(&self) -> Vec<String> {
///         vec!["weight".to_owned()]
///     }
///     fn read(&self, _: &str, expected: DType, rules: &'static RuleSet) -> Result<DynTensor, Error> {
///         Ok(DynTensor::full(expected, &[2], 1)?.with_rules(rules))
///     }
/// }
/// #[derive(LoadTensors)]
/// struct Layer {
///     weight: Tensor<F16, Rank1>,
/// }
/// assert_eq!(Layer::load_from(&Ones)?.weight, Tensor::<F16, Rank1>::ones([2]));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tensors with names",
    label = "not an open file, nor tensors in memory",
    note = "`T::load(path)?` of a record `T` opens the file and reads it; tensors in memory are a `std::collections::BTreeMap<String, DynTensor>`"
)]
pub trait TensorSource {
    /// The path of the file, for messages; `None` for a source that is not a file.
    fn path(&self) -> Option<&Path> {
        None
    }

    /// The names of all tensors.
    fn names(&self) -> Vec<String>;

    /// Reads the tensor of a name, with the dtype and shape that it has. `expected` is the dtype if the source does not
    /// record one.
    ///
    /// # Errors
    /// Any error of reading; the record's error lists it among the other mismatches.
    fn read(
        &self,
        name: &str,
        expected: DType,
        rules: &'static RuleSet,
    ) -> Result<DynTensor, Error>;
}

#[diagnostic::do_not_recommend]
impl TensorSource for BTreeMap<String, DynTensor> {
    fn names(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }

    fn read(&self, name: &str, _: DType, rules: &'static RuleSet) -> Result<DynTensor, Error> {
        let found = self.get(name).ok_or_else(|| Error::NoSuchTensor {
            path: "tensors in memory".into(),
            name: name.into(),
            names: TensorSource::names(self),
        });
        Ok(found?.with_rules(rules))
    }
}

#[diagnostic::do_not_recommend]
impl<T: TensorSource + ?Sized> TensorSource for &T {
    fn path(&self) -> Option<&Path> {
        (**self).path()
    }

    fn names(&self) -> Vec<String> {
        (**self).names()
    }

    fn read(
        &self,
        name: &str,
        expected: DType,
        rules: &'static RuleSet,
    ) -> Result<DynTensor, Error> {
        (**self).read(name, expected, rules)
    }
}
