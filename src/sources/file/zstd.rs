//! Zstandard (RFC 8878): several frames after each other are one content, skippable frames are skipped.

use std::io::{self, Cursor, ErrorKind, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// What every frame begins with.
const FRAME: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Whether bytes begin with a frame, or with one that is skipped.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(&FRAME) || matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

type Frame<R> = StreamingDecoder<io::Chain<Cursor<Vec<u8>>, R>, FrameDecoder>;

/// Reads the content of all frames. A window that needs more than 100 MB of memory is refused by the decoder.
pub(crate) struct Frames<R: Read> {
    state: Stage<R>,
}

enum Stage<R: Read> {
    /// Between frames.
    Between(R),
    /// Inside of one.
    Inside(Box<Frame<R>>),
    /// At the end, or where nothing can be read any more.
    Done,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(raw: R) -> Self {
        Self { state: Stage::Between(raw) }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.state, Stage::Done) {
                Stage::Done => return Ok(0),
                Stage::Between(raw) => match next_frame(raw)? {
                    Some(frame) => self.state = Stage::Inside(Box::new(frame)),
                    None => return Ok(0),
                },
                Stage::Inside(mut frame) => {
                    let count = frame.read(buffer)?;
                    if count > 0 {
                        self.state = Stage::Inside(frame);
                        return Ok(count);
                    }
                    let (source, decoder) = frame.into_parts();
                    check(&decoder)?;
                    self.state = Stage::Between(source.into_inner().1);
                }
            }
        }
    }
}

/// The checksum of the content, where the frame has one.
fn check(decoder: &FrameDecoder) -> io::Result<()> {
    match (decoder.get_checksum_from_data(), decoder.get_calculated_checksum()) {
        (Some(stated), Some(found)) if stated != found => {
            Err(io::Error::new(ErrorKind::InvalidData, "the checksum of a frame is another one"))
        }
        _ => Ok(()),
    }
}

/// Begins the next frame; nothing where the data end.
fn next_frame<R: Read>(mut raw: R) -> io::Result<Option<Frame<R>>> {
    loop {
        let mut magic = Vec::with_capacity(FRAME.len());
        raw.by_ref().take(FRAME.len() as u64).read_to_end(&mut magic)?;
        if magic.is_empty() {
            return Ok(None);
        }
        if magic.len() < FRAME.len() || !begins(&magic) {
            return Err(io::Error::new(ErrorKind::InvalidData, "there is something else behind the frames"));
        }
        let is_skipped = magic != FRAME;
        let mut source = Cursor::new(magic).chain(raw);
        if !is_skipped {
            let decoder = FrameDecoder::new();
            return StreamingDecoder::new_with_decoder(source, decoder).map(Some).map_err(io::Error::other);
        }
        match FrameDecoder::new().init(&mut source) {
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                raw = source.into_inner().1;
                let skipped = io::copy(&mut raw.by_ref().take(u64::from(length)), &mut io::sink())?;
                if skipped < u64::from(length) {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(io::Error::other(error)),
            Ok(()) => return Err(io::Error::new(ErrorKind::InvalidData, "a frame is two kinds at once")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        Frames::new(bytes).read_to_end(&mut content).map(|_| content)
    }

    fn packed(text: &str) -> Vec<u8> {
        compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
    }

    #[test]
    fn frames_follow_each_other() {
        let skipped = [0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, b'x', b'y'];
        let whole = [&skipped[..], &packed("one "), &skipped, &packed("two"), &packed("")].concat();
        assert!(begins(&whole) && begins(&packed("one")) && !begins(b"\x28\xb5\x2f"));
        assert_eq!(unpacked(&whole).unwrap(), b"one two");
        for cut in 1..whole.len() {
            let content = unpacked(&whole[..cut]);
            assert!(content.is_err() || b"one two".starts_with(content.unwrap().as_slice()), "cut at {cut}");
        }
        let text = packed(&"many words ".repeat(100));
        assert!((1..text.len()).all(|cut| unpacked(&text[..cut]).is_err()), "no cut frame is read");
        assert!(unpacked(&[&packed("one")[..], b"rest"].concat()).is_err());
        assert!(unpacked(&skipped[..9]).is_err());
    }

    #[test]
    fn checksums_are_compared() {
        let mut text = packed(&"many words ".repeat(100));
        let last = text.len() - 1;
        text[last] ^= 1;
        assert!(unpacked(&text).is_err());
    }
}
