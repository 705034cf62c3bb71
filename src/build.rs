//! Build script: makes the tables of queries and of the ontology, tells release builds the git commit they are made from,
//! where there is one and nothing is changed, and tests what this machine has for them.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use oxrdf::{NamedOrBlankNode, Term};
use oxttl::TurtleParser;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-changed=queries");
    println!("cargo::rerun-if-changed=ontology");
    table_of_queries()?;
    ["qassay", "groups", "profiles", "systems", "licences"].into_iter().try_for_each(table_of_statements)?;
    look_for_what_tests_need();
    name_the_commit()
}

/// Every file of `queries/` by its name without `.rq`, in order: a slice of `QueryFile`.
fn table_of_queries() -> io::Result<()> {
    let mut names = Vec::new();
    for kind in fs::read_dir(folder("CARGO_MANIFEST_DIR")?.join("queries"))? {
        let kind = kind?.path();
        if !kind.is_dir() {
            continue;
        }
        for query in fs::read_dir(&kind)? {
            let query = query?.path();
            if query.extension().is_some_and(|ending| ending == "rq") {
                let name = [&kind, &query].map(|path| path.file_stem().unwrap_or_default().to_string_lossy());
                names.push(name.join("/"));
            }
        }
    }
    names.sort_unstable();
    let row = |name: &String| {
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/queries/{name}.rq\")");
        format!("QueryFile {{ name: \"{name}\", text: include_str!({path}) }},\n")
    };
    let rows: String = names.iter().map(row).collect();
    fs::write(folder("OUT_DIR")?.join("queries.rs"), format!("&[\n{rows}]\n"))
}

/// Every statement of a file of `ontology/`: a slice of `StatementRow`, by subject and predicate, in the order of the file.
fn table_of_statements(name: &str) -> io::Result<()> {
    let turtle = fs::read(folder("CARGO_MANIFEST_DIR")?.join(format!("ontology/{name}.ttl")))?;
    let mut rows = Vec::new();
    for triple in TurtleParser::new().for_slice(&turtle) {
        let triple = triple.map_err(|error| io::Error::other(format!("ontology/{name}.ttl: {error}")))?;
        let NamedOrBlankNode::NamedNode(subject) = triple.subject else {
            return Err(io::Error::other(format!(
                "ontology/{name}.ttl: the thing with {} has no IRI",
                triple.object
            )));
        };
        let object = match triple.object {
            Term::NamedNode(node) => format!("Object::Iri({:?})", node.as_str()),
            Term::Literal(literal) => match literal.destruct() {
                (text, None, None) => format!("Object::Simple({text:?})"),
                (text, _, Some(tag)) => format!("Object::Tagged({text:?}, {tag:?})"),
                (text, Some(datatype), None) => format!("Object::Typed({text:?}, {:?})", datatype.as_str()),
            },
            Term::BlankNode(node) => {
                return Err(io::Error::other(format!("ontology/{name}.ttl: {node} has no IRI")));
            }
        };
        rows.push((subject.into_string(), triple.predicate.into_string(), object));
    }
    rows.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    let row = |(subject, predicate, object): &(String, String, String)| {
        format!("({subject:?}, {predicate:?}, {object}),\n")
    };
    let rows: String = rows.iter().map(row).collect();
    fs::write(folder("OUT_DIR")?.join(format!("{name}.rs")), format!("&[\n{rows}]\n"))
}

/// The folder that cargo names in a variable.
fn folder(variable: &str) -> io::Result<PathBuf> {
    env::var(variable).map(PathBuf::from).map_err(io::Error::other)
}

/// What some tests need and not every machine has. They are ignored where it is missing: `#[cfg_attr(not(shared), ignore = "…")]`.
///
/// Cargo cannot wait for what is not there: `tests/it/house/ignored.rs` says it when something has come.
fn look_for_what_tests_need() {
    println!(
        "cargo::rustc-check-cfg=cfg(shared, apache, nginx, systemd, curl, minisign, bash, man, gnu_parallel, virtuoso, pyshacl, python, text2sparql_client, fair, moto, snakemake)"
    );
    println!("cargo::rerun-if-env-changed=QASSAY_SHARED");
    let shared = env::var_os("QASSAY_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    let mirror = shared.join("data/mirror");
    if mirror.is_dir() {
        println!("cargo::rerun-if-changed={}", mirror.display());
        println!("cargo::rustc-cfg=shared");
    }
    if ["virtuoso-t", "isql-vt"].into_iter().all(is_installed) {
        println!("cargo::rustc-cfg=virtuoso");
    }
    if is_installed("apache2") {
        println!("cargo::rustc-cfg=apache");
    }
    if is_installed("nginx") {
        println!("cargo::rustc-cfg=nginx");
    }
    if is_installed("systemd-analyze") {
        println!("cargo::rustc-cfg=systemd");
    }
    if is_installed("python3") {
        println!("cargo::rustc-cfg=python");
    }
    if is_installed("curl") {
        println!("cargo::rustc-cfg=curl");
    }
    if is_installed("minisign") {
        println!("cargo::rustc-cfg=minisign");
    }
    if is_installed("bash") {
        println!("cargo::rustc-cfg=bash");
    }
    if is_installed("man") {
        println!("cargo::rustc-cfg=man");
    }
    // Nobody who installs the program should see others start.
    if !is_release() && has_pyshacl() {
        println!("cargo::rustc-cfg=pyshacl");
    }
    if !is_release() && has_gnu_parallel() {
        println!("cargo::rustc-cfg=gnu_parallel");
    }
    // Where scripts of `.ci` put what they install.
    for (script, cfg) in [
        ("text2sparql-client", "text2sparql_client"),
        ("fair", "fair"),
        ("moto", "moto"),
        ("snakemake", "snakemake"),
    ] {
        let complete = Path::new("target").join(script).join("complete");
        if complete.is_file() {
            println!("cargo::rerun-if-changed={}", complete.display());
            println!("cargo::rustc-cfg={cfg}");
        }
    }
}

fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn has_pyshacl() -> bool {
    let question = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pyshacl') is None)";
    Command::new("python3").args(["-c", question]).status().is_ok_and(|status| status.success())
}

/// Another program of this name is in moreutils.
fn has_gnu_parallel() -> bool {
    let version = Command::new("parallel").arg("--version").output();
    version.is_ok_and(|version| version.stdout.starts_with(b"GNU parallel"))
}

fn is_release() -> bool {
    env::var("PROFILE").is_ok_and(|profile| profile == "release")
}

/// Provenance names it (`qassay:gitCommit`). Debug builds do not ask, so that a commit does not rebuild them.
fn name_the_commit() -> io::Result<()> {
    if !is_release() || !Path::new(".git").exists() {
        return Ok(());
    }
    for watched in [".git/HEAD", ".git/index", "Cargo.toml", "Cargo.lock", "ontology", "queries", "datasets"]
    {
        println!("cargo::rerun-if-changed={watched}");
    }
    // The build of a wheel puts the program below `src/python`, and builds the module then: not everything once more.
    for folder in ["src", "src/python"] {
        for entry in fs::read_dir(folder)? {
            let name = entry?.file_name();
            if !["python", "wheel-data", "__pycache__"].iter().any(|other| name == *other) {
                println!("cargo::rerun-if-changed={folder}/{}", name.display());
            }
        }
    }
    let changed =
        git(&["status", "--porcelain", "--", "src", "ontology", "queries", "datasets", "Cargo.lock"]);
    if changed.is_some_and(|files| files.is_empty())
        && let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"])
    {
        println!("cargo::rustc-env=QASSAY_GIT_COMMIT={commit}");
    }
    Ok(())
}

/// What git prints; nothing where git or the history is missing.
fn git(arguments: &[&str]) -> Option<String> {
    // Who only asks writes no index, which is watched.
    let output = Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
