//! The pages of `docs/`, which are written to be read in the repository as well.

// A page's links are defined here for rustdoc, and at its end for readers of the repository; the
// first definition wins.
pub mod cookbook {
    //! [imports]: crate#import-the-names
    //! [porting]: crate::guide::porting
    //! [indexing]: crate::guide::indexing
    //! [stablehlo]: https://docs.rs/supremum/latest/supremum/guide/stablehlo/index.html#what-can-be-traced
    //! [accuracy]: crate::guide::accuracy
    //! [fuse]: crate::guide::fuse
    //! [files]: crate::guide::files
    //! [dynamic]: crate::guide::run_time_dtypes
    //! [python]: crate::guide::python
    //! [generic]: crate::guide::generic_code
    //! [transformer]: https://github.com/supremum-rs/supremum/blob/main/examples/transformer/main.rs
    //! [fused_normalise]: https://github.com/supremum-rs/supremum/blob/main/examples/fused_normalise.rs
    //! [dynamic_npz]: https://github.com/supremum-rs/supremum/blob/main/examples/dynamic_npz.rs
    //! [layer_norm]: https://github.com/supremum-rs/supremum/blob/main/tests/downstream/src/layer_norm.rs
    #![doc = include_str!("../docs/cookbook.md")]
}
pub mod reading_the_compiler {
    //! [unchecked]: crate::guide::not_checked
    //! [rules]: crate::guide::rules
    //! [generic]: crate::guide::generic_code
    //! [scalars]: crate::guide::scalars
    //! [imports]: crate#import-the-names
    //! [literals]: crate::guide::literals_and_weak_types
    //! [weak]: crate#literals-are-weak
    //! [tables]: crate::operations
    #![doc = include_str!("../docs/reading-the-compiler.md")]
}
pub mod generic_code {
    //! [promote]: fn@crate::promote
    //! [compiler]: crate::guide::reading_the_compiler
    //! [tables]: crate::operations
    #![doc = include_str!("../docs/generic-code.md")]
}
pub mod not_checked {
    //! [scalars]: crate::guide::scalars
    //! [pin]: crate::guide::pin_your_dtypes
    #![doc = include_str!("../docs/not-checked.md")]
}
pub mod pin_your_dtypes {
    //! [example]: https://github.com/supremum-rs/supremum/tree/main/examples/pinned
    //! [promotes]: crate::assert_promotes!
    //! [refused]: crate::assert_refused!
    //! [diff]: crate::RuleSet::diff
    #![doc = include_str!("../docs/pin-your-dtypes.md")]
}
pub mod rules {
    //! [macro]: crate::promotion_rules
    //! [operations]: crate::operations
    //! [compiler]: crate::guide::reading_the_compiler
    #![doc = include_str!("../docs/rules.md")]
}
pub mod run_time_dtypes {
    //! [rules]: crate::guide::rules
    //! [scalars]: crate::guide::scalars
    //! [indexing]: crate::guide::indexing
    #![doc = include_str!("../docs/run-time-dtypes.md")]
}
pub mod literals_and_weak_types {
    //! [scalars]: crate::guide::scalars
    //! [tensor]: crate::tensor!
    //! [holds]: crate::FitsLiteral
    //! [scalar]: crate::Scalar
    //! [macro]: crate::promotion_rules
    #![doc = include_str!("../docs/literals-and-weak-types.md")]
}
pub mod scalars {
    //! [literals]: crate::guide::literals_and_weak_types
    #![doc = include_str!("../docs/scalars.md")]
}
pub mod fuse {
    //! [fuse]: crate::fuse!
    //! [elementwise]: crate::elementwise!
    //! [try_fuse]: crate::try_fuse!
    //! [promote_unsafe]: crate::promote_unsafe!
    //! [backend]: crate::fuse_backend!
    //! [scalars]: crate::guide::scalars
    //! [indexing]: crate::guide::indexing
    //! [speed]: crate::guide::speed
    #![doc = include_str!("../docs/fuse.md")]
}
pub mod accuracy {
    //! [speed]: crate::guide::speed
    #![doc = include_str!("../docs/accuracy.md")]
}
pub mod indexing {
    #![doc = include_str!("../docs/indexing.md")]
}
pub mod files {
    //! [load]: crate::LoadTensors
    //! [error]: crate::Error
    #![doc = include_str!("../docs/files.md")]
}
pub mod python {
    //! [example]: https://github.com/supremum-rs/supremum/tree/main/examples/dlpack_python
    //! [dispatch]: crate::dispatch!
    #![doc = include_str!("../docs/python.md")]
}
#[cfg(feature = "stablehlo")]
pub mod stablehlo {
    //! [cache]: crate::guide::cookbook#attention
    //! [xla]: https://github.com/supremum-rs/supremum/tree/main/examples/xla
    //! [devices]: https://docs.rs/supremum/latest/supremum/guide/devices/index.html
    #![doc = include_str!("../docs/stablehlo.md")]
}
#[cfg(feature = "pjrt")]
pub mod devices {
    //! [stablehlo]: crate::guide::stablehlo
    //! [example]: https://github.com/supremum-rs/supremum/tree/main/examples/device
    #![doc = include_str!("../docs/devices.md")]
}
pub mod speed {
    //! [plot]: https://raw.githubusercontent.com/supremum-rs/supremum/main/docs/speed.svg
    //! [results]: https://github.com/supremum-rs/supremum/blob/main/benches/RESULTS.md
    //! [memory]: crate::memory
    //! [backend]: crate::fuse_backend!
    //! [accuracy]: crate::guide::accuracy
    //! [remainders]: https://github.com/supremum-rs/supremum/blob/main/docs/decisions/remainders-and-powers.md
    //! [prefetches]: https://github.com/supremum-rs/supremum/blob/main/docs/decisions/prefetches.md
    #![doc = include_str!("../docs/speed.md")]
}
pub mod porting {
    //! [diff]: crate::RuleSet::diff
    #![doc = include_str!("../docs/porting.md")]
}
pub mod laws {
    #![doc = include_str!("../docs/laws.md")]
}
pub mod explorer {
    //! [json]: crate::guide::explorer_json
    //! [rules]: crate::promotion_rules
    //! [page]: https://github.com/supremum-rs/supremum/tree/main/cli/site
    //! [table]: https://raw.githubusercontent.com/supremum-rs/supremum/main/docs/explorer-table.png
    //! [compare]: https://raw.githubusercontent.com/supremum-rs/supremum/main/docs/explorer-compare.png
    #![doc = include_str!("../docs/explorer.md")]
}
pub mod explorer_json {
    //! [explorer]: crate::guide::explorer
    #![doc = include_str!("../docs/explorer-json.md")]
}
