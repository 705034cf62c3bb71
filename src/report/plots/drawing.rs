//! What a plot is made of: paths, rectangles and words, placed in tenths of a pixel and written as SVG by one template, which
//! escapes what strangers wrote. Colours are classes of one style sheet.
//!
//! Nobody knows the fonts of a reader: how wide words are is guessed, rather too much than too little.

use std::fmt;

use askama::Template;
use unicode_normalization::char::is_combining_mark;

use crate::base::error::{Error, Result};
use crate::base::text;

/// A drawing: a size and what is on it, the later above the earlier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    width: i64,
    height: i64,
    marks: Vec<DrawnMark>,
}

/// Something on a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum DrawnMark {
    /// A line or a shape.
    Path { class: &'static str, way: String },
    /// A rectangle; what it is about, where a reader may want to know.
    Area { class: &'static str, corner: [Tenths; 2], size: [Tenths; 2], tip: String },
    /// A line of text, and the whole of it where it is cut.
    Words {
        class: &'static str,
        at: [Tenths; 2],
        anchor: Anchor,
        size: TextSize,
        shown: String,
        whole: String,
    },
}

/// A length in tenths of a pixel, as it is written in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tenths(i64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        match size % 10 {
            0 => write!(f, "{sign}{}", size / 10),
            part => write!(f, "{sign}{}.{part}", size / 10),
        }
    }
}

/// Which point of a text stands where it is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// How large words are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextSize {
    /// 13 pixels.
    Usual,
    /// 11 pixels.
    Small,
}

impl TextSize {
    fn pixels(self) -> i64 {
        match self {
            Self::Usual => 13,
            Self::Small => 11,
        }
    }
}

/// The form of a point: told apart without colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PointShape {
    Square,
    Circle,
    Diamond,
    Triangle,
    /// Around another point.
    Ring,
    /// A colour in a key.
    Swatch,
}

/// Half the size of a point.
const HALF: i64 = 45;

/// Where a key begins: the largest shape in it, and its stroke, have room.
const KEY: i64 = 90;

/// Between the name of a stranger and what follows it: names that are written from right to left turn nothing around.
pub(super) const LEFT_TO_RIGHT: char = '\u{200e}';

/// The height of a line of small text, and of a line of the key.
pub(super) const LINE: i64 = 170;

impl Drawing {
    /// An empty one.
    pub(super) fn new(width: i64, height: i64) -> Self {
        Self { width, height, marks: Vec::new() }
    }

    fn size(&self) -> [Tenths; 2] {
        [self.width, self.height].map(Tenths)
    }

    /// A line through points.
    pub(super) fn line(&mut self, class: &'static str, points: &[[i64; 2]]) {
        let way = points
            .iter()
            .enumerate()
            .map(|(at, [x, y])| format!("{}{} {}", if at == 0 { 'M' } else { 'L' }, Tenths(*x), Tenths(*y)));
        self.marks.push(DrawnMark::Path { class, way: way.collect() });
    }

    /// An interval on a row: a line with ends.
    pub(super) fn whiskers(&mut self, class: &'static str, [from, to]: [i64; 2], y: i64) {
        let end = |x: i64| format!("M{} {}V{}", Tenths(x), Tenths(y - 40), Tenths(y + 40));
        let way = format!("M{} {}H{}{}{}", Tenths(from), Tenths(y), Tenths(to), end(from), end(to));
        self.marks.push(DrawnMark::Path { class, way });
    }

    /// A point.
    pub(super) fn point(&mut self, class: &'static str, shape: PointShape, [x, y]: [i64; 2]) {
        let at = |dx: i64, dy: i64| format!("{} {}", Tenths(x + dx), Tenths(y + dy));
        let corners = |all: &[(i64, i64)]| {
            let words: Vec<String> = all.iter().map(|(dx, dy)| at(*dx, *dy)).collect();
            format!("M{}Z", words.join("L"))
        };
        let way = match shape {
            PointShape::Square => corners(&[(-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)]),
            PointShape::Swatch => corners(&[(-HALF, -HALF), (80, -HALF), (80, HALF), (-HALF, HALF)]),
            PointShape::Diamond => corners(&[(0, -60), (60, 0), (0, 60), (-60, 0)]),
            PointShape::Triangle => corners(&[(0, -58), (58, 46), (-58, 46)]),
            PointShape::Ring => {
                format!("M{}A7.5 7.5 0 1 1 {}A7.5 7.5 0 1 1 {}Z", at(-75, 0), at(75, 0), at(-75, 0))
            }
            PointShape::Circle => {
                format!("M{}A5 5 0 1 1 {}A5 5 0 1 1 {}Z", at(-50, 0), at(50, 0), at(-50, 0))
            }
        };
        self.marks.push(DrawnMark::Path { class, way });
    }

    /// A rectangle, with what it is about.
    pub(super) fn area(
        &mut self,
        class: &'static str,
        [x, y]: [i64; 2],
        [width, height]: [i64; 2],
        tip: &str,
    ) {
        let (corner, size) = ([x, y].map(Tenths), [width, height].map(Tenths));
        self.marks.push(DrawnMark::Area { class, corner, size, tip: shown(tip) });
    }

    /// Words that have so much room, else they are cut and can be read in whole by pointing at them.
    pub(super) fn words(
        &mut self,
        class: &'static str,
        at: [i64; 2],
        anchor: Anchor,
        size: TextSize,
        room: i64,
        words: &str,
    ) {
        let whole = shown(words);
        let cut = fitting(&whole, size, room);
        let whole = if cut == whole { String::new() } else { whole };
        self.marks.push(DrawnMark::Words { class, at: at.map(Tenths), anchor, size, shown: cut, whole });
    }

    /// What shapes and colours mean, below everything else: as many lines as it needs.
    pub(super) fn key(&mut self, entries: &[(&'static str, PointShape, &str)]) {
        let (mut x, mut y) = (KEY, self.height + 90);
        for (class, shape, words) in entries {
            let width = width(words, TextSize::Small) + 180;
            if x > KEY && x + width > self.width {
                (x, y) = (KEY, y + LINE);
            }
            self.point(class, *shape, [x, y]);
            // Letters are cut one by one, and each rounds a little.
            let room = self.width - x - 160;
            self.words("", [x + 120, y + 40], Anchor::Start, TextSize::Small, room, words);
            x += width + 120;
        }
        self.height = y + 90;
    }

    /// The drawing within a page, with what it shows for those who do not see it. The name is an id of the page.
    pub fn inline(&self, name: &str, title: &str, description: &str) -> Result<String> {
        self.written(name, title, description, None)
    }

    /// The drawing as a file of its own, with its title above and some lines below it.
    pub fn file(&self, name: &str, title: &str, description: &str, below: &[String]) -> Result<String> {
        let frame = Frame::around(self, title, below);
        self.written(name, title, description, Some(frame))
    }

    fn written(&self, name: &str, title: &str, description: &str, frame: Option<Frame>) -> Result<String> {
        let drawing =
            DrawnSvg { name, title: shown(title), description: shown(description), drawing: self, frame };
        drawing.render().map_err(|error| Error::system(format!("cannot write SVG: {error}")))
    }
}

#[cfg(test)]
impl Drawing {
    /// Which words stand on others, or outside of the drawing.
    pub(super) fn collisions(&self) -> Vec<String> {
        let boxed = |mark: &DrawnMark| match mark {
            DrawnMark::Words { at: [x, y], anchor, size, shown, .. } if !shown.is_empty() => {
                let wide = width(shown, *size);
                let from = x.0
                    - match anchor {
                        Anchor::Start => 0,
                        Anchor::Middle => wide / 2,
                        Anchor::End => wide,
                    };
                Some((shown.clone(), [from, from + wide], [y.0 - size.pixels() * 7, y.0 + size.pixels()]))
            }
            _ => None,
        };
        let all: Vec<_> = self.marks.iter().filter_map(boxed).collect();
        let is_outside = |(_, x, y): &&(String, [i64; 2], [i64; 2])| {
            x[0] < -10 || x[1] > self.width + 10 || y[0] < -10 || y[1] > self.height + 10
        };
        let mut found: Vec<String> = all
            .iter()
            .filter(is_outside)
            .map(|(words, x, y)| format!("{words} at {x:?} {y:?} of {} {}", self.width, self.height))
            .collect();
        let meet = |one: [i64; 2], other: [i64; 2]| one[0] < other[1] && other[0] < one[1];
        for (at, (words, x, y)) in all.iter().enumerate() {
            let on = all[at + 1..].iter().filter(|(_, across, down)| meet(*x, *across) && meet(*y, *down));
            found.extend(on.map(|(other, ..)| format!("{words} on {other}")));
        }
        found
    }
}

#[derive(Template)]
#[template(config = "src/report/askama.toml", path = "plot.svg")]
struct DrawnSvg<'d> {
    name: &'d str,
    title: String,
    description: String,
    drawing: &'d Drawing,
    frame: Option<Frame>,
}

/// What stands around the drawing in a file.
struct Frame {
    /// Where it begins, and its size.
    corner: [Tenths; 2],
    size: [Tenths; 2],
    marks: Vec<DrawnMark>,
}

impl Frame {
    fn around(drawing: &Drawing, title: &str, below: &[String]) -> Self {
        const MARGIN: i64 = 120;
        let width = drawing.width.max(3600);
        let mut around = Drawing::new(width, drawing.height);
        let above = wrapped(&shown(title), TextSize::Usual, width);
        let top = -(LINE + 20) * i64::try_from(above.len()).unwrap_or(1);
        let mut y = top + 100;
        for line in &above {
            around.words("title", [0, y], Anchor::Start, TextSize::Usual, width, line);
            y += LINE + 20;
        }
        y = drawing.height + LINE;
        for line in below.iter().flat_map(|line| wrapped(&shown(line), TextSize::Small, width)) {
            around.words("", [0, y], Anchor::Start, TextSize::Small, width, &line);
            y += LINE - 20;
        }
        let size = [width + 2 * MARGIN, y - top + MARGIN].map(Tenths);
        Self { corner: [-MARGIN, top - MARGIN].map(Tenths), size, marks: around.marks }
    }
}

/// A text without characters that command or turn the direction of a line.
fn shown(text: &str) -> String {
    text::html(text).into_owned()
}

/// How wide words are, in tenths of a pixel: those of wide fonts.
pub(super) fn width(words: &str, size: TextSize) -> i64 {
    words.chars().map(character_width).sum::<i64>() * size.pixels() / 13
}

/// In 13 pixels.
fn character_width(character: char) -> i64 {
    match character {
        _ if is_combining_mark(character) => 0,
        '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0,
        // Han, kana, Hangul, full-width forms, pictures.
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ffe6}'
        | '\u{1f000}'..='\u{3ffff}' => 140,
        'i' | 'j' | 'l' | 'I' | 'f' | 't' | 'r' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '(' | ')'
        | '[' | ']' | '/' | '-' | ' ' => 54,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 128,
        _ if character.is_uppercase() => 102,
        _ => 84,
    }
}

/// As much of a text as has room, with `…` where it is cut.
pub(super) fn fitting(words: &str, size: TextSize, room: i64) -> String {
    if width(words, size) <= room {
        return words.to_owned();
    }
    let mut left = room - width("…", size);
    let end = words.char_indices().find(|(_, character)| {
        left -= character_width(*character) * size.pixels() / 13;
        left < 0
    });
    let cut = &words[..end.map_or(words.len(), |(end, _)| end)];
    // A joiner joins nothing any more.
    format!("{}…", cut.trim_end_matches(['\u{200d}', ' ']))
}

/// A text in lines that have so much room.
fn wrapped(text: &str, size: TextSize, room: i64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let word = fitting(word, size, room);
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(&word, size) <= room => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_in_pixels() {
        assert_eq!(
            [0, 5, 10, 123, -7, -120].map(|tenths| Tenths(tenths).to_string()),
            ["0", "0.5", "1", "12.3", "-0.7", "-12"]
        );
    }

    #[test]
    fn long_words_are_cut_and_kept_in_whole() {
        assert_eq!(fitting("gAnswer2", TextSize::Usual, 900), "gAnswer2");
        let long = fitting(&"x".repeat(500), TextSize::Usual, 900);
        assert_eq!(long, format!("{}…", "x".repeat(9)));
        for name in [
            "日本語の質問応答システム",
            "سامانه\u{200c}ی پرسش و پاسخ فارسی",
            "👩\u{200d}🔬👩\u{200d}🔬👩\u{200d}🔬",
            "é\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
        ] {
            let cut = fitting(name, TextSize::Usual, 700);
            assert!(cut.ends_with('…') && width(&cut, TextSize::Usual) <= 700, "{cut}");
        }
        let mut drawing = Drawing::new(1000, 200);
        drawing.words("strong", [0, 100], Anchor::Start, TextSize::Usual, 500, "a very long name & more");
        let svg = drawing.inline("n", "t", "d").unwrap();
        assert!(svg.contains("<title>a very long name &#38; more</title>a ver…</text>"), "{svg}");
    }

    #[test]
    fn words_that_collide_are_found() {
        let mut drawing = Drawing::new(1000, 500);
        let mut put = |at, words| drawing.words("", at, Anchor::Start, TextSize::Usual, 900, words);
        put([0, 100], "one");
        put([150, 150], "two");
        put([0, 400], "three");
        put([900, 400], "four");
        let found = drawing.collisions();
        assert!(found.len() == 2 && found[0].starts_with("four at") && found[1] == "one on two", "{found:?}");
    }

    #[test]
    fn lines_are_wrapped() {
        let text = "one two three four";
        assert_eq!(wrapped(text, TextSize::Usual, 600), ["one two", "three", "four"]);
        assert_eq!(wrapped("", TextSize::Usual, 700), [""]);
    }

    #[test]
    fn a_file_has_a_title_its_own_style_and_lines_below() {
        let mut drawing = Drawing::new(4000, 300);
        drawing.line("axis", &[[0, 0], [4000, 5]]);
        drawing.area("c3", [10, 20], [30, 40], "<script>alert(1)</script>\u{202e}");
        drawing.key(&[("sig", PointShape::Square, "filled"), ("hollow", PointShape::Circle, "open")]);
        let below = ["3 questions are left out & said".to_owned()];
        insta::assert_snapshot!(drawing.inline("p-1", "A <title>", "What & why").unwrap());
        let file = drawing.file("p-1", "A <title>", "What & why", &below).unwrap();
        assert!(
            file.starts_with("<?xml")
                && file.contains("<style>")
                && file.contains("prefers-color-scheme: dark")
        );
        assert!(file.contains(">3 questions are left out &#38; said</text>") && !file.contains("<script"));
    }
}
