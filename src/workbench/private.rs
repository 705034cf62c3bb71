//! Private work: each run is a folder of its own below the archive, with what was sent, an archive of what came of it, and where
//! it stands. Nothing that is published is made of it before it is published itself.
//!
//! A run has two secrets. Who knows the one for managing knows the one for looking, which follows from it. The folder is called
//! by the checksum of the latter: from what is kept neither follows.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::clock::now;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::token::SecretToken;
use crate::sources::archive::Archive;
use crate::workbench::run::{PublicRun, PublishWish, RunPart};
use crate::workbench::run_request::RunRequest;

/// Where runs are, below the folder of an archive.
pub const PRIVATE: &str = "private";

/// The right to look, which follows from that to manage.
const LOOK: &str = "look";

/// Where a run stands.
const STATE: &str = "run.json";

/// The folder of what was sent.
const FILES: &str = "files";

/// The folder of what came of it.
const ARCHIVE: &str = "archive";

/// The folder of notes which run the secrets of assessors are for.
const POINTERS: &str = "assessors";

/// The secret of the server.
const SECRET: &str = "secret";

/// The file that the server locks which does runs.
const LOCK: &str = "lock";

/// What begins the names of folders that are being made, or removed.
const PART: &str = ".part-";

/// What is kept of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The checksum of the secret for managing.
    pub manage: String,
    /// When it was begun, in UTC.
    pub started: String,
    /// The day on which somebody looked last.
    pub visited: String,
    /// What is wanted.
    pub request: RunRequest,
    /// Its parts, one for each dataset and system.
    pub parts: Vec<RunPart>,
    /// The checksums of the key and of the form of a request that is to be done once.
    #[serde(default)]
    pub once: Option<[String; 2]>,
    /// What was said of its publication when it was begun.
    #[serde(default)]
    pub stated: PublishWish,
    /// Who wants it published when all is done.
    pub wish: Option<PublishWish>,
    /// Why it was not published.
    pub refused: Option<Error>,
    /// What is public of it.
    pub published: Option<PublicRun>,
}

/// The secrets of a run.
#[derive(Debug, Clone)]
pub struct RunSecrets {
    /// For looking.
    pub look: SecretToken,
    /// For managing; nothing for who may look only.
    pub manage: Option<SecretToken>,
}

impl RunSecrets {
    /// Of who may manage.
    pub fn managing(manage: SecretToken) -> Self {
        Self { look: manage.weaker(LOOK), manage: Some(manage) }
    }

    /// Of who may look.
    pub fn looking(look: SecretToken) -> Self {
        Self { look, manage: None }
    }
}

/// A run, by its folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunFolder(PathBuf);

impl RunFolder {
    /// What it is called: a checksum.
    pub fn name(&self) -> &str {
        self.0.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What was sent.
    pub fn files(&self) -> PathBuf {
        self.0.join(FILES)
    }

    /// Where it is noted what is about to be public.
    pub fn note(&self) -> PathBuf {
        self.0.join("publishing.json")
    }

    /// The archive of what came of it.
    pub fn archive(&self) -> PathBuf {
        self.0.join(ARCHIVE)
    }

    /// Where it stands.
    ///
    /// # Errors
    /// Where that cannot be read.
    pub fn read(&self) -> Result<RunRecord> {
        let path = self.0.join(STATE);
        let text = fs::read_to_string(&path).map_err(|error| Error::io("read the run", &path, &error))?;
        serde_json::from_str(&text).map_err(|error| {
            Error::system(format!("the run is damaged: {error}")).in_file(path.display().to_string())
        })
    }

    /// Keeps where it stands, whole or not at all.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, record: &RunRecord) -> Result<()> {
        let text = serde_json::to_vec_pretty(record).map_err(|error| Error::system(error.to_string()))?;
        write_whole(&self.0.join(STATE), &text)
    }

    /// Removes what was sent and what came of it; where it stands is kept.
    ///
    /// # Errors
    /// Where it cannot be removed.
    pub fn empty(&self) -> Result<()> {
        [self.files(), self.archive()].iter().filter(|path| path.exists()).try_for_each(|path| {
            fs::remove_dir_all(path).map_err(|error| Error::io("remove the folder", path, &error))
        })
    }
}

/// The private work below an archive.
#[derive(Debug)]
pub struct PrivateRuns {
    root: PathBuf,
    mint: Mint,
    /// Held by the one server that does runs; nothing: another one does, and this one looks.
    lock: Option<fs::File>,
}

impl PrivateRuns {
    /// Below the folder of an archive. One server at a time does runs: it removes what was not made, or not removed, to its end.
    ///
    /// # Errors
    /// Where there is no archive, or what was left cannot be removed.
    pub fn open(archive: &Path) -> Result<Self> {
        let mint = Archive::open(archive)?.mint().clone();
        let archive =
            fs::canonicalize(archive).map_err(|error| Error::io("find the folder", archive, &error))?;
        let root = archive.join(PRIVATE);
        let lock = fs::create_dir_all(&root).and_then(|()| fs::File::create(root.join(LOCK))).ok();
        let lock = lock.filter(|lock| lock.try_lock().is_ok());
        let runs = Self { root, mint, lock };
        if !runs.is_owner() {
            return Ok(runs);
        }
        for path in runs.folders()? {
            if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PART)) {
                fs::remove_dir_all(&path).map_err(|error| Error::io("remove the folder", &path, &error))?;
            }
        }
        Ok(runs)
    }

    /// Whether runs are done here: no other server of the archive does them, and it can be written.
    pub fn is_owner(&self) -> bool {
        self.lock.is_some()
    }

    /// What the IRIs of the archive begin with.
    pub fn base(&self) -> &str {
        self.mint.base()
    }

    /// The secret of the server itself, from which the secrets of requests that are to be done once follow.
    ///
    /// # Errors
    /// Where it cannot be read or made.
    pub fn secret(&self) -> Result<SecretToken> {
        let path = self.root.join(SECRET);
        if let Ok(text) = fs::read_to_string(&path)
            && let Some(secret) = SecretToken::parse(text.trim())
        {
            return Ok(secret);
        }
        let secret = SecretToken::random()?;
        self.make().map_err(|error| Error::io("make the folder", &self.root, &error))?;
        write_whole(&path, secret.text().as_bytes())?;
        Ok(secret)
    }

    /// The folder is for nobody else on the machine.
    fn make(&self) -> std::io::Result<()> {
        fs::create_dir_all(&self.root)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&self.root, fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    }

    fn folders(&self) -> Result<Vec<PathBuf>> {
        let failed = |error: &std::io::Error| Error::io("list the folder", &self.root, error);
        let listed = match fs::read_dir(&self.root) {
            Ok(listed) => listed,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(&error)),
        };
        let mut all: Vec<PathBuf> = listed
            .map(|one| one.map(|one| one.path()).map_err(|error| failed(&error)))
            .collect::<Result<_>>()?;
        all.retain(|path| path.is_dir());
        all.sort();
        Ok(all)
    }

    /// A folder for files that are sent; it is removed with what is given, unless a run is made of it.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn tray(&self) -> Result<tempfile::TempDir> {
        let made = self.make().and_then(|()| tempfile::Builder::new().prefix(PART).tempdir_in(&self.root));
        made.map_err(|error| Error::io("make the folder", &self.root, &error))
    }

    /// Makes a run of a tray: its files become those of the run.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn begin(
        &self,
        tray: tempfile::TempDir,
        (request, said, is_public): (RunRequest, PublishWish, bool),
        once: Option<[String; 2]>,
        secrets: &RunSecrets,
    ) -> Result<RunFolder> {
        let started = now()?.date_time;
        let made = self.tray()?;
        let part = RunFolder(made.path().to_path_buf());
        let parts = request
            .golds()
            .flat_map(|gold| request.answers.iter().map(|answers| RunPart::new(gold, answers)))
            .collect();
        let manage = secrets.manage.as_ref().map(SecretToken::sha256).unwrap_or_default();
        let visited = day(&started).to_owned();
        part.keep(&RunRecord {
            manage,
            started,
            visited,
            request,
            parts,
            once,
            wish: is_public.then(|| said.clone()),
            stated: said,
            refused: None,
            published: None,
        })?;
        Archive::create_for(&part.archive(), &self.mint)?;
        let files = tray.keep();
        let failed = |error: std::io::Error| Error::io("make the folder", &self.root, &error);
        fs::rename(&files, part.files()).map_err(failed)?;
        let folder = RunFolder(self.root.join(secrets.look.sha256()));
        // From here on it is there as a whole.
        fs::rename(made.keep(), &folder.0).map_err(failed)?;
        Ok(folder)
    }

    /// The run whose secret somebody knows: nothing where there is none, and nothing where it is the wrong one.
    pub fn find(&self, secrets: &RunSecrets) -> Option<RunFolder> {
        let folder = RunFolder(self.root.join(secrets.look.sha256()));
        let record = folder.read().ok()?;
        secrets.manage.as_ref().is_none_or(|manage| manage.is(&record.manage)).then_some(folder)
    }

    /// Notes that somebody's secret is for a run.
    ///
    /// # Errors
    /// Where it cannot be noted.
    pub fn point(&self, sha256: &str, run: &RunFolder) -> Result<()> {
        let folder = self.root.join(POINTERS);
        fs::create_dir_all(&folder).map_err(|error| Error::io("make the folder", &folder, &error))?;
        write_whole(&folder.join(sha256), run.name().as_bytes())
    }

    /// The run that somebody's secret is for.
    pub fn pointed(&self, token: &SecretToken) -> Option<RunFolder> {
        let name = fs::read_to_string(self.root.join(POINTERS).join(token.sha256())).ok()?;
        let folder = RunFolder(self.root.join(name));
        folder.0.join(STATE).is_file().then_some(folder)
    }

    /// All runs.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn all(&self) -> Result<Vec<RunFolder>> {
        Ok(self
            .folders()?
            .into_iter()
            .map(RunFolder)
            .filter(|folder| folder.0.join(STATE).is_file())
            .collect())
    }

    /// Removes a run: from one moment to the next there is none.
    ///
    /// # Errors
    /// Where it cannot be removed.
    pub fn remove(&self, run: &RunFolder) -> Result<()> {
        let gone = self.root.join(format!("{PART}{}", run.name()));
        let failed = |error: std::io::Error| Error::io("remove the run", &run.0, &error);
        match fs::rename(&run.0, &gone) {
            // Somebody else was as quick.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            renamed => renamed.map_err(failed)?,
        }
        for note in fs::read_dir(self.root.join(POINTERS)).into_iter().flatten().flatten() {
            if fs::read_to_string(note.path()).is_ok_and(|name| name == run.name()) {
                fs::remove_file(note.path()).map_err(failed)?;
            }
        }
        fs::remove_dir_all(&gone).map_err(failed)
    }
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// Where it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    use std::io::Write as _;
    let failed = |error: &std::io::Error| Error::io("write the file", path, error);
    let folder = path.parent().unwrap_or(path);
    let mut part = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    part.write_all(bytes).map_err(|error| failed(&error))?;
    part.as_file().sync_all().map_err(|error| failed(&error))?;
    part.persist(path).map_err(|error| failed(&error.error)).map(drop)
}

/// The day of a time in UTC.
pub fn day(time: &str) -> &str {
    time.split('T').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_look_may_not_manage() {
        let folder = tempfile::tempdir().unwrap();
        Archive::create(folder.path()).unwrap();
        let runs = PrivateRuns::open(folder.path()).unwrap();
        let tray = runs.tray().unwrap();
        fs::write(tray.path().join("a.json"), "{}").unwrap();
        let secrets = RunSecrets::managing(SecretToken::random().unwrap());
        let run =
            runs.begin(tray, (RunRequest::default(), PublishWish::default(), false), None, &secrets).unwrap();
        assert_eq!(fs::read(run.files().join("a.json")).unwrap(), b"{}");
        assert_eq!(runs.find(&secrets).as_ref(), Some(&run));
        assert_eq!(runs.find(&RunSecrets::looking(secrets.look.clone())).as_ref(), Some(&run));
        assert_eq!(runs.find(&RunSecrets::managing(secrets.look.clone())), None);
        assert_eq!(runs.find(&RunSecrets::managing(SecretToken::random().unwrap())), None);
        // Whoever reads the folder learns neither secret.
        let kept = fs::read_to_string(run.0.join(STATE)).unwrap();
        assert!(!kept.contains(&secrets.look.text()) && !run.name().contains(&secrets.look.text()));
        runs.remove(&run).unwrap();
        assert_eq!((runs.find(&secrets), runs.all().unwrap()), (None, Vec::new()));
    }

    #[test]
    fn what_was_begun_only_is_cleared() {
        let folder = tempfile::tempdir().unwrap();
        Archive::create(folder.path()).unwrap();
        let runs = PrivateRuns::open(folder.path()).unwrap();
        let left = runs.tray().unwrap().keep();
        // Another server beside this one leaves it alone.
        assert!(runs.is_owner() && !PrivateRuns::open(folder.path()).unwrap().is_owner());
        assert!(left.is_dir());
        drop(runs);
        PrivateRuns::open(folder.path()).unwrap();
        assert!(!left.exists());
    }
}
