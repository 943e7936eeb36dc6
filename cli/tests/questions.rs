//! The questions of `docs/explorer.md`: the command's answers are those of the systems themselves.

mod support;

use std::fs;
use std::path::Path;

/// A row of published answers: a file of `tests/data`, the fields by which the row is found, and the field of the answer.
struct Published {
    file: &'static str,
    row: &'static [(&'static str, &'static str)],
    answer: &'static str,
}

impl Published {
    /// Reads the answer from the file.
    fn read(&self) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../tests/data")
            .join(self.file);
        let text = fs::read_to_string(path).expect("published answers");
        let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().expect("a header");
        let column = |name: &str| {
            header
                .iter()
                .position(|head| *head == name)
                .expect("a column")
        };
        let matches = |line: &Vec<&str>| {
            self.row
                .iter()
                .all(|(name, value)| line[column(name)] == *value)
        };
        let found: Vec<_> = lines.filter(matches).collect();
        assert_eq!(found.len(), 1, "{} {:?}", self.file, self.row);
        found[0][column(self.answer)].to_owned()
    }
}

/// The questions, and where their answers are published. `undefined` stands for an error.
const QUESTIONS: &[(&str, Published)] = &[
    (
        "explain torch u8 + bf16",
        Published {
            file: "oracles/op_binary.csv",
            row: &[("op", "add"), ("lhs", "u8"), ("rhs", "bf16")],
            answer: "torch",
        },
    ),
    (
        "explain jax i64 / f32",
        Published {
            file: "oracles/op_binary.csv",
            row: &[("op", "true_divide"), ("lhs", "i64"), ("rhs", "f32")],
            answer: "jax_x64",
        },
    ),
    (
        "explain numpy u8 + 2.5",
        Published {
            file: "oracles/numpy_result_type_weak.csv",
            row: &[("dtype", "u8"), ("literal", "float")],
            answer: "add",
        },
    ),
    (
        "explain torch f32 + f64:zero-dim",
        Published {
            file: "oracles/torch_result_type.csv",
            row: &[
                ("lhs", "f32"),
                ("lhs_rank", "1"),
                ("rhs", "f64"),
                ("rhs_rank", "0"),
            ],
            answer: "add",
        },
    ),
    (
        "explain jax-x32 sum i8",
        Published {
            file: "oracles/op_reduce.csv",
            row: &[("op", "sum"), ("operand", "i8")],
            answer: "jax_x32",
        },
    ),
    (
        "explain numpy i8 u16 f16",
        Published {
            file: "numpy_result_type_3.csv",
            row: &[("a", "i8"), ("b", "u16"), ("c", "f16")],
            answer: "result_type",
        },
    ),
    (
        "explain torch u16 i32",
        Published {
            file: "oracles/torch_promote_types.csv",
            row: &[("lhs", "u16"), ("rhs", "i32")],
            answer: "out",
        },
    ),
    (
        "explain jax u64 i64",
        Published {
            file: "oracles/jax_promote_types.csv",
            row: &[
                ("x64", "1"),
                ("mode", "standard"),
                ("lhs", "u64"),
                ("rhs", "i64"),
            ],
            answer: "out",
        },
    ),
    (
        "explain openvino u64 i8",
        Published {
            file: "oracles/openvino_convert_promote_types.csv",
            row: &[
                ("promote_unsafe", "1"),
                ("pytorch_scalar_promotion", "0"),
                ("lhs", "u64"),
                ("lhs_rank", "1"),
                ("rhs", "i8"),
                ("rhs_rank", "1"),
            ],
            answer: "out",
        },
    ),
    (
        "explain tensorflow u8 + 1.5",
        Published {
            file: "oracles/tensorflow_flexible.csv",
            row: &[("mode", "all"), ("lhs", "u8"), ("rhs", "float")],
            answer: "op_out",
        },
    ),
    (
        "explain jax bool - bool",
        Published {
            file: "oracles/op_binary.csv",
            row: &[("op", "subtract"), ("lhs", "bool"), ("rhs", "bool")],
            answer: "jax_x64",
        },
    ),
    (
        "explain array-api i32 f32",
        Published {
            file: "oracles/array_api.csv",
            row: &[("lhs", "i32"), ("rhs", "f32")],
            answer: "result_type",
        },
    ),
];

/// The result in the first line of an explanation, without the star of a weak dtype.
fn answer(explanation: &str) -> String {
    let first = explanation.lines().next().expect("a line");
    let (_, answer) = first.split_once(": ").expect("an answer");
    let dtype = answer.split_whitespace().next().expect("a dtype");
    dtype.trim_end_matches('*').to_owned()
}

#[test]
fn answers_are_those_of_the_systems() {
    for (question, published) in QUESTIONS {
        let expected = match published.read().as_str() {
            "error" => "undefined".to_owned(),
            dtype => dtype.to_owned(),
        };
        assert_eq!(answer(&support::stdout(question)), expected, "{question}");
    }
}

#[test]
fn the_page_has_every_question() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/explorer.md");
    let page = fs::read_to_string(page).expect("the page");
    for (question, _) in QUESTIONS {
        let line = format!("$ supremum {question}");
        assert!(page.lines().any(|found| found == line), "{line}");
    }
}
