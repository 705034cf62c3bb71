//! What strangers send: the fields of forms, and files, which go into a folder of theirs until something is made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest as _, Multipart, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use tempfile::TempDir;

use crate::base::clock::Stopwatch;
use crate::base::error::Error;
use crate::base::limits::bytes;
use crate::base::text;
use crate::base::token::SecretToken;
use crate::serve::place::MOST_SENT;
use crate::serve::replies::HttpProblem;
use crate::sources::catalogue::by_name;

/// The most bytes of a file.
pub(crate) const MOST_OF_FILE: u64 = 32 << 20;

/// The most bytes of a form with its files.
pub(crate) const MOST_OF_FORM: usize = 64 << 20;

/// The most files of a form.
pub(crate) const MOST_FILES: usize = 10;

/// The most fields of a form.
const MOST_FIELDS: usize = 500;

/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 100;

/// How long files are kept of which nothing was made.
pub(crate) const KEPT: Duration = Duration::from_secs(3600);

/// How many forms' files are kept at a time.
const MOST_KEPT: usize = 100;

/// A form as it was sent.
#[derive(Debug)]
pub(crate) struct SentForm {
    /// The values, by the names of fields.
    pub(crate) fields: BTreeMap<String, Vec<String>>,
    /// The files.
    pub(crate) tray: UploadTray,
}

/// Files that were sent, in a folder that goes with this.
#[derive(Debug)]
pub(crate) struct UploadTray {
    pub(crate) folder: TempDir,
    /// The field and the name of each.
    pub(crate) files: Vec<(String, String)>,
}

impl SentForm {
    /// Reads a form, with files or without; files go into the folder.
    pub(crate) async fn read(request: Request, folder: TempDir) -> Result<Self, HttpProblem> {
        let stated =
            request.headers().get(CONTENT_TYPE).and_then(|one| one.to_str().ok()).unwrap_or_default();
        let media_type = stated.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let mut form = Self { fields: BTreeMap::new(), tray: UploadTray { folder, files: Vec::new() } };
        match media_type.as_str() {
            "multipart/form-data" => form.read_parts(request).await?,
            "application/x-www-form-urlencoded" => {
                let body =
                    to_bytes(request.into_body(), MOST_SENT).await.map_err(|_| too_large("the form"))?;
                for (name, value) in form_urlencoded::parse(&body) {
                    form.put(&name, &value)?;
                }
            }
            // Who says nothing says so by an empty body, too.
            "" if to_bytes(request.into_body(), MOST_SENT).await.is_ok_and(|body| body.is_empty()) => {}
            _ => {
                return Err(HttpProblem::new(
                    StatusCode::UNSUPPORTED_MEDIA_TYPE,
                    "media-type",
                    "a form is not sent as this",
                )
                .allowed("multipart/form-data, application/x-www-form-urlencoded"));
            }
        }
        Ok(form)
    }

    async fn read_parts(&mut self, request: Request) -> Result<(), HttpProblem> {
        let broken = |error: MultipartError| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large("the form"),
            _ => HttpProblem::new(StatusCode::BAD_REQUEST, "form", "the form is not whole"),
        };
        let mut parts = Multipart::from_request(request, &()).await.map_err(|_| {
            HttpProblem::new(StatusCode::BAD_REQUEST, "form", "the form does not say where its parts end")
        })?;
        let mut count = 0;
        while let Some(mut part) = parts.next_field().await.map_err(broken)? {
            // Empty ones cost too.
            count += 1;
            if count > MOST_FIELDS + MOST_FILES {
                return Err(too_large("the form"));
            }
            let name = part.name().unwrap_or_default().to_owned();
            let Some(file_name) = part.file_name().map(str::to_owned) else {
                let mut value = Vec::new();
                while let Some(chunk) = part.chunk().await.map_err(broken)? {
                    value.extend_from_slice(&chunk);
                    if value.len() > MOST_SENT {
                        return Err(too_large("a field"));
                    }
                }
                let value = String::from_utf8(value)
                    .map_err(|_| HttpProblem::new(StatusCode::BAD_REQUEST, "form", "a field is no UTF-8"))?;
                self.put(&name, &value)?;
                continue;
            };
            let folder = self.tray.folder.path().to_path_buf();
            let failed = |error: &std::io::Error| HttpProblem::told(Error::io("keep a file", &folder, error));
            let mut kept = tempfile::tempfile().map_err(|error| failed(&error))?;
            let mut size = 0;
            while let Some(chunk) = part.chunk().await.map_err(broken)? {
                size += chunk.len() as u64;
                if size > MOST_OF_FILE {
                    return Err(HttpProblem::of(
                        StatusCode::PAYLOAD_TOO_LARGE,
                        "size",
                        Error::input(format!("the file has more than {}", bytes(MOST_OF_FILE)))
                            .in_file(text::name(&file_name).into_owned())
                            .hint("packed files are taken too; or run it on your machine: `qassay evaluate`"),
                    ));
                }
                kept.write_all(&chunk).map_err(|error| failed(&error))?;
            }
            // What a browser sends for a field without file.
            if size == 0 && file_name.is_empty() {
                continue;
            }
            if self.tray.files.len() == MOST_FILES {
                return Err(too_many());
            }
            self.tray.take(&name, &file_name, kept).map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    fn put(&mut self, name: &str, value: &str) -> Result<(), HttpProblem> {
        let count: usize = self.fields.values().map(Vec::len).sum();
        if count == MOST_FIELDS {
            return Err(too_large("the form"));
        }
        let value = value.trim().to_owned();
        if !value.is_empty() {
            self.fields.entry(name.to_owned()).or_default().push(value);
        }
        Ok(())
    }

    /// The first value of a field.
    pub(crate) fn first(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.first().map(String::as_str)
    }

    /// The values of a field; in one value several are separated by commas.
    pub(crate) fn parted(&self, name: &str) -> Vec<String> {
        let all = self.fields.get(name).into_iter().flatten();
        let parts = all.flat_map(|value| value.split(',')).map(|part| part.trim().to_owned());
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// The names of the files of a field.
    pub(crate) fn files(&self, name: &str) -> Vec<String> {
        self.tray.of(name)
    }

    /// What is wrong with the names of its fields: where a text or a file is in none that takes it.
    pub(crate) fn unknown(&self, texts: &[&str], files: &[&str]) -> Vec<(String, Error)> {
        let sent = |names: BTreeSet<&String>, (own, others): (&[&str], &[&str]), what: [&str; 2]| {
            let of_field = |name: &String| {
                let known = own.contains(&name.as_str());
                let [own_kind, other] = what;
                let is_other = others.contains(&name.as_str());
                let said = if is_other {
                    format!("`{name}` is a {other}, and was sent as a {own_kind}")
                } else {
                    format!("there is no field `{}`", text::name(name))
                };
                let error = Error::input(said);
                let error = if own.is_empty() { error } else { error.allowed(own.join(", ")) };
                (!known).then(|| (name.clone(), error))
            };
            names.into_iter().filter_map(of_field).collect::<Vec<_>>()
        };
        let of_files = self.tray.files.iter().map(|(field, _)| field).collect();
        let mut all = sent(self.fields.keys().collect(), (texts, files), ["text", "file"]);
        all.extend(sent(of_files, (files, texts), ["file", "text"]));
        all
    }

    /// An error where a field is none of these texts.
    pub(crate) fn refuse_unknown(&self, texts: &[&str]) -> Result<(), HttpProblem> {
        let unknown = self.unknown(texts, &[]);
        if unknown.is_empty() { Ok(()) } else { Err(HttpProblem::fields(&unknown)) }
    }
}

impl UploadTray {
    /// The names of the files of a field.
    pub(crate) fn of(&self, name: &str) -> Vec<String> {
        let of_field = self.files.iter().filter(|(field, _)| field == name);
        of_field.map(|(_, file)| file.clone()).collect()
    }

    /// Takes a file in, under its own name as far as that can be one.
    fn take(&mut self, field: &str, stated: &str, mut content: std::fs::File) -> std::io::Result<()> {
        use std::io::Seek as _;
        let name = (1..=MOST_FILES)
            .map(|number| file_name(stated, number))
            .find(|name| !self.files.iter().any(|(_, known)| known.eq_ignore_ascii_case(name)))
            .unwrap_or_default();
        content.rewind()?;
        let mut file = std::fs::File::create_new(self.folder.path().join(&name))?;
        std::io::copy(&mut content, &mut file)?;
        self.files.push((field.to_owned(), name));
        Ok(())
    }

    /// Takes the files of another one; of a field that is sent again, those of before go.
    fn join(&mut self, before: &Self) -> std::io::Result<()> {
        let fields: Vec<String> = self.files.iter().map(|(field, _)| field.clone()).collect();
        for (field, name) in &before.files {
            if !fields.contains(field) {
                self.take(field, name, std::fs::File::open(before.folder.path().join(name))?)?;
            }
        }
        Ok(())
    }
}

/// What a file is called here, for the so-manyth file of that name: its last part without what could command a terminal, be hidden,
/// or an option.
fn file_name(stated: &str, number: usize) -> String {
    let last = stated.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name: String = last.chars().filter(|one| !one.is_control()).collect();
    while name.len() > LONGEST_NAME {
        name.pop();
    }
    let name = match name.trim() {
        "" | "." | ".." => "file",
        name => name,
    };
    let safe = if name.starts_with(['.', '-', '~']) || name.contains(['+', ':']) {
        format!("file-{}", name.trim_start_matches(['.', '-', '~']).replace(['+', ':'], "-"))
    } else {
        name.to_owned()
    };
    let (stem, ending) = match safe.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
        // A file that is called like something of the catalogue would be that.
        _ if by_name(&safe).is_some() => (safe.as_str(), ".file".to_owned()),
        _ => (safe.as_str(), String::new()),
    };
    if number == 1 { format!("{stem}{ending}") } else { format!("{stem}-{number}{ending}") }
}

fn too_many() -> HttpProblem {
    let error = Error::input(format!("there are more than {MOST_FILES} files"));
    HttpProblem::of(StatusCode::PAYLOAD_TOO_LARGE, "size", error)
}

fn too_large(what: &str) -> HttpProblem {
    HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, "size", &format!("{what} is larger than it may be"))
}

/// Files of forms that could not be used, for an hour: nobody has to send them again.
#[derive(Debug, Default)]
pub(crate) struct KeptTrays(Mutex<Vec<(SecretToken, UploadTray, Stopwatch)>>);

impl KeptTrays {
    /// Keeps files; gives the secret that names them.
    pub(crate) fn keep(&self, tray: UploadTray) -> Option<SecretToken> {
        let token = SecretToken::random().ok()?;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_KEPT {
            all.remove(0);
        }
        all.push((token.clone(), tray, Stopwatch::start()));
        Some(token)
    }

    /// Adds the files that were kept to a form that names them.
    pub(crate) fn complete(&self, form: &mut SentForm) -> Result<(), HttpProblem> {
        self.clear();
        let token = form.fields.remove("uploads").and_then(|all| SecretToken::parse(all.first()?));
        let Some(token) = token else { return Ok(()) };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = all.iter().position(|(known, ..)| token.is(&known.sha256())) else { return Ok(()) };
        let (_, before, _) = all.remove(at);
        drop(all);
        let is_again = |field: &String| form.tray.files.iter().any(|(again, _)| again == field);
        let stay = before.files.iter().filter(|(field, _)| !is_again(field)).count();
        if form.tray.files.len() + stay > MOST_FILES {
            return Err(too_many());
        }
        let folder = form.tray.folder.path().to_path_buf();
        form.tray.join(&before).map_err(|error| HttpProblem::told(Error::io("keep a file", &folder, &error)))
    }

    /// Removes what was kept long enough.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|(.., since)| since.elapsed() < KEPT);
    }
}

/// The bytes that a folder's file system has left; nothing where nobody knows.
#[cfg(target_os = "linux")]
pub(crate) fn space_left(folder: &Path) -> Option<u64> {
    let known = rustix::fs::statvfs(folder).ok()?;
    Some(known.f_bavail.saturating_mul(known.f_frsize))
}

/// Elsewhere nobody knows.
#[cfg(not(target_os = "linux"))]
pub(crate) fn space_left(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_strangers_are_names_of_files_here() {
        for (stated, name) in [
            ("answers.json", "answers.json"),
            ("../../etc/passwd", "passwd"),
            ("C:\\x\\a.xml", "a.xml"),
            ("..", "file"),
            ("", "file"),
            (".hidden.json", "file-hidden.json"),
            ("--archive=x", "file-archive=x"),
            ("a+b.json", "file-a-b.json"),
            ("a\u{0}\n.json", "a.json"),
            ("ä 😀.json", "ä 😀.json"),
            ("qald-9-test", "qald-9-test.file"),
        ] {
            assert_eq!(file_name(stated, 1), name, "{stated}");
        }
        assert_eq!(file_name("a.json", 2), "a-2.json");
        assert!(file_name(&"ä".repeat(9_000), 1).len() <= LONGEST_NAME);
    }
}
