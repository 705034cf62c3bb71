//! What is found by words: things that are called so, then questions that are asked so. Where there is no server, the list of names
//! is whole.

use crate::base::error::{Error, Result};
use crate::base::text::counted;
use crate::site::context::PageContext;
use crate::site::lists::{findable, search_sheet};
use crate::site::page::{PagePiece, PageSheet, Section, SheetHead, SheetRow, SitePage, Words};
use crate::site::texts::{QuestionText, QuestionTexts};

/// So many of a kind stand on the page; more words find fewer.
const MOST_FOUND: usize = 100;

/// So many words are looked for at most.
const MOST_WORDS: usize = 20;

/// The words that are looked for, each once, in lower case.
fn words_of(text: &str) -> Result<Vec<String>> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.sort_unstable();
    words.dedup();
    if words.len() > MOST_WORDS {
        return Err(Error::limit(format!("{} words are too many to look for", words.len()))
            .allowed(format!("{MOST_WORDS} different ones")));
    }
    Ok(words)
}

/// Whether a text has all of some words, which are in lower case.
fn has_all(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word))
}

/// How many of what was found are shown.
fn shown_of(found: usize) -> String {
    if found > MOST_FOUND {
        format!(" These are the first {MOST_FOUND}; more words find fewer.")
    } else {
        String::new()
    }
}

/// The page of what is called, or asks, like some words.
///
/// # Errors
/// Where the graph of a dataset cannot be read.
pub(crate) fn found(context: &PageContext<'_>, words: &str) -> Result<SitePage> {
    let wanted = words_of(words)?;
    let all = findable(context);
    let named: Vec<_> = all.iter().filter(|(name, ..)| has_all(name, &wanted)).cloned().collect();
    let said =
        format!("{} of {} are called so.{}", named.len(), counted(all.len(), "name"), shown_of(named.len()));
    let mut pieces = vec![PagePiece::said(&said)];
    let first = &named[..named.len().min(MOST_FOUND)];
    pieces.extend((!named.is_empty()).then(|| PagePiece::Sheet(search_sheet(context, first))));
    Ok(SitePage {
        title: format!("Search: {}", Words::foreign(words).text),
        kicker: "Search".to_owned(),
        heading: vec![Words::plain("Called like "), Words::foreign(words)],
        pieces,
        sections: vec![Section::new("questions", "Questions", questions(context, &wanted)?)],
        ..SitePage::default()
    })
}

/// The questions that have the words in one of their texts.
fn questions(context: &PageContext<'_>, words: &[String]) -> Result<Vec<PagePiece>> {
    let all = context.view.question_texts()?;
    let texts = || all.iter().flat_map(|of| of.texts.iter().map(move |text| (of, text)));
    let asked: Vec<_> = texts().filter(|(_, text)| has_all(&text.text, words)).collect();
    let said = format!(
        "{} of {} of questions have these words.{}",
        asked.len(),
        counted(texts().count(), "text"),
        shown_of(asked.len())
    );
    let row = |(of, text): &(&QuestionTexts, &QuestionText)| {
        let question = format!("{}{}", of.dataset, text.below);
        let words = Words::in_language(&text.text, text.language.as_deref());
        SheetRow::from(vec![context.link_to(words, &question).into(), context.named(&of.dataset).into()])
    };
    let sheet = PageSheet {
        id: "found-questions".to_owned(),
        caption: vec![Words::plain("Each leads to its gold answers, and to what all systems said.")],
        heads: vec![SheetHead::text("Question"), SheetHead::text("Dataset")],
        rows: asked.iter().take(MOST_FOUND).map(row).collect(),
        ..PageSheet::default()
    };
    let sheet = (!asked.is_empty()).then_some(PagePiece::Sheet(sheet));
    Ok([PagePiece::said(&said)].into_iter().chain(sheet).collect())
}
