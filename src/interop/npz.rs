//! NumPy's `.npz` files: `.npy` files in an archive, by the crate `zip`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use zip::ZipArchive;

use super::npy::read_array;
use super::unreadable;
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rules::RuleSet;

impl DynTensor {
    /// Reads all arrays of a `.npz` file, as `numpy.savez` and `numpy.savez_compressed` write them, by their names
    /// (without `.npy`). Needs the feature `npz`.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the file cannot be read or is damaged, if something else than a `.npy` file is in
    /// it, or an array of no dtype of ours.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, RuleSet};
    /// let arrays = DynTensor::read_npz("examples/data/weather.npz", RuleSet::named("numpy")?)?;
    /// let dtypes: Vec<_> = arrays.values().map(DynTensor::dtype).collect();
    /// assert_eq!(dtypes, [DType::U16, DType::F64, DType::F16]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_npz(
        path: impl AsRef<Path>,
        rules: &'static RuleSet,
    ) -> Result<BTreeMap<String, Self>, Error> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| unreadable(path, error))?;
        let mut archive =
            ZipArchive::new(BufReader::new(file)).map_err(|error| unreadable(path, error))?;
        let mut arrays = BTreeMap::new();
        for number in 0..archive.len() {
            let mut entry = archive
                .by_index(number)
                .map_err(|error| unreadable(path, error))?;
            let file_name = entry.name().map_err(|error| unreadable(path, error))?;
            let file_name = file_name.into_owned();
            let within = |reason: String| unreadable(path, format!("`{file_name}`: {reason}"));
            let name = file_name
                .strip_suffix(".npy")
                .ok_or_else(|| within("not an .npy file".into()))?;
            let size = entry.size();
            let array = read_array(&mut entry, size).map_err(&within)?;
            let tensor = Self::from_array(array, false, rules);
            if arrays.insert(name.to_owned(), tensor).is_some() {
                return Err(within("there are two of that name".into()));
            }
        }
        Ok(arrays)
    }
}
