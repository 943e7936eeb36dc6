//! The cursor of a record being loaded: the name prefix, and the mismatches collected so far.

use std::collections::BTreeSet;

use super::{LoadTensors, TensorMismatch, TensorSource};
use crate::dtype::StrongDType;
use crate::error::Error;
use crate::rank::{IntoShape, Rank};
use crate::rules::Rules;
use crate::tensor::Tensor;

/// The state that all cursors of one load share: the source, the names that were used, and the mismatches.
struct Loader<'a> {
    source: &'a dyn TensorSource,
    names: BTreeSet<String>,
    taken: BTreeSet<String>,
    faults: Vec<TensorMismatch>,
}

/// The part of a source whose names are, or start with, the cursor's name.
pub struct LoadCursor<'a, 'source> {
    loader: &'a mut Loader<'source>,
    name: String,
}

pub(super) fn load<T: LoadTensors>(source: &dyn TensorSource) -> Result<T, Error> {
    let mut loader = Loader {
        names: source.names().into_iter().collect(),
        source,
        taken: BTreeSet::new(),
        faults: Vec::new(),
    };
    let loaded = T::load_part(LoadCursor {
        loader: &mut loader,
        name: String::new(),
    });
    let Loader {
        names,
        taken,
        mut faults,
        ..
    } = loader;
    if !T::ALLOW_EXTRA {
        let extra = names.difference(&taken);
        faults.extend(extra.map(|name| TensorMismatch::Extra { name: name.clone() }));
    }
    match loaded {
        Some(loaded) if faults.is_empty() => Ok(loaded),
        _ => Err(Error::UnexpectedTensors {
            path: source.path().map(Into::into),
            faults,
        }),
    }
}

impl<'source> LoadCursor<'_, 'source> {
    /// Returns the part of that name within this one.
    pub fn at(&mut self, name: &str) -> LoadCursor<'_, 'source> {
        let name = match (self.name.as_str(), name) {
            (whole, "") => whole.to_owned(),
            ("", name) => name.to_owned(),
            (whole, name) => format!("{whole}.{name}"),
        };
        LoadCursor {
            loader: self.loader,
            name,
        }
    }

    /// Returns whether the source has a tensor of this name, or one below it.
    pub(super) fn exists(&self) -> bool {
        let names = &self.loader.names;
        let within = format!("{}.", self.name);
        let mut after = names.range(within.clone()..);
        names.contains(&self.name)
            || self.name.is_empty() && !names.is_empty()
            || after.next().is_some_and(|name| name.starts_with(&within))
    }

    /// Loads the tensor of this name; a size of `None` accepts any size.
    pub(super) fn tensor<D: StrongDType, N: Rank, R: Rules>(
        self,
        shape: Option<&[Option<usize>]>,
    ) -> Option<Tensor<D, N, R>> {
        let Self { loader, name } = self;
        let before = loader.faults.len();
        let mut fault = |fault| loader.faults.push(fault);
        if !loader.names.contains(&name) {
            fault(TensorMismatch::Missing { name });
            return None;
        }
        loader.taken.insert(name.clone());
        let found = match loader.source.read(&name, D::DTYPE, R::rule_set()) {
            Ok(found) => found,
            Err(error) => {
                let error = Box::new(error);
                fault(TensorMismatch::Unreadable { name, error });
                return None;
            }
        };
        if found.dtype() != D::DTYPE {
            fault(TensorMismatch::DType {
                name: name.clone(),
                expected: D::DTYPE,
                found: found.dtype(),
            });
        }
        if let Some(expected) = shape
            && !fits(expected, found.shape())
        {
            fault(TensorMismatch::Shape {
                name,
                expected: expected.to_vec(),
                found: found.shape().to_vec(),
            });
        }
        let sound = loader.faults.len() == before;
        sound.then(|| Tensor::from_array(found.array().clone()))
    }
}

fn fits(expected: &[Option<usize>], found: &[usize]) -> bool {
    expected.len() == found.len()
        && expected
            .iter()
            .zip(found)
            .all(|(expected, found)| expected.is_none_or(|expected| expected == *found))
}

/// A field type that accepts `shape = [..]`: a tensor of known rank.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no shape",
    label = "`shape = [..]` is for tensors",
    note = "state shapes in the record whose fields are tensors"
)]
pub trait ShapedField: LoadTensors {
    /// The rank of the tensor.
    type Rank: Rank;

    /// Loads the tensor of this name, if it has this shape, whose length is the rank.
    fn load_sized<const LEN: usize>(
        part: LoadCursor<'_, '_>,
        shape: [Option<usize>; LEN],
    ) -> Option<Self>
    where
        [usize; LEN]: IntoShape<Self::Rank>;
}

#[diagnostic::do_not_recommend]
impl<D: StrongDType, N: Rank, R: Rules> ShapedField for Tensor<D, N, R> {
    type Rank = N;

    fn load_sized<const LEN: usize>(
        part: LoadCursor<'_, '_>,
        shape: [Option<usize>; LEN],
    ) -> Option<Self>
    where
        [usize; LEN]: IntoShape<N>,
    {
        part.tensor(Some(&shape))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ShapedField> ShapedField for Option<T> {
    type Rank = T::Rank;

    fn load_sized<const LEN: usize>(
        part: LoadCursor<'_, '_>,
        shape: [Option<usize>; LEN],
    ) -> Option<Self>
    where
        [usize; LEN]: IntoShape<T::Rank>,
    {
        match part.exists() {
            true => T::load_sized(part, shape).map(Some),
            false => Some(None),
        }
    }
}
