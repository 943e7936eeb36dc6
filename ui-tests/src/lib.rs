//! Compile errors are part of the API: each file under `tests/<theme>/fail` is a mistake, the
//! `.stderr` beside it what the compiler says about it.
//!
//! The programs under `tests/<theme>/cured` are the mistakes with the cures of their messages applied.
//!
//! To accept new messages run with `TRYBUILD=overwrite`, and read the difference.
