//! Requests that are to be done once, however often they are sent: by a key of who sends them. The same key of somebody else is
//! another one: who guesses it is not given what it began.

use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::serve::uploads::SentForm;

/// What makes a request the same as another: checksums of its key and of its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OnceKey {
    pub(crate) key: String,
    pub(crate) form: String,
}

impl OnceKey {
    /// What a key of somebody is known by.
    pub(crate) fn name(caller: &str, key: &[u8]) -> String {
        hex(&Sha256::digest(serde_json::to_vec(&(caller, key)).unwrap_or_default()))
    }

    /// Of a key by that name, and the form that came with it.
    pub(crate) fn of(key: String, form: &SentForm) -> Result<Self> {
        let mut said = Sha256::new();
        for (name, values) in &form.fields {
            said.update(serde_json::to_vec(&(name, values)).unwrap_or_default());
        }
        for (field, name) in &form.tray.files {
            let path = form.tray.folder.path().join(name);
            let content = std::fs::read(&path).map_err(|error| Error::io("read the file", &path, &error))?;
            said.update(
                serde_json::to_vec(&(field, name, hex(&Sha256::digest(&content)))).unwrap_or_default(),
            );
        }
        Ok(Self { key, form: hex(&said.finalize()) })
    }
}
