//! The list of the library's rule sets, for the macros.

use proc_macro2::Ident;

/// The rule sets that a bare name after `like` or `extend` can name. A test beside `RuleSet::builtin` compares the two
/// lists.
pub(crate) const BUILTIN: [&str; 17] = [
    "Jax",
    "JaxX32",
    "JaxStrict",
    "Numpy",
    "NumpyUfunc",
    "NumpyArctan2",
    "Torch",
    "TorchSubtract",
    "TorchEqual",
    "TensorFlow",
    "TensorFlowOperators",
    "TensorFlowMultiply",
    "TensorFlowLegacy",
    "OpenVino",
    "OpenVinoScalar",
    "ArrayApi",
    "Anvil",
];

pub(crate) fn is_builtin(name: &Ident) -> bool {
    BUILTIN.iter().any(|builtin| name == builtin)
}
