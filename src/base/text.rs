//! Texts of strangers on their way out: names, ids and values that files, archives and servers chose. A function a medium.
//!
//! Characters that command a terminal (C0, DEL, C1) or turn the direction of a line (U+202A–E, U+2066–9) are shown
//! escaped, as in `\u{1b}`. What has no width and commands nothing stays: Persian and Hindi are not written without
//! joiners. A text without such characters comes out as it went in, save where its medium has marks of its own.
//!
//! What people look at ([`cell`], [`markdown`], [`latex`], [`name`]) is cut where it is absurdly long, and says how long it
//! was. What machines read ([`csv()`], [`json`]) is never cut. Cells that a spreadsheet would take for a formula (`=…`) are
//! left as they are in CSV: a value must be the value that the file has.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::path::Path;
use std::sync::OnceLock;

/// The characters of a cell that people see. Laying out a table takes time quadratic in the length of its cells.
pub const LONGEST_CELL: usize = 4_000;

/// The characters of a name within a message.
pub const LONGEST_NAME: usize = 500;

/// A text of several lines for a terminal.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |this, next| commands(this) && !is_layout(this, next))
}

/// A text on one line, whole.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |this, _| commands(this))
}

/// A message on one line, whole. Tabs may stand in it.
pub fn message(text: &str) -> Cow<'_, str> {
    escaped(text, |this, _| commands(this) && this != '\t')
}

/// A message on one line, or its first characters and how many it has.
pub fn brief(text: &str, most: usize) -> Cow<'_, str> {
    cut(text, most, message)
}

/// A name within a message: one line, not longer than a message can be.
pub fn name(text: &str) -> Cow<'_, str> {
    brief(text, LONGEST_NAME)
}

/// The name of a file within a message.
pub fn path(path: &Path) -> String {
    name(&path.to_string_lossy()).into_owned()
}

/// A path from a folder on, with `/` on whatever machine.
pub fn slashed(path: &Path) -> String {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// A cell of a table for people.
pub fn cell(text: &str) -> Cow<'_, str> {
    cut(text, LONGEST_CELL, line)
}

/// A cell of a table in Markdown: no link, tag or further cell begins in it. Code may: our own messages quote by backticks,
/// and what stands between them is text.
pub fn markdown(text: &str) -> Cow<'_, str> {
    let cell = cell(text);
    let marked = |this, next| match this {
        '|' | '<' => true,
        ']' => next == Some('('),
        '\\' => matches!(next, Some('|' | '<' | ']' | '\\')),
        _ => false,
    };
    if !pairs(&cell).any(|(this, next)| marked(this, next)) {
        return cell;
    }
    let escaped = pairs(&cell).flat_map(|(this, next)| {
        let mark = marked(this, next).then_some('\\');
        mark.into_iter().chain([this])
    });
    Cow::Owned(escaped.collect())
}

/// A cell of a table in LaTeX: the ten characters that LaTeX reads as commands, and those that its old fonts lack.
pub fn latex(text: &str) -> String {
    let cell = cell(text);
    cell.chars().fold(String::with_capacity(cell.len()), |mut escaped, character| {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '–' => escaped.push_str("--"),
            '−' => escaped.push_str("$-$"),
            'α' => escaped.push_str("$\\alpha$"),
            'τ' => escaped.push_str("$\\tau$"),
            '▲' => escaped.push_str("$\\bigtriangleup$"),
            '▼' => escaped.push_str("$\\bigtriangledown$"),
            _ => escaped.push(character),
        }
        escaped
    })
}

/// A text on a page of HTML. Its own marks (`<`, `&`, …) are escaped by the template.
pub fn html(text: &str) -> Cow<'_, str> {
    line(text)
}

/// What stands before the name of a choice in messages of the library: ``⌥kb NAME``. Every door writes choices in its own
/// way, a command line with two hyphens.
pub const CHOICE: char = '⌥';

/// How this process writes choices.
static CHOICES: OnceLock<fn(&str) -> String> = OnceLock::new();

/// From now on, messages of this process have the names of choices written so, in place of bare. Who says it first decides.
pub fn write_choices(write: fn(&str) -> String) {
    CHOICES.get_or_init(|| write);
}

/// A message with its choices as this process writes them. They stand at its beginning, after a backtick or after `with`;
/// elsewhere the mark is that of a stranger, and stays.
pub fn with_choices(text: &str) -> String {
    let write = CHOICES.get().copied().unwrap_or(str::to_owned);
    let mut pieces = text.split(CHOICE);
    let mut message = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_choice = (message.is_empty() || message.ends_with('`') || message.ends_with("with "))
            && piece.starts_with(|next: char| next.is_ascii_lowercase());
        let is_of_name = |next: char| next.is_ascii_lowercase() || next == '-';
        let (choice, rest) = piece.split_at(piece.find(|next| !is_of_name(next)).unwrap_or(piece.len()));
        if is_choice {
            message.push_str(&write(choice));
        } else {
            message.push(CHOICE);
            message.push_str(choice);
        }
        message.push_str(rest);
    }
    message
}

/// So many of something that has a regular plural: `1 file`, `2 files`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// The first of some words, and `…` where there are more: `a, b, …`.
pub fn first(words: impl IntoIterator<Item = impl Into<String>>, most: usize) -> String {
    let mut words = words.into_iter().map(Into::into);
    let mut shown: Vec<String> = words.by_ref().take(most).collect();
    shown.extend(words.next().map(|_| "…".to_owned()));
    shown.join(", ")
}

/// What stands behind the first of so many things: ` (and 2 more)` of three, nothing of one.
pub fn and_more(count: usize) -> String {
    if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() }
}

/// The first characters of a text, and `…` where it has more.
pub fn beginning(text: &str, most: usize) -> String {
    let shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() { shown + "…" } else { shown }
}

/// A value in CSV: whole, its lines and tabs too. Only characters that no text has a use for are escaped.
pub fn csv(text: &str) -> Cow<'_, str> {
    escaped(text, |this, next| this.is_control() && !is_layout(this, next))
}

/// A text of XML, or a value in it: what XML cannot hold and what commands is shown. Its own marks are escaped by the writer.
pub fn xml(text: &str) -> Cow<'_, str> {
    let is_none = |this| matches!(this, '\u{fffe}' | '\u{ffff}');
    escaped(text, |this, next| is_none(this) || (commands(this) && !is_layout(this, next)))
}

/// A value in BibTeX: one line, in which no brace is alone. BibTeX counts braces, also those behind a backslash.
pub fn bibtex(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    line(&words.join(" ")).chars().fold(String::with_capacity(text.len()), |mut value, character| {
        match character {
            '&' | '%' | '$' | '#' | '_' => value.extend(['\\', character]),
            '\\' => value.push_str("\\textbackslash{}"),
            '{' => value.push_str("\\textbraceleft{}"),
            '}' => value.push_str("\\textbraceright{}"),
            '~' => value.push_str("\\textasciitilde{}"),
            '^' => value.push_str("\\textasciicircum{}"),
            _ => value.push(character),
        }
        value
    })
}

/// A text that is JSON already, with the escapes of JSON for what it may hold as it is: every reader sees the same values.
pub fn json(text: &str) -> Cow<'_, str> {
    escaped_as_json(text, |this| commands(this) && this != '\n')
}

/// A text that is JSON already, on one line, as a scalar of YAML: YAML ends lines at more characters than JSON, and
/// cannot hold some.
pub fn yaml(text: &str) -> Cow<'_, str> {
    escaped_as_json(text, |this| {
        commands(this) || matches!(this, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
    })
}

/// A text that is Turtle already, laid out with tabs, with its escapes for what its literals may hold as it is.
pub fn turtle(text: &str) -> Cow<'_, str> {
    escaped_as_json(text, |this| commands(this) && !matches!(this, '\n' | '\t'))
}

fn escaped_as_json(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_escaped) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().fold(String::with_capacity(text.len()), |mut json, character| {
        if is_escaped(character) {
            write!(json, "\\u{:04x}", u32::from(character)).expect("writing to a String cannot fail");
        } else {
            json.push(character);
        }
        json
    }))
}

/// What may be in a text of several lines: tabs, and ends of lines of either kind.
fn is_layout(this: char, next: Option<char>) -> bool {
    matches!((this, next), ('\n' | '\t', _) | ('\r', Some('\n')))
}

fn commands(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text, shown in a way, or its first characters and how many it has.
fn cut(text: &str, most: usize, shown: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    // no text has more characters than bytes
    let end = if text.len() > most { text.char_indices().nth(most) } else { None };
    match end {
        None => shown(text),
        Some((end, _)) => {
            Cow::Owned(format!("{}… ({} characters)", shown(&text[..end]), text.chars().count()))
        }
    }
}

/// The text with those characters escaped of which `is_escaped` says so, by the character behind them too.
fn escaped(text: &str, is_escaped: impl Fn(char, Option<char>) -> bool) -> Cow<'_, str> {
    if !pairs(text).any(|(this, next)| is_escaped(this, next)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(pairs(text).fold(String::with_capacity(text.len()), |mut shown, (this, next)| {
        if is_escaped(this, next) {
            shown.extend(this.escape_default());
        } else {
            shown.push(this);
        }
        shown
    }))
}

/// Each character with the one behind it.
fn pairs(text: &str) -> impl Iterator<Item = (char, Option<char>)> {
    text.chars().zip(text.chars().skip(1).map(Some).chain([None]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that commands terminals, ends lines and cells, and is markup wherever it can be.
    const EVIL: &str = "a\u{1b}[31m\u{9b}1m\u{7f}\0\r\u{202e}\u{2066}\n\tb|`c`[l](http://e)<b>\\<i>&$#_{}%~^";

    /// No test here says how choices are written: they are written as they are called.
    #[test]
    fn choices_are_written_and_marks_of_strangers_stay() {
        for (text, written) in [
            ("⌥links, with ⌥profile qassay", "links, with profile qassay"),
            ("`⌥kb` is needed", "`kb` is needed"),
            ("m/⌥bad.json", "m/⌥bad.json"),
            ("a, ⌥b, `⌥⌥`", "a, ⌥b, `⌥⌥`"),
        ] {
            assert_eq!(with_choices(text), written);
        }
    }

    #[test]
    fn what_is_left_out_is_told() {
        assert_eq!(
            ["", "a", "a,b", "a,b,c"].map(|words| first(words.split(','), 2)),
            ["", "a", "a, b", "a, b, …"]
        );
        assert_eq!([1, 2].map(and_more), ["", " (and 1 more)"]);
        assert_eq!(["éé", "ééé"].map(|text| beginning(text, 2)), ["éé", "éé…"]);
    }

    #[test]
    fn what_commands_nothing_stays() {
        for text in ["", "1", "0.5", "C_1, \"D\"", "é 日本 \u{200c}\u{200d} 👩\u{200d}🔬", "a: b.", "=1+1"]
        {
            for medium in [lines, line, message, name, cell, markdown, html, csv, json] {
                assert!(matches!(medium(text), Cow::Borrowed(same) if same == text), "{text}");
            }
        }
        assert_eq!(latex("0.5 é"), "0.5 é");
    }

    #[test]
    fn every_medium_is_safe() {
        for (name, medium) in [
            ("line", line as fn(&str) -> Cow<'_, str>),
            ("message", message),
            ("name", name),
            ("cell", cell),
            ("markdown", markdown),
            ("html", html),
        ] {
            let shown = medium(EVIL);
            let is_message = matches!(name, "message" | "name");
            assert!(!shown.chars().any(|this| commands(this) && !(is_message && this == '\t')), "{name}");
        }
        assert!(!latex(EVIL).chars().any(commands));
        insta::assert_snapshot!(line(EVIL), @r"a\u{1b}[31m\u{9b}1m\u{7f}\u{0}\r\u{202e}\u{2066}\n\tb|`c`[l](http://e)<b>\<i>&$#_{}%~^");
        insta::assert_snapshot!(markdown("`c`[l](http://e)<b>\\<i>|"), @r"`c`[l\](http://e)\<b>\\\<i>\|");
        assert_eq!(markdown("$.a[3] `b` \\u{1b} *"), "$.a[3] `b` \\u{1b} *");
        insta::assert_snapshot!(latex("&\\\n"), @r"\&\textbackslash{}\textbackslash{}n");
    }

    #[test]
    fn lines_and_values_keep_their_layout() {
        assert_eq!(lines("a\r\nb\n\tc"), "a\r\nb\n\tc");
        assert_eq!(lines("a\rb\u{202e}\r"), "a\\rb\\u{202e}\\r");
        assert_eq!(csv("a\r\nb\n\tc\u{202e}=1"), "a\r\nb\n\tc\u{202e}=1");
        assert_eq!(csv("a\rb\u{1b}\0\u{9b}"), "a\\rb\\u{1b}\\u{0}\\u{9b}");
    }

    #[test]
    fn values_in_xml_and_bibtex_end_where_they_end() {
        assert_eq!(xml("a\u{1b}\0\u{ffff}\u{202e}\r\n\tb"), "a\\u{1b}\\u{0}\\u{ffff}\\u{202e}\r\n\tb");
        assert_eq!(
            bibtex("}\\\n {a_b%\u{1b}"),
            r"\textbraceright{}\textbackslash{} \textbraceleft{}a\_b\%\textbackslash{}u\textbraceleft{}1b\textbraceright{}"
        );
    }

    #[test]
    fn json_means_the_same() {
        let text = serde_json::to_string_pretty(&[EVIL]).expect("JSON");
        let shown = json(&text);
        assert!(!shown.chars().any(|character| character != '\n' && commands(character)), "{shown}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&shown).expect("JSON"), [EVIL]);
        assert_eq!(turtle("<a>\n\t<b> \"\u{1b}\u{202e}\"@en ."), "<a>\n\t<b> \"\\u001b\\u202e\"@en .");
        let text = serde_json::to_string("a\u{2028}\u{ffff}\u{feff}").expect("JSON");
        assert_eq!(yaml(&text), r#""a\u2028\uffff\ufeff""#);
    }

    #[test]
    fn what_is_absurdly_long_is_cut_for_people_only() {
        let long = "é".repeat(LONGEST_CELL + 1);
        assert_eq!(cell(&long), format!("{}… ({} characters)", &long[2..], LONGEST_CELL + 1));
        assert_eq!(cell(&long[2..]), &long[2..]);
        assert_eq!(name(&long).chars().filter(|character| *character == 'é').count(), LONGEST_NAME);
        for whole in [lines, line, message, csv, json, html] {
            assert_eq!(whole(&long), long);
        }
    }
}
