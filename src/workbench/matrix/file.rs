//! The file of a matrix: which datasets, answers of systems, profiles and conditions are crossed. YAML, checked with its places.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::kb::allowance::Allowance;
use crate::profiles::choices::Choices;
use crate::profiles::own;
use crate::profiles::same_as::Mode;
use crate::references::ReferenceKind;
use crate::sources::file::source::Source;
use crate::sources::format::json::yaml::{self, YamlNode, YamlValue};
use crate::workbench::evaluate::SubmissionFile;
use crate::workbench::request::{GoldChoice, Request};

/// A matrix: each system of a dataset is scored with each profile under each condition.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// The datasets with the systems that answered them.
    pub datasets: Vec<MatrixDataset>,
    /// The profiles: names, or files of a user's own.
    pub profiles: Vec<String>,
    /// The conditions; where the file has none, one without anything.
    pub conditions: Vec<Condition>,
}

/// A dataset of a matrix.
#[derive(Debug, Clone)]
pub struct MatrixDataset {
    /// The gold standard: a file, or the name of a fetched one.
    pub gold: PathBuf,
    /// The answers of the systems.
    pub systems: Vec<SubmissionFile>,
}

/// What is referred to and chosen beside dataset, answers and profile.
#[derive(Debug, Clone, Default)]
pub struct Condition {
    /// What it is called: the name that the file gives, else what it consists of.
    pub name: String,
    references: Vec<(ReferenceKind, PathBuf)>,
    kb: Vec<String>,
    gold: GoldChoice,
    choices: Choices,
}

impl Condition {
    /// The request to score with a profile under this condition.
    ///
    /// # Errors
    /// Where there is no such profile.
    pub(super) fn request(&self, profile: &str, allowance: &Allowance) -> Result<Request> {
        Ok(Request {
            choices: Arc::new(self.choices.clone()),
            references: self.references.clone(),
            kb: self.kb.clone(),
            gold: self.gold,
            allowance: allowance.clone(),
            ..Request::with_profiles([profile])?
        })
    }

    /// Whether somebody is asked: what he is asked for depends on all that is scored together.
    pub(super) fn asks(&self) -> bool {
        !self.kb.is_empty() || self.references.iter().any(|(_, word)| !word.is_file())
    }
}

/// The kinds of references that a condition may have; the others belong to one dataset.
const REFERENCES: [&str; 4] = ["links", "labels", "types", "classes"];

impl Matrix {
    /// Reads a file. Paths in it begin at its folder.
    ///
    /// # Errors
    /// Where it cannot be read, or something in it is none of what is allowed there; with its line.
    pub fn read(path: &Path) -> Result<Self> {
        let source = Source::open(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let content = std::str::from_utf8(source.content()).map_err(|_| {
            Error::input("the file is no UTF-8").in_file(text::path(path)).allowed("YAML in UTF-8")
        })?;
        parse(content, folder).map_err(|error| error.in_file(text::path(path)))
    }

    /// How many evaluations it asks for, those of refreshed gold answers not counted twice.
    pub fn cells(&self) -> usize {
        let systems: usize = self.datasets.iter().map(|dataset| dataset.systems.len()).sum();
        systems * self.profiles.len() * self.conditions.len()
    }
}

fn parse(content: &str, folder: &Path) -> Result<Matrix> {
    let example =
        "`datasets:` with a list of `gold:` and `systems:`, and `profiles:`; see `qassay matrix ⌥help`";
    let Some(root) = yaml::parse(content)? else {
        return Err(Error::input("the file is empty").allowed(example));
    };
    let line = root.line;
    let mut matrix = Matrix { datasets: Vec::new(), profiles: Vec::new(), conditions: Vec::new() };
    for (key, node) in map(root, "the matrix", &["datasets", "profiles", "conditions"])? {
        match key.as_str() {
            "datasets" => {
                for node in list(node, "`datasets`")? {
                    matrix.datasets.push(dataset(node, folder)?);
                }
            }
            "profiles" => matrix.profiles = profiles(node, folder)?,
            _ => {
                for node in list(node, "`conditions`")? {
                    matrix.conditions.push(condition(node, folder)?);
                }
            }
        }
    }
    for (what, is_missing) in
        [("datasets", matrix.datasets.is_empty()), ("profiles", matrix.profiles.is_empty())]
    {
        if is_missing {
            return Err(at(line, format!("the matrix has no `{what}`")).allowed(example));
        }
    }
    if matrix.conditions.is_empty() {
        matrix.conditions.push(Condition { name: "-".to_owned(), ..Condition::default() });
    }
    Ok(matrix)
}

fn dataset(node: YamlNode<'_>, folder: &Path) -> Result<MatrixDataset> {
    let line = node.line;
    let (mut gold, mut systems) = (None, Vec::new());
    for (key, node) in map(node, "a dataset", &["gold", "systems"])? {
        if key == "gold" {
            gold = Some(place(folder, &one(node, "`gold`")?));
            continue;
        }
        let mut names = BTreeSet::new();
        for node in list(node, "`systems`")? {
            let line = node.line;
            let file = system(node, folder)?;
            let called = file.system.clone().unwrap_or_else(|| file.path.to_string_lossy().into_owned());
            if !names.insert(called.clone()) {
                return Err(at(line, format!("`{}` is there twice", text::name(&called)))
                    .hint("each system of a dataset has a name of its own: `name:`"));
            }
            systems.push(file);
        }
    }
    let Some(gold) = gold else {
        return Err(at(line, "the dataset has no `gold`").allowed("a file, or the name of a fetched one"));
    };
    if systems.is_empty() {
        return Err(at(line, "the dataset has no `systems`").allowed("a list of files of answers"));
    }
    Ok(MatrixDataset { gold, systems })
}

fn system(node: YamlNode<'_>, folder: &Path) -> Result<SubmissionFile> {
    if !matches!(node.value, YamlValue::Map(_)) {
        return Ok(SubmissionFile { path: place(folder, &one(node, "a system")?), system: None });
    }
    let line = node.line;
    let (mut path, mut system) = (None, None);
    for (key, node) in map(node, "a system", &["answers", "name"])? {
        match key.as_str() {
            "answers" => path = Some(place(folder, &one(node, "`answers`")?)),
            _ => system = Some(one(node, "`name`")?),
        }
    }
    let missing = || at(line, "the system has no `answers`").allowed("a file of answers");
    Ok(SubmissionFile { path: path.ok_or_else(missing)?, system })
}

fn profiles(node: YamlNode<'_>, folder: &Path) -> Result<Vec<String>> {
    let mut profiles = Vec::new();
    for node in list(node, "`profiles`")? {
        let line = node.line;
        let word = one(node, "a profile")?;
        let word = if own::is_file(&word) { place(folder, &word).display().to_string() } else { word };
        Request::with_profiles([word.as_str()]).map_err(|error| error.at(format!("line {line}")))?;
        if profiles.contains(&word) {
            return Err(at(line, format!("the profile `{}` is there twice", text::name(&word))));
        }
        profiles.push(word);
    }
    Ok(profiles)
}

fn condition(node: YamlNode<'_>, folder: &Path) -> Result<Condition> {
    let allowed = ["name", "links", "labels", "types", "classes", "kb", "gold", "same-as", "language"];
    let mut found = Condition::default();
    let mut told = Vec::new();
    for (key, node) in map(node, "a condition", &allowed)? {
        let line = node.line;
        let words = texts(node, &format!("`{key}`"))?;
        told.push(format!("{key} {}", words.join(",")));
        let single = || match words.as_slice() {
            [word] => Ok(word.as_str()),
            _ => Err(at(line, format!("`{key}` has {} values", words.len())).allowed("one")),
        };
        match key.as_str() {
            "name" => single()?.clone_into(&mut found.name),
            "kb" => found.kb.extend(words.iter().map(|word| place(folder, word).display().to_string())),
            "gold" => found.gold = word_of(single()?, line)?,
            "same-as" => found.choices.same_as = Some(word_of::<Mode>(single()?, line)?),
            "language" => found.choices.language = Some(single()?.to_owned()),
            kind => {
                let kind = REFERENCES.into_iter().find(|known| *known == kind).and_then(ReferenceKind::find);
                let words = words.iter().map(|word| place(folder, word));
                found.references.extend(words.filter_map(|word| Some((kind?, word))));
            }
        }
    }
    if found.name.is_empty() {
        found.name = if told.is_empty() { "-".to_owned() } else { told.join("; ") };
    }
    Ok(found)
}

/// A word of a choice.
fn word_of<W: ValueEnum>(word: &str, line: u64) -> Result<W> {
    W::from_str(word, false).map_err(|_| {
        let all = W::value_variants().iter().filter_map(W::to_possible_value);
        let all: Vec<String> = all.map(|value| value.get_name().to_owned()).collect();
        at(line, format!("`{}` is none of the words that may stand here", text::name(word)))
            .allowed(all.join(", "))
    })
}

/// A file below the folder of the matrix, where there is one; else a name, an address.
fn place(folder: &Path, word: &str) -> PathBuf {
    let below = folder.join(word);
    if below.exists() { below } else { PathBuf::from(word) }
}

fn at(line: u64, what: impl Into<String>) -> Error {
    Error::input(what).at(format!("line {line}"))
}

fn kind(node: &YamlNode<'_>) -> &'static str {
    match &node.value {
        YamlValue::Scalar(json) => json.kind(),
        YamlValue::List(_) => "a list",
        YamlValue::Map(_) => "a map",
    }
}

fn map<'a>(node: YamlNode<'a>, what: &str, allowed: &[&str]) -> Result<Vec<(String, YamlNode<'a>)>> {
    let (line, found) = (node.line, kind(&node));
    let YamlValue::Map(entries) = node.value else {
        return Err(
            at(line, format!("{what} is {found}")).allowed(format!("a map with {}", allowed.join(", ")))
        );
    };
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for (key, node) in entries {
        let key = key.into_owned();
        if !allowed.contains(&key.as_str()) {
            return Err(
                at(node.line, format!("{what} has no `{}`", text::name(&key))).allowed(allowed.join(", "))
            );
        }
        if !seen.insert(key.clone()) {
            return Err(at(node.line, format!("{what} has `{key}` twice")).allowed("each key once"));
        }
        all.push((key, node));
    }
    Ok(all)
}

fn list<'a>(node: YamlNode<'a>, what: &str) -> Result<Vec<YamlNode<'a>>> {
    let (line, found) = (node.line, kind(&node));
    match node.value {
        YamlValue::List(items) if !items.is_empty() => Ok(items),
        YamlValue::List(_) => Err(at(line, format!("{what} is empty")).allowed("at least one")),
        _ => Err(at(line, format!("{what} is {found}")).allowed("a list: one `- ` for each")),
    }
}

fn one(node: YamlNode<'_>, what: &str) -> Result<String> {
    let (line, found) = (node.line, kind(&node));
    let text = match node.value {
        YamlValue::Scalar(json) => json.into_scalar(),
        YamlValue::List(_) | YamlValue::Map(_) => None,
    };
    text.filter(|text| !text.is_empty())
        .ok_or_else(|| at(line, format!("{what} is {found}")).allowed("a text that is not empty"))
}

fn texts(node: YamlNode<'_>, what: &str) -> Result<Vec<String>> {
    if !matches!(node.value, YamlValue::List(_)) {
        return Ok(vec![one(node, what)?]);
    }
    list(node, what)?.into_iter().map(|node| one(node, what)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(content: &str) -> String {
        parse(content, Path::new("")).unwrap_err().to_string()
    }

    #[test]
    fn everything_is_crossed() {
        let content = "datasets:\n  - gold: g.json\n    systems: [a.json, {answers: b.json, name: B}]\n\
            profiles: [qassay, gerbil]\nconditions:\n  - {}\n  - {links: [l.nt, m.nt], same-as: closure}\n";
        let matrix = parse(content, Path::new("")).unwrap();
        assert_eq!(matrix.cells(), 8);
        assert_eq!(matrix.datasets[0].systems[1].system.as_deref(), Some("B"));
        let names: Vec<&str> = matrix.conditions.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["-", "links l.nt,m.nt; same-as closure"]);
        let request = matrix.conditions[1].request("gerbil", &Allowance::default()).unwrap();
        assert_eq!((request.references.len(), request.choices.same_as), (2, Some(Mode::Closure)));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let dataset = "datasets:\n  - gold: g.json\n    systems: [a.json]\n";
        for (content, told) in [
            ("", "the file is empty"),
            ("- x", "line 1: the matrix is a list"),
            ("data: 1", "line 1: the matrix has no `data`"),
            ("profiles: [qassay]", "the matrix has no `datasets`"),
            (dataset, "the matrix has no `profiles`"),
            (&format!("{dataset}profiles: qassay"), "line 4: `profiles` is a text"),
            (&format!("{dataset}profiles:\n  - qasay\n"), "line 5"),
            (
                &format!("{dataset}profiles:\n  - qassay\n  - qassay\n"),
                "line 6: the profile `qassay` is there twice",
            ),
            (
                &format!("{dataset}profiles: [qassay]\nconditions: [{{gold: old}}]"),
                "line 5: `old` is none of",
            ),
            (&format!("{dataset}profiles: [qassay]\nconditions: []"), "line 5: `conditions` is empty"),
            ("datasets:\n  - gold: g\n    systems: [a, a]\n", "line 3: `a` is there twice"),
            ("datasets:\n  - gold: g\n    systems: [{name: b}]\n", "line 3: the system has no `answers`"),
            ("datasets:\n  - systems: [a]\n", "line 2: the dataset has no `gold`"),
            ("datasets:\n  - gold: [g]\n", "line 2: `gold` is a list"),
            ("a: b\na: [", "line 3, column 1: this is no valid YAML"),
        ] {
            let error = refused(content);
            assert!(error.contains(told), "{content}\n{error}\n{told}");
        }
    }
}
