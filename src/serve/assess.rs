//! Judging: who has an address of an assessor sees the answers of a run, without whose they are, and says what they are.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::response::Response;

use crate::base::error::{Error, Result};
use crate::base::token::SecretToken;
use crate::measures::judged::Verdict;
use crate::serve::callers::{owning, same_origin};
use crate::serve::doing::page;
use crate::serve::live::LiveRun;
use crate::serve::platform::Platform;
use crate::serve::replies::{HttpProblem, see};
use crate::serve::uploads::SentForm;
use crate::site::ServedPage;
use crate::site::assess::{AssessPage, JudgedQuestion};
use crate::workbench::assessing::{Assessing, VerdictSheet};
use crate::workbench::private::RunFolder;

/// The first segment of the addresses of assessors.
pub(crate) const ASSESS: &str = "a";

/// So many questions are on a page.
const A_PAGE: usize = 10;

/// Answers who judges; `number`: his place among those who judge the run.
pub(crate) async fn answer(
    platform: &Arc<Platform>,
    (run, number): (&RunFolder, usize),
    token: &SecretToken,
    request: Request,
) -> Result<Response, HttpProblem> {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let asked = |name: &str| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find_map(|(known, value)| (known == name).then(|| value.into_owned()))
    };
    let assessing = Assessing::of(run).map_err(HttpProblem::told)?.unwrap_or_default();
    match *request.method() {
        Method::GET | Method::HEAD => {
            let at = asked("page").and_then(|page| page.parse().ok()).unwrap_or(1);
            let shown =
                shown(&assessing, run, (number, at), asked("kept").is_some()).map_err(HttpProblem::told)?;
            page(platform, "-/-/-", StatusCode::OK, ServedPage::Assess(Box::new(shown))).await
        }
        Method::POST => {
            same_origin(platform, request.headers(), false)?;
            owning(platform)?;
            let tray = platform.desk.tray().map_err(HttpProblem::busy)?;
            let form = SentForm::read(request, tray).await?;
            let _one_at_a_time = platform.judging.lock().await;
            keep(&assessing, run, number, &form).map_err(HttpProblem::unfit)?;
            let at: usize = form.first("page").and_then(|page| page.parse().ok()).unwrap_or(1);
            let next = if form.first("go").is_some() { at + 1 } else { at };
            Ok(see(&format!("{}{ASSESS}/{}/?page={next}&kept", platform.place.url, token.text())))
        }
        _ => Err(HttpProblem::new(StatusCode::METHOD_NOT_ALLOWED, "method", "this address is a form")),
    }
}

fn shown(
    assessing: &Assessing,
    run: &RunFolder,
    (assessor, at): (usize, usize),
    is_kept: bool,
) -> Result<AssessPage> {
    let sheet = assessing.sheet(run, assessor)?;
    let pages = assessing.pool.len().div_ceil(A_PAGE).max(1);
    let at = at.clamp(1, pages);
    let question = |(number, pooled): (usize, &crate::workbench::assessing::PooledQuestion)| {
        let said = |answer: usize| sheet.get(&number).and_then(|verdicts| verdicts.get(&answer)).copied();
        let answers = pooled.answers.iter().enumerate();
        JudgedQuestion {
            number,
            id: pooled.question.clone(),
            text: pooled.text.clone(),
            gold: pooled.gold.clone(),
            answers: answers.map(|(answer, text)| (text.clone(), said(answer))).collect(),
        }
    };
    let questions = assessing.pool.iter().enumerate().skip((at - 1) * A_PAGE).take(A_PAGE);
    Ok(AssessPage {
        assessor: assessing.assessors.get(assessor).map(|one| one.name.clone()).unwrap_or_default(),
        questions: questions.map(question).collect(),
        page: [at, pages],
        judged: assessing.progress(run, assessor)?,
        is_kept,
    })
}

/// Adds what a form says to what somebody said before.
fn keep(assessing: &Assessing, run: &RunFolder, assessor: usize, form: &SentForm) -> Result<()> {
    let mut sheet: VerdictSheet = assessing.sheet(run, assessor)?;
    for (name, values) in &form.fields {
        let Some((question, answer)) = name.strip_prefix("v-").and_then(|rest| rest.split_once('-')) else {
            continue;
        };
        let numbers = question.parse::<usize>().ok().zip(answer.parse::<usize>().ok());
        let known = numbers.filter(|(question, answer)| {
            assessing.pool.get(*question).is_some_and(|pooled| *answer < pooled.answers.len())
        });
        let (question, answer) = known.ok_or_else(|| Error::input(format!("there is no answer `{name}`")))?;
        let word = values.first().map(String::as_str).unwrap_or_default();
        let verdict = Verdict::find(word).ok_or_else(|| {
            Error::input(format!("`{word}` is no verdict")).allowed("correct, inexact, repeated, incorrect")
        })?;
        sheet.entry(question).or_default().insert(answer, verdict);
    }
    Assessing::keep_sheet(run, assessor, &sheet)
}

/// The run that somebody may judge, and his place among those who do.
pub(crate) fn found(platform: &Platform, token: &SecretToken) -> Option<(Arc<LiveRun>, usize)> {
    platform.desk.judged_by(token)
}
