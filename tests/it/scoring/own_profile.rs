//! A profile of a user: some 20 lines of Turtle, based on a built-in one.

use crate::common::in_process::Program;
use qassay::profiles::Profile;
use qassay::profiles::own::ProfileFile;
use qassay::profiles::rules::EXPERIMENTS;
use qassay::sources::file::source::Source;

const STRICT: &str = include_str!("strict.ttl");

fn read(text: &str) -> qassay::base::error::Result<Vec<Profile>> {
    ProfileFile::read(&Source::from_bytes("mine.ttl", text.into())?).map(|file| file.profiles)
}

fn strict() -> Profile {
    read(STRICT).unwrap().remove(0)
}

fn error(text: &str) -> String {
    read(text).map(|_| text).unwrap_err().to_string()
}

#[test]
fn it_scores_as_it_says() {
    assert_eq!(read(STRICT).unwrap().len(), 1);
    let strict = strict();
    assert_eq!((strict.name.as_str(), strict.source), ("strict", Profile::find("qassay").unwrap().source));
    let question = |id: u8, value: &str| {
        format!(
            r#"{{"id": "{id}", "answertype": "resource", "question": [{{"language": "en", "string": "Which?"}}],
             "answers": [{{"head": {{"vars": ["uri"]}}, "results": {{"bindings": [{value}]}}}}]}}"#
        )
    };
    let file = |one: &str, other: &str| {
        format!(r#"{{"questions": [{}, {}, {}]}}"#, question(1, one), question(2, other), question(3, one))
    };
    let [http, https] = ["http", "https"].map(|scheme| {
        format!(r#"{{"uri": {{"type": "uri", "value": "{scheme}://dbpedia.org/resource/A"}}}}"#)
    });
    let (gold, answers) = (file(&http, &http), file(&http, &https));
    // The third question has no answer.
    let answers = answers.rsplit_once(&http).map(|(before, after)| format!("{before}{after}")).unwrap();
    let measures = |profile: Profile| {
        let json = Program::with(profile, None, &[]).json(&gold, &answers);
        let experiments = json["experiments"].as_object().unwrap();
        let groups = experiments["QA"]["groups"].as_object().unwrap();
        let groups = groups.keys().cloned().collect::<Vec<_>>();
        (experiments.len(), experiments["QA"]["measures"].clone(), groups)
    };
    let (experiments, found, groups) = measures(self::strict());
    assert_eq!(experiments, 1);
    assert_eq!(groups, ["answertype-resource", "length-up-to-5"]);
    // The first is right, the second has another scheme, the third is empty: precise.
    let names: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["microPrecision", "microRecall", "microF1", "macroPrecision", "macroRecall", "macroF1"]
    );
    assert_eq!(found["macroPrecision"], 0.666_666_666_667);
    assert_eq!(found["macroRecall"], 0.333_333_333_333);
    let (_, as_qassay, groups) = measures(Profile::find("qassay").unwrap());
    assert_eq!(as_qassay["macroRecall"], 0.666_666_666_667);
    assert!(groups.iter().all(|group| !group.starts_with("length-")), "{groups:?}");
}

#[test]
fn built_in_profiles_stay_as_they_are() {
    let built_in = Profile::find("qassay").unwrap();
    assert!(Profile::all().iter().all(|profile| profile.name != "strict"));
    let told = error(&STRICT.replace("https://example.org/profile/strict/1", &built_in.iri));
    assert!(told.contains("is built in"), "{told}");
    assert_eq!(built_in.experiments.len(), EXPERIMENTS.len());
}

#[test]
fn what_cannot_be_is_an_error_that_says_what_can() {
    let (own, qa) = ("<https://example.org/profile/strict/1>", "<https://example.org/profile/strict/1/QA>");
    let rules = |said: &str| format!("{said} ;\n    qassay:measure");
    let of_qa = "    qassay:basedOn <https://w3id.org/qassay/profile/qassay/4/QA> ;\n";
    let step = "<http://e/s>";
    let with_step = |query: &str, rule: &str| {
        format!("{STRICT}\n{step} a qassay:MatchStep ; qassay:order 1 ; qassay:query <https://w3id.org/qassay/query/{query}> ; qassay:matchRule code:{rule} .")
            .replace("step:identical", step)
    };
    assert!(read(&with_step("match/identical", "match-identical")).is_ok());
    for (text, told) in [
        (
            with_step("check/ic-1", "match-identical"),
            "matches nothing.\nallowed: the queries of queries/match",
        ),
        (with_step("match/identical", "macroF1"), "the qassay:matchRule of <http://e/s> is unknown"),
        (STRICT.replace("@prefix owl", "_:x <http://e/p> 1 . @prefix owl"), "has no IRI"),
        (
            format!("{STRICT}<http://e/o> a qassay:Evaluation ."),
            "the rdf:type of <http://e/o> is no class of profiles",
        ),
        (format!("{STRICT}<http://e/o> <http://e/p> 1 ."), "no profile leads to <http://e/o>"),
        (
            format!("{STRICT}{}", STRICT.split_once("\n\n").unwrap().1.replace("example.org", "example.com")),
            "two profiles are called `strict` in version 1",
        ),
    ] {
        let found = error(&text);
        assert!(found.contains(told) && found.starts_with("mine.ttl"), "{found}");
    }
    assert_eq!(read(&format!("\u{feff}{STRICT}")).unwrap().len(), 1);
    for (from, to, told) in [
        ("code:macroF1Harmonic", "code:macroF7", "`macroF7` is no measure"),
        ("code:macroF1Harmonic", "\"macroF1\"", &format!("the qassay:measure of {qa} is a text")),
        ("code:macroF1Harmonic", "step:text", "`https://w3id.org/qassay/step/text` is no measure that"),
        ("code:score-precision-one", "code:score-half", "allowed: code:score-precision-one, code:score-zero"),
        ("code:score-precision-one", "code:score-one", "allowed: code:score-precision-one, code:score-zero"),
        ("code:score-precision-one", "code:score-one , code:score-zero", "has 2 values, and one counts"),
        ("qassay/4/QA", "qassay/9/QA", "nothing is said of <https://w3id.org/qassay/profile/qassay/9/QA>"),
        ("owl:versionInfo \"1\"", "owl:versionInfo", "the Turtle cannot be read"),
        ("owl:versionInfo \"1\"", "skos:note \"1\"", "has no version (owl:versionInfo)"),
        (
            "owl:versionInfo \"1\"",
            "owl:versionInfo \"1.0\"",
            "has the version (owl:versionInfo) `1.0`.\nallowed: a whole number",
        ),
        ("skos:notation", "skos:note", "has no name (skos:notation)"),
        ("skos:prefLabel", "skos:prefLable", "has no title (skos:prefLabel)"),
        ("skos:definition", "skos:note", "has no definition (skos:definition)"),
        ("strict", "qassay", "is called `qassay`, as a built-in profile is"),
        (
            "step:identical",
            "step:none",
            "is no qassay:MatchStep: <https://w3id.org/qassay/step/none>.\nallowed: <",
        ),
        (
            "qassay:group",
            "qassay:groups",
            "says qassay:groups, which no profile has.\nallowed: allowedLoader, ",
        ),
        (
            "qassay:group",
            "qassay:pairing code:pairing-greedy ; qassay:group",
            &format!("{own} says qassay:pairing, which is for something else"),
        ),
        (
            "qassay:measure",
            &rules("qassay:systemEmpty code:score-zero"),
            &format!("{qa} says qassay:systemEmpty, which is for"),
        ),
        (
            "qassay:measure",
            &rules("qassay:answerReading code:reading-patterns"),
            "of code:QA have the qassay:answerReading code:reading-patterns.\nallowed: ",
        ),
        (
            "qassay:measure",
            &rules("qassay:pairing code:pairing-gerbil-answers"),
            "pairs in GERBIL's two steps",
        ),
        (of_qa, "", "is no qassay:ExperimentRules: "),
        (
            "code:groups-length",
            "code:groups-lenght",
            "is unknown: <https://w3id.org/qassay/code#groups-lenght>",
        ),
        ("code:groups-length", "code:macroF1", "is unknown: <https://w3id.org/qassay/code#macroF1>"),
    ] {
        assert!(STRICT.contains(from));
        let found = error(&STRICT.replace(from, to));
        assert!(found.contains(told) && found.starts_with("mine.ttl"), "{found}");
    }
}

/// The files that say what the profile does are part of the plan of an execution.
#[test]
fn its_text_is_part_of_the_plan() {
    let profile = strict();
    let sha256 = profile.file_sha256().unwrap().to_owned();
    let own = format!("profiles/{}", &sha256[..32]);
    let files = profile.plan_files();
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["ontology/profiles.ttl", &own, "queries/match/identical.rq"]);
    assert_eq!(files[1].1, sha256);
}
