//! Everything that scoring needs, read, asked and prepared: what `evaluate` and `release` have in common.

use std::path::Path;
use std::sync::Arc;

use crate::base::clock;
use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::watch::Watcher;
use crate::kb::remote::RemoteStore;
use crate::profiles::Profile;
use crate::profiles::choices::CHOICES;
use crate::record::keep::Keeper;
use crate::record::publish::provenance::Execution;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::scoring::cases::Cases;
use crate::scoring::evaluation::{Evaluation, Manifest};
use crate::scoring::plan::Plan;
use crate::sources::input::Input;
use crate::workbench::Workbench;
use crate::workbench::asked::AskedAll;
use crate::workbench::reference_files::ReferenceFiles;
use crate::workbench::request::Request;

/// One evaluation to be computed.
#[derive(Debug)]
pub(crate) struct OneEvaluation<'a> {
    pub(crate) plan: &'a Arc<Plan>,
    /// The gold answers in place of the curated ones.
    pub(crate) gold: Option<Arc<RefreshedGold>>,
    /// The position of the submission.
    pub(crate) submission: usize,
}

/// Everything that was read and asked for, and a plan for each profile.
#[derive(Debug)]
pub(crate) struct Ready<'a> {
    mint: &'a Mint,
    request: &'a Request,
    dataset: Arc<Input>,
    pub(crate) submissions: Vec<Arc<Input>>,
    references: ReferenceFiles,
    pub(crate) asked: AskedAll,
    pub(crate) plans: Vec<Arc<Plan>>,
}

impl<'a> Ready<'a> {
    /// Asks whom the request names, and prepares the profiles.
    pub(crate) fn new(
        bench: &'a Workbench,
        request: &'a Request,
        (dataset, submissions): (Arc<Input>, Vec<Arc<Input>>),
        mut references: ReferenceFiles,
        watcher: &dyn Watcher,
    ) -> Result<Self> {
        let mint = bench.mint();
        let asked = AskedAll::read(request, bench.shelf(), mint, &dataset, &submissions, watcher)?;
        references.harvest(request, &dataset, &submissions, &asked, mint, watcher)?;
        let limits = &request.allowance.limits;
        let remote = request.store.as_ref().map(|store| RemoteStore::connect(store, limits)).transpose()?;
        let remote = remote.map(Arc::new);
        let plan = |profile: &Arc<Profile>| {
            let choices = Arc::clone(&request.choices);
            let plan = Plan::new(Arc::clone(profile), choices, &references.files)?;
            Ok(Arc::new(plan.matching_on(remote.clone())))
        };
        let plans = request.profiles.iter().map(plan).collect::<Result<_>>()?;
        Ok(Self { mint, request, dataset, submissions, references, asked, plans })
    }

    /// All evaluations: by the gold answers that count, by profile, by submission.
    pub(crate) fn runs(&self) -> Vec<OneEvaluation<'_>> {
        let mut runs = Vec::new();
        for &refreshed in self.asked.origins() {
            for plan in &self.plans {
                let gold = self.asked.gold(refreshed, &plan.profile);
                let run = |submission| OneEvaluation { plan, gold: gold.clone(), submission };
                runs.extend((0..self.submissions.len()).map(run));
            }
        }
        runs
    }

    /// Computes an evaluation; gives also the event of computing it. `verb` and `profiles` are what provenance says of the
    /// command.
    pub(crate) fn score(
        &self,
        OneEvaluation { plan, gold, submission }: OneEvaluation<'_>,
        (verb, profiles): (&str, &[&Profile]),
        watcher: &dyn Watcher,
    ) -> Result<(Evaluation, Execution)> {
        watcher.check()?;
        let started = clock::now()?;
        let (dataset, asked) = (Arc::clone(&self.dataset), self.asked.of(gold, submission));
        let cases = Cases::new(dataset, Arc::clone(&self.submissions[submission]), plan, asked)?;
        let (plan, wanted) = (Arc::clone(plan), self.request.grouping);
        let evaluation = Evaluation::with_groups(self.mint, cases, plan, wanted, watcher)?;
        let (ended, process) = (clock::now()?, std::process::id());
        let command = command_line(verb, profiles, self.request, &self.references.named);
        Ok((evaluation, Execution { started, ended, command, process }))
    }

    /// What an evaluation would be called: its IRI, and the name of the system.
    pub(crate) fn named(&self, run: OneEvaluation<'_>) -> Result<(String, String)> {
        let (dataset, asked) = (Arc::clone(&self.dataset), self.asked.of(run.gold, run.submission));
        let submission = &self.submissions[run.submission];
        let cases = Cases::new(dataset, Arc::clone(submission), run.plan, asked)?;
        let digest = Manifest::new(&cases, run.plan).digest();
        Ok((self.mint.evaluation(&digest), submission.name.clone()))
    }

    /// Keeps everything that evaluations refer to.
    pub(crate) fn keep(&self, keeper: &Keeper<'_>) -> Result<()> {
        keeper.inputs(&self.dataset, &self.submissions, &self.references.files)?;
        self.asked.keep(keeper, &self.dataset, &self.submissions)
    }

    /// The options that give the same without asking an endpoint again: option and word.
    pub(crate) fn again(&self, bench: &Workbench) -> Vec<(&'static str, String)> {
        [self.asked.again(), self.references.again(bench.shelf())].concat()
    }
}

/// The options without paths: what provenance says about the command. `named` are the registered link sets and knowledge
/// bases among the references: option, and `NAME@VERSION`.
pub(crate) fn command_line(
    verb: &str,
    profiles: &[&Profile],
    request: &Request,
    named: &[(&'static str, String)],
) -> String {
    let chosen: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
    let mut text = format!("qassay {verb} --profile {}", chosen.join(","));
    let mut option = |name: &str, value: &str| {
        text.extend([" --", name, " ", value]);
    };
    for choice in &CHOICES {
        match choice.option {
            "link-kind" => named.iter().for_each(|(kind, name)| option(kind, name)),
            "same-as" if !request.kb.is_empty() => {
                option("gold", request.gold.name());
                // Neither paths nor addresses, which may hold a password.
                let is_name = |kb: &&String| !kb.contains(['/', '\\']) && !Path::new(kb).exists();
                request.kb.iter().filter(is_name).for_each(|kb| option("kb", kb));
            }
            _ => {}
        }
        let values = choice.written(choice.given(&request.choices));
        for value in &values {
            option(choice.option, value);
        }
    }
    text
}
