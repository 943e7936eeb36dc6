//! Every fallible method of the library either occurs in these tests or takes no index, axis, size or permutation.

use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::path::Path;

use crate::sources::fallible;

/// Methods whose arguments are tensors, functions, dtypes and values only.
const WITHOUT_POSITIONS: &str = "
    try_add try_sub try_mul try_div try_rem try_floor_div try_pow try_neg try_not try_bitand try_bitor try_bitxor try_shl try_shr
    try_atan2 try_hypot try_log_add_exp try_copysign try_next_after try_leaky_relu try_elu try_minimum try_maximum try_clamp try_select
    try_equal try_not_equal try_lt try_le try_gt try_ge try_cast try_cast_saturating
    try_sum try_prod try_mean try_var try_std try_min try_max try_any try_all try_argmin try_argmax
    try_nan_prod try_nan_argmin try_nan_argmax try_nan_sum try_nan_mean try_nan_var try_nan_std try_nan_min try_nan_max try_median try_nan_median
    try_matmul try_matmul_in try_dot try_outer try_kron try_einsum try_masked_select try_nonzero try_argwhere try_flatnonzero
    try_searchsorted try_searchsorted_right try_searchsorted_rows try_searchsorted_rows_right try_unique try_unique_index try_unique_counts try_unique_inverse try_count_nonzero try_matrix_transpose try_histogram_edges try_histogram_weighted try_density try_is_close try_is_in try_interp try_cov try_corrcoef
    try_scalar try_full_like try_zeros_like try_ones_like try_contiguous try_to_vec try_as_mut_slice try_zip_mut_with
    try_assign try_fill try_view_mut try_random try_uniform try_normal try_integers try_bernoulli
";

/// Words of the sources that are not methods: parameters of macros, and functions of the standard library.
const NO_METHODS: &str = "
    try_name try_method try_operator try_axis try_keepdims try_fold try_for_each try_from try_into
";

/// Functions that can panic without a `try_` form of their own. They take no sizes, axes or counts: memory is all that they can lack, or
/// they are operators, indexing and conversions of Rust's traits, whose methods beside them are fallible (`try_get`, `try_set`, `try_add`).
const PANIC_ALONE: &str = "
    default index index_mut to_tensor part map map_inplace to_vec as_mut_slice tensor cast cast_saturating from_iter from
    convert_promote_types into_dtype conj refuse transpose flatten make make_dyn out_writable $method $name
";

/// Collects the functions that panic with the text of an error other than that of their own `try_` form.
fn panicking(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            panicking(&path, names);
            continue;
        }
        let text = read_to_string(&path).expect("a source");
        let mut function = "";
        for line in text.lines().filter(|line| !line.trim().starts_with("//")) {
            let words = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$';
            if let Some((_, rest)) = line.split_once("fn ") {
                function = rest.split(words).next().unwrap_or_default();
            }
            let call = line.split_once("or_panic(").map(|(_, rest)| rest);
            // In macros `$name` and `$try_name`.
            let own = match function.strip_prefix('$') {
                Some(variable) => format!("$try_{variable}("),
                None => format!("try_{function}("),
            };
            let is_own = |call: &str| {
                let receivers = ["self.", "Self::", "$self.", "crate::"];
                let receiver = receivers.iter().find_map(|it| call.strip_prefix(it));
                receiver.unwrap_or(call).starts_with(&own)
            };
            if function != "or_panic" && call.is_some_and(|call| !is_own(call)) {
                names.insert(function.to_owned());
            }
        }
    }
}

#[test]
fn every_panicking_method_has_a_fallible_form() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    for folder in [
        "src/tensor",
        "src/ops",
        "src/dynamic",
        "src/interop",
        "src/pjrt",
        "src/stablehlo",
    ] {
        panicking(&root.join(folder), &mut found);
    }
    let listed: BTreeSet<String> = PANIC_ALONE.split_whitespace().map(str::to_owned).collect();
    assert_eq!(
        found, listed,
        "panics without a `try_` form, and those that are listed"
    );
}

/// The fallible methods of both types of tensors.
fn methods() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut methods = BTreeSet::new();
    for folder in [
        "src/tensor",
        "src/ops",
        "src/dynamic",
        "src/op",
        "src/interop/random",
    ] {
        fallible(&root.join(folder), &mut methods);
    }
    methods
}

/// The fallible methods that files of these tests call.
fn tried(files: &[&str]) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_input");
    let mut tried = BTreeSet::new();
    for file in files {
        let text = read_to_string(folder.join(file)).expect("a test");
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        tried.extend(
            words
                .filter(|word| word.starts_with("try_") && word.len() > 4)
                .map(str::to_owned),
        );
    }
    tried
}

/// Methods that only `DynTensor` has, and those that take a type of elements: `typed.rs` does not call them.
const OF_DYN_TENSOR: &str = "try_cast_saturating try_from_bytes try_neg try_not";

#[test]
fn every_fallible_method_gets_hostile_tensors() {
    let both = methods();
    for (file, others) in [("hostile.rs", ""), ("typed.rs", OF_DYN_TENSOR)] {
        let (tried, others) = (tried(&[file]), [others, NO_METHODS].concat());
        let others: BTreeSet<&str> = others.split_whitespace().collect();
        let missing: Vec<_> = both
            .iter()
            .filter(|name| !tried.contains(*name) && !others.contains(&***name))
            .collect();
        assert!(missing.is_empty(), "{file} does not call {missing:?}");
        let stale: Vec<_> = others
            .iter()
            .filter(|name| tried.contains(**name) || !both.contains(**name))
            .collect();
        assert!(
            stale.is_empty(),
            "{file} calls {stale:?}, or there are none"
        );
    }
}

#[test]
fn every_fallible_method_is_tried_or_takes_no_positions() {
    let (methods, tried) = (
        methods(),
        tried(&["axes.rs", "positions.rs", "sequences.rs", "sizes.rs"]),
    );
    let listed: BTreeSet<String> = [WITHOUT_POSITIONS, NO_METHODS]
        .iter()
        .flat_map(|list| list.split_whitespace().map(str::to_owned))
        .collect();
    let missing: Vec<_> = methods
        .iter()
        .filter(|name| !tried.contains(*name) && !listed.contains(*name))
        .collect();
    assert!(missing.is_empty(), "not tried: {missing:?}");
    let gone: Vec<_> = listed
        .iter()
        .filter(|name| !methods.contains(*name))
        .collect();
    assert!(gone.is_empty(), "no such methods: {gone:?}");
}

/// Words of the arguments by which a method takes positions, axes, sizes or shapes.
const POSITIONS: [&str; 22] = [
    "usize",
    "isize",
    "axis",
    "axes",
    "Axis",
    "Axes",
    "AxisOrder",
    "AxisSlices",
    "RemoveAxes",
    "Extent",
    "Offset",
    "Positions",
    "NewShape",
    "IntoShape",
    "SizeList",
    "shape",
    "index",
    "indices",
    "Indices",
    "ConvOptions",
    "PoolOptions",
    "PadWidths",
];

/// A method whose only number is a correction, which may be any.
const CORRECTED: &str = "try_cov";

/// Collects the fallible methods of tensors in a folder that take positions: functions, and entries of lists (`fn split, try_split(..)`).
fn with_positions(folder: &Path, is_dynamic: bool, found: &mut BTreeSet<(bool, String)>) {
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            with_positions(&path, is_dynamic, found);
            continue;
        }
        let text = read_to_string(&path).expect("a source");
        let code = text.lines().filter(|line| !line.trim().starts_with("//"));
        let code = code.collect::<Vec<_>>().join("\n");
        for function in code.split("fn ").skip(1) {
            // Of a list: methods of both types.
            let (head, is_entry) = match function.split_once(", try_") {
                Some((name, rest)) if name.chars().all(is_in_word) => (format!("try_{rest}"), true),
                _ => (function.to_owned(), false),
            };
            let name: String = head.chars().take_while(|c| is_in_word(*c)).collect();
            let signature = head.split(['{', ';']).next().unwrap_or_default();
            let mut words = signature.split(|c: char| !is_in_word(c)).skip(1);
            let takes_positions = words.any(|word| POSITIONS.contains(&word));
            let has_self = signature.contains("self");
            let is_method = name.starts_with("try_") && (has_self || is_entry) && name != CORRECTED;
            if is_method && takes_positions && signature.contains("->") {
                found.insert((is_dynamic, name.clone()));
                if is_entry {
                    found.insert((true, name));
                }
            }
        }
    }
}

fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[test]
fn every_method_with_positions_gets_some_that_do_not_fit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut expected = BTreeSet::new();
    for folder in ["src/tensor", "src/ops", "src/interop/random"] {
        with_positions(&root.join(folder), false, &mut expected);
    }
    with_positions(&root.join("src/dynamic"), true, &mut expected);
    // The forms of rows.
    for name in methods() {
        let forms = ["_axis", "_keepdims", "_corrected"];
        let is_word = NO_METHODS.split_whitespace().any(|word| word == name);
        if !is_word && forms.iter().any(|form| name.ends_with(form)) {
            expected.extend([false, true].map(|is_dynamic| (is_dynamic, name.clone())));
        }
    }
    crate::axes::reductions_and_scans_name_an_axis_that_does_not_exist();
    crate::axes::operations_along_an_axis_name_one_that_does_not_exist();
    crate::axes::views_for_writing_name_an_axis_that_does_not_exist();
    crate::axes::operations_on_the_last_axes_name_the_rank();
    crate::positions::positions_outside_an_axis_are_named();
    crate::positions::elements_outside_the_shape_are_named();
    crate::positions::ranges_that_are_not_within_an_axis_are_named();
    crate::positions::indices_in_tensors_are_named();
    crate::positions::orders_that_are_no_permutations_are_named();
    crate::positions::axes_and_ranges_are_named_as_they_were_given();
    crate::sizes::sizes_that_do_not_fit_are_named();
    crate::sizes::ranks_that_do_not_fit_are_named();
    crate::sizes::operations_made_of_others_give_their_own_name();
    crate::sizes::sizes_that_differ_are_named_with_their_axes();
    crate::sizes::windows_that_do_not_fit_are_named();
    crate::sizes::numbers_out_of_range_are_named();
    let tried = crate::TRIED.lock().expect("no panic").clone();
    let missing = expected
        .iter()
        .filter(|(is_dynamic, name)| !tried.contains(&(*is_dynamic, &**name)));
    let missing: Vec<_> = missing.collect();
    assert!(
        missing.is_empty(),
        "not tried, of dynamic tensors if `true`: {missing:?}"
    );
    assert!(expected.len() > 200, "{} methods", expected.len());
}

/// Collects the methods of [`DynTensor`](supremum::DynTensor) that return a `Result` under a name without `try_`.
fn plain_and_fallible() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dynamic");
    let mut names = BTreeSet::new();
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = read_to_string(&path).expect("a source");
        for (implementation, _) in text.match_indices("impl DynTensor {") {
            let text = text[implementation..]
                .split("\n}")
                .next()
                .unwrap_or_default();
            for function in text.split("pub fn ").skip(1) {
                let signature = function.split('{').next().unwrap_or_default();
                let name = signature.split(['(', '<']).next().unwrap_or_default();
                let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if signature.contains("-> Result<") && is_word && !name.starts_with("try_") {
                    names.insert(name.to_owned());
                }
            }
        }
    }
    names
}

#[test]
fn plain_names_that_return_a_result_are_those_of_the_page() {
    let page = include_str!("../../docs/run-time-dtypes.md");
    let table = page
        .split("| methods | why they return")
        .nth(1)
        .expect("the table");
    let mut listed = BTreeSet::new();
    for row in table.lines().skip(2).take_while(|row| row.starts_with('|')) {
        let methods = row.split('|').nth(1).expect("a column");
        let words = methods.split('`').skip(1).step_by(2);
        listed.extend(words.map(|word| word.replace("DynTensor::", "")));
    }
    // The functions of one tensor are rows, of which the page names some.
    let functions: BTreeSet<String> = supremum::__private::FUNCTIONS
        .iter()
        .map(|function| function.name.to_owned())
        .collect();
    let listed: BTreeSet<String> = listed.difference(&functions).cloned().collect();
    assert_eq!(plain_and_fallible(), listed);
}
