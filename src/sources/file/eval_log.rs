//! The logs of `inspect_ai` in a zip (`.eval`): what is said about the run is a member, and each sample is one. Put
//! together, they are the log that the same program writes as JSON.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::base::error::{Error, Result};
use crate::base::limits;
use crate::base::limits::Bound;
use crate::sources::file::pack::refuse_many;
use crate::sources::file::zipped::{damaged, member};
use crate::sources::format::meter::Meter;

/// Where the run is described: at its end, and at its beginning, which is all that there is of one that was killed.
const HEADERS: [&str; 2] = ["header.json", "_journal/start.json"];

/// The log in a zip, as JSON; none where the zip is no log.
pub(crate) fn json(bytes: &[u8], bound: Bound) -> Result<Option<Vec<u8>>> {
    let meter = Meter::new(bound);
    let Ok(mut archive) = ZipArchive::new(meter.packed(Cursor::new(bytes))) else { return Ok(None) };
    refuse_many(archive.len() as u64)?;
    let names: Vec<String> =
        archive.file_names_raw().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let place = |wanted: &&str| names.iter().position(|name| name == wanted);
    let Some(header) = HEADERS.iter().find_map(place) else { return Ok(None) };
    let samples = names.iter().enumerate().filter_map(|(index, name)| Some((sample(name)?, index)));
    let mut samples: Vec<_> = samples.collect();
    if samples.is_empty() {
        return Ok(None);
    }
    samples.sort_unstable();
    let mut read = |index: usize| -> Result<Vec<u8>> {
        let mut content = Vec::new();
        let file = member(&mut archive, index).map_err(|error| damaged(&error))?;
        let read = meter.content(file).read_to_end(&mut content);
        read.map_err(|error| limits::within(&error).unwrap_or_else(|| damaged(&error)))?;
        Ok(content)
    };
    let header = read(header)?;
    let Some(open) = header.trim_ascii_end().strip_suffix(b"}") else {
        return Err(Error::input("the header of the log is no JSON object")
            .allowed("a log that inspect_ai wrote")
            .hint("`inspect log convert` writes the log as JSON"));
    };
    let mut log = open.to_vec();
    let mut before: &[u8] = b",\n\"samples\":[\n";
    for (_, index) in samples {
        log.extend_from_slice(before);
        log.extend(read(index)?);
        before = b",\n";
    }
    log.extend_from_slice(b"\n]}\n");
    Ok(Some(log))
}

/// The place of a sample in its log: by epoch, then by id, ids that are numbers before others.
type SamplePlace<'n> = (u64, bool, u64, &'n str);

/// The place of a sample, whose member is called `samples/ID_epoch_N.json`.
fn sample(name: &str) -> Option<SamplePlace<'_>> {
    let (id, epoch) = name.strip_prefix("samples/")?.strip_suffix(".json")?.rsplit_once("_epoch_")?;
    let number = id.parse().ok();
    Some((epoch.parse().ok()?, number.is_none(), number.unwrap_or_default(), id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    const HEADER: &str = r#"{"version": 2, "status": "success", "eval": {}}"#;

    fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a file");
            writer.write_all(content.as_bytes()).expect("content");
        }
        writer.finish().expect("a zip").into_inner()
    }

    #[test]
    fn samples_are_in_the_order_of_the_log() {
        let zip = zip_of(&[
            ("_journal/start.json", "{}"),
            ("samples/b_epoch_1.json", "4"),
            ("samples/1_epoch_2.json", "5"),
            ("samples/10_epoch_1.json", "3"),
            ("samples/2_epoch_1.json", "1"),
            ("summaries.json", "[]"),
            ("header.json", HEADER),
        ]);
        let log = json(&zip, Bound::MEMORY).expect("a log").expect("a log");
        let begins = HEADER.strip_suffix('}').expect("an object");
        let expected = format!("{begins},\n\"samples\":[\n1,\n3,\n4,\n5\n]}}\n");
        assert_eq!(String::from_utf8(log).expect("UTF-8"), expected);
    }

    #[test]
    fn what_is_no_log() {
        let none = |files: &[(&str, &str)]| json(&zip_of(files), Bound::MEMORY).expect("no log").is_none();
        assert!(none(&[("header.json", HEADER), ("samples/1.json", "{}")]));
        assert!(none(&[("samples/1_epoch_1.json", "{}"), ("a.srj", "{}")]));
        assert!(json(b"PK\x03\x04", Bound::MEMORY).expect("no log").is_none());
        let killed = [("_journal/start.json", HEADER), ("samples/1_epoch_1.json", "{}")];
        assert!(!none(&killed));
        let odd = zip_of(&[("header.json", "[]"), ("samples/1_epoch_1.json", "{}")]);
        assert!(json(&odd, Bound::MEMORY).is_err());
    }
}
