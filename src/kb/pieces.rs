//! Reads a text in pieces that stand for themselves, so that a malformed one harms no other: lines of N-Triples and
//! N-Quads, sentences of Turtle and `TriG`.

use std::io::{BufRead, Read};

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::Quad;

use crate::base::error::Result;
use crate::base::limits::{LONGEST_LINE, endless};
use crate::kb::blank::Blanks;
use crate::kb::dump::{Malformed, Reading, message};
use crate::kb::sentences::{Sentence, sentences};
use crate::sources::file::stream::unreadable;

/// Bytes of lines that are parsed together.
const CHUNK: u64 = 1 << 20;
/// Sentences that are parsed together.
const TOGETHER: usize = 1_000;

/// Reads all pieces.
pub(crate) fn read(
    reader: &mut dyn BufRead,
    format: RdfFormat,
    mut blanks: Blanks,
    each: &mut dyn FnMut(Quad) -> Result<()>,
) -> Result<Reading> {
    let mut reading = Reading::default();
    let mut take = |quads: Vec<Quad>, reading: &mut Reading| {
        reading.statements += quads.len() as u64;
        quads.into_iter().try_for_each(|quad| each(blanks.rename(quad)))
    };
    match format {
        RdfFormat::NTriples | RdfFormat::NQuads => read_lines(reader, format, &mut reading, &mut take)?,
        _ => read_sentences(reader, format, &mut reading, &mut take)?,
    }
    Ok(reading)
}

type Take<'a> = dyn FnMut(Vec<Quad>, &mut Reading) -> Result<()> + 'a;

fn read_lines(
    reader: &mut dyn BufRead,
    format: RdfFormat,
    reading: &mut Reading,
    take: &mut Take<'_>,
) -> Result<()> {
    let (mut chunk, mut line) = (Vec::new(), 1);
    loop {
        chunk.clear();
        Read::take(&mut *reader, CHUNK).read_to_end(&mut chunk).map_err(|error| unreadable(&error))?;
        if chunk.is_empty() {
            return Ok(());
        }
        if chunk.last() != Some(&b'\n') {
            let rest = Read::take(&mut *reader, LONGEST_LINE).read_until(b'\n', &mut chunk);
            if rest.map_err(|error| unreadable(&error))? as u64 == LONGEST_LINE {
                return Err(endless("a line", LONGEST_LINE));
            }
        }
        if let Ok(quads) = parse(&chunk, format) {
            take(quads, reading)?;
            line += lines(&chunk).count() as u64;
            continue;
        }
        for text in lines(&chunk) {
            match parse(text, format) {
                Ok(quads) => take(quads, reading)?,
                Err(message) => reading.add_malformed(Malformed { line, last_line: line, message }),
            }
            line += 1;
        }
    }
}

/// The lines of a text: LF, CR LF and CR end one.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let length = end.map_or(rest.len(), |end| end + 1 + usize::from(rest[end..].starts_with(b"\r\n")));
        let (line, others) = rest.split_at(length);
        rest = others;
        (!line.is_empty()).then_some(line)
    })
}

fn read_sentences(
    reader: &mut dyn BufRead,
    format: RdfFormat,
    reading: &mut Reading,
    take: &mut Take<'_>,
) -> Result<()> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(|error| unreadable(&error))?;
    // The prefixes and the base that hold where a sentence begins.
    let mut known: Vec<u8> = Vec::new();
    let all: Vec<Sentence> = sentences(&text).collect();
    for some in all.chunks(TOGETHER) {
        let (Some(first), Some(last)) = (some.first(), some.last()) else { continue };
        let mut together = known.clone();
        together.extend_from_slice(&text[first.bytes.start..last.bytes.end]);
        let whole = parse(&together, format);
        let is_whole = whole.is_ok();
        if let Ok(quads) = whole {
            take(quads, reading)?;
        }
        for sentence in some {
            let bytes = &text[sentence.bytes.clone()];
            if is_whole && !sentence.is_directive {
                continue;
            }
            let mut alone = known.clone();
            alone.extend_from_slice(bytes);
            match parse(&alone, format) {
                Ok(quads) if !is_whole => take(quads, reading)?,
                Ok(_) => {}
                Err(message) => {
                    let (line, last_line) = (sentence.line, sentence.last_line);
                    reading.add_malformed(Malformed { line, last_line, message });
                    continue;
                }
            }
            if sentence.is_directive {
                known.extend_from_slice(bytes);
                known.push(b'\n');
            }
        }
    }
    Ok(())
}

/// All statements of a text, or what is wrong with it.
fn parse(text: &[u8], format: RdfFormat) -> std::result::Result<Vec<Quad>, String> {
    let quads = RdfParser::from_format(format).for_slice(text);
    quads.collect::<std::result::Result<_, _>>().map_err(|error| message(&error))
}
