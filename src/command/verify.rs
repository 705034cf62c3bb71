//! `qassay verify`: checksums, constraints, re-execution.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use qassay::Result;
use qassay::graph::archive::file_digest;
use qassay::graph::store::Store;
use qassay::graph::{Archive, term};
use qassay::query::QueryFile;
use qassay::report::{Column, Format, Table};

use super::Output;
use super::archived::{Archived, ArchivedEvaluation, count_lines};
use super::reexecute::reexecute;
use crate::cli::Verify;

/// Runs the command: exit code 1 if anything is not as it should be.
pub(crate) fn run(arguments: &Verify, output: &Output) -> Result<ExitCode> {
    let (root, word) = place(arguments);
    let archive = Archive::open(&root)?;
    let mut findings = Findings::default();
    checksums(&archive, &mut findings, output)?;
    knowledge_bases(&archive, &mut findings);
    let archived = match Archived::open(archive) {
        Ok(archived) => archived,
        Err(error) => {
            // Without records and provenance nothing else can be looked at.
            findings.add("registry", "records and provenance", 0, vec![error.to_string()]);
            return print(arguments, &root, &findings, output);
        }
    };
    let chosen: Vec<&ArchivedEvaluation> = match word {
        Some(word) => vec![archived.find(word, None)?],
        None => archived.evaluations.iter().collect(),
    };
    registry(&archived, &mut findings)?;
    let progress = output.progress(chosen.len(), "verifying");
    for evaluation in chosen {
        constraints(&archived, evaluation, &mut findings)?;
        if !arguments.no_reexecution {
            let problems = reexecute(&archived, evaluation);
            findings.add("re-execution", &evaluation.iri, evaluation.digests.len() as u64, problems);
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    print(arguments, &root, &findings, output)
}

fn print(arguments: &Verify, root: &Path, findings: &Findings, output: &Output) -> Result<ExitCode> {
    let text = match arguments.format {
        Format::Json => findings.json(),
        format => findings.table(root).render(format)?,
    };
    output.result(&text)?;
    Ok(if findings.failed() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The argument names a folder with an archive, or an evaluation of the archive.
fn place(arguments: &Verify) -> (PathBuf, Option<&str>) {
    match &arguments.what {
        Some(what) if Path::new(what).is_dir() => (PathBuf::from(what), None),
        Some(what) => (arguments.archive.archive.clone(), Some(what)),
        None => (arguments.archive.archive.clone(), None),
    }
}

/// What was looked at and what was found.
#[derive(Default)]
struct Findings {
    rows: Vec<Finding>,
}

struct Finding {
    check: String,
    about: String,
    looked_at: u64,
    problems: Vec<String>,
}

impl Findings {
    fn add(&mut self, check: &str, about: &str, looked_at: u64, problems: Vec<String>) {
        self.rows.push(Finding { check: check.to_owned(), about: about.to_owned(), looked_at, problems });
    }

    fn failed(&self) -> bool {
        self.rows.iter().any(|finding| !finding.problems.is_empty())
    }

    fn table(&self, root: &Path) -> Table {
        let mut table = Table { title: format!("verified {}", root.display()), ..Table::default() };
        table.columns = vec![
            Column::text("check", "check"),
            Column::text("about", "about"),
            Column::number("looked at", "looked_at"),
            Column::text("result", "result"),
        ];
        for finding in &self.rows {
            let result = match finding.problems.len() {
                0 => "ok".to_owned(),
                1 => "1 problem".to_owned(),
                number => format!("{number} problems"),
            };
            table.rows.push(vec![
                finding.check.clone(),
                finding.about.clone(),
                finding.looked_at.to_string(),
                result,
            ]);
        }
        let problems =
            self.rows.iter().flat_map(|f| f.problems.iter().map(move |p| format!("{}: {p}", f.check)));
        table.notes = problems.collect();
        table
    }

    fn json(&self) -> String {
        let rows: Vec<serde_json::Value> = self
            .rows
            .iter()
            .map(|finding| {
                serde_json::json!({
                    "check": finding.check,
                    "about": finding.about,
                    "lookedAt": finding.looked_at,
                    "problems": finding.problems,
                })
            })
            .collect();
        format!("{:#}\n", serde_json::json!({ "ok": !self.failed(), "checks": rows }))
    }
}

/// Every kept file has the checksum that is its name.
fn checksums(archive: &Archive, findings: &mut Findings, output: &Output) -> Result<()> {
    let contents = archive.contents()?;
    let progress = output.progress(contents.len(), "checksums");
    let mut problems = Vec::new();
    for path in &contents {
        let named = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        match file_digest(path) {
            Err(error) => problems.push(error.to_string()),
            Ok(found) if found != named => {
                problems.push(format!("{}: has the checksum {found}", path.display()));
            }
            Ok(_) => {}
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    findings.add("checksums", "files and graphs", contents.len() as u64, problems);
    Ok(())
}

/// The files of every knowledge base are there, and its digest is theirs.
fn knowledge_bases(archive: &Archive, findings: &mut Findings) {
    match qassay::kb::check(archive) {
        Ok((0, _)) => {}
        Ok((looked_at, problems)) => {
            findings.add("knowledge bases", "digests and files", looked_at, problems);
        }
        Err(error) => findings.add("knowledge bases", "digests and files", 0, vec![error.to_string()]),
    }
}

/// Every registered graph and every described file is there, with the number of statements that the record says.
fn registry(archived: &Archived, findings: &mut Findings) -> Result<()> {
    let mut problems = Vec::new();
    for graph in &archived.graphs {
        let path = archived.archive.graph(&graph.sha256);
        match File::open(&path).and_then(count_lines) {
            Ok(lines) if lines == graph.statements => {}
            Ok(lines) => problems.push(format!(
                "<{}> has {lines} statements, its record says {}",
                graph.name, graph.statements
            )),
            Err(error) => problems.push(format!("<{}> cannot be read: {error}", graph.name)),
        }
    }
    let files = archived.metadata.select(QueryFile::find("report/files")?, &[])?;
    let looked_at = archived.graphs.len() + files.rows.len();
    for row in files.rows {
        let Some(Some(file)) = row.first().map(|cell| cell.as_ref().map(|c| term::text(c).into_owned()))
        else {
            continue;
        };
        let sha256 = file.rsplit('/').next().unwrap_or_default();
        if sha256.len() != 64 || !archived.archive.file(sha256).is_file() {
            problems.push(format!("<{file}> is not in the archive"));
        }
    }
    findings.add("registry", "graphs and files of the records", looked_at as u64, problems);
    Ok(())
}

/// The constraints of `queries/check/` over the graphs of one evaluation.
fn constraints(archived: &Archived, evaluation: &ArchivedEvaluation, findings: &mut Findings) -> Result<()> {
    let store = match load(archived, evaluation) {
        Ok(store) => store,
        Err(error) => {
            findings.add("constraints", &evaluation.iri, 0, vec![error.to_string()]);
            return Ok(());
        }
    };
    let mut problems = qassay::observe::lexical::violations(&store)?;
    let mut looked_at = 1;
    for query in QueryFile::folder("check") {
        let violations = store.select(query, &[])?;
        let name = query.name.trim_start_matches("check/");
        problems.extend(violations.rows.iter().map(|row| {
            let cells = row.iter().flatten().map(|cell| term::text(cell).into_owned());
            format!("{name} ({}): {}", query.title(), cells.collect::<Vec<_>>().join(", "))
        }));
        looked_at += 1;
    }
    findings.add("constraints", &evaluation.iri, looked_at, problems);
    Ok(())
}

/// The ontology, all records, and the graphs that belong to an evaluation.
fn load(archived: &Archived, evaluation: &ArchivedEvaluation) -> Result<Store> {
    let store = archived.store()?;
    let executions: Vec<&str> = evaluation.digests.iter().map(|(execution, _)| execution.as_str()).collect();
    let inputs = [&evaluation.gold[..16], &evaluation.answers[..32]];
    let asked = [format!("/{}/", inputs[0]), format!("/{}/", inputs[1])];
    let belongs = |subject: &str| {
        subject == evaluation.iri
            || executions.contains(&subject)
            || inputs.iter().any(|input| subject.ends_with(input))
            // Refreshed gold and executed answers are below the names of what they belong to.
            || asked.iter().any(|part| subject.contains(part.as_str()))
            || evaluation.references.iter().any(|(_, sha256)| subject.ends_with(&sha256[..32]))
    };
    for graph in archived.graphs.iter().filter(|graph| belongs(&graph.subject)) {
        archived.load(graph, &store)?;
    }
    Ok(store)
}
