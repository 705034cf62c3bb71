//! A Virtuoso of our own: in a folder below `target/tmp`, on ports of its own, gone when the test ends.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The named graph that files are loaded into.
pub(crate) const GRAPH: &str = "http://ck25.example/";

/// A server that runs.
pub(crate) struct Virtuoso {
    process: Child,
    folder: PathBuf,
    /// The port of SQL.
    sql: u16,
    /// The port of HTTP.
    http: u16,
}

impl Virtuoso {
    /// Starts one.
    pub(crate) fn start(readable: &Path) -> Self {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let name = format!("virtuoso-{}-{}", std::process::id(), STARTED.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        let [sql, http] = free_ports();
        fs::write(folder.join("virtuoso.ini"), settings(sql, http, readable)).unwrap();
        let mut server = Self { process: spawn(&folder), folder, sql, http };
        server.wait();
        server
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Kills it, as a machine does that has no more memory.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts it again after it was killed.
    pub(crate) fn start_again(&mut self) {
        drop(fs::remove_file(self.folder.join("virtuoso.lck")));
        fs::remove_file(self.folder.join("virtuoso.log")).unwrap();
        self.process = spawn(&self.folder);
        self.wait();
    }

    fn wait(&mut self) {
        for _ in 0..300 {
            assert!(self.process.try_wait().unwrap().is_none(), "Virtuoso ends: {}", self.log());
            if self.log().contains("Server online at") {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        panic!("Virtuoso does not start within 30 s: {}", self.log());
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("virtuoso.log")).unwrap_or_default()
    }

    /// Runs SQL as the administrator.
    pub(crate) fn sql(&self, text: &str) -> String {
        let mut client = Command::new("isql-vt")
            .args([&self.sql.to_string(), "dba", "dba", "ERRORS=STDOUT"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        client.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = client.wait_with_output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Loads a file of Turtle.
    pub(crate) fn load(&self, file: &Path) {
        let file = fs::canonicalize(file).unwrap();
        let file = file.display();
        let said = self.sql(&format!("DB.DBA.TTLP_MT(file_to_string_output('{file}'), '', '{GRAPH}', 0);\n"));
        assert!(!said.contains("Error"), "{said}");
    }

    /// The address of something that it has.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.http)
    }

    /// The address of an endpoint; the graph is the default graph.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}?default-graph-uri={GRAPH}", self.http)
    }
}

impl Drop for Virtuoso {
    fn drop(&mut self) {
        // It holds nothing that anybody needs.
        drop(self.process.kill());
        drop(self.process.wait());
        drop(fs::remove_dir_all(&self.folder));
    }
}

fn spawn(folder: &Path) -> Child {
    let mut program = command();
    program.args(["+foreground", "+configfile", "virtuoso.ini"]).current_dir(folder);
    program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Virtuoso, killed by the system with the thread that starts it: also when nobody drops it.
fn command() -> Command {
    if !is_installed("setpriv") {
        return Command::new("virtuoso-t");
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "virtuoso-t"]);
    command
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Two ports that nobody uses.
fn free_ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

fn settings(sql: u16, http: u16, readable: &Path) -> String {
    let readable = fs::canonicalize(readable).unwrap();
    format!(
        "[Database]\nDatabaseFile = virtuoso.db\nErrorLogFile = virtuoso.log\nLockFile = virtuoso.lck\nErrorLogLevel = 7\n\
         TransactionFile = virtuoso.trx\nxa_persistent_file = virtuoso.pxa\nFileExtend = 200\nMaxCheckpointRemap = 2000\n\
         [TempDatabase]\nDatabaseFile = virtuoso-temp.db\nTransactionFile = virtuoso-temp.trx\nMaxCheckpointRemap = 2000\n\
         [Parameters]\nServerPort = 127.0.0.1:{sql}\nDisableUnixSocket = 1\nMaxClientConnections = 10\nCaseMode = 2\n\
         DirsAllowed = ., {}\nNumberOfBuffers = 10000\nMaxDirtyBuffers = 6000\n\
         [HTTPServer]\nServerPort = 127.0.0.1:{http}\nMaxClientConnections = 10\nServerThreads = 10\nCharset = UTF-8\n\
         [SPARQL]\nResultSetMaxRows = 10000\nMaxQueryExecutionTime = 60\n",
        readable.display()
    )
}
