// What .ci/pages runs: a page of each kind through html-validate, and through axe-core in Chromium.
const fs = require("fs"), http = require("http"), path = require("path"), { execFileSync } = require("child_process");
const puppeteer = require("puppeteer-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [root, chromium] = process.argv.slice(2);

// A kind is the words of a path without its names: a page of each.
const kinds = new Map();
for (const file of fs.readdirSync(root, { recursive: true }).filter((file) => file.endsWith(".html")).sort()) {
  const parts = file.split(path.sep);
  const words = parts.length === 1 ? parts : parts.map((part, at) => (at % 2 === 0 || part.length < 8 ? part : "*"));
  if (["code", "ns", "query", "profile", "graph", "protocol"].includes(parts[0])) words.splice(1);
  if (parts[0] === "evaluation" && parts.length > 3) words.splice(3);
  const gone = /<title>Withdrawn/.test(fs.readFileSync(path.join(root, file), "utf8")) ? "withdrawn " : "";
  const kind = gone + (words.length === parts.length ? words.slice(0, -1) : words).join("/") + (parts.length === 1 ? file : parts.length);
  if (!kinds.has(kind)) kinds.set(kind, file);
}
const files = [...kinds.values()];
let faults = 0;
const tell = (line) => { faults += 1; console.log(line); };

try {
  execFileSync("npx", ["html-validate", "--formatter", "text", ...files.map((file) => path.join(root, file))], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
} catch (error) {
  tell(error.stdout);
}

const types = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript" };
const server = http.createServer((request, reply) => {
  const file = path.join(root, decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  fs.readFile(file, (error, bytes) => {
    reply.writeHead(error ? 404 : 200, { "content-type": types[path.extname(file)] || "text/plain" });
    reply.end(bytes);
  });
});
server.listen(0, "127.0.0.1", async () => {
  const base = `http://127.0.0.1:${server.address().port}/`;
  const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  const page = await browser.newPage();
  for (const file of files) for (const width of [320, 1280]) for (const scheme of ["light", "dark"]) {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(base + file.split(path.sep).map(encodeURIComponent).join("/"));
    await page.evaluate(axe);
    const found = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
    for (const one of found.violations) tell(`${file} ${width} ${scheme}: ${one.id}, ${one.nodes.length} times: ${one.nodes[0].html.slice(0, 200)}`);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wider > 0) tell(`${file} ${width} ${scheme}: ${wider} px wider than the window`);
  }
  await browser.close();
  server.close();
  console.log(`${files.length} pages looked at, ${faults} faults`);
  process.exitCode = faults > 0 ? 1 : 0;
});
