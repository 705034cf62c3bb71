//! The page of something that was withdrawn: that it was there, and why it is gone.

use crate::record::publication::agent::Agent;
use crate::record::publication::tombstone::Tombstone;
use crate::site::context::PageContext;
use crate::site::page::{PagePiece, SitePage, WordLine, Words, is_web};

/// The page.
pub(crate) fn page(context: &PageContext<'_>, tombstone: &Tombstone<'_>) -> SitePage {
    let Tombstone { publication, why, published } = tombstone;
    let somebody = |agent: &Agent| context.anywhere(Words::foreign(&agent.spoken()), &agent.iri);
    let by: WordLine = vec![
        Words::plain(&format!("{}, as version {}, by ", publication.day, publication.number)),
        somebody(&publication.by.publisher),
    ];
    let mut facts = vec![
        (Words::plain("Reason"), vec![vec![Words::foreign(&why.reason)]]),
        (Words::plain("Withdrawn"), vec![by]),
        (Words::plain("Published"), vec![vec![Words::plain(published)]]),
        (Words::plain("Made by"), publication.by.creators.iter().map(|one| vec![somebody(one)]).collect()),
        (Words::plain("Permanent name"), vec![vec![Words::iri(&publication.of)]]),
    ];
    if let Some(doi) = &publication.by.doi {
        let address = format!("https://doi.org/{doi}");
        facts.push((Words::plain("DOI"), vec![vec![context.anywhere(Words::foreign(doi), &address)]]));
    }
    if let Some(successor) = &why.successor {
        let words = Words::iri(successor);
        let words = if is_web(successor) { context.anywhere(words, successor) } else { words };
        facts.push((Words::plain("Replaced by"), vec![vec![words]]));
    }
    SitePage {
        title: format!("Withdrawn: {}", Words::foreign(&why.title).text),
        kicker: "Withdrawn".to_owned(),
        heading: vec![Words::plain("Withdrawn: "), Words::foreign(&why.title)],
        lead: vec![Words::plain(
            "This was published, and is withdrawn. Its files are gone; what it was stays here.",
        )],
        has_statements: true,
        pieces: vec![PagePiece::Facts(facts)],
        ..SitePage::default()
    }
}
