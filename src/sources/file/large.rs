//! Large files in one pass: read, hashed and unpacked piece by piece, beside the work of who reads them.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::limits::Bound;
use crate::sources::file::unpack::{Packing, not_one, with_zipped};

/// The bytes of one piece.
const PIECE: usize = 1 << 18;

/// How many pieces may wait.
const WAITING: usize = 8;

/// What a pass over a file finds out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Received {
    /// The checksum of the bytes.
    pub(crate) sha256: String,
    /// The number of bytes.
    pub(crate) size: u64,
    /// How it is packed.
    pub(crate) packing: Option<Packing>,
}

/// Shows the content of a file to `read`, unpacked. The bytes are hashed on the way.
pub(crate) fn stream<T>(path: &Path, read: impl FnOnce(&mut dyn Read) -> Result<T>) -> Result<(T, Received)> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::scope(|scope| {
        let receiving = scope.spawn(move || receive(path, &sender));
        let mut pieces = Pieces { receiver, piece: Vec::new(), at: 0, ended: false };
        let result = read(&mut pieces);
        // what nobody reads is hashed all the same
        let rest = if result.is_ok() { io::copy(&mut pieces, &mut io::sink()).map(|_| ()) } else { Ok(()) };
        let ended = pieces.ended;
        drop(pieces);
        let found = receiving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        match (found, result) {
            // who stopped before the damage does not know of it, however far the other thread has come
            (Err(_), Err(error)) if !ended => Err(error),
            // what is damaged cannot be read: the cause is told, not what followed from it
            (Err(error), _) => Err(error.in_file(path.display().to_string())),
            (Ok(None), Ok(_)) => Err(Error::system("the file was not read to its end")),
            (_, Err(error)) => Err(error),
            (Ok(Some(found)), Ok(value)) => {
                rest.map_err(|error| Error::io("read the file", path, &error))?;
                Ok((value, found))
            }
        }
    })
}

/// Sends the content in pieces; nothing where nobody wants the rest.
fn receive(path: &Path, sender: &SyncSender<Vec<u8>>) -> Result<Option<Received>> {
    let failed = |error: io::Error| Error::io("read the file", path, &error);
    let mut file = File::open(path).map_err(failed)?;
    let packing = packing_of(&mut file).map_err(failed)?;
    let mut raw = HashedRead { file, hasher: Sha256::new(), size: 0 };
    let goes_on = match packing {
        None => send(&mut raw, sender).map_err(failed)?,
        Some(Packing::Zip) => {
            io::copy(&mut raw, &mut io::sink()).map_err(failed)?;
            let archive = BufReader::new(File::open(path).map_err(failed)?);
            with_zipped(archive, Bound::STREAM, |content| send_unpacked(content, Packing::Zip, sender))?
                .map_err(|names| not_one(&names))?
        }
        Some(packing) => {
            let mut content = packing.decoder(BufReader::with_capacity(PIECE, &mut raw), Bound::STREAM);
            send_unpacked(&mut content, packing, sender)?
        }
    };
    if !goes_on {
        return Ok(None);
    }
    io::copy(&mut raw, &mut io::sink()).map_err(failed)?;
    Ok(Some(Received { sha256: hex(&raw.hasher.finalize()), size: raw.size, packing }))
}

fn packing_of(file: &mut File) -> io::Result<Option<Packing>> {
    let mut start = Vec::new();
    file.by_ref().take(16).read_to_end(&mut start)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(Packing::of(&start))
}

fn send_unpacked(content: &mut dyn Read, packing: Packing, sender: &SyncSender<Vec<u8>>) -> Result<bool> {
    let mut counted = Counted { inner: content, count: 0 };
    send(&mut counted, sender).map_err(|error| packing.broken(counted.count, &error))
}

/// Sends pieces until the content ends; whether it came so far.
fn send(content: &mut dyn Read, sender: &SyncSender<Vec<u8>>) -> io::Result<bool> {
    loop {
        let mut piece = vec![0; PIECE];
        let mut length = 0;
        while length < PIECE {
            match content.read(&mut piece[length..]) {
                Ok(0) => break,
                Ok(count) => length += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if length == 0 {
            return Ok(true);
        }
        piece.truncate(length);
        if sender.send(piece).is_err() {
            return Ok(false);
        }
    }
}

/// Hashes what is read.
struct HashedRead {
    file: File,
    hasher: Sha256,
    size: u64,
}

impl Read for HashedRead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.hasher.update(&buffer[..count]);
        self.size += count as u64;
        Ok(count)
    }
}

/// Counts what is read.
struct Counted<'a> {
    inner: &'a mut dyn Read,
    count: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

/// Reads the pieces that another thread sends.
struct Pieces {
    receiver: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
    /// Whether there are no more.
    ended: bool,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            // the thread ends where the content does, or where it is damaged; it knows which
            let Ok(piece) = self.receiver.recv() else {
                self.ended = true;
                return Ok(0);
            };
            (self.piece, self.at) = (piece, 0);
        }
        let count = buffer.len().min(self.piece.len() - self.at);
        buffer[..count].copy_from_slice(&self.piece[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(path: &Path) -> Result<(Vec<u8>, Received)> {
        stream(path, |reader| {
            let mut content = Vec::new();
            reader.read_to_end(&mut content).map_err(|error| Error::input(error.to_string()))?;
            Ok(content)
        })
    }

    #[test]
    fn files_are_hashed_and_unpacked_on_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("links");
        let text = "words\n".repeat(200_000).into_bytes();
        std::fs::write(&path, &text).unwrap();
        let (read, received) = content(&path).unwrap();
        assert!(read == text && received.size == text.len() as u64 && received.packing.is_none());
        assert_eq!(received.sha256, hex(&Sha256::digest(&text)));
        // who reads only the beginning gets the checksum of all
        let (_, partly) = stream(&path, |reader| Ok(reader.read(&mut [0; 10]).unwrap())).unwrap();
        assert_eq!(partly, received);
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        io::Write::write_all(&mut packed, &text).unwrap();
        let packed = packed.finish().unwrap();
        std::fs::write(&path, &packed).unwrap();
        let (read, received) = content(&path).unwrap();
        assert!(read == text && received.packing == Some(Packing::Gzip));
        assert_eq!(received.sha256, hex(&Sha256::digest(&packed)));
        std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
        let told = content(&path).unwrap_err().to_string();
        assert!(told.contains("the gzip data are damaged after") && told.contains("links"), "{told}");
        let refused = stream(&path, |_| Err::<(), _>(Error::input("nothing here"))).unwrap_err();
        assert!(refused.to_string().contains("nothing here"), "{refused}");
        assert!(content(&folder.path().join("absent")).is_err());
    }
}
