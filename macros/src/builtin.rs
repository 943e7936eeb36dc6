//! The one list of the library's rule sets that the macros know.

use proc_macro2::Ident;

/// The rule sets that a bare name after `like` or `extend` can mean; a test beside `RuleSet::builtin` compares
/// the two.
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
