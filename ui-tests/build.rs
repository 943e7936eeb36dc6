//! Lists the programs that apply what messages propose (`tests/<theme>/{cured,applied}/*.rs`) as modules, which `tests/cured.rs`
//! includes.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=tests");
    let tests = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("Cargo's variable")).join("tests");
    let mut modules = String::new();
    for theme in fs::read_dir(tests).expect("the folder of themes") {
        let theme = theme.expect("a theme");
        if theme.file_name() == "features" {
            continue; // The library's test program `files` compiles these, with features that this crate does without.
        }
        for folder in ["cured", "applied"] {
            let Ok(programs) = fs::read_dir(theme.path().join(folder)) else {
                continue;
            };
            for program in programs {
                let path = program.expect("a program").path();
                let name = path
                    .file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .replace('-', "_");
                let theme = theme.file_name().to_string_lossy().into_owned();
                writeln!(
                    modules,
                    "mod {theme}_{folder}_{name} {{
                        include!({path:?});
                        #[test]
                        fn runs() -> impl ::std::process::Termination {{
                            main()
                        }}
                    }}"
                )
                .expect("a string");
            }
        }
    }
    let to = Path::new(&env::var("OUT_DIR").expect("Cargo's variable")).join("cured.rs");
    fs::write(to, modules).expect("the list of modules");
}
