//! Lines of operations, and rule sets whose operations are those of others.

use super::faults::assert_faults;
use super::*;

#[test]
fn operations_keep_weakness_unless_strong_and_narrow_last() {
    let lines = |names: &[&str]| {
        let names = names.iter().map(|name| quote::format_ident!("{name}"));
        quote!(#(#names {})*)
    };
    let written = ["Subtract", "Divide", "FloorDivide"];
    let rest: Vec<_> = operations::names()
        .filter(|name| !written.contains(name))
        .collect();
    let rest = lines(&rest);
    let rules = sound(quote! {
        struct Mine = "mine";
        lattice { F64; }
        narrow { F64: F32 }
        operations {
            Subtract { Bool: _; Weak<I8>: Weak<I64> }
            Divide { I8: F64 }
            strong FloorDivide = Divide
            #rest
        }
    });
    let Operations::Own(rows) = rules.operations else {
        panic!("operations of their own");
    };
    let result = |operation: &str, operand| {
        let operation = operations::position(operation);
        let operation = operation.expect("an operation's name");
        let result: Option<Operand> = rows[operation][named(operand).index()];
        result.map(|cell| cell.to_string())
    };
    assert_eq!(result("Subtract", "Bool"), None);
    assert_eq!(result("Subtract", "Weak<Bool>"), None);
    assert_eq!(result("Subtract", "I8").as_deref(), Some("I8"));
    assert_eq!(result("Subtract", "Weak<I8>").as_deref(), Some("Weak<I64>"));
    assert_eq!(result("Divide", "I8").as_deref(), Some("F32"));
    assert_eq!(result("Divide", "Weak<I8>").as_deref(), Some("Weak<F32>"));
    assert_eq!(result("FloorDivide", "Weak<I8>").as_deref(), Some("F32"));
    assert_eq!(result("FloorDivide", "F64").as_deref(), Some("F32"));
}

#[test]
fn operations_promote_under_other_rules_and_rules_like_them_by_themselves() {
    let lines = other_lines(&["Add", "Power"]);
    let (checked, faults) = checked(quote! {
        struct Mine = "mine";
        lattice { I8 -> F32; }
        operations { Add under crate::Others {} Power under PowKeepsBase {} #lines }
        struct Like = "like";
        like Mine;
    });
    assert_eq!(faults, [""; 0]);
    let under = |position: usize, group: &str| {
        let rules = checked[position].as_ref().expect("a rule set");
        let group = operations::position(group);
        match &rules.under[group.expect("a group's name")] {
            Under::These => "these".to_owned(),
            Under::PowKeepsBase => "keeps base".to_owned(),
            Under::Other(path) => path.to_token_stream().to_string(),
        }
    };
    assert_eq!(under(0, "Add"), "crate :: Others");
    assert_eq!(under(1, "Add"), "these");
    assert_eq!([under(0, "Power"), under(1, "Power")], ["keeps base"; 2]);
    assert_eq!(under(0, "Subtract"), "these");
}

#[test]
fn rules_of_another_invocation_may_be_like_rules_of_a_third() {
    let invocation: MacroInput = syn::parse2(quote! {
        [::supremum]
        base other::Wider {
            pub struct Wider = "wider";
            extend Jax { I8 F32 => F32^m }
            marks { m: crate::Odd }
        }
        base Jax { pub struct Jax = "jax"; lattice { I8 -> F16; F16 -> F32; } }
        pub struct Mine = "mine";
        extend other::Wider { I8 F16 => F32 }
    })
    .expect("rules that parse");
    let (checked, faults) = check(&invocation);
    assert_eq!(faults.messages(), [""; 0]);
    let rules = checked[0].as_ref().expect("a rule set");
    assert_eq!(promoted(rules, "I8", "F16").as_deref(), Some("F32"));
    assert_eq!(verdict(rules, "F32", "I8"), Some(Verdict::Reason(0)));
    let Operations::Of(path) = &rules.operations else {
        panic!("operations of the other rules");
    };
    assert_eq!(path.to_token_stream().to_string(), "other :: Wider");
}

#[test]
fn a_bare_name_of_another_invocation_is_of_the_library() {
    let invocation: MacroInput = syn::parse2(quote! {
        [::renamed]
        base Jax { pub struct Jax = "jax"; lattice { I8 -> F16; } }
        pub struct Mine = "mine";
        like Jax;
    })
    .expect("rules that parse");
    let (checked, _) = check(&invocation);
    let Some(Operations::Of(path)) = checked[0].as_ref().map(|rules| &rules.operations) else {
        panic!("operations of the other rules");
    };
    assert_eq!(path.to_token_stream().to_string(), ":: renamed :: Jax");
}

#[test]
fn a_bare_name_of_builtin_rules_needs_no_import_anywhere() {
    let lines = other_lines(&["Add", "Join"]);
    let (checked, faults) = checked(quote! {
        struct Mine = "mine";
        lattice { I8 -> F32; }
        operations { Add under Torch {} Join under Mine {} #lines }
        struct Other = "other";
        lattice { I8 -> F32; }
        operations JaxX32;
        struct Third = "third";
        lattice { I8 -> F32; }
        operations Mine;
    });
    assert_eq!(faults, [""; 0]);
    let path = |position: usize| match &checked[position].as_ref().expect("a rule set").operations {
        Operations::Of(path) => path.to_token_stream().to_string(),
        Operations::Own(_) => String::new(),
    };
    assert_eq!([path(1), path(2)], [":: supremum :: JaxX32", "Mine"]);
    let Some(Under::Other(torch)) = checked[0].as_ref().map(|rules| &rules.under[0]) else {
        panic!("other rules");
    };
    assert_eq!(torch.to_token_stream().to_string(), ":: supremum :: Torch");
}

#[test]
fn rules_that_others_are_like_have_to_be_there() {
    assert_faults(
        quote! {
            struct Misspelt = "misspelt";
            like jax;
            struct Unknown = "unknown";
            like Theirs;
            struct Early = "early";
            like Late;
            struct Late = "late";
            like Late;
            struct Again = "again";
            like Misspelt;
        },
        &[
            "no rules `jax`; write `Jax`",
            "no rules `Theirs` above, nor in the library",
            "`Late` stands below",
            "these rules cannot be like themselves",
        ],
    );
}
