//! The sentences of the page on porting, each with a test of its own.
#![allow(unreachable_pub, reason = "shared by tests")]

use supremum::{
    DType, F64, Jax, Kind, Numpy, OperandType, Operation, QuantileMethod, Rank1, RuleSet, Tensor,
    Verdict,
};

/// Two systems between which code moves.
pub struct Port {
    pub title: &'static str,
    /// The names of the systems, and of their rule sets.
    pub systems: [(&'static str, &'static str); 2],
    pub introduction: &'static str,
    pub facts: &'static [Fact],
}

/// A sentence, and whether it is true.
pub struct Fact {
    pub says: &'static str,
    pub holds: fn(&RuleSet, &RuleSet) -> bool,
}

const INTEGERS: [DType; 8] = [
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
];
const SIGNED: [DType; 4] = [DType::I8, DType::I16, DType::I32, DType::I64];
const WIDE_UNSIGNED: [DType; 3] = [DType::U16, DType::U32, DType::U64];
/// The 8-bit floats that all systems know which know any.
const F8: [DType; 2] = [DType::F8E4M3FN, DType::F8E5M2];
const FNUZ: [DType; 2] = [DType::F8E4M3FNUZ, DType::F8E5M2FNUZ];

fn is_float8(dtype: DType) -> bool {
    dtype.kind() == Kind::Float && dtype.size() == 1
}

/// Returns the promotion of operands from the left, as `f64*`; `-` for nothing. Operands are names: `f32`,
/// `0d f32` at rank zero, `int`, `float` and `complex` for literals.
fn meet(rules: &RuleSet, operands: &[&str]) -> String {
    let operand = |name: &&str| match *name {
        "int" => rules.literal(Kind::Signed),
        "float" => rules.literal(Kind::Float),
        "complex" => rules.literal(Kind::Complex),
        name => match name.strip_prefix("0d ") {
            Some(name) => OperandType::zero_dim(name.parse().expect("a dtype")),
            None => OperandType::dimensioned(name.parse().expect("a dtype")),
        },
    };
    let mut operands = operands.iter().map(operand);
    let first = operands.next().expect("an operand");
    let met = operands.try_fold(first, |met, next| {
        rules
            .promote(met, next)
            .map(|promotion| promotion.operand())
    });
    met.map_or("-".to_owned(), |met| met.to_string())
}

/// Returns the result of an operation for operands of one dtype.
pub fn give(rules: &RuleSet, operation: Operation, dtype: DType) -> String {
    let operand = OperandType::dimensioned(dtype);
    give_two(rules, operation, operand, operand)
}

pub fn give_two(
    rules: &RuleSet,
    operation: Operation,
    lhs: OperandType,
    rhs: OperandType,
) -> String {
    let result = if operation.is_binary() {
        let all = rules.allowing_unsafe();
        all.binary(operation, lhs, rhs).map(|found| found.operand())
    } else {
        rules.operation(operation, lhs)
    };
    result.map_or("-".to_owned(), |result| result.to_string())
}

/// Returns whether `a` gives the one and `b` the other, for the same operands.
fn differ(a: &RuleSet, b: &RuleSet, operands: &[&str], gives: [&str; 2]) -> bool {
    [meet(a, operands), meet(b, operands)] == gives
}

/// Returns whether an operation on one dtype gives the one under `a` and the other under `b`.
fn differ_in(
    a: &RuleSet,
    b: &RuleSet,
    operation: Operation,
    dtype: DType,
    gives: [&str; 2],
) -> bool {
    [give(a, operation, dtype), give(b, operation, dtype)] == gives
}

pub const PORTS: &[Port] = &[
    Port {
        title: "JAX and PyTorch",
        systems: [("JAX", "jax"), ("PyTorch", "torch")],
        introduction: "JAX here has 64-bit dtypes enabled. With its default settings (`jax-x32`) it narrows every 64-bit dtype to \
                       32 bits, also in the tables below.",
        facts: &[
            Fact {
                says: "A float literal beside integers or booleans is a weak `f64` under JAX (`f32` under `jax-x32`) \
                       and an `f32` under PyTorch.",
                holds: |a, b| {
                    let x32 = RuleSet::named("jax-x32").expect("a rule set");
                    let mut names = INTEGERS.iter().map(|dtype| dtype.name()).chain(["bool"]);
                    names.all(|name| {
                        differ(a, b, &[name, "float"], ["f64*", "f32"])
                            && meet(x32, &[name, "float"]) == "f32*"
                    })
                },
            },
            Fact {
                says: "A dtype that a literal decided yields to the next tensor under JAX, and does not under \
                       PyTorch: `(i32 + 1.5) + f16` is `f16` under JAX and `f32` under PyTorch.",
                holds: |a, b| differ(a, b, &["i32", "float", "f16"], ["f16", "f32"]),
            },
            Fact {
                says: "PyTorch looks at rank: a tensor of rank zero yields to one with axes, unless its kind is \
                       higher. An `f32` tensor with a zero-dim `f64` is `f64` under JAX and `f32` under \
                       PyTorch. Moving to JAX, cast such scalars or write them as literals.",
                holds: |a, b| {
                    differ(a, b, &["f32", "0d f64"], ["f64", "f32"])
                        && differ(a, b, &["i32", "0d f64"], ["f64", "f64"])
                        && !a.looks_at_rank()
                },
            },
            Fact {
                says: "PyTorch has no promotion of `u16`, `u32` and `u64` with booleans, other integers and complex \
                       numbers. `u64` with a signed integer is a weak `f64` under JAX.",
                holds: |a, b| {
                    let pairs = WIDE_UNSIGNED
                        .iter()
                        .flat_map(|lhs| DType::ALL.iter().map(move |rhs| (lhs, rhs)));
                    pairs.filter(|(lhs, rhs)| lhs != rhs).all(|(lhs, rhs)| {
                        let float = rhs.kind() == Kind::Float && !is_float8(*rhs);
                        (meet(b, &[lhs.name(), rhs.name()]) != "-") == float
                    }) && SIGNED
                        .iter()
                        .all(|rhs| differ(a, b, &["u64", rhs.name()], ["f64*", "-"]))
                },
            },
            Fact {
                says: "8-bit floats promote with booleans, integers and real literals under JAX, and with no other tensor under \
                       PyTorch, which has no `f8e4m3b11fnuz`. Beside wider floats, cast them in both systems.",
                holds: |a, b| {
                    let b11 = DType::F8E4M3B11FNUZ.name();
                    differ(a, b, &[b11, b11], [b11, "-"])
                        && F8.iter().chain(&FNUZ).all(|f8| {
                            let name = f8.name();
                            INTEGERS
                                .iter()
                                .all(|int| differ(a, b, &[name, int.name()], [name, "-"]))
                                && differ(a, b, &[name, "float"], [name, name])
                                && differ(a, b, &[name, "f32"], ["-", "-"])
                        })
                },
            },
            Fact {
                says: "`f16` and `bf16` with a complex literal or scalar are complex halves under PyTorch. This library has none \
                       and gives `-`.",
                holds: |a, b| {
                    differ(a, b, &["f16", "complex"], ["c64", "-"])
                        && differ(a, b, &["bf16", "0d c64"], ["c64", "-"])
                },
            },
            Fact {
                says: "All other pairs of an integer and a float agree: they give the float's dtype, even a narrow one. `i64` with `f16` \
                       is `f16`, and values can be lost.",
                holds: |a, b| {
                    let floats = [DType::BF16, DType::F16, DType::F32, DType::F64];
                    let mut pairs = INTEGERS
                        .iter()
                        .flat_map(|int| floats.iter().map(move |float| (int, float)));
                    pairs.all(|(int, float)| {
                        differ(
                            a,
                            b,
                            &[int.name(), float.name()],
                            [float.name(), float.name()],
                        )
                    })
                },
            },
            Fact {
                says: "`/` and functions such as `sqrt` of integers give `f32` under PyTorch. Under JAX they give `f32` up to 32 bits, \
                       and `f64` for 64 bits.",
                holds: |a, b| {
                    [Operation::Divide, Operation::UnaryFloat]
                        .into_iter()
                        .all(|operation| {
                            INTEGERS.iter().all(|int| {
                                let wide = matches!(int, DType::U64 | DType::I64);
                                differ_in(
                                    a,
                                    b,
                                    operation,
                                    *int,
                                    [if wide { "f64" } else { "f32" }, "f32"],
                                )
                            })
                        })
                },
            },
            Fact {
                says: "`sum` and `prod` of unsigned integers are `u64` under JAX and `i64` under PyTorch; those of signed ones are `i64` under both. \
                       `cumsum` keeps the dtype under JAX, so cumulative sums of `i8` wrap.",
                holds: |a, b| {
                    differ_in(a, b, Operation::Sum, DType::U8, ["u64", "i64"])
                        && differ_in(a, b, Operation::Sum, DType::I8, ["i64", "i64"])
                        && differ_in(a, b, Operation::CumulativeSum, DType::I8, ["i8", "i64"])
                },
            },
            Fact {
                says: "`mean` and `var` of integers give a float under JAX. PyTorch refuses: cast first.",
                holds: |a, b| {
                    differ_in(a, b, Operation::Mean, DType::I32, ["f32", "-"])
                        && differ_in(a, b, Operation::Variance, DType::I64, ["f64", "-"])
                },
            },
            Fact {
                says: "PyTorch multiplies matrices of one dtype only. Its `-` accepts no booleans.",
                holds: |a, b| {
                    let [bool, bf16, f32] =
                        [DType::Bool, DType::BF16, DType::F32].map(OperandType::dimensioned);
                    let two =
                        |operation, lhs| [a, b].map(|rules| give_two(rules, operation, lhs, f32));
                    two(Operation::MatrixMultiply, bf16) == ["f32", "-"]
                        && two(Operation::Subtract, bool) == ["f32", "-"]
                },
            },
        ],
    },
    Port {
        title: "NumPy and JAX",
        systems: [("NumPy", "numpy"), ("JAX", "jax")],
        introduction: "The first table is `np.promote_types`. Operators of NumPy promote some floats of ml_dtypes that \
                       it refuses (`bf16` and 8-bit floats): `numpy-ufunc` has them. JAX here has 64-bit dtypes \
                       enabled. With its default settings (`jax-x32`) it narrows every 64-bit dtype to 32 bits.",
        facts: &[
            Fact {
                says: "An integer with a float gives a float that holds integers of that width under NumPy, \
                       and keeps the float's dtype under JAX: `i32` with `f32` is `f64` under NumPy and `f32` under \
                       JAX; `i64` with `f16` is `f64` and `f16`.",
                holds: |a, b| {
                    differ(a, b, &["i32", "f32"], ["f64", "f32"])
                        && differ(a, b, &["i64", "f16"], ["f64", "f16"])
                },
            },
            Fact {
                says: "Literals give the same dtypes, except beside `bf16` and 8-bit floats. A dtype that a literal decided is weak under JAX and \
                       an ordinary one under NumPy: `(u8 + 1.5) + f16` is `f64` under NumPy and `f16` under JAX.",
                holds: |a, b| {
                    let same = |name: &str| {
                        ["int", "float", "complex"].iter().all(|literal| {
                            let [a, b] = [a, b].map(|rules| meet(rules, &[name, literal]));
                            a == b.trim_end_matches('*')
                        })
                    };
                    let all = DType::ALL
                        .iter()
                        .filter(|dtype| !is_float8(**dtype) && **dtype != DType::BF16);
                    all.clone().all(|dtype| same(dtype.name()))
                        && !same("bf16")
                        && differ(a, b, &["u8", "float", "f16"], ["f64", "f16"])
                },
            },
            Fact {
                says: "`u64` with a signed integer is `f64` under both. Under JAX that result is weak, so that it gives `f32` with an `f32`.",
                holds: |a, b| {
                    SIGNED
                        .iter()
                        .all(|rhs| differ(a, b, &["u64", rhs.name()], ["f64", "f64*"]))
                        && differ(a, b, &["u64", "i8", "f32"], ["f64", "f32"])
                },
            },
            Fact {
                says: "`bf16` with `f16` is `f32` under JAX; `np.promote_types` refuses it, and the operators of \
                       NumPy give `f32` too. 8-bit floats widen \
                       beside other floats under NumPy, and promote with no other float under JAX.",
                holds: |a, b| {
                    let ufunc = RuleSet::named("numpy-ufunc").expect("a rule set");
                    differ(a, b, &["bf16", "f16"], ["-", "f32"])
                        && meet(ufunc, &["bf16", "f16"]) == "f32"
                        && differ(a, b, &["f8e5m2", "f32"], ["f32", "-"])
                },
            },
            Fact {
                says: "`/`, `mean` and `var` of integers are `f64` under NumPy. Under JAX they are `f32` up to 32 bits.",
                holds: |a, b| {
                    let operations = [Operation::Divide, Operation::Mean, Operation::Variance];
                    operations.into_iter().all(|operation| {
                        INTEGERS.iter().all(|int| {
                            let wide = matches!(int, DType::U64 | DType::I64);
                            differ_in(
                                a,
                                b,
                                operation,
                                *int,
                                ["f64", if wide { "f64" } else { "f32" }],
                            )
                        })
                    })
                },
            },
            Fact {
                says: "Functions such as `sqrt` of integers give a float that holds the integer under NumPy: `f16` for 8 bits, \
                       `f32` for 16, `f64` for more. Under JAX they give `f32`, and `f64` for 64 bits.",
                holds: |a, b| {
                    let of = |dtype, gives| differ_in(a, b, Operation::UnaryFloat, dtype, gives);
                    of(DType::I8, ["f16", "f32"])
                        && of(DType::I16, ["f32", "f32"])
                        && of(DType::I32, ["f64", "f32"])
                        && of(DType::I64, ["f64", "f64"])
                },
            },
            Fact {
                says: "`sum` and `prod` agree: `i64`, or `u64` for unsigned integers. `cumsum` widens under NumPy and \
                       keeps the dtype under JAX.",
                holds: |a, b| {
                    let wide = |int: &DType| {
                        if int.kind() == Kind::Signed {
                            "i64"
                        } else {
                            "u64"
                        }
                    };
                    INTEGERS
                        .iter()
                        .all(|int| differ_in(a, b, Operation::Sum, *int, [wide(int); 2]))
                        && INTEGERS.iter().all(|int| {
                            differ_in(
                                a,
                                b,
                                Operation::CumulativeSum,
                                *int,
                                [wide(int), int.name()],
                            )
                        })
                },
            },
            Fact {
                says: "If it interpolates between an infinity and a finite number, NumPy's `quantile` is often NaN. In this library it is \
                       that infinity, under the rules of either system. Between both infinities it is NaN.",
                holds: |_, _| {
                    macro_rules! quantiles {
                        ($Rules:ident $elements:expr) => {{
                            let x = Tensor::<F64, Rank1, $Rules>::from($elements);
                            let at = [0.05, 0.5, 0.95];
                            let found = x.quantile(at, QuantileMethod::Linear).into_dyn();
                            found.to_vec::<F64>().expect("quantiles")
                        }};
                    }
                    let [least, greatest] = [f64::NEG_INFINITY, f64::INFINITY];
                    let mixed = [greatest, 1.0, least, 3.0];
                    let halves = [least, greatest];
                    [quantiles!(Numpy mixed), quantiles!(Jax mixed)]
                        .iter()
                        .all(|found| *found == [least, 2.0, greatest])
                        && [quantiles!(Numpy halves), quantiles!(Jax halves)]
                            .iter()
                            .all(|found| found.iter().all(|quantile| quantile.is_nan()))
                },
            },
        ],
    },
    Port {
        title: "From PyTorch to OpenVINO",
        systems: [("PyTorch", "torch"), ("OpenVINO", "openvino-scalar")],
        introduction: "OpenVINO here is ConvertPromoteTypes with `pytorch_scalar_promotion=true`, which follows \
                       PyTorch in tensors of rank zero; without that attribute (`openvino`) rank does not matter. The tables show \
                       the results with `promote_unsafe=true`. The last table shows what OpenVINO refuses without it. The results of \
                       operations are read from their specifications, not observed.",
        facts: &[
            Fact {
                says: "An integer with a float gives the float's dtype under both. OpenVINO by default refuses the pair if the float \
                       has fewer than twice the bits of the integer: it refuses `i64` even with `f64`.",
                holds: |a, b| {
                    let float = OperandType::dimensioned(DType::F64);
                    let verdict = |int: DType| {
                        b.promote(OperandType::dimensioned(int), float)
                            .map(|found| found.verdict)
                    };
                    differ(a, b, &["i64", "f16"], ["f16", "f16"])
                        && verdict(DType::I32) == Ok(Verdict::Lossless)
                        && matches!(verdict(DType::I64), Ok(Verdict::Refused(_)))
                },
            },
            Fact {
                says: "OpenVINO promotes `u16`, `u32` and `u64` with other integers; PyTorch does not. `u64` with a signed integer \
                       gives the parameter of the rules, `f32` by default.",
                holds: |a, b| {
                    differ(a, b, &["u16", "u32"], ["-", "u32"])
                        && differ(a, b, &["u16", "i32"], ["-", "i32"])
                        && SIGNED
                            .iter()
                            .all(|rhs| differ(a, b, &["u64", rhs.name()], ["-", "f32"]))
                },
            },
            Fact {
                says: "OpenVINO promotes `f8e4m3fn` and `f8e5m2` with everything, and has no other 8-bit floats and no complex dtypes.",
                holds: |a, b| {
                    let real = DType::ALL.iter().filter(|dtype| {
                        dtype.kind() != Kind::Complex && (F8.contains(dtype) || !is_float8(**dtype))
                    });
                    let unknown = |dtype: &DType| meet(b, &[dtype.name(), dtype.name()]) == "-";
                    FNUZ.iter().all(unknown)
                        && F8.iter().all(|f8| {
                            real.clone()
                                .all(|other| meet(b, &[f8.name(), other.name()]) != "-")
                        })
                        && differ(a, b, &["c64", "c64"], ["c64", "-"])
                },
            },
            Fact {
                says: "A tensor of rank zero of the same kind yields to a tensor with axes under both. OpenVINO \
                       by default refuses it if the scalar is wider, or has a sign that the tensor lacks: `u8` with a zero-dim \
                       `i64` is `u8`, and unsafe.",
                holds: |a, b| {
                    let [u8, i64] = [
                        OperandType::dimensioned(DType::U8),
                        OperandType::zero_dim(DType::I64),
                    ];
                    differ(a, b, &["u8", "0d i64"], ["u8", "u8"])
                        && b.promote(u8, i64)
                            .is_ok_and(|found| !found.verdict.is_safe())
                },
            },
            Fact {
                says: "A scalar of a higher kind gives its own dtype under both. OpenVINO agrees with PyTorch, at all ranks, on every \
                       pair of its dtypes that PyTorch promotes.",
                holds: |a, b| {
                    let real = DType::ALL
                        .iter()
                        .filter(|dtype| meet(b, &[dtype.name(), dtype.name()]) != "-");
                    let ranked =
                        real.flat_map(|dtype| [dtype.name().to_owned(), format!("0d {dtype}")]);
                    let ranked: Vec<_> = ranked.collect();
                    let mut pairs = ranked
                        .iter()
                        .flat_map(|lhs| ranked.iter().map(move |rhs| [lhs.as_str(), rhs]));
                    differ(a, b, &["i64", "0d f16"], ["f16", "f16"])
                        && pairs.all(|pair| {
                            let [torch, openvino] = [a, b].map(|rules| meet(rules, &pair));
                            torch == "-" || torch == openvino
                        })
                },
            },
            Fact {
                says: "OpenVINO's constants have dtypes. A float literal beside integers, which PyTorch makes an `f32`, \
                       needs a constant of `f32`. The rules do not promote a float literal with an integer, so the code has to \
                       choose.",
                holds: |a, b| {
                    INTEGERS
                        .iter()
                        .all(|int| differ(a, b, &[int.name(), "float"], ["f32", "-"]))
                        && differ(a, b, &["bf16", "float"], ["bf16", "bf16"])
                        && differ(a, b, &["i8", "int"], ["i8", "i8"])
                },
            },
            Fact {
                says: "`/` of integers is true division in PyTorch and gives `f32`. OpenVINO's Divide gives \
                       an integer. The rules leave it undefined, so cast first.",
                holds: |a, b| {
                    INTEGERS
                        .iter()
                        .all(|int| differ_in(a, b, Operation::Divide, *int, ["f32", "-"]))
                },
            },
            Fact {
                says: "`sum` and `cumsum` of integers are `i64` under PyTorch and keep their dtype under OpenVINO. `mean` \
                       of integers is an integer under OpenVINO; PyTorch refuses it.",
                holds: |a, b| {
                    differ_in(a, b, Operation::Sum, DType::I8, ["i64", "i8"])
                        && differ_in(a, b, Operation::CumulativeSum, DType::I8, ["i64", "i8"])
                        && differ_in(a, b, Operation::Mean, DType::I32, ["-", "i32"])
                },
            },
        ],
    },
];
