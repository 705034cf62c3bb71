//! The page on which somebody judges the answers of systems.

use crate::base::text::{self, counted};
use crate::measures::judged::Verdict;
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, FormOption, WebForm};
use crate::site::page::{PagePiece, SitePage, Words};

/// The page, with some of the questions.
#[derive(Debug, Clone, Default)]
pub struct AssessPage {
    /// Who judges.
    pub assessor: String,
    /// The questions of the page.
    pub questions: Vec<JudgedQuestion>,
    /// The number of the page, from 1, and how many there are.
    pub page: [usize; 2],
    /// How many answers are judged, and how many there are.
    pub judged: [usize; 2],
    /// Whether something was kept just now.
    pub is_kept: bool,
}

/// A question with its answers.
#[derive(Debug, Clone, Default)]
pub struct JudgedQuestion {
    /// Its number among all.
    pub number: usize,
    /// Its id.
    pub id: String,
    /// What it asks.
    pub text: String,
    /// The gold answers.
    pub gold: Vec<String>,
    /// What systems answered, and the verdict on it.
    pub answers: Vec<(String, Option<Verdict>)>,
}

/// What a verdict means, for who judges.
fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Correct => "it answers the question",
        Verdict::Inexact => "it says too much or too little",
        Verdict::Repeated => "another answer that is correct says the same",
        Verdict::Incorrect => "it does not answer the question",
    }
}

impl AssessPage {
    /// The page.
    pub(crate) fn page(&self) -> SitePage {
        let [judged, all] = self.judged;
        let [number, pages] = self.page;
        let progress = Words::progress(judged as u64, all as u64, &format!("{judged} of {all} judged"));
        let kept = self.is_kept.then(|| PagePiece::Notice("good", vec![Words::tag("ok", "✓ kept")]));
        let turn = |to: usize, text: &str| Words::plain(text).to(Some(format!("?page={to}")));
        let mut turns = Vec::new();
        turns.extend((number > 1).then(|| turn(number - 1, "← before")));
        turns.push(Words::plain(&format!(" page {number} of {pages} ")));
        turns.extend((number < pages).then(|| turn(number + 1, "next →")));
        SitePage {
            title: format!("{judged} of {all} judged"),
            kicker: "Private · judging".to_owned(),
            heading: vec![Words::plain("Are these answers right?")],
            lead: vec![
                Words::plain("You judge as "),
                Words::foreign(&self.assessor),
                Words::plain(
                    ". Nobody tells you which system said what. Keep each page; you can come back and change your mind.",
                ),
            ],
            pieces: kept
                .into_iter()
                .chain([PagePiece::text(vec![
                    Words::plain(&format!("{judged} of {all} answers judged ")),
                    progress,
                ])])
                .chain([PagePiece::Form(self.form()), PagePiece::text(turns)])
                .collect(),
            ..SitePage::default()
        }
    }

    fn form(&self) -> WebForm {
        WebForm {
            action: ".".to_owned(),
            hidden: vec![("page".to_owned(), self.page[0].to_string())],
            groups: self.questions.iter().map(group).collect(),
            buttons: vec![FormButton::main("Keep"), FormButton::other("Keep, and go on", "go", "next")],
            ..WebForm::default()
        }
    }
}

fn group(question: &JudgedQuestion) -> FormGroup {
    let gold = match question.gold.as_slice() {
        [] => String::new(),
        gold => format!(" (known: {})", gold.join("; ")),
    };
    let field = |(at, (answer, verdict)): (usize, &(String, Option<Verdict>))| {
        let chosen: Vec<String> = verdict.iter().map(|verdict| verdict.name().to_owned()).collect();
        let options = Verdict::ALL.into_iter().rev();
        let options = options.map(|one| FormOption::new(one.name(), one.name(), meaning(one), &chosen));
        let name = format!("v-{}-{at}", question.number);
        FormField::new(&name, answer, "", FieldKind::Boxes { is_one: true, options: options.collect() })
    };
    FormGroup {
        legend: text::html(&format!(
            "{}: {}{gold} · {}",
            question.id,
            question.text,
            counted(question.answers.len(), "answer")
        ))
        .into_owned(),
        fields: question.answers.iter().enumerate().map(field).collect(),
        folded: Vec::new(),
    }
}
