//! The command in a shell: bad input, colours, pipes, files.

mod support;

use std::process::Stdio;

use support::{command, run};

/// Bad input ends with exit code 2 and one line, which has the nearest name.
#[test]
fn bad_input_gets_one_line_with_the_nearest_name() {
    for (arguments, expected) in [
        ("table jaxx", "unknown rules `jaxx`; did you mean `jax`"),
        (
            "explain torhc u8 i8",
            "unknown rules `torhc`; did you mean `torch`",
        ),
        (
            "explain jax u8 flaot32",
            "unknown operand or operation `flaot32`; did you mean `float32`",
        ),
        ("explain jax u8 bf17", "did you mean `bf16`"),
        (
            "explain jax f32:waek i8",
            "unknown class `waek`; did you mean `weak`?",
        ),
        (
            "table jax --op devide",
            "unknown operation `devide`; did you mean",
        ),
        ("table jax --op \u{1f980}", "unknown operation"),
        ("table jax --only u8,i1024", "unknown dtype `i1024`"),
        (
            "diff jax nmupy",
            "unknown rules `nmupy`; did you mean `numpy`",
        ),
        ("chain jax u8 i8 u16 i16 u32 i32 u64", "name at most 6"),
        ("chain jax u8 i8 --op sum", "`Sum` has one operand"),
        ("explain jax u8", "name two operands or more"),
        ("explain jax sum u8 i8", "`sum` takes one operand, not 2"),
        ("explain jax u8 + i8 - i16", "one operation at a time"),
        ("check no/such/file", "cannot read no/such/file"),
        ("table", "name a rule set"),
        (
            "lattice jax --svg no/such/folder/x.svg",
            "cannot write no/such/folder/x.svg",
        ),
    ] {
        let output = run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(error.contains(expected), "{arguments}: {error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{arguments}: {error}");
        assert!(output.stdout.is_empty(), "{arguments}");
    }
    assert_eq!(run("tabel jax").status.code(), Some(2));
    assert_eq!(run("table jax --format xml").status.code(), Some(2));
}

#[test]
fn exit_codes_say_what_was_found() {
    assert_eq!(run("diff jax jax").status.code(), Some(0));
    assert_eq!(run("diff jax torch").status.code(), Some(1));
    assert_eq!(run("laws torch").status.code(), Some(0));
}

#[test]
fn colours_are_for_terminals_and_yield_to_no_color() {
    let escapes = |variables: &[(&str, &str)]| {
        let mut command = command();
        command
            .args(["table", "jax"])
            .envs(variables.iter().copied());
        let output = command.output().expect("it runs");
        output.stdout.contains(&0x1b)
    };
    assert!(!escapes(&[]), "the output is a pipe");
    assert!(escapes(&[("CLICOLOR_FORCE", "1")]));
    assert!(!escapes(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "0")]));
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let mut child = command()
        .args(["table", "--format", "json"]) // longer than what a pipe holds
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*error), (Some(0), ""));
}

#[test]
fn each_system_has_its_laws_and_its_diagram() {
    for rules in supremum::RuleSet::builtin() {
        let name = rules.name();
        let laws = support::stdout(&format!("laws {name}"));
        assert!(
            laws.contains("commutative") && laws.contains("associative"),
            "{laws}"
        );
        let path = std::env::temp_dir().join(format!("supremum-{}-{name}.svg", std::process::id()));
        let lattice = support::stdout(&format!("lattice {name} --svg {}", path.display()));
        assert!(lattice.contains("lattice"), "{lattice}");
        let svg = std::fs::read_to_string(&path).expect("the drawing");
        std::fs::remove_file(&path).expect("the drawing");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(
            svg.contains("<title id=\"title\">") && !svg.contains("NaN"),
            "{svg}"
        );
    }
}

/// `docs/laws.md` counts the same triples, by other code.
#[test]
fn laws_are_those_of_the_page() {
    let jax = support::stdout("laws jax");
    assert_eq!(jax.matches("holds").count(), 6, "{jax}");
    let torch = support::stdout("laws torch");
    for count in [432, 88 + 774, 1166 + 9228] {
        assert!(
            torch.contains(&format!("breaks for {count} triples")),
            "{torch}"
        );
    }
    let ufunc = support::stdout("laws numpy-ufunc");
    assert!(ufunc.contains("commutative  breaks for 6 pairs"), "{ufunc}");
}

/// JAX publishes its lattice; NumPy's promotion of 8-bit floats depends on the order.
#[test]
fn lattices_are_told_from_other_relations() {
    let jax = support::stdout("lattice jax");
    assert!(jax.starts_with("jax is a lattice of 23 operands"), "{jax}");
    assert!(
        jax.lines()
            .any(|line| line.split_whitespace().collect::<Vec<_>>() == ["u8", "->", "u16", "i16"]),
        "{jax}"
    );
    let ufunc = support::stdout("lattice numpy-ufunc");
    let circle = "f8e4m3fn f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz";
    assert!(
        ufunc.starts_with("numpy-ufunc is not a lattice") && ufunc.contains(circle),
        "{ufunc}"
    );
}

#[test]
fn shells_get_completions() {
    for shell in ["bash", "zsh", "fish"] {
        let script = support::stdout(&format!("completions {shell}"));
        assert!(script.contains("explain"), "{shell}");
    }
}

/// JAX wraps literals that are out of range; NumPy refuses them, as this library does in any case.
#[test]
fn literals_that_a_dtype_does_not_have_are_named() {
    let jax = support::stdout("explain jax u8 + 300");
    assert!(
        jax.contains("300 is out of range of u8: Supremum refuses it; the system makes it 44"),
        "{jax}"
    );
    let numpy = support::stdout("explain numpy u8 + -1");
    assert!(
        numpy.contains("-1 is out of range of u8: Supremum refuses it; so does the system"),
        "{numpy}"
    );
    assert!(!support::stdout("explain jax u8 + 255").contains("out of range"));
}

/// The conversions that `explain` proposes give its result under the rules of each library.
#[test]
fn conversions_on_purpose_end_in_the_result() {
    let sum = support::stdout("explain jax-x32 sum i8");
    assert!(sum.contains("np.sum(a).astype(np.int32)"), "{sum}");
    let wide = support::stdout("explain jax i64 * f64");
    assert!(wide.contains("# needs jax_enable_x64"), "{wide}");
    let none = support::stdout("explain jax f8e4m3b11fnuz + f8e4m3b11fnuz");
    assert!(none.contains("PyTorch   has no f8e4m3b11fnuz"), "{none}");
}

#[test]
fn rule_sets_come_from_the_standard_input_too() {
    use std::io::Write;
    let mut child = command()
        .args(["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = child.stdin.take().expect("its input");
    input
        .write_all(b"struct A = \"a\"; lattice { F16 -> F33; }")
        .expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text.contains("unknown dtype `F33`") && text.contains("--> -:1:34"),
        "{text}"
    );
}

/// Options may stand behind the operands; `-` and negative literals are not options.
#[test]
fn explain_tells_options_from_operands() {
    let help = support::stdout("explain jax i8 bf16 --help");
    assert!(help.contains("An operand is a dtype"), "{help}");
    assert!(support::stdout("explain jax i8 - bf16").starts_with("i8 - bf16 under jax: bf16"));
    assert!(support::stdout("explain jax i8 - -2").starts_with("i8 - -2 (i64*) under jax: i8"));
    let truth = support::stdout("explain numpy f32 * true");
    assert!(truth.contains("Supremum  a * true"), "{truth}");
    assert!(truth.contains("NumPy     a * True"), "{truth}");
}
