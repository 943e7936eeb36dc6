//! `serde`: dtypes, operands, promotions and rule sets by name; tensors as dtype, shape and elements.

mod elements;
mod names;
mod tensor;
