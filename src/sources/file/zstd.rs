//! Zstandard (RFC 8878): several frames after each other are one content, skippable frames are skipped.

use std::io::{self, BufReader, Read};

use zstd::stream::read::Decoder;

/// What every frame begins with.
const FRAME: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Whether bytes begin with a frame, or with one that is skipped.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(&FRAME) || matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Reads the content of all frames. A window that needs more than 128 MiB of memory is refused by the decoder, as by `zstd -d`.
pub(crate) struct Frames<R: Read> {
    /// Nothing where no decoder could be made, which was told.
    decoder: Result<Decoder<'static, BufReader<R>>, Option<io::Error>>,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(raw: R) -> Self {
        Self { decoder: Decoder::new(raw).map_err(Some) }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.decoder {
            Ok(decoder) => decoder.read(buffer),
            Err(error) => error.take().map_or(Ok(0), Err),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        Frames::new(bytes).read_to_end(&mut content).map(|_| content)
    }

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
        encoder.finish().unwrap()
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

    #[test]
    fn a_window_that_takes_all_memory_is_refused() {
        // A frame without content size and with a window of 2 GiB.
        let told = unpacked(&[&FRAME[..], &[0, 21 << 3, 0, 0, 0]].concat()).unwrap_err().to_string();
        assert!(told.contains("memory"), "{told}");
    }
}
