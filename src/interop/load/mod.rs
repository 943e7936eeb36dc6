//! Records of tensors: `#[derive(LoadTensors)]`. Loading collects all mismatches between record and file in one error.

mod cursor;
mod source;

use crate::error::TensorMismatch;
pub use cursor::{LoadCursor, ShapedField};
pub use source::TensorSource;

#[cfg(any(feature = "npz", feature = "safetensors"))]
use super::file::FilePath;
use crate::dtype::StrongDType;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::Tensor;

/// A type that can be loaded from named tensors: a tensor, or a struct of such types that derives this trait.
///
/// Each field is a [`Tensor`], another record, or an `Option`, a `Vec` or an array of these. Its name in the file is the field's
/// name, unless `#[tensor("..")]` gives another. The fields of a nested record have its name, a dot, and their own name.
///
/// | field | is |
/// | --- | --- |
/// | `bias: Tensor<F16, Rank1>` | the tensor `bias` |
/// | `#[tensor("fc1.weight")] w: Tensor<BF16, Rank2>` | the tensor `fc1.weight` |
/// | `#[tensor("fc1.weight", shape = [64, _])] ..` | the same tensor, which must have 64 rows |
/// | `#[tensor("encoder")] first: Layer` | a record of `encoder.weight` and the other fields of `Layer` |
/// | `scale: Option<Tensor<F32, Rank0>>` | `None` if the file has no such tensor; records can be optional too |
/// | `layers: Vec<Layer>`, `layers: [Layer; 12]` | records of `layers.0.weight`, `layers.1.weight`, ..: all that exist, or 12 |
/// | `#[tensor("")] head: Layer` | a record whose names have no prefix |
///
/// On the record itself, `#[tensor(allow_extra)]` lets a file have tensors that are in no field, and
/// `#[tensor(crate = path)]` gives the path of this library, if it is not a dependency of the crate (a re-export of another
/// crate, for example; a dependency that Cargo.toml renames is found). Records can be generic:
/// `struct Layer<D: StrongDType, R: Rules> { weight: Tensor<D, Rank2, R> }`.
///
/// ```
/// supremum::prelude!();
///
/// #[derive(LoadTensors)]
/// struct Mlp {
///     norm: Norm,
///     #[tensor("fc1")]
///     first: Dense,
///     #[tensor("fc2.weight", shape = [48, 10])]
///     last: Tensor<BF16, Rank2>,
///     #[tensor("fc2.bias")]
///     last_bias: Tensor<F16, Rank1>,
/// }
///
/// #[derive(LoadTensors)]
/// struct Dense {
///     weight: Tensor<BF16, Rank2>,
///     bias: Tensor<F16, Rank1>,
/// }
///
/// #[derive(LoadTensors)]
/// struct Norm {
///     mean: Tensor<F32, Rank1>,
///     inv_std: Tensor<F32, Rank1>,
/// }
///
/// # #[cfg(feature = "safetensors")] {
/// let model = Mlp::load("examples/digits/data/model.safetensors")?;
/// assert_eq!(model.first.weight.shape(), [64, 48]);
/// assert_eq!((model.last.shape(), model.last_bias.shape()), (&[48, 10][..], &[10][..]));
/// assert_eq!((model.first.bias.shape(), model.norm.mean.shape()), (&[48][..], &[64][..]));
/// assert_eq!(model.norm.inv_std.shape(), [64]);
///
/// #[derive(Debug, LoadTensors)]
/// struct Wrong {
///     #[tensor("fc1.weight", shape = [_, 64])]
///     w1: Tensor<F16, Rank2>,
///     #[tensor("fc1.bias")]
///     b1: Tensor<F16, Rank1>,
///     #[tensor("fc2.kernel")]
///     w2: Tensor<BF16, Rank2>,
/// }
/// let error = Wrong::load("examples/digits/data/model.safetensors").unwrap_err();
/// assert_eq!(error.to_string(), "\
/// examples/digits/data/model.safetensors does not have the tensors of the record:
///   `fc1.weight`: expected f16, found bf16
///   `fc1.weight`: expected shape [_, 64], found [64, 48]
///   `fc2.kernel` is missing
///   `fc2.bias` is in no field
///   `fc2.weight` is in no field
///   `norm.inv_std` is in no field
///   `norm.mean` is in no field");
/// # }
/// # Ok::<(), Error>(())
/// ```
///
/// A field with an attribute `#[serde(..)]` needs a `#[tensor("..")]` with a name, because the names of `serde` are not those of tensors
/// in a file.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be loaded from tensors",
    label = "neither a tensor nor a record of tensors",
    note = "a field is a `Tensor` of a strong dtype, such as `Tensor<F32, Rank0>` (`F32`, not the type `f32` of its elements), a record with `#[derive(LoadTensors)]`, or an `Option`, `Vec` or array of these"
)]
pub trait LoadTensors: Sized {
    /// `true` if the source may have tensors that belong to no field.
    #[doc(hidden)]
    const ALLOW_EXTRA: bool = false;

    /// Loads this part; returns `None` after noting its mismatches.
    #[doc(hidden)]
    fn load_part(part: LoadCursor<'_, '_>) -> Option<Self>;

    /// Loads a `.safetensors` file, or a `.npz` file if the path ends in `.npz`. Each tensor is read into memory of its
    /// own.
    ///
    /// Needs the feature `safetensors` or `npz`. To load from a mapped file, see [`Self::load_from`].
    ///
    /// # Errors
    /// [`Error::UnexpectedTensors`], which lists all mismatches: tensors that are missing, have another dtype or shape,
    /// cannot be read, or belong to no field. [`Error::Unreadable`] if the file cannot be read at all. A tensor that
    /// exceeds the limit of [`ReadOptions`](crate::ReadOptions) counts as unreadable.
    #[cfg(any(feature = "npz", feature = "safetensors"))]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    fn load(path: impl FilePath) -> Result<Self, Error> { // `Model::load(path)?`, of an open file `Model::load_from(&file)?`
        super::ReadOptions::new().load(path)
    }

    /// Needs a feature that is off.
    #[cfg(not(any(feature = "npz", feature = "safetensors")))]
    #[doc(hidden)]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    fn load<P: LoadFeature>(_: P) -> Result<Self, Error> { // `Model::load(path)?`, of tensors `Model::load_from(&tensors)?`
        unreachable!("no type has the bound")
    }

    /// Loads from an open file or from tensors in memory: a `BTreeMap<String, DynTensor>` or any other
    /// [`TensorSource`].
    ///
    /// # Errors
    /// [`Error::UnexpectedTensors`], which lists all mismatches and the errors of reading tensors.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// supremum::prelude!();
    /// #[derive(Debug, LoadTensors)]
    /// struct Scale {
    ///     factor: Tensor<F32, Rank0>,
    ///     offset: Option<Tensor<F32, Rank0>>,
    /// }
    /// let factor = Tensor::<F32, Rank0>::scalar(0.5);
    /// let mut tensors = BTreeMap::from([("factor".to_owned(), factor.into_dyn())]);
    /// let scale = Scale::load_from(&tensors)?;
    /// assert_eq!((scale.factor.item(), scale.offset), (Ok(0.5), None));
    ///
    /// tensors.insert("ofset".to_owned(), tensors["factor"].clone());
    /// let error = Scale::load_from(&tensors).unwrap_err();
    /// assert_eq!(error.to_string(), "the tensors are not those of the record:\n  `ofset` is in no field");
    /// # Ok::<(), Error>(())
    /// ```
    fn load_from(source: &(impl TensorSource + ?Sized)) -> Result<Self, Error> {
        cursor::load(&source)
    }
}

#[cfg(any(feature = "npz", feature = "safetensors"))]
impl super::ReadOptions {
    /// [`LoadTensors::load`] with this limit on the sum of all tensors that are loaded. Needs the feature `safetensors`
    /// or `npz`.
    ///
    /// # Errors
    /// The errors of [`LoadTensors::load`].
    pub fn load<T: LoadTensors>(self, path: impl FilePath) -> Result<T, Error> {
        let path = path.as_ref();
        #[cfg(feature = "npz")]
        if path.extension().is_some_and(|extension| extension == "npz") {
            return T::load_from(&self.read_npz(path)?);
        }
        #[cfg(feature = "safetensors")]
        return T::load_from(&self.read_safetensors(path)?);
        #[cfg(not(feature = "safetensors"))]
        Err(Error::Unreadable {
            path: path.into(),
            reason: "not an .npz file; others need the feature `safetensors`".into(),
        })
    }
}

#[diagnostic::do_not_recommend]
impl<D: StrongDType, N: Rank, R: Rules> LoadTensors for Tensor<D, N, R> {
    fn load_part(part: LoadCursor<'_, '_>) -> Option<Self> {
        let shape = vec![None; N::RANK.unwrap_or_default()];
        part.tensor(N::RANK.map(|_| shape.as_slice()))
    }
}

/// `None` if no tensor has the name or a name below it.
#[diagnostic::do_not_recommend]
impl<T: LoadTensors> LoadTensors for Option<T> {
    fn load_part(part: LoadCursor<'_, '_>) -> Option<Self> {
        match part.exists() {
            true => T::load_part(part).map(Some),
            false => Some(None),
        }
    }
}

/// The parts numbered from zero up to the first missing number.
#[diagnostic::do_not_recommend]
impl<T: LoadTensors> LoadTensors for Vec<T> {
    fn load_part(mut part: LoadCursor<'_, '_>) -> Option<Self> {
        let mut all = Some(Self::new());
        for number in 0_usize.. {
            let part = part.at(&number.to_string());
            if !part.exists() {
                break;
            }
            // Go on after a mismatch, to report all of them.
            let one = T::load_part(part);
            all = all.zip(one).map(|(mut all, one)| {
                all.push(one);
                all
            });
        }
        all
    }
}

/// The parts numbered from zero to below the length.
#[diagnostic::do_not_recommend]
impl<T: LoadTensors, const LEN: usize> LoadTensors for [T; LEN] {
    fn load_part(mut part: LoadCursor<'_, '_>) -> Option<Self> {
        let all =
            core::array::from_fn::<_, LEN, _>(|number| T::load_part(part.at(&number.to_string())));
        let all: Option<Vec<T>> = all.into_iter().collect();
        all?.try_into().ok()
    }
}

/// Implemented by nothing: loading files is a matter of features that are off.
#[cfg(not(any(feature = "npz", feature = "safetensors")))]
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "loading records from files needs the feature `safetensors` or `npz` of the crate `supremum`, and both are off",
    label = "a method of a feature that is off",
    note = "write it in Cargo.toml: `supremum = {{ version = \"..\", features = [\"safetensors\"] }}`"
)]
pub trait LoadFeature {}
