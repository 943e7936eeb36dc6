/// Two floats.
/**
# Promotions

| | **f16** | **f64\*** |
|---|---|---|
| **f16** | f16 | f64\* |
| **f64\*** | f64\* | f64\* |

Rows are left operands, columns right ones. `*` is a weak dtype; ⚠ marks a promotion that these rules do not accept unasked, † the type parameter (here its default); an empty cell has no promotion.
*/
#[derive(
    ::supremum::__private::core::clone::Clone,
    ::supremum::__private::core::marker::Copy,
    ::supremum::__private::core::fmt::Debug,
    ::supremum::__private::core::default::Default
)]
pub struct Small;
impl ::supremum::__private::Rules for Small {
    const NAME: &'static ::supremum::__private::core::primitive::str = "small";
    const PROMOTIONS: &'static ::supremum::__private::PromotionTable = {
        static PROMOTIONS: ::supremum::__private::PromotionTable = ::supremum::__private::decode_promotions(
            &[(12, 12, 12, 0), (12, 48, 48, 0), (48, 12, 48, 0), (48, 48, 48, 0)],
            false,
            ::supremum::__private::DType::Bool,
            &[],
        );
        &PROMOTIONS
    };
    const OPERATIONS: &'static ::supremum::__private::OperationTable = <::supremum::__private::Jax as ::supremum::__private::Rules>::OPERATIONS;
    type Operations = ::supremum::__private::Jax;
    type Bool = ::supremum::__private::Bool;
    type Int = ::supremum::__private::Weak<::supremum::__private::I64>;
    type Float = ::supremum::__private::Weak<::supremum::__private::F64>;
    type Complex = ::supremum::__private::Weak<::supremum::__private::C128>;
    const LOOKS_AT_RANK: ::supremum::__private::core::primitive::bool = false;
    type Operand<
        D: ::supremum::__private::StaticDType,
        N: ::supremum::__private::Rank,
    > = D;
    type Add = Self;
    type Subtract = Self;
    type Multiply = Self;
    type Divide = Self;
    type FloorDivide = Self;
    type Power = <::supremum::__private::Jax as ::supremum::__private::Rules>::Raise<
        Self,
    >;
    type Arctangent = Self;
    type Minimum = Self;
    type Bitwise = Self;
    type Shift = Self;
    type Equality = Self;
    type Ordering = Self;
    type Join = Self;
    type MatrixMultiply = Self;
    type Raise<R: ::supremum::__private::Rules> = <::supremum::__private::Jax as ::supremum::__private::Rules>::Raise<
        R,
    >;
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl ::supremum::__private::Promote<::supremum::__private::F16, Small>
for ::supremum::__private::F16 {
    type Output = ::supremum::__private::F16;
    type Verdict = ::supremum::__private::Lossless;
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl ::supremum::__private::Promote<
    ::supremum::__private::Weak<::supremum::__private::F64>,
    Small,
> for ::supremum::__private::F16 {
    type Output = ::supremum::__private::Weak<::supremum::__private::F64>;
    type Verdict = ::supremum::__private::Lossless;
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl ::supremum::__private::Promote<::supremum::__private::Unnamed, Small>
for ::supremum::__private::F16 {
    type Output = Self;
    type Verdict = ::supremum::__private::Lossless;
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl ::supremum::__private::Promote<::supremum::__private::F16, Small>
for ::supremum::__private::Weak<::supremum::__private::F64> {
    type Output = ::supremum::__private::Weak<::supremum::__private::F64>;
    type Verdict = ::supremum::__private::Lossless;
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl ::supremum::__private::Promote<
    ::supremum::__private::Weak<::supremum::__private::F64>,
    Small,
> for ::supremum::__private::Weak<::supremum::__private::F64> {
    type Output = ::supremum::__private::Weak<::supremum::__private::F64>;
    type Verdict = ::supremum::__private::Lossless;
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl ::supremum::__private::Promote<::supremum::__private::Unnamed, Small>
for ::supremum::__private::Weak<::supremum::__private::F64> {
    type Output = Self;
    type Verdict = ::supremum::__private::Lossless;
}
#[cfg(test)]
const _: fn() = || {
    ::supremum::__private::verdict_is_proved::<
        ::supremum::__private::F16,
        ::supremum::__private::F16,
        Small,
    >();
    ::supremum::__private::verdict_is_proved::<
        ::supremum::__private::F16,
        ::supremum::__private::Weak<::supremum::__private::F64>,
        Small,
    >();
    ::supremum::__private::verdict_is_proved::<
        ::supremum::__private::Weak<::supremum::__private::F64>,
        ::supremum::__private::F16,
        Small,
    >();
    ::supremum::__private::verdict_is_proved::<
        ::supremum::__private::Weak<::supremum::__private::F64>,
        ::supremum::__private::Weak<::supremum::__private::F64>,
        Small,
    >();
};
