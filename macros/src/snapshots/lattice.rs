/// Two floats.
/**
# Promotions

| | **f16** | **f64\*** |
|---|---|---|
| **f16** | f16 | f64\* |
| **f64\*** | f64\* | f64\* |

Rows are left operands, columns right ones. `*` is a weak dtype; ⚠ marks a promotion that can lose values; an empty cell has no promotion.
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
    const RULE_SET: &'static ::supremum::__private::RuleSet = {
        static PROMOTIONS: ::supremum::__private::PromotionTable = ::supremum::__private::decode_promotions(
            &[(12, 12, 12, 0), (12, 31, 31, 0), (31, 12, 31, 0), (31, 31, 31, 0)],
        );
        &::supremum::__private::RuleSet::new(
            "small",
            &PROMOTIONS,
            <::supremum::__private::Jax as ::supremum::__private::Rules>::RULE_SET
                .operations(),
        )
    };
    type Operations = ::supremum::__private::Jax;
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
