//! Runs the command.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::process::{Command, Output};

/// The command, without settings of the environment that change colours.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_supremum"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the command with arguments that spaces separate.
pub fn run(arguments: &str) -> Output {
    let mut command = command();
    command.args(arguments.split(' '));
    command.output().expect("the command runs")
}

/// Returns the text that the command prints, which has to succeed.
pub fn stdout(arguments: &str) -> String {
    let output = run(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "supremum {arguments}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The document of the tables.
pub fn document(arguments: &str) -> serde_json::Value {
    serde_json::from_str(&stdout(arguments)).expect("JSON")
}
