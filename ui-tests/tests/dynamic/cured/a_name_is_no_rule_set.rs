use supremum::{DType, DynTensor, Error, RuleSet};

fn main() -> Result<(), Error> {
    let a = DynTensor::ones(DType::F32, [2])?;
    let rules: &RuleSet = a.rules();
    let b = a.with_rules(RuleSet::named("numpy")?);
    Ok(())
}
