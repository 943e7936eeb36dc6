//! Deliberate differences of the library from a system, with the reason above each.

use supremum::{Class, DType, Kind, OperandType};

use super::{Case, Deviation};

impl Case<'_> {
    fn is(&self, operations: &[&str]) -> bool {
        operations.contains(&self.operation)
    }

    fn refused(&self) -> bool {
        self.found == "error"
    }

    fn system_refuses(&self) -> bool {
        self.expected == "error"
    }

    fn any(&self, of: fn(OperandType) -> bool) -> bool {
        self.operands.iter().any(|operand| of(*operand))
    }

    fn any_literal(&self) -> bool {
        self.literals.contains(&true)
    }

    fn all_literals(&self) -> bool {
        self.literals.iter().all(|literal| *literal)
    }
}

fn weak(operand: OperandType) -> bool {
    operand.class == Class::Weak
}

fn boolean(operand: OperandType) -> bool {
    operand.dtype == DType::Bool
}

fn complex(operand: OperandType) -> bool {
    operand.dtype.kind() == Kind::Complex
}

// A complex number has no order that every system agrees on, and no operation here gives it one.
pub const COMPLEX_ORDER: Deviation = Deviation {
    reason: "complex numbers have no order here",
    explains: |case| {
        case.is(&["less", "minimum", "max", "argmax"]) && case.any(complex) && case.refused()
    },
};

// A weak operand is not a literal: an exponent that is an array cannot be looked at.
pub const JAX_LITERAL_EXPONENT: Deviation = Deviation {
    reason: "a literal exponent is a weak array here, for which JAX promotes",
    explains: |case| {
        let exponent = case.operands[1];
        case.is(&["power"])
            && (exponent.dtype == DType::Bool
                || weak(exponent) && exponent.dtype.kind().is_integer())
    },
};

// `i32* // i32*` is `i64*`, and `f32* // f32*` is refused; `%` of the same arrays keeps their dtype.
pub const JAX_WEAK_FLOOR_DIVISION: Deviation = Deviation {
    reason: "JAX refuses or widens the quotient of two weak arrays, not the remainder",
    explains: |case| case.is(&["floor_divide"]) && case.operands.iter().all(|one| weak(*one)),
};

// `u8 @ i32*`: the result would be narrower than the weak operand.
pub const JAX_WEAK_PRODUCT: Deviation = Deviation {
    reason: "JAX refuses a matrix product of an operand wider than the weak one",
    explains: |case| case.is(&["matmul"]) && case.any(weak) && case.system_refuses(),
};

// The system gives a dtype to two Python scalars; here they stay weak, as no tensor decides.
pub const TWO_LITERALS: Deviation = Deviation {
    reason: "two literals stay a literal here",
    explains: |case| case.all_literals(),
};

// `torch.complex32` and its bf16 counterpart.
pub const COMPLEX_HALF: Deviation = Deviation {
    reason: "a complex half is not a dtype here, as result or as common dtype",
    explains: |case| {
        let half = |operand: OperandType| matches!(operand.dtype, DType::F16 | DType::BF16);
        case.refused() && case.any(half) && case.any(complex)
    },
};

// NumPy looks at the exponent's value and squares.
pub const NUMPY_BOOL_SQUARED: Deviation = Deviation {
    reason: "NumPy squares a boolean where the exponent is the literal 2, other literals give i64",
    explains: |case| {
        case.is(&["power"]) && case.operands[0].dtype == DType::Bool && case.expected == "i8"
    },
};

// `torch.minimum(tensor, 2)` is a TypeError whatever the dtypes.
pub const TORCH_TENSORS_ONLY: Deviation = Deviation {
    reason: "PyTorch takes no literal for this function",
    explains: |case| {
        case.is(&["minimum", "arctan2"]) && case.any_literal() && case.system_refuses()
    },
};

// The result is the same dtype as with a tensor, for which there is a kernel.
pub const TORCH_F8_LITERAL: Deviation = Deviation {
    reason: "PyTorch has no kernel for an 8-bit float times a literal",
    explains: |case| case.is(&["multiply"]) && case.any_literal() && case.system_refuses(),
};

// PyTorch copies `x`, whatever its dtype.
pub const TORCH_TO_THE_POWER_OF_TRUE: Deviation = Deviation {
    reason: "`x ** True` is decided as other powers here",
    explains: |case| {
        case.is(&["power"]) && case.literals[1] && case.operands[1].dtype == DType::Bool
    },
};

// Equal literals meet here as all equal dtypes do; the standard speaks of literals beside arrays.
pub const ARRAY_API_TWO_LITERALS: Deviation = Deviation {
    reason: "the array API has no answer to two literals",
    explains: |case| case.all_literals() && case.system_refuses(),
};

// An oversight of the package: it refuses complex arrays there.
pub const ARRAY_API_COMPLEX_LITERAL: Deviation = Deviation {
    reason: "array_api_strict lets a complex literal be ordered beside a float",
    explains: |case| case.is(&["less", "minimum"]) && case.any_literal() && case.refused(),
};

// They stand in notes of the document, which says that they are left undefined.
pub const ARRAY_API_NOTES: Deviation = Deviation {
    reason: "the document shows what NumPy and JAX do where it defines nothing",
    explains: |case| case.refused() && case.operands[0].dtype == DType::I64,
};

// `2 & x` fails, whatever the dtype.
pub const TENSORFLOW_LITERAL_LEFT: Deviation = Deviation {
    reason: "TensorFlow takes no literal left of `&`",
    explains: |case| case.is(&["bitwise_and"]) && case.literals[0] && case.system_refuses(),
};

// Both are the operand `Weak<_>`; TensorFlow converts the one and refuses the other.
pub const TENSORFLOW_WEAK_TENSOR: Deviation = Deviation {
    reason: "a weak tensor converts as a literal does here, where TensorFlow promotes nothing",
    explains: |case| {
        let silent = [
            "bitwise_and",
            "left_shift",
            "less",
            "where",
            "concatenate",
            "arctan2",
        ];
        case.is(&silent) && case.any(weak) && case.system_refuses()
    },
};

// With a boolean operand `*` is logical and, and gives booleans.
pub const TENSORFLOW_BOOL_TIMES_F8: Deviation = Deviation {
    reason: "8-bit floats have no products here, TensorFlow's with a boolean are logical",
    explains: |case| case.is(&["multiply"]) && case.expected == "bool" && case.refused(),
};

// `concatenate` has a kernel and is of the same group.
pub const TENSORFLOW_WHERE_F8: Deviation = Deviation {
    reason: "TensorFlow has no kernel to choose between 8-bit floats",
    explains: |case| case.is(&["where"]) && case.found.starts_with("f8") && case.system_refuses(),
};

// The file asks for a sum, the rules say what meets.
pub const TENSORFLOW_NO_SUM: Deviation = Deviation {
    reason: "TensorFlow has no kernel for sums of booleans and of 8-bit floats",
    explains: |case| {
        case.system_refuses() && (case.found == "bool" || case.found.starts_with("f8"))
    },
};

// The operator converts the literal first, and fails for u8 u16 u32 i8 i16 bf16 c64.
pub const TENSORFLOW_TRUE: Deviation = Deviation {
    reason: "TensorFlow converts `True` to some dtypes only",
    explains: |case| case.any_literal() && case.any(boolean) && case.system_refuses(),
};
