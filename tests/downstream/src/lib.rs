//! Rule sets, and a layer for any rules, of a crate that depends on the library under another name.
//!
//! The library's prelude is not in scope, nor is the standard library, and names that an expansion
//! might be tempted to use mean something else here. (Under `no_implicit_prelude` no expansion with a
//! `#[diagnostic::..]` attribute compiles: it hides the tools' names, and they have no path.)
#![no_std]

pub mod extended;
pub mod layer_norm;
pub use extended::{Careful, Wider};

/// Names that have nothing to do with the library's or with Rust's.
pub mod decoys {
    /// Not `core::option::Option`.
    #[allow(missing_docs)]
    pub enum Option {
        Some,
        None,
    }
    pub use Option::{None, Some};
    /// Not the dtype.
    pub struct F32;
    /// Not the dtype.
    pub struct Weak;
    /// Not the trait.
    pub trait Promote {}
    /// Not the trait.
    pub trait Rules {}
    /// Not the trait.
    pub trait Clone {}
    /// Not the primitive.
    #[allow(non_camel_case_types)]
    pub struct str;
    /// Not the crate.
    pub mod core {}
    /// Not the crate.
    pub mod supremum {}
}

/// Rule sets in a module of their own.
pub mod systems {
    mod inner {
        #[allow(unused_imports)]
        use crate::decoys::*;

        ::promo::promotion_rules! {
            /// A table: integers beside floats give floats, booleans stay among themselves.
            #[law(commutative, associative)]
            pub struct Careful = "careful";

            table {
                _         => [Bool, I32, F32, F64, Weak<F64>],
                Bool      => [Bool, _,   _,   _,   _],
                I32       => [_,    I32, F64, F64, F64],
                F32       => [_,    F64, F32, F64, F32],
                F64       => [_,    F64, F64, F64, F64],
                Weak<F64> => [_,    F64, F32, F64, Weak<F64>],
            }
        }
    }

    mod lattices {
        ::promo::promotion_rules! {
            /// A lattice: signed integers and floats, widening only.
            #[law(commutative, associative)]
            pub struct Widening = "widening";

            lattice {
                I8 -> I16, F16;
                I16 -> I32, F32;
                F16 -> F32;
                I32 -> F64;
                F32 -> F64;
            }
            operations Jax32;
        }
        use ::promo::JaxX32 as Jax32;
    }

    pub use inner::Careful;
    pub use lattices::Widening;
}
