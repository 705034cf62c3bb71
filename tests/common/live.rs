//! Asking live systems in tests: a request, patience that ends soon, the submission that comes of it.

use std::collections::BTreeMap;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use qassay::base::error::Result;
use qassay::base::watch::Silent;
use qassay::sources::document::{Document, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::{read, read_submission};
use qassay::systems::address::AddressPolicy;
use qassay::systems::choose::WantedQuestions;
use qassay::systems::description::{Manners, Protocol};
use qassay::systems::mock::book::AnswerBook;
use qassay::systems::mock::server::{Listening, MockSystem};
use qassay::systems::run::Politeness;
use qassay::workbench::Workbench;
use qassay::workbench::ask::{AskRequest, AskedSystem, Continuing};

/// A file of so many questions, `1?` to `N?`.
pub(crate) fn questions(folder: &Path, number: usize) -> PathBuf {
    let line = |number| {
        format!(r#"{{"id": "{number}", "question": [{{"language": "en", "string": "{number}?"}}]}}"#)
    };
    let path = folder.join("questions.jsonl");
    fs::write(&path, (1..=number).map(line).collect::<Vec<_>>().join("\n")).expect("a file");
    path
}

/// What is asked of whom.
pub(crate) fn request(dataset: &Path, address: &str, protocol: &str) -> AskRequest {
    AskRequest {
        dataset: dataset.to_owned(),
        address: address.to_owned(),
        system: Some("live".to_owned()),
        protocol: Protocol::named(protocol).expect("a protocol").clone(),
        settings: BTreeMap::new(),
        wanted: WantedQuestions::default(),
        policy: AddressPolicy::Any,
    }
}

/// Tests do not wait.
pub(crate) fn hasty() -> Politeness {
    let manners = Manners {
        time_limit: Duration::from_secs(20),
        retries: 1,
        retry_pause: Duration::from_millis(1),
        pause: Duration::ZERO,
        one_at_a_time: false,
    };
    Politeness {
        manners,
        parallel: NonZeroUsize::MIN,
        longest_wait: Duration::from_secs(2),
        most_bytes: 1 << 20,
        keeps_going: false,
    }
}

/// Asks, and reads the submission that comes of it.
#[track_caller]
pub(crate) fn ask(
    bench: &Workbench,
    request: &AskRequest,
    again: Continuing,
    polite: &Politeness,
) -> Result<(AskedSystem, Document)> {
    let ready = bench.ready_to_ask(request)?;
    let asked = bench.ask(&ready, again, polite, &Silent)?;
    let (document, format) = read(&Source::open(&asked.file)?)?;
    assert_eq!(format.name, "jsonl");
    Ok((asked, document))
}

/// The kind of failure of a question.
pub(crate) fn failure(question: &Question) -> Option<&str> {
    question.asked.as_ref().expect("how it was asked").failure.as_deref()
}

/// A file of the example.
pub(crate) fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name)
}

/// The answers of a system of the example.
pub(crate) fn aurora() -> Document {
    read_submission(&Source::open(&example("aurora.json")).expect("a file")).expect("a submission").0
}

/// A mock of that system on a port of its own, of whose replies so many in a million fail. It ends with the test.
pub(crate) fn mock(protocol: &Protocol, failing: u32) -> String {
    let listening = Listening::at(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a port");
    let address = format!("http://{}/", listening.address().expect("an address"));
    let book = AnswerBook::of(&aurora(), None).expect("answers");
    let system = MockSystem { protocol: protocol.clone(), book, delay: Duration::ZERO, failing };
    thread::spawn(move || listening.serve(system));
    address
}
