//! Each piece of code that a message proposes is applied by a program that compiles and runs, in `tests/<theme>/cured` or
//! `tests/<theme>/applied`: its tokens stand there, where the mistake does not have them. (Programs for features that the library of this
//! crate lacks only compile: those of `tests/features` and `tests/<theme>/featured`.) Messages that print a clause with the same words share
//! such a program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use supremum_ui_tests::{code, files, mistake, own_words, stem, tokens};

/// Reasons, and the proposals that no program applies for each, with the first message that prints them.
const NOT_APPLIED: &[(&str, &[&str])] = &[
    (
        "it describes code, and proposes none",
        &[
            "fuse/a_float_changes_integers: `x += 0.5`",
            "operations/a_tuple_has_tensors_of_several_dtypes: `for x in &t`",
            "operations/the_logarithm_is_named_otherwise: `1 + x`",
            "records/a_record_has_no_shape: `shape = [..]`",
            "records/serde_names_no_tensor: `#[serde(..)]`",
            "tensors/a_call_of_another_library_has_arguments: `.view()`",
            "tensors/an_element_is_no_row: `for x in &t`",
            "tensors/an_element_is_no_row: `t.iter()`",
            "tensors/an_element_is_no_row: `t[[0, 1]]`",
            "tensors/from_narrows_no_float: `.into()`",
            "tensors/tensors_to_join_are_in_brackets: `&supremum::Tensor<supremum::F32, supremum::Rank1>`",
        ],
    ),
    (
        "it stands in Cargo.toml",
        &[
            "records/files_need_a_feature: `supremum = { version = \"..\", features = [\"safetensors\"] }`",
        ],
    ),
];

/// A token of a piece of code, or what a reader replaces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    Token(&'a str),
    /// A dtype, rank or rule set, or a parameter of generic code.
    Type,
    /// A variable or an argument in lower case, for any expression.
    Value,
    /// `..` for any code.
    Dots,
    /// `:` before a trait, also `+` if it is one of several.
    Bound,
}

const KEYWORDS: &[&str] = &[
    "as", "else", "fn", "for", "if", "in", "let", "like", "move", "mut", "pub", "struct", "type",
];

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns whether a name is that of a dtype, a rank, a rule set or a type parameter.
fn is_type(name: &str) -> bool {
    let rules = [
        "ArrayApi",
        "Jax",
        "Numpy",
        "OpenVino",
        "TensorFlow",
        "Torch",
    ];
    let is_element = name.starts_with(['c', 'f', 'i', 'u'])
        && name.len() > 1
        && name[1..].chars().all(char::is_numeric);
    is_element
        || name.starts_with(char::is_uppercase)
            && (name.len() == 1
                || name.ends_with(|c: char| c.is_numeric())
                || ["AnyRank", "Bool", "Device", "Labels", "Mine"].contains(&name)
                || rules.iter().any(|rules| name.starts_with(rules)))
}

/// The tokens of code without the paths of the library's items.
fn short(code: &str) -> Vec<&str> {
    let tokens = tokens(code);
    let mut short = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_path = tokens[at + 1..].starts_with(&[":", ":"]);
        if is_path && ["supremum", "operations", "rank", "rand", "stablehlo"].contains(token) {
            at += 3;
        } else {
            short.push(*token);
            at += 1;
        }
    }
    short
}

/// Returns whether a piece is a bound on a type, rather than the type of a variable.
fn is_bound(piece: &str) -> bool {
    let first = tokens(piece.trim_start_matches("where "))[0];
    piece.contains(": ")
        && (is_type(first) || !first.starts_with(|c: char| c.is_lowercase() || c == '#'))
}

/// A piece of code with what a reader replaces. The left side of a bound is not in it.
fn pattern(piece: &str) -> Vec<Part<'_>> {
    let bound = piece.split_once(": ").filter(|_| is_bound(piece));
    let tokens = short(bound.map_or(piece, |(_, bound)| bound));
    let part = |at: usize| {
        let token = tokens[at];
        let before = at.checked_sub(1).map_or("", |at| tokens[at]);
        let after = tokens.get(at + 1).copied().unwrap_or("");
        let is_operand = (is_word(before) || before.starts_with(|c: char| c.is_numeric()))
            && !KEYWORDS.contains(&before);
        let is_left_out = (["", ")", "}", "{", ";", ">"].contains(&after) && !is_operand)
            || (["[", ";"].contains(&before) && after == "]");
        let is_variable = token.starts_with(|c: char| c.is_lowercase())
            && !token.contains(|c: char| c.is_numeric())
            && !KEYWORDS.contains(&token)
            && ![".", ":"].contains(&before)
            && ![":", "!"].contains(&after)
            && (after != "(" || token.len() == 1);
        match token {
            ".." if is_left_out => Part::Dots,
            _ if is_type(token) || token == "_" => Part::Type,
            _ if is_variable => Part::Value,
            _ => Part::Token(token),
        }
    };
    let bound = bound.map(|_| Part::Bound);
    bound
        .into_iter()
        .chain((0..tokens.len()).map(part))
        .collect()
}

/// Returns the number of tokens at the start of a program that match the pattern, or `None` if they do not match it.
fn length(pattern: &[Part<'_>], program: &[&str]) -> Option<usize> {
    let Some((first, rest)) = pattern.split_first() else {
        return Some(0);
    };
    let is_next = match first {
        Part::Token(token) => Some(program.first()? == token),
        Part::Bound => Some([":", "+"].contains(program.first()?)),
        _ => None,
    };
    match is_next {
        Some(true) => return length(rest, &program[1..]).map(|length| length + 1),
        Some(false) => return None,
        None => {}
    }
    let mut depth = 0;
    for filled in 0..=program.len() {
        if depth == 0
            && (filled > 0 || *first == Part::Dots)
            && let Some(length) = length(rest, &program[filled..])
        {
            return Some(filled + length);
        }
        match *program.get(filled)? {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "<" if *first == Part::Type => depth += 1,
            ">" if *first == Part::Type => depth -= 1,
            "," | ";" if depth == 0 && *first != Part::Dots => return None,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

/// Returns whether a reader can apply a piece: it is a call, an operation, a bound or a branch, not just a name, a type or an element.
fn is_code(piece: &str) -> bool {
    let tokens = tokens(piece);
    let is_call = |pair: &[&str]| {
        ["(", "["].contains(&pair[1]) && (["!", ">"].contains(&pair[0]) || is_word(pair[0]))
    };
    let is_operator = |word: &str| {
        ["as", "if", "for"].contains(&word)
            || !word.is_empty() && word.chars().all(|c| "+-*/%&|^<>=!".contains(c)) && word != "->"
    };
    let is_prefixed = ["!", "-", "*", "&"].contains(&tokens[0])
        && tokens.len() > 1
        && tokens[1].starts_with(|c: char| c.is_lowercase() || c == '*' || c == '&')
        && !["mut", "str", "&"].contains(tokens.last().expect("two"));
    tokens.windows(2).any(is_call)
        || !piece.starts_with('<') && piece.contains(' ') && piece.split(' ').any(is_operator)
        || is_bound(piece)
        || is_prefixed
}

/// Splits the lines that the library writes into clauses, at the semicolons outside code.
fn clauses(message: &str) -> Vec<String> {
    let mut clauses = Vec::new();
    for line in message.lines() {
        let line = line.trim_start();
        let label = line.trim_start_matches(['|', ' ']);
        let is_own = ["error", "note: ", "= note: ", "= help: "]
            .iter()
            .any(|start| line.starts_with(start))
            || label.starts_with(['^', '-']);
        if !is_own {
            continue;
        }
        let mut clause = String::new();
        let text = label.trim_start_matches(['^', '-', ' ']);
        let text = text.trim_start_matches("= ").trim_start_matches("note: ");
        for (at, part) in text.split('`').enumerate() {
            if at % 2 == 1 {
                clause += &format!("`{part}`");
                continue;
            }
            let mut parts = part.split("; ");
            clause += parts.next().unwrap_or_default();
            for part in parts {
                clauses.push(std::mem::replace(&mut clause, part.to_owned()));
            }
        }
        clauses.push(clause);
    }
    clauses
}

/// Counts how often `run` occurs in the tokens of a program.
fn count(program: &[&str], run: &[&str]) -> usize {
    program.windows(run.len()).filter(|at| *at == run).count()
}

/// Returns whether the cured program contains code that matches the pattern, more often than the program with the mistake does.
fn applies(cured: &str, wrong: &str, pattern: &[Part<'_>]) -> bool {
    let (cured, wrong) = (short(cured), short(wrong));
    (0..cured.len()).any(|at| {
        length(pattern, &cured[at..]).is_some_and(|length| {
            let (run, rest) = cured[at..].split_at(length);
            let goes_on = is_word(run[length - 1])
                && rest.first().is_some_and(|next| ["<", "("].contains(next));
            !goes_on && count(&cured, run) > count(&wrong, run)
        })
    })
}

#[test]
fn every_piece_of_code_is_applied() {
    let read = |path| code(&fs::read_to_string(path).expect("a program"));
    let mut applied: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (theme, path) in ["cured", "applied", "featured"]
        .map(|folder| files(folder, "rs"))
        .concat()
    {
        let name = format!("{theme}/{}", mistake(&path));
        applied.entry(name).or_default().push(read(path));
    }
    let mut wrong = BTreeMap::new();
    // A clause without its code, and each piece of it, with the programs that print them.
    let mut proposals: BTreeMap<_, (String, BTreeSet<String>)> = BTreeMap::new();
    let messages: Vec<_> = files("fail", "stderr")
        .into_iter()
        .map(|(theme, path)| {
            let name = format!("{theme}/{}", stem(&path));
            wrong.insert(name.clone(), read(path.with_extension("rs")));
            let message = fs::read_to_string(path).expect("a message");
            (name, clauses(&own_words(&message)))
        })
        .collect();
    for (name, clauses) in &messages {
        for clause in clauses {
            let prose: Vec<_> = clause.split('`').step_by(2).collect();
            for piece in clause.split('`').skip(1).step_by(2) {
                let is_quoted = count(&short(&wrong[name]), &short(piece)) > 0;
                if is_code(piece) && !is_quoted {
                    let proposal = proposals.entry((prose.clone(), pattern(piece)));
                    let (_, programs) = proposal.or_insert((piece.to_owned(), BTreeSet::new()));
                    programs.insert(name.clone());
                }
            }
        }
    }
    let mut missing = BTreeSet::new();
    let mut excepted = BTreeSet::new();
    for ((_, pattern), (piece, names)) in &proposals {
        let is_applied = names.iter().any(|name| {
            let programs = applied.get(name).into_iter().flatten();
            programs
                .into_iter()
                .any(|program| applies(program, &wrong[name], pattern))
        });
        if is_applied {
            continue;
        }
        let proposal = format!("{}: `{piece}`", names.first().expect("one"));
        match NOT_APPLIED
            .iter()
            .any(|(_, listed)| listed.contains(&proposal.as_str()))
        {
            true => excepted.insert(proposal),
            false => missing.insert(proposal),
        };
    }
    assert!(
        missing.is_empty(),
        "{} of {} proposals: write a program with it to `tests/<theme>/cured`, or to `applied` if it needs another setting, or list \
         it with the reason:\n{}",
        missing.len(),
        proposals.len(),
        Vec::from_iter(missing).join("\n")
    );
    let listed = NOT_APPLIED.iter().flat_map(|(_, pieces)| *pieces);
    let needless: Vec<_> = listed
        .filter(|listed| !excepted.contains(**listed))
        .collect();
    assert!(
        needless.is_empty(),
        "these need not be listed: {needless:?}"
    );
    assert!(proposals.len() > 500, "{} proposals", proposals.len());
}
