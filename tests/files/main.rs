//! Files, and arrays of other libraries: what comes back is what went in, and what is wrong is an error.

mod digits;
mod dlpack;
mod load;
mod ndarray;
mod python_files;
mod replaced_files;
mod transformer;
mod write_files;
mod wrong_files;
