//! The entrances of features that are off. A call does not compile, and the compiler's message names the feature.

#![allow(unused_imports, reason = "all of them are, where every feature is on")]

use crate::dtype::StaticDType;
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::Tensor;

/// A trait that nothing implements, and methods that are bounded by it: on their first argument or on `&self`.
macro_rules! off {
    ($(
        $feature:tt $Feature:ident: $message:literal, $note:literal {
            read $($reader:ident($($more:ident: $More:ident),*))*;
            make $($maker:ident)*;
            call $($method:ident)*;
            write $($writer:ident)*;
        }
    )*) => {$(
        #[cfg(not(feature = $feature))]
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = "a method of a feature that is off", note = $note)]
        pub trait $Feature {}

        off!(@impl $feature $Feature [D: StaticDType, N: Rank, R: Rules] Tensor<D, N, R> { $($reader ($($more: $More),*))* } [$($maker)*] [$($method)*] [$($writer)*]);
        off!(@impl $feature $Feature [] DynTensor { $($reader ($($more: $More,)* rules: RuleSet))* } [$($maker)*] [$($method)*] [$($writer)*]);
    )*};
    (@impl $feature:tt $Feature:ident [$($generics:tt)*] $owner:ty {
        $($reader:ident ($($more:ident: $More:ident),*))*
    } [$($maker:ident)*] [$($method:ident)*] [$($writer:ident)*]) => {supremum_macros::signatures! {
        $Feature

        #[cfg(not(feature = $feature))]
        impl<$($generics)*> $owner {
            $(
                #[doc(hidden)]
                pub fn $reader<P: $Feature $(, $More)*>(_: P $(, $more: $More)*) -> Result<Self, Error> {
                    $(let _ = $more;)*
                    unreachable!("no type has the bound")
                }
            )*
            $(
                #[doc(hidden)]
                pub fn $maker<P: $Feature>(_: P) -> Result<Self, Error> {
                    unreachable!("no type has the bound")
                }
            )*
            $(
                #[doc(hidden)]
                pub fn $method<'a, T>(&'a self) -> T
                where
                    &'a Self: $Feature,
                {
                    unreachable!("no type has the bound")
                }
            )*
            $(
                #[doc(hidden)]
                pub fn $writer<P: $Feature>(&self, _: P) -> Result<(), Error> {
                    unreachable!("no type has the bound")
                }
            )*
        }
    }};
}

off! {
    "npy" NpyFeature: "`.npy` files need the feature `npy` of the crate `supremum`, which is off",
        "write it in Cargo.toml: `supremum = {{ version = \"..\", features = [\"npy\"] }}`" {
        read read_npy();
        make;
        call;
        write write_npy;
    }
    "npz" NpzFeature: "`.npz` files need the feature `npz` of the crate `supremum`, which is off",
        "write it in Cargo.toml: `supremum = {{ version = \"..\", features = [\"npz\"] }}`" {
        read read_npz(name: Name);
        make;
        call;
        write;
    }
    "safetensors" SafetensorsFeature: "`.safetensors` files need the feature `safetensors` of the crate `supremum`, which is off",
        "write it in Cargo.toml: `supremum = {{ version = \"..\", features = [\"safetensors\"] }}`" {
        read;
        make;
        call;
        write;
    }
    "ndarray" NdarrayFeature: "arrays of `ndarray` need the feature `ndarray` of the crate `supremum`, which is off",
        "write it in Cargo.toml: `supremum = {{ version = \"..\", features = [\"ndarray\"] }}`" {
        read;
        make from_ndarray from_arc_array;
        call view_ndarray to_ndarray;
        write;
    }
    "dlpack" DlpackFeature: "DLPack needs the feature `dlpack` of the crate `supremum`, which is off",
        "write it in Cargo.toml: `supremum = {{ version = \"..\", features = [\"dlpack\"] }}`" {
        read;
        make from_dlpack;
        call into_dlpack;
        write;
    }
}

/// The type of files of several tensors, of a feature that is off.
macro_rules! off_files {
    ($($feature:tt $Feature:ident $File:ident: $read:ident $write:ident;)*) => {$(
        #[cfg(not(feature = $feature))]
        #[doc(hidden)]
        #[derive(Debug)]
        pub struct $File;

        supremum_macros::signatures! {
            $File

            #[cfg(not(feature = $feature))]
            #[doc(hidden)]
            impl $File {
                #[doc(hidden)]
                pub fn $read<P: $Feature>(_: P) -> Result<Self, Error> {
                    unreachable!("no type has the bound")
                }

                #[doc(hidden)]
                pub fn $write<P: $Feature, T>(_: P, _: T) -> Result<(), Error> {
                    unreachable!("no type has the bound")
                }

                #[doc(hidden)]
                pub fn names(&self) -> Vec<String> {
                    unreachable!("no file has been read")
                }

                #[doc(hidden)]
                pub fn tensor<D, N>(&self, _: &str) -> Result<Tensor<D, N>, Error> {
                    unreachable!("no file has been read")
                }

                #[doc(hidden)]
                pub fn dyn_tensor<S>(&self, _: &str, _: S) -> Result<DynTensor, Error> {
                    unreachable!("no file has been read")
                }
            }
        }
    )*};
}

off_files! {
    "npz" NpzFeature NpzFile: read write;
    "safetensors" SafetensorsFeature SafeTensorsFile: read write;
}

/// The functions of the feature `rand` for typed tensors, bounded by a trait that nothing implements on their shape or length.
#[cfg(not(feature = "rand"))]
mod rand {
    use super::{Error, Rank, Rules, StaticDType, Tensor};

    #[doc(hidden)]
    #[diagnostic::on_unimplemented(
        message = "random numbers need the feature `rand` of the crate `supremum`, which is off",
        label = "a function of a feature that is off",
        note = "write it in Cargo.toml: `supremum = {{ version = \"..\", features = [\"rand\"] }}`"
    )]
    pub trait RandFeature {}

    macro_rules! random {
        ($here:ident: $($name:ident $try_name:ident ($($argument:ident)*))*) => {supremum_macros::signatures! {
            $here

            #[doc(hidden)]
            impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {$(
                #[doc(hidden)]
                pub fn $name<Shape: RandFeature $(, $argument)*>(_: Shape $(, _: $argument)*) -> Self {
                    unreachable!("no type has the bound")
                }

                #[doc(hidden)]
                pub fn $try_name<Shape: RandFeature $(, $argument)*>(_: Shape $(, _: $argument)*) -> Result<Self, Error> {
                    unreachable!("no type has the bound")
                }
            )*}
        }};
    }

    random! {
        here:
        random try_random (Distribution Generator)
        uniform try_uniform (Range Generator)
        normal try_normal (Mean Deviation Generator)
        integers try_integers (Range Generator)
        bernoulli try_bernoulli (Probability Generator)
        permutation try_permutation (Generator)
    }
}
