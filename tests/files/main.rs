//! Files, and arrays of other libraries: what comes back is what went in, and what is wrong is an error.

mod digits;
mod dlpack;
mod load;
// Messages depend on the system's paths, as those in `ui-tests/` do.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod messages;
mod ndarray;
mod python_files;
mod replaced_files;
mod transformer;
mod write_files;
mod wrong_files;
