//! A record from an address: one packed file, or a folder of a web host, whose list of checksums says what there is. What
//! arrives is checked by whoever verifies the record.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use reqwest::header::ACCEPT_ENCODING;
use reqwest::{StatusCode, Url};

use crate::base::error::{Error, Result};
use crate::base::limits::{Bound, MOST_UNSIZED, endless};
use crate::base::text;
use crate::sources::fetch::http::FailedTry;
use crate::sources::file::pack::{refuse_many, refuse_outside};
use crate::sources::format::meter::whole;
use crate::sources::net::client::{Client, address};
use crate::sources::net::failure::deepest;
use crate::sources::net::patience::Patience;
use crate::sources::net::redirect::Redirects;

/// What a list of checksums is called.
const SUMS: &str = "SHA256SUMS";

/// What a signature over it is called.
const SIGNATURE: &str = "SHA256SUMS.minisig";

/// What packed records end with.
const PACKED: [&str; 4] = [".zip", ".tar.gz", ".tgz", ".tar"];

/// Downloads a record into an empty folder: gives the packed file, or the folder.
///
/// # Errors
/// Where the address is none, the server does not give the file or the list, or there is more than a limit of qassay.
pub fn download(place: &str, into: &Path, patience: Patience) -> Result<PathBuf> {
    let url = address(place, "a record", "messages show addresses: leave it out")?;
    let client = Client::new(patience, Redirects::Anywhere)?;
    let mut download = RecordDownload { client, left: Bound::DISK.most };
    if PACKED.iter().any(|ending| url.path().ends_with(ending)) {
        let file = into.join("record");
        download.expect(&url, &file)?;
        return Ok(file);
    }
    download.folder(&url, into)?;
    Ok(into.to_path_buf())
}

/// The download of a record.
struct RecordDownload {
    client: Client,
    /// How many bytes may still come.
    left: u64,
}

impl RecordDownload {
    /// All files that the list of a folder names. One that the host does not have is missed by whoever verifies.
    fn folder(&mut self, url: &Url, into: &Path) -> Result<()> {
        let list = into.join(SUMS);
        self.expect(&below(url, SUMS)?, &list)?;
        if fs::metadata(&list).is_ok_and(|facts| facts.len() > MOST_UNSIZED) {
            return Err(endless("the list", MOST_UNSIZED).in_file(url.as_str()));
        }
        self.file(&below(url, SIGNATURE)?, &into.join(SIGNATURE))?;
        let content = whole(&list)?;
        for (line, number) in String::from_utf8_lossy(&content).lines().zip(1..) {
            let Some((_, name)) = line.split_once("  ") else { continue };
            refuse_many(number)?;
            refuse_outside(name).map_err(|error| error.in_file(url.as_str()))?;
            let place = into.join(name);
            let folder = place.parent().unwrap_or(into);
            fs::create_dir_all(folder).map_err(|error| Error::io("create the folder", folder, &error))?;
            self.file(&below(url, name)?, &place)?;
        }
        Ok(())
    }

    /// A file that must be there.
    fn expect(&mut self, url: &Url, place: &Path) -> Result<()> {
        if self.file(url, place)? {
            return Ok(());
        }
        Err(Error::input("the host has no such file").in_file(url.as_str()).allowed(format!(
            "the address of a record that ends with {}, or of a folder with {SUMS}",
            PACKED.join(", ")
        )))
    }

    /// Downloads a file; says whether the host has it.
    fn file(&mut self, url: &Url, place: &Path) -> Result<bool> {
        let attempt = || self.attempt(url, place);
        let tried = self.client.patience.tries(attempt, |failed: &FailedTry| failed.again, |_, _| {});
        let bytes = tried.map_err(|failed| failed.error)?;
        self.left -= bytes.unwrap_or_default();
        Ok(bytes.is_some())
    }

    /// One try; gives the number of bytes, and nothing where the host has no such file.
    fn attempt(&self, url: &Url, place: &Path) -> Result<Option<u64>, FailedTry> {
        let request = self.client.http.get(url.clone()).header(ACCEPT_ENCODING, "identity");
        let failed = |failure: &_| FailedTry::of_exchange(url.as_str(), failure);
        let reply = self.client.exchange(request, None).map_err(|failure| failed(&failure))?;
        match reply.status {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND | StatusCode::GONE => return Ok(None),
            status => return Err(FailedTry::of_status(url.as_str(), status, reply.asked_wait())),
        }
        let mut body = reply.stream().map_err(|failure| failed(&failure))?.take(self.left.saturating_add(1));
        let mut file = File::create(place).map_err(|error| Error::io("create the file", place, &error))?;
        let bytes = io::copy(&mut body, &mut file).map_err(|error| {
            let what = format!("the download of {} broke off: {}", text::path(place), deepest(&error));
            FailedTry::passing(Error::system(what).in_file(url.as_str()))
        })?;
        if bytes > self.left {
            return Err(endless("the record", Bound::DISK.most).in_file(url.as_str()).into());
        }
        Ok(Some(bytes))
    }
}

/// The address of a file below a folder.
fn below(folder: &Url, name: &str) -> Result<Url> {
    let mut url = folder.clone();
    url.set_query(None);
    url.set_fragment(None);
    match url.path_segments_mut() {
        Ok(mut segments) => drop(segments.pop_if_empty().extend(name.split('/'))),
        Err(()) => return Err(Error::input("this is no address of a folder").in_file(folder.as_str())),
    }
    Ok(url)
}
