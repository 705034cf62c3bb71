//! Dumps: files of RDF that are read from disk, statement by statement, however they are packed.
//!
//! Statements are numbered and blank nodes named the same in every run. Blank nodes of different files never meet.

use crate::base::error::{Error, Result};
use crate::base::limits::{LONGEST_LINE, endless};
use crate::base::text::counted;
use crate::kb::sentences::{Sentence, sentences};
use crate::sources::file::unpack::{Packing, stream, unreadable};
use crate::sources::file::whole_xml::WholeXml;
use oxigraph::io::{RdfFormat, RdfParseError, RdfParser};
use oxigraph::model::{BlankNode, GraphName, NamedOrBlankNode, Quad, Term};
use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// How many malformed statements are named; the others are counted.
pub const MOST_NAMED: usize = 20;

/// Bytes of the beginning from which a format is recognised.
const BEGINNING: usize = 1 << 16;

/// The formats that a dump may have.
const FORMATS: [RdfFormat; 5] =
    [RdfFormat::NTriples, RdfFormat::NQuads, RdfFormat::Turtle, RdfFormat::TriG, RdfFormat::RdfXml];

/// A dump: a file and what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dump {
    /// Where it is.
    pub path: PathBuf,
    /// Its name for messages.
    pub name: String,
    /// Its format.
    pub format: RdfFormat,
    /// Whether malformed statements are left out; else the first ends everything.
    pub skip_malformed: bool,
}

/// A statement, or what should be one, that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The line where it begins, from 1.
    pub line: u64,
    /// The line where it ends.
    pub last_line: u64,
    /// What is wrong.
    pub message: String,
}

/// What came of reading a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DumpCounts {
    /// Statements that were read, repeated ones too.
    pub statements: u64,
    /// Statements that were left out: lines of N-Triples and N-Quads; of Turtle and `TriG`, all up to a full stop.
    pub malformed: u64,
    /// The first of them.
    pub named: Vec<Malformed>,
}

impl DumpCounts {
    /// Counts what cannot be read.
    pub(crate) fn add_malformed(&mut self, malformed: Malformed) {
        self.malformed += 1;
        if self.named.len() < MOST_NAMED {
            self.named.push(malformed);
        }
    }

    /// What cannot be read, a line each; the last says where there is more.
    pub fn told(&self) -> Vec<String> {
        let more = (self.malformed > self.named.len() as u64).then(|| "…".to_owned());
        self.named.iter().map(Malformed::told).chain(more).collect()
    }

    /// The error of a file that must be whole and is not.
    fn refused(&self, format: RdfFormat) -> Error {
        if format == RdfFormat::RdfXml {
            return Error::input("the RDF/XML is malformed")
                .list(self.told())
                .hint("repair the file: RDF/XML cannot be read behind an error");
        }
        Error::input(counted(self.malformed, "malformed statement"))
            .list(self.told())
            .hint("`⌥skip-malformed` leaves them out and counts them")
    }
}

impl Malformed {
    fn told(&self) -> String {
        match self.last_line {
            last if last > self.line => format!("lines {}-{last}: {}", self.line, self.message),
            _ => format!("line {}: {}", self.line, self.message),
        }
    }
}

impl Dump {
    /// Recognises the format of a file by its content and its ending; gives also how it is packed.
    pub fn recognise(path: &Path, name: &str) -> Result<(Self, Option<Packing>)> {
        let (beginning, packing) = stream(path, |reader, packing| {
            let mut beginning = Vec::new();
            reader.take(BEGINNING as u64).read_to_end(&mut beginning).map_err(|error| unreadable(&error))?;
            Ok((beginning, packing))
        })
        .map_err(|error| error.in_file(name))?;
        let format = format(&beginning, name).ok_or_else(|| {
            Error::input("this is no RDF that can be read")
                .in_file(name)
                .allowed("N-Triples, N-Quads, Turtle, TriG, RDF/XML; packed too")
        })?;
        let dump = Self { path: path.to_owned(), name: name.to_owned(), format, skip_malformed: false };
        Ok((dump, packing))
    }

    /// Reads all statements of the file with this number among its like. `each` gets them; its error ends everything.
    pub fn read(&self, number: usize, each: &mut dyn FnMut(Quad) -> Result<()>) -> Result<DumpCounts> {
        let reading = match self.format {
            RdfFormat::NTriples | RdfFormat::NQuads => self.in_pieces(number, each),
            RdfFormat::Turtle | RdfFormat::TriG => self.sentences(number, each),
            _ => self.whole(number, each),
        };
        let reading = reading.map_err(|error| error.in_file(&self.name))?;
        if reading.malformed > 0 && (!self.skip_malformed || self.format == RdfFormat::RdfXml) {
            return Err(reading.refused(self.format).in_file(&self.name));
        }
        Ok(reading)
    }

    /// Reads what is whole as it is, and takes it apart only where something is malformed.
    fn sentences(&self, number: usize, each: &mut dyn FnMut(Quad) -> Result<()>) -> Result<DumpCounts> {
        let nobody = &mut |_| Ok(());
        // Once more, to name all that is malformed, or to read all that is not.
        let (found, again) = if self.skip_malformed {
            (self.whole(number, nobody)?, each)
        } else {
            (self.whole(number, each)?, nobody as &mut dyn FnMut(Quad) -> Result<()>)
        };
        if found.malformed == 0 {
            return if self.skip_malformed { self.whole(number, again) } else { Ok(found) };
        }
        let mut reading = self.in_pieces(number, again)?;
        if reading.malformed == 0 {
            found.named.into_iter().for_each(|malformed| reading.add_malformed(malformed));
        }
        Ok(reading)
    }

    /// Reads up to the first error.
    fn whole(&self, number: usize, each: &mut dyn FnMut(Quad) -> Result<()>) -> Result<DumpCounts> {
        stream(&self.path, |reader: &mut dyn BufRead, _| {
            let mut blanks = Blanks::new(number, self.format);
            let mut reading = DumpCounts::default();
            let reader: Box<dyn Read> = match self.format {
                RdfFormat::RdfXml => Box::new(WholeXml::new(reader)),
                _ => Box::new(reader),
            };
            for quad in RdfParser::from_format(self.format).for_reader(reader) {
                match quad {
                    Ok(quad) => {
                        each(blanks.rename(quad))?;
                        reading.statements += 1;
                    }
                    Err(RdfParseError::Io(error)) => return Err(unreadable(&error)),
                    Err(RdfParseError::Syntax(error)) => {
                        let line = error.location().map_or(1, |location| location.start.line + 1);
                        let message = message(&error);
                        reading.add_malformed(Malformed { line, last_line: line, message });
                        break;
                    }
                }
            }
            Ok(reading)
        })
    }

    /// Reads piece by piece, so that one that is malformed harms no other.
    fn in_pieces(&self, number: usize, each: &mut dyn FnMut(Quad) -> Result<()>) -> Result<DumpCounts> {
        stream(&self.path, |reader: &mut dyn BufRead, _| {
            read(reader, self.format, Blanks::new(number, self.format), each)
        })
    }
}

/// What is wrong, without the place: it is told apart.
pub(crate) fn message(error: &oxigraph::io::RdfSyntaxError) -> String {
    let text = error.to_string();
    let place = text.strip_prefix("Parser error at line ").or_else(|| text.strip_prefix("Parser error "));
    let said = place.and_then(|rest| rest.split_once(": ")).map_or(text.as_str(), |(_, said)| said);
    let said = if said == "Unexpected end of file" { "it ends in the middle" } else { said };
    said.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The format: what looks like XML is RDF/XML; else the ending says it, or the format that most can be read in.
fn format(beginning: &[u8], name: &str) -> Option<RdfFormat> {
    if is_xml(beginning) {
        return Some(RdfFormat::RdfXml);
    }
    by_ending(name).or_else(|| by_content(beginning))
}

/// Whether a text begins with a tag with attributes. What else stands in angle brackets has no name of a tag at its
/// beginning: an IRI, a quoted triple.
fn is_xml(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let Some(tag) = text.strip_prefix(b"<") else { return false };
    let end = tag.iter().position(|byte| b" \t\r\n>".contains(byte)).unwrap_or(tag.len());
    let is_name = tag[..end].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte));
    tag.starts_with(b"?") || tag.starts_with(b"!") || {
        is_name && end > 0 && tag.get(end).is_some_and(|byte| *byte != b'>')
    }
}

fn by_ending(name: &str) -> Option<RdfFormat> {
    let name = name.to_ascii_lowercase();
    let mut stem = name.as_str();
    while let Some(shorter) =
        ["gz", "zip", "bz2", "zst"].iter().find_map(|ending| stem.strip_suffix(ending)?.strip_suffix('.'))
    {
        stem = shorter;
    }
    match stem.rsplit_once('.')?.1 {
        "nt" | "ntriples" => Some(RdfFormat::NTriples),
        "nq" | "nquads" => Some(RdfFormat::NQuads),
        "ttl" | "turtle" => Some(RdfFormat::Turtle),
        "trig" => Some(RdfFormat::TriG),
        _ => None,
    }
}

/// The first format in which most statements can be read before an error.
fn by_content(beginning: &[u8]) -> Option<RdfFormat> {
    let whole = match beginning.len() {
        BEGINNING => beginning.iter().rposition(|byte| *byte == b'\n').unwrap_or(BEGINNING),
        length => length,
    };
    let read = |format: &RdfFormat| {
        let quads = RdfParser::from_format(*format).for_slice(&beginning[..whole]);
        quads.take_while(Result::is_ok).count()
    };
    // Of equal ones `max_by_key` takes the last.
    let best = FORMATS.iter().rev().map(|format| (read(format), *format)).max_by_key(|(count, _)| *count)?;
    (best.0 > 0).then_some(best.1)
}

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
) -> Result<DumpCounts> {
    let mut reading = DumpCounts::default();
    let mut take = |quads: Vec<Quad>, reading: &mut DumpCounts| {
        reading.statements += quads.len() as u64;
        quads.into_iter().try_for_each(|quad| each(blanks.rename(quad)))
    };
    match format {
        RdfFormat::NTriples | RdfFormat::NQuads => read_lines(reader, format, &mut reading, &mut take)?,
        _ => read_sentences(reader, format, &mut reading, &mut take)?,
    }
    Ok(reading)
}

type Take<'a> = dyn FnMut(Vec<Quad>, &mut DumpCounts) -> Result<()> + 'a;

fn read_lines(
    reader: &mut dyn BufRead,
    format: RdfFormat,
    reading: &mut DumpCounts,
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
    reading: &mut DumpCounts,
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

/// Names the blank nodes of one file.
pub(crate) struct Blanks {
    file: usize,
    /// The numbers of those that got random names from the parser; without it, labels are kept.
    numbers: Option<HashMap<BlankNode, usize>>,
}

impl Blanks {
    /// For the file with this number.
    pub(crate) fn new(file: usize, format: RdfFormat) -> Self {
        let has_labels = matches!(format, RdfFormat::NTriples | RdfFormat::NQuads);
        Self { file, numbers: (!has_labels).then(HashMap::new) }
    }

    /// Gives the blank nodes of a statement their names.
    pub(crate) fn rename(&mut self, mut quad: Quad) -> Quad {
        if let NamedOrBlankNode::BlankNode(node) = &mut quad.subject {
            *node = self.name(node);
        }
        if let Term::BlankNode(node) = &mut quad.object {
            *node = self.name(node);
        }
        if let GraphName::BlankNode(node) = &mut quad.graph_name {
            *node = self.name(node);
        }
        quad
    }

    fn name(&mut self, node: &BlankNode) -> BlankNode {
        // `x` and `y` are no hexadecimal digits: such names are never taken for random ones.
        let label = match &mut self.numbers {
            None => format!("f{}x{}", self.file, node.as_str()),
            Some(numbers) => {
                let next = numbers.len();
                let number = numbers.entry(node.clone()).or_insert(next);
                format!("f{}y{number}", self.file)
            }
        };
        BlankNode::new_unchecked(label)
    }
}
