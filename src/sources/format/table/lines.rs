//! The line on which a record of a CSV table begins.
//!
//! The position that the crate `csv` tells is that of the end of the record before: behind `\r\n` it is one line early.

/// Counts lines up to records that come in their order.
#[derive(Debug)]
pub(crate) struct CsvLines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> CsvLines<'a> {
    /// Begins at the first line of a text.
    pub(crate) fn of(text: &'a str) -> Self {
        Self { text: text.as_bytes(), at: 0, line: 1 }
    }

    /// The line of a record, from 1; it is not before those asked for earlier.
    pub(crate) fn line(&mut self, record: &csv::StringRecord) -> u64 {
        let told = record.position().map_or(0, csv::Position::byte);
        let told = usize::try_from(told).unwrap_or(usize::MAX);
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let blank = self.text.iter().skip(told).take_while(|byte| is_break(byte)).count();
        let start = told.saturating_add(blank).min(self.text.len());
        while self.at < start {
            let ends = match self.text[self.at] {
                b'\n' => true,
                b'\r' => self.text.get(self.at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += u64::from(ends);
            self.at += 1;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["a,b", "1,2", "", "\"3", "4\",5", "6,7", ""].join(end);
            let mut table = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
            let mut lines = CsvLines::of(&text);
            let found: Vec<u64> = table.records().map(|record| lines.line(&record.unwrap())).collect();
            assert_eq!(found, [2, 4, 6], "{end:?}");
        }
    }
}
