//! Tokens for programs: who shows one may begin runs, or publish them. Their checksums are kept beside the private work.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::base::clock::now;
use crate::base::error::{Error, Result};
use crate::base::text;
use crate::base::token::SecretToken;
use crate::sources::archive::Archive;
use crate::workbench::private::{PRIVATE, day, write_whole};

/// The file.
const TOKENS: &str = "tokens.json";

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TokenScope {
    /// Beginning runs
    Run,
    /// Publishing what came of them
    Publish,
}

/// A token, without the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownToken {
    /// The checksum of the secret.
    pub sha256: String,
    /// What it is called, for who gave it away.
    pub name: String,
    /// What it is good for.
    pub scopes: Vec<TokenScope>,
    /// The last day on which it is good.
    pub until: String,
}

/// The tokens of an archive.
#[derive(Debug, Clone)]
pub struct AccessTokens(PathBuf);

impl AccessTokens {
    /// Those of the archive in a folder.
    pub fn of(archive: &Path) -> Self {
        Self(archive.join(PRIVATE).join(TOKENS))
    }

    /// All of them.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn all(&self) -> Result<Vec<KnownToken>> {
        match fs::read(&self.0) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                Error::system(format!("the tokens are damaged: {error}"))
                    .in_file(self.0.display().to_string())
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::io("read the tokens", &self.0, &error)),
        }
    }

    fn keep(&self, all: &[KnownToken]) -> Result<()> {
        let folder = self.0.parent().unwrap_or(&self.0);
        fs::create_dir_all(folder).map_err(|error| Error::io("make the folder", folder, &error))?;
        let text = serde_json::to_vec_pretty(all).map_err(|error| Error::system(error.to_string()))?;
        write_whole(&self.0, &text)
    }

    /// Makes a token, which is good for so many days from today on.
    ///
    /// # Errors
    /// Where there is no archive; where it cannot be kept.
    pub fn add(&self, name: &str, scopes: &[TokenScope], days: u16) -> Result<(SecretToken, KnownToken)> {
        // Tokens of no archive would open nothing.
        let archive = self.0.parent().and_then(Path::parent).unwrap_or(&self.0);
        Archive::open(archive)?;
        let today: jiff::civil::Date = day(&now()?.date_time).parse().unwrap_or_default();
        let until = today.checked_add(jiff::Span::new().days(i64::from(days)));
        let until = until.map_err(|error| Error::input(format!("this is no number of days: {error}")))?;
        let secret = SecretToken::random()?;
        let mut scopes = scopes.to_vec();
        scopes.sort_unstable();
        scopes.dedup();
        let known = KnownToken {
            sha256: secret.sha256(),
            name: text::name(name).into_owned(),
            scopes,
            until: until.to_string(),
        };
        let mut all = self.all()?;
        all.push(known.clone());
        self.keep(&all)?;
        Ok((secret, known))
    }

    /// Takes a token back, by its name or the beginning of its checksum; gives what it was.
    ///
    /// # Errors
    /// Where there is none, or there are several.
    pub fn remove(&self, word: &str) -> Result<KnownToken> {
        let mut all = self.all()?;
        let is_it = |one: &&KnownToken| one.name == word || (word.len() >= 4 && one.sha256.starts_with(word));
        let found: Vec<KnownToken> = all.iter().filter(is_it).cloned().collect();
        let [one] = found.as_slice() else {
            let what = if found.is_empty() { "there is no token" } else { "there are several tokens" };
            return Err(
                Error::input(format!("{what} `{}`", text::name(word))).hint("`qassay token list` names them")
            );
        };
        all.retain(|known| known != one);
        self.keep(&all)?;
        Ok(one.clone())
    }

    /// Whether a token is good for something today. The file is read each time: what is taken back is no longer good.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn allow(&self, token: &SecretToken, scope: TokenScope) -> Result<bool> {
        let today = now()?.date_time;
        let is_good = |one: &KnownToken| {
            token.is(&one.sha256) && one.scopes.contains(&scope) && one.until.as_str() >= day(&today)
        };
        Ok(self.all()?.iter().any(is_good))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_good_for_what_they_were_made_for() {
        let folder = tempfile::tempdir().unwrap();
        let tokens = AccessTokens::of(folder.path());
        assert!(tokens.add("ci", &[TokenScope::Run], 1).is_err());
        Archive::create(folder.path()).unwrap();
        let (secret, known) = tokens.add("ci", &[TokenScope::Run, TokenScope::Run], 1).unwrap();
        assert_eq!(known.scopes, [TokenScope::Run]);
        assert!(tokens.allow(&secret, TokenScope::Run).unwrap());
        assert!(!tokens.allow(&secret, TokenScope::Publish).unwrap());
        assert!(!tokens.allow(&SecretToken::random().unwrap(), TokenScope::Run).unwrap());
        assert!(!fs::read_to_string(&tokens.0).unwrap().contains(&secret.text()));
        assert!(tokens.remove("other").is_err());
        tokens.remove(&known.sha256[..6]).unwrap();
        assert!(!tokens.allow(&secret, TokenScope::Run).unwrap());
    }
}
