// What .ci/story runs: an evaluation from its form to its end, in Chromium, told once for each kind of reader.
const fs = require("fs"), path = require("path"), { spawn } = require("child_process"), { once } = require("events");
const puppeteer = require("puppeteer-core"), { HtmlValidate } = require("html-validate");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [binary, folder, chromium] = process.argv.slice(2);

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const CREATOR = "Josiah Carberry <0000-0002-1825-0097>", REASON = "A number was read as a text", DONE = "1 of 1 part done";
const MOST_SECONDS = 300, MOST_WAIT = 60, MOST_TABS = 400, LOG = path.join(folder, "server.log");

const TELLINGS = [
  { name: "Story one", about: "script, 1280 px", width: 1280 },
  { name: "Story two", about: "no script, 390 px", width: 390, isBare: true },
  { name: "Story three", about: "keyboard, dark, 320 px", width: 320, scheme: "dark", isKeys: true },
];

// The ids of parts are the fragments of their IRIs, and may begin with a digit.
const html = new HtmlValidate({ root: true, extends: ["html-validate:standard"], rules: { "valid-id": ["error", { relaxed: true }] } });

const faults = new Set();
const tell = (line) => { if (!faults.has(line)) console.log(line); faults.add(line); };
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const check = (is, what) => { if (!is) throw new Error(what); };

async function until(what, seconds, test) {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; await pause(100)) if (await test()) return;
  throw new Error(`not within ${seconds} s: ${what}`);
}

const button = (text) => `::-p-xpath(//button[normalize-space()="${text}"])`;

// Who reads and acts: by mouse or by keyboard, with script or without. What is wrong with a page is told, and the story goes on.
class Reader {
  constructor(page, base, telling) {
    Object.assign(this, { page, base, telling, messages: [], pages: 0, held: null, hasListened: false });
  }

  static async of(browser, base, telling) {
    const page = await (await browser.createBrowserContext()).newPage();
    const reader = new Reader(page, base, telling);
    page.setDefaultTimeout(30_000);
    await page.setViewport({ width: telling.width, height: 800 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: telling.scheme || "light" }]);
    await page.evaluateOnNewDocument(() => addEventListener("securitypolicyviolation", (event) => console.error(`against the policy: ${event.violatedDirective} ${event.blockedURI}`)));
    await page.setJavaScriptEnabled(!telling.isBare);
    // What is sent is looked at, not what was kept.
    await page.setCacheEnabled(false);
    page.on("request", (request) => reader.asks(request));
    page.on("response", (reply) => { if (reply.request().isNavigationRequest() && reply.request().frame() === page.mainFrame() && !reply.headers().location) reader.reply = reply; });
    page.on("console", (message) => { if (["error", "warn"].includes(message.type())) reader.messages.push([message.text(), message.location().url]); });
    page.on("pageerror", (error) => reader.messages.push([String(error), page.url()]));
    return reader;
  }

  // The address without its secrets and keys, with who is there.
  fault(what, url = this.page.url()) {
    const at = url.replace(this.base, "/").replace(/[\w-]{43}/g, "TOKEN").replace(/[0-9a-f]{32}/g, "KEY");
    tell(`${this.telling.about}: ${at}: ${what}`);
  }

  async asks(request) {
    const url = request.url();
    if (!url.startsWith(this.base) && !url.startsWith("data:")) this.fault(`asks another host: ${url}`);
    if (url.endsWith("/events")) this.hasListened = true;
    if (!this.held) return;
    if (url.endsWith("/events")) await this.held;
    await request.continue();
  }

  // A page that is slow to listen: its request for events waits until what this returns is called.
  async holdEvents() {
    let release;
    this.held = new Promise((done) => { release = done; });
    await this.page.setRequestInterception(true);
    return async () => {
      release();
      this.held = null;
      await this.page.setRequestInterception(false);
    };
  }

  // Does what leads to another page, and looks at that one.
  async arrive(act, status = 200) {
    await Promise.all([this.page.waitForNavigation(), act()]);
    check(this.reply.status() === status, `${status} was expected, and is ${this.reply.status()}`);
    await this.look();
  }

  go(address, status) {
    return this.arrive(() => this.page.goto(new URL(address, this.base).href), status);
  }

  // A page of a run may load itself again while it is looked at: then the new one is.
  async look(tries = 5) {
    try {
      await this.lookOnce();
      this.pages += 1;
    } catch (error) {
      const isGone = /context|detached|No resource with given identifier|Could not load/i.test(error.message);
      if (!isGone || tries === 0) throw error;
      await pause(500);
      await this.look(tries - 1);
    }
  }

  // Everything that holds of every page.
  async lookOnce() {
    const { page, reply } = this;
    const report = await html.validateString(await reply.text());
    for (const one of report.results.flatMap((result) => result.messages)) this.fault(`html ${one.ruleId}: ${one.message} ${one.selector}`);
    for (const one of await this.violations()) this.fault(`axe ${one.id}, ${one.nodes.length} times: ${one.nodes[0].html.slice(0, 200)}`);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wider > 0) this.fault(`${wider} px wider than the window`);
    // A page that is refused is told as an error by the browser: that one is meant.
    const isMeant = ([text, url]) => url === reply.url() && reply.status() >= 400 && text.includes(`status of ${reply.status()}`);
    for (const [text, url] of this.messages.splice(0).filter((one) => !isMeant(one))) this.fault(`console: ${text} ${url === page.url() ? "" : url}`);
  }

  // axe-core needs script; what the page itself would have run is past by then.
  async violations() {
    const { page, telling } = this;
    if (telling.isBare) await page.setJavaScriptEnabled(true);
    try {
      await page.evaluate(axe);
      return (await page.evaluate((runOnly) => axe.run({ runOnly, resultTypes: ["violations"] }), RULES)).violations;
    } finally {
      if (telling.isBare) await page.setJavaScriptEnabled(false);
    }
  }

  // What can be read; nothing while a page goes and another one comes.
  text(selector = "main") {
    return this.page.$eval(selector, (one) => one.innerText.replace(/\s+/g, " ")).catch(() => "");
  }

  async says(words, selector) {
    const text = await this.text(selector);
    check(text.includes(words), `“${words}” is not said in ${selector || "main"}`);
  }

  async find(selector) {
    const found = await this.page.$(selector);
    check(found, `there is no ${selector}`);
    return found;
  }

  // Tab until it has the focus, which must be seen.
  async reach(target) {
    const isThere = () => target.evaluate((one) => one === document.activeElement);
    for (let tabs = 0; !(await isThere()); tabs += 1) {
      check(tabs < MOST_TABS, "an element is not reached by Tab");
      await this.page.keyboard.press("Tab");
    }
    const isSeen = () => target.evaluate((one) => {
      const box = one.getBoundingClientRect(), style = getComputedStyle(one);
      const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
      return isInside && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    });
    // The window follows a moment later.
    await until("it is seen", 3, isSeen).catch(async () => this.fault(`the focus is not seen: ${await target.evaluate((one) => one.outerHTML.slice(0, 120))}`));
  }

  async press(selector, key = "Enter") {
    const target = await this.find(selector);
    if (!this.telling.isKeys) return target.click();
    await this.reach(target);
    return this.page.keyboard.press(key);
  }

  async fill(name, text) {
    await this.press(`main [name="${name}"]`, "End");
    await this.page.keyboard.type(text);
  }

  async choose(name, label) {
    const target = await this.find(`main select[name="${name}"]`);
    const value = await target.evaluate((one, label) => [...one.options].find((option) => option.label === label)?.value, label);
    if (this.telling.isKeys) {
      await this.reach(target);
      await this.page.keyboard.type(label);
    } else {
      await target.select(value);
    }
    check((await target.evaluate((one) => one.value)) === value, `“${label}” is not chosen for ${name}`);
  }

  async upload(name, file) {
    await (await this.find(`main [name="${name}"]`)).uploadFile(file);
  }

  // Without our doing: by events, or where there is no script by the page's own refreshing. A page that does neither has a link.
  async wait(words, selector) {
    const isStill = this.telling.isBare && !(await this.page.$('meta[http-equiv="refresh"]'));
    await until(`${selector} says “${words}”`, MOST_WAIT, async () => {
      if ((await this.text(selector)).includes(words)) return true;
      if (isStill) await pause(1000).then(() => this.arrive(() => this.press("main ::-p-xpath(//a[.='Reload'])")));
      return false;
    });
    await until("the page is loaded", 10, () => this.page.evaluate(() => document.readyState === "complete" && !document.querySelector("[data-live]")).catch(() => false));
    await this.look();
  }
}

// Files of answers: the same bytes would be the same evaluation, so each has some questions less.
function answers(less) {
  const all = JSON.parse(fs.readFileSync("datasets/example/borealis.json", "utf8"));
  const file = path.join(folder, `answers-${less}.json`);
  fs.writeFileSync(file, JSON.stringify({ ...all, questions: all.questions.slice(0, -less) }, null, 2));
  return file;
}

// A file that ends too early, and the line where it does.
function broken() {
  const file = path.join(folder, "broken.json"), text = fs.readFileSync("datasets/example/borealis.json", "utf8").slice(0, 1500);
  fs.writeFileSync(file, text);
  return [file, text.split("\n").length];
}

// The form as somebody has it filled in who brings a gold standard of his own.
async function offerGold(reader) {
  await reader.go("");
  await reader.arrive(() => reader.press('header nav ::-p-xpath(//a[.="New evaluation"])'));
  await reader.press("::-p-xpath(//summary[contains(., 'gold standard')])", "Space");
  await reader.upload("gold", path.resolve("datasets/example/gold.json"));
}

async function start(reader, name, file) {
  await reader.upload("answers", file);
  await reader.fill("system", name);
  await reader.press('main [name="profile"][value="gerbil"]', "Space");
  await reader.arrive(() => reader.press(button("Start")));
  check(/\/m\/[\w-]{43}\/$/.test(reader.page.url()), "there is no page for managing");
}

const STEPS = {
  async "a broken file is named, and kept"(reader) {
    const [file, line] = broken();
    await offerGold(reader);
    await reader.upload("answers", file);
    await reader.arrive(() => reader.press(button("Start")), 422);
    await reader.says("still here", ".banner.bad");
    await reader.says(`broken.json, line ${line}`, ".banner.bad");
    const field = await reader.find('main [name="answers"][aria-invalid="true"]');
    const described = await field.evaluate((one) => one.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id)?.textContent).join(" "));
    check(described.includes(`broken.json, line ${line}`), "the field is not described by what is wrong with it");
    await reader.says("Here already: gold.json", "#gold-hint");
  },

  async "mended, it begins"(reader, story) {
    await start(reader, story.name, answers(story.less));
    story.manage = reader.page.url();
  },

  async "it is done, and nobody loaded the page again"(reader) {
    await reader.wait(DONE, "h1");
    check(reader.hasListened !== Boolean(reader.telling.isBare), "the page listens to events with script, and only so");
  },

  async "in private: the evaluation, a question"(reader, story) {
    await reader.arrive(() => reader.press('#parts a[href*="evaluation/"]'));
    const [, key] = reader.page.url().match(/\/p\/[\w-]{43}\/evaluation\/([0-9a-f]{32})$/) || [];
    check(key, "no private evaluation has this address");
    Object.assign(story, { key, private: reader.page.url() });
    await reader.says(story.name, "h1");
    await isPrivate(reader);
    await reader.arrive(() => reader.press('main a[href*="/obs/QA/"]'));
    await isPrivate(reader);
    await reader.arrive(() => reader.press(".banner a"));
    await isPrivate(reader);
    await reader.arrive(() => reader.press('main a[href="results"]'));
    await isPrivate(reader);
    await reader.says(story.name);
  },

  async "in public there is nothing of it"(reader, story) {
    for (const address of ["results", "search", "search.json", "feed.atom", "sitemap.xml", "systems"]) {
      const text = await (await fetch(reader.base + address)).text();
      for (const secret of [story.name, encodeURIComponent(story.name), story.key]) check(!text.includes(secret), `${address} knows ${secret}`);
    }
    check(!(await isFound(reader, story.name)), "SPARQL finds it");
    check((await statusOf(`${reader.base}evaluation/${story.key}`)) === 404, "its public address is not 404");
  },

  async "published, it is verified and found"(reader, story) {
    await reader.go(story.manage);
    await reader.fill("creator", CREATOR);
    await reader.choose("licence", "CC BY 4.0");
    await reader.arrive(() => reader.press(button("Publish")));
    await reader.wait("published", ".banner.good");
    // Who reads that it is public follows the link at once.
    const published = await reader.page.$eval(".banner.good a", (one) => one.href);
    Object.assign(story, { published });
    if ((await statusOf(published)) !== 200) reader.fault("it is told that it is published, but is not there yet");
    await until(`${published} is there`, MOST_WAIT, async () => (await statusOf(published)) === 200);
    await reader.arrive(() => reader.press(".banner.good a"));
    await reader.go(`evaluation/${story.key}`);
    await reader.says(story.name, "h1");
    check(!(await reader.page.$('meta[name="robots"]')), "a public page hides from search engines");
    await until("SPARQL finds it", MOST_WAIT, () => isFound(reader, story.name));
    // Who has the private address is led to the public one.
    await reader.go(story.private);
    check(reader.page.url() === `${reader.base}evaluation/${story.key}`, "the private address does not lead to the public one");
  },

  async "beside another one"(reader, story) {
    const { evaluations } = await (await fetch(`${reader.base}api/v1/evaluations?profile=gerbil`)).json();
    const other = evaluations.find((one) => one.system === "aurora");
    check(other, "what was public from the beginning is not listed");
    await reader.arrive(() => reader.press('main ::-p-xpath(//a[.="Compare it with others"])'));
    await reader.press(`main [name="e"][value="${other.key}"]`, "Space");
    await reader.arrive(() => reader.press(button("Compare")));
    await reader.says(story.name, "h1");
    await reader.says(other.system, "h1");
    await reader.find("main figure svg");
    await reader.go(`compare?e=${story.key}&e=nothing`, 400);
    await reader.says("no evaluation `nothing`");
  },

  async "withdrawn, it says why"(reader, story) {
    await reader.go(story.manage);
    await reader.fill("reason", REASON);
    await reader.arrive(() => reader.press(button("Withdraw")));
    await reader.says("withdrawn", ".banner.bad");
    for (const address of [story.published, `${reader.base}evaluation/${story.key}`]) {
      if ((await statusOf(address)) !== 410) {
        reader.fault(`it was public, is withdrawn, and is ${await statusOf(address)}, not 410`, address);
      } else {
        await reader.go(address, 410);
        await reader.says(REASON);
      }
    }
  },

  async "another one is done before its page listens"(reader, story) {
    await offerGold(reader);
    const listen = await reader.holdEvents();
    await start(reader, `${story.name} again`, answers(story.less + TELLINGS.length));
    story.manage = reader.page.url();
    story.look = (await reader.text("#keep ~ dl")).match(/\S+\/p\/[\w-]{43}\//)[0];
    await until("it is done", MOST_WAIT, async () => (await (await fetch(story.manage)).text()).includes(DONE));
    await listen();
    // Without script, nothing but its reader loads a page again.
    if (reader.telling.isBare) await reader.arrive(() => reader.press("main ::-p-xpath(//a[.='Reload'])"));
    await until("its page says so", 10, async () => (await reader.text("h1")).includes(DONE)).catch(() => reader.fault("it was done before its page listened, and its page never says so"));
  },

  async "deleted, its addresses are nothing"(reader, story) {
    await reader.go(story.manage);
    const [evaluation] = await reader.page.$$eval('#parts a[href*="evaluation/"]', (all) => all.map((one) => one.href));
    await reader.arrive(() => reader.press(button("Delete all of it")));
    await reader.go(story.manage, 404);
    for (const address of [story.look, `${story.look}run`, evaluation]) check((await statusOf(address)) === 404, `${address} is not 404`);
  },
};

async function isPrivate(reader) {
  await reader.says("private", ".banner .tag");
  await reader.find('meta[name="robots"][content="noindex"]');
}

async function isFound(reader, name) {
  const query = new URLSearchParams({ query: `SELECT ?s WHERE { ?s ?p "${name}" }`, format: "csv" });
  const reply = await fetch(`${reader.base}sparql?${query}`);
  check(reply.status === 200, `SPARQL answers ${reply.status}`);
  return (await reply.text()).trim().split("\n").length > 1;
}

const statusOf = async (address) => (await fetch(address, { headers: { accept: "text/html" } })).status;

async function telling(browser, base, one, at) {
  const reader = await Reader.of(browser, base, one);
  const story = { name: one.name, less: at + 1 }, began = Date.now();
  for (const [step, act] of Object.entries(STEPS)) {
    try {
      await act(reader, story);
    } catch (error) {
      reader.fault(`STEP “${step}”: ${error.message}\n    seen: ${(await reader.text("body")).slice(0, 1000)}`);
      break;
    }
  }
  console.log(`${one.about}: ${reader.pages} pages looked at, ${((Date.now() - began) / 1000).toFixed(0)} s`);
  await reader.page.browserContext().close();
}

// The server says where it is in its first line.
async function serve() {
  const server = spawn(binary, ["serve", "--archive", path.join(folder, "archive"), "--port", "0"], { stdio: ["ignore", "pipe", fs.openSync(LOG, "w")] });
  process.on("exit", () => server.kill("SIGKILL"));
  const [line] = await Promise.race([once(server.stdout.setEncoding("utf8"), "data"), once(server, "exit")]);
  const [base] = String(line).match(/http:\/\/127\.0\.0\.1:\d+\//) || [];
  check(base, `the server does not say where it is: ${line}`);
  return [server, base];
}

async function main() {
  setTimeout(() => { console.log(`!!! not told to its end in ${MOST_SECONDS} s`); process.exit(1); }, 1000 * MOST_SECONDS).unref();
  const [server, base] = await serve();
  const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  // One after the other: where all are told at once, each waits for the processor.
  for (const [at, one] of TELLINGS.entries()) await telling(browser, base, one, at);
  await browser.close();
  server.kill("SIGTERM");
  const [code] = await Promise.race([once(server, "exit"), pause(10_000).then(() => ["none in 10 s"])]);
  if (code !== 0) tell(`the exit code of the server is ${code}`);
  // A line for each request; all else is something that went wrong.
  const lines = fs.readFileSync(LOG, "utf8").split("\n").filter((line) => !/^$|^listening|"status":[1-4]/.test(line));
  for (const line of lines) tell(`the server says: ${line}`);
  console.log(`${TELLINGS.length} tellings, ${faults.size} faults`);
  process.exit(faults.size > 0 ? 1 : 0);
}

main().catch((error) => { console.log(error); process.exit(1); });
