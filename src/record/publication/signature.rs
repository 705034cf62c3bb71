//! SIGNATURE: a detached signature over the list of checksums of a record, in the format of minisign: whoever knows the key
//! of the publisher knows that nobody else made the list, and with it that dates and names are as he wrote them.
//!
//! [The format](https://jedisct1.github.io/minisign/#signature-format) signs a hash (BLAKE2) of the file by Ed25519, then
//! that signature with a comment. Signed again, it is the same bytes.

use std::path::Path;

use aws_lc_rs::signature::Ed25519KeyPair;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use blake2::{Blake2b512, Digest as _};
use minisign::{SecretKey, SecretKeyBox};
use minisign_verify::{Error as VerifyError, PublicKey, Signature};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::record::verify::findings::Findings;
use crate::record::verify::listing::{SIGNATURE, SUMS};
use crate::sources::format::meter::whole;

/// The algorithm of a signature over a hash, as the format names it.
const PREHASHED: &[u8] = b"ED";

/// Where the two halves of the key pair are in the bytes of a secret key: behind algorithms, salt, limits and id.
const SEED: std::ops::Range<usize> = 62..94;

/// A secret key of minisign.
#[derive(Debug)]
pub struct SigningKey {
    pair: Ed25519KeyPair,
    id: [u8; 8],
}

impl SigningKey {
    /// Reads the file of a secret key; `password` is asked where it is encrypted.
    ///
    /// # Errors
    /// Where the file is no secret key of minisign, or the password is another.
    pub fn read(path: &Path, password: impl FnOnce() -> Result<String>) -> Result<Self> {
        let in_file = |error: Error| error.in_file(path.display().to_string());
        let no_key = || {
            in_file(Error::input("this is no secret key of minisign"))
                .allowed("the file of a secret key, as `minisign -G` makes it")
        };
        let content = whole(path)?;
        let text = str::from_utf8(&content).map_err(|_| no_key())?;
        let encoded = text.lines().nth(1).and_then(|line| STANDARD.decode(line.trim()).ok());
        let stored = encoded.and_then(|bytes| SecretKey::from_bytes(&bytes).ok()).ok_or_else(no_key)?;
        // A key without a password has no checksum of its own; whether its halves are a pair is seen below.
        let key = if stored.is_encrypted() {
            let opened = SecretKeyBox::from(text.to_owned()).into_secret_key(Some(password()?));
            opened.map_err(|_| in_file(Error::input("the secret key does not open with this password")))?
        } else {
            stored
        };
        Self::of(&key).ok_or_else(no_key)
    }

    fn of(key: &SecretKey) -> Option<Self> {
        let bytes = key.to_bytes();
        let public = SEED.end..SEED.end + SEED.len();
        let pair = Ed25519KeyPair::from_seed_and_public_key(bytes.get(SEED)?, bytes.get(public)?).ok()?;
        Some(Self { pair, id: key.keynum().try_into().ok()? })
    }

    /// The id of the key, as minisign writes it.
    pub fn id(&self) -> String {
        key_id(self.id)
    }

    /// A signature over the bytes of a file, with a comment of one line that is signed too.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn sign(&self, content: &[u8], comment: &str) -> Result<Vec<u8>> {
        let sign = |message: &[u8]| {
            let signed = self.pair.try_sign(message);
            signed.map_err(|_| Error::system("the list of checksums cannot be signed"))
        };
        let signature = sign(&Blake2b512::digest(content))?;
        let whole = sign(&[signature.as_ref(), comment.as_bytes()].concat())?;
        let signature = STANDARD.encode([PREHASHED, &self.id, signature.as_ref()].concat());
        let untrusted = format!("signature by qassay with the key {}", self.id());
        let whole = STANDARD.encode(whole);
        let lines =
            format!("untrusted comment: {untrusted}\n{signature}\ntrusted comment: {comment}\n{whole}\n");
        Ok(lines.into_bytes())
    }
}

/// An id of a key, as minisign writes it: the number that the bytes are, the lowest first.
fn key_id(bytes: [u8; 8]) -> String {
    format!("{:016X}", u64::from_le_bytes(bytes))
}

/// A public key of minisign: of somebody who is known.
#[derive(Debug, Clone)]
pub struct TrustedKey(PublicKey);

impl TrustedKey {
    /// A key: the file of one, or what is in it, 56 characters that begin with `RW`.
    ///
    /// # Errors
    /// Where it is neither.
    pub fn parse(word: &str) -> Result<Self> {
        let path = Path::new(word);
        let read = if path.is_file() {
            let content = whole(path)?;
            PublicKey::decode(&String::from_utf8_lossy(&content))
        } else {
            PublicKey::from_base64(word)
        };
        read.map(Self).map_err(|_| {
            Error::input(format!("`{}` is no public key of minisign", text::name(word))).allowed(
                "the file of one, as `minisign -G` makes it, or its 56 characters that begin with `RW`",
            )
        })
    }
}

/// Looks at the signature of a record, and checks it with a key where one is given.
///
/// # Errors
/// Where a file cannot be read.
pub fn check(root: &Path, by: Option<&TrustedKey>, report: &mut Findings) -> Result<()> {
    let (list, path) = (root.join(SUMS), root.join(SIGNATURE));
    let Some(TrustedKey(key)) = by else {
        if path.is_file() {
            let who = signer(&String::from_utf8_lossy(&whole(&path)?));
            let hint = text::with_choices("`⌥signed-by KEY` checks it");
            report.notes.push(format!("{SUMS} has a signature by {who}, which was not checked: {hint}"));
        }
        return Ok(());
    };
    let mut problems = Vec::new();
    if !path.is_file() || !list.is_file() {
        let absent = if path.is_file() { &list } else { &path };
        problems.push(format!("{} is not here: nobody signed the record", text::path(absent)));
    } else {
        let content = whole(&path)?;
        let content = String::from_utf8_lossy(&content);
        let signature = Signature::decode(&content);
        let verified = match &signature {
            Ok(signature) => key.verify(&whole(&list)?, signature, true),
            Err(_) => Err(VerifyError::InvalidEncoding),
        };
        match (signature, verified) {
            (Ok(signature), Ok(())) => report.notes.push(format!(
                "{SUMS} is signed by {}, who says: {}",
                signer(&content),
                text::message(signature.trusted_comment())
            )),
            (_, Err(error)) => {
                problems.push(format!("{}: {}", text::path(&path), told(&error, &content)));
            }
            (Err(_), Ok(())) => {}
        }
    }
    report.add("signature", SUMS, 1, problems, Vec::new());
    Ok(())
}

/// Why a signature is none by the key.
fn told(error: &VerifyError, content: &str) -> String {
    match error {
        VerifyError::UnexpectedKeyId => {
            format!("it is by {}, not by the key that was named", signer(content))
        }
        VerifyError::InvalidSignature => {
            format!("it is not a signature over this {SUMS} by the key that was named")
        }
        _ => "it is no signature of minisign".to_owned(),
    }
}

/// The key that a signature names: whether it made it is another question.
fn signer(content: &str) -> String {
    let encoded = content.lines().nth(1).and_then(|line| STANDARD.decode(line.trim()).ok());
    let id = encoded.and_then(|bytes| bytes.get(2..10)?.try_into().ok());
    id.map_or_else(|| "an unknown key".to_owned(), |id| format!("the key {}", key_id(id)))
}

#[cfg(test)]
mod tests {
    use minisign::KeyPair;

    use super::*;

    /// A key pair without a password: the files of the secret and of the public key.
    fn keys() -> (String, String) {
        let KeyPair { pk, sk } = KeyPair::generate_unencrypted_keypair().unwrap();
        (sk.to_box(None).unwrap().into_string(), pk.to_base64())
    }

    fn reading(folder: &Path, content: &str) -> Result<SigningKey> {
        let path = folder.join("key");
        std::fs::write(&path, content).unwrap();
        SigningKey::read(&path, || Ok("word".to_owned()))
    }

    fn checked(root: &Path, key: &str) -> (bool, String) {
        let mut report = Findings::new(String::new(), false);
        check(root, Some(&TrustedKey::parse(key).unwrap()), &mut report).unwrap();
        let told = report.rows.iter().flat_map(|row| row.problems.clone()).chain(report.notes.clone());
        (report.failed(), told.collect())
    }

    #[test]
    fn what_is_signed_is_checked() {
        let (secret, public) = keys();
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let key = reading(folder.path(), &secret).unwrap();
        let signature = key.sign(b"list", "who, version 1").unwrap();
        assert_eq!(signature, key.sign(b"list", "who, version 1").unwrap(), "the same bytes again");
        let (failed, told) = checked(folder.path(), &public);
        assert!(
            failed && told.ends_with("SHA256SUMS.minisig is not here: nobody signed the record"),
            "{told}"
        );
        std::fs::write(at(SUMS), "list").unwrap();
        std::fs::write(at(SIGNATURE), &signature).unwrap();
        let (failed, told) = checked(folder.path(), &public);
        assert!(
            !failed
                && told == format!("SHA256SUMS is signed by the key {}, who says: who, version 1", key.id())
        );
        // The comment is signed, too; a signature that is cut off is none, wherever.
        let text = String::from_utf8(signature).unwrap();
        for (other, why) in [
            (text.replace("version 1", "version 2"), "not a signature over this"),
            (text[..text.len() - 20].to_owned(), "no signature of minisign"),
            (text.lines().take(2).collect::<Vec<_>>().join("\n"), "no signature of minisign"),
            (String::new(), "no signature of minisign"),
        ] {
            std::fs::write(at(SIGNATURE), other).unwrap();
            let (failed, told) = checked(folder.path(), &public);
            assert!(failed && told.contains(why), "{told}");
        }
        std::fs::write(at(SIGNATURE), &text).unwrap();
        let (failed, told) = checked(folder.path(), &keys().1);
        assert!(failed && told.contains("not by the key that was named"), "{told}");
        std::fs::write(at(SUMS), "lisp").unwrap();
        assert!(checked(folder.path(), &public).0);
    }

    #[test]
    fn keys_that_are_none_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let pair = KeyPair::generate_encrypted_keypair(Some("word".to_owned())).unwrap();
        let secret = pair.sk.to_box(None).unwrap().into_string();
        assert!(reading(folder.path(), &secret).is_ok());
        let path = folder.path().join("key");
        let other = SigningKey::read(&path, || Ok("other".to_owned())).unwrap_err();
        assert!(other.to_string().contains("does not open with this password"), "{other}");
        let (plain, public) = keys();
        let mut damaged = plain.into_bytes();
        let at = damaged.len() - 60;
        damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
        let damaged = String::from_utf8(damaged).unwrap();
        for none in ["", "untrusted comment: x\nRWQ=\n", &damaged, &public] {
            let told = reading(folder.path(), none).unwrap_err().to_string();
            assert!(told.contains("no secret key of minisign"), "{told}");
        }
        for none in ["RWQ", "", "key", &path.display().to_string()] {
            let told = TrustedKey::parse(none).unwrap_err().to_string();
            assert!(told.contains("is no public key of minisign"), "{told}");
        }
    }
}
