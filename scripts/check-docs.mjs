// Finds what leads nowhere: a cited rule that `docs/spec/` does not have, a rule whose code or spec is gone, a link of the
// docs to no file or heading, and a line of prose that is too long. `node scripts/check-docs.mjs [FOLDER]` prints each with its place, and fails where there is one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = process.argv[2] ?? '.';
const SPEC = 'docs/spec/';
const FOLDERS = ['apps', 'deploy', 'docs', 'libs', 'ops', 'scripts', 'test', 'tools'];
const READ = /\.(?:css|[cm]?[jt]sx?|md|sql|ya?ml)$/;

const RULE_HEADING = /^### (([a-z]+)-\d+)$/;
const CITATION = /\brules? ([a-z]+-\d+(?:(?:,| and|, and| to) [a-z]+-\d+)*)/gi;
const RULE_ID = /[a-z]+-\d+/g;
/** Documents outside the repository. */
const FOREIGN = /decisions\.md|\bui\.md|\bS[01] ?§/;
const LINK = /\]\(([^()\s]+)(?: "[^"]*")?\)/g;

/** The longest line of prose in characters, without links. */
const PROSE_LINE_MAX = 120;

const problems = [];
const report = (file, line, problem) => problems.push(`${file}:${line}: ${problem}`);
const readLines = (file) => readFileSync(path.join(ROOT, file), 'utf8').split('\n');
const isThere = (file) => existsSync(path.join(ROOT, file));

function filesOf(folder) {
  if (!isThere(folder)) return [];
  const entries = readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && READ.test(entry.name));
  return files.map(({ parentPath, name }) => path.posix.join(path.relative(ROOT, parentPath), name));
}

/** The prose lines of a page, without code. */
function proseOf(lines) {
  let isCode = false;
  return lines.map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? '' : line.replace(/`[^`]*`/g, '``');
  });
}

/** The anchors of a page's headings, made as GitHub makes them. */
function anchorsOf(lines) {
  const times = new Map();
  let isCode = false;
  const anchors = new Set();
  for (const line of lines) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? null : /^#{1,6} (.+)$/.exec(line);
    if (!heading) continue;
    const text = heading[1].replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-');
    const count = times.get(slug) ?? 0;
    times.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/** The rules of one page: each names code that enforces it and specs, or says that no spec covers it yet. */
function readRules(file, rules) {
  const area = path.posix.basename(file, '.md');
  const lines = readLines(file);
  const starts = lines.flatMap((line, index) => (line.startsWith('### ') ? [index] : []));
  for (const [place, start] of starts.entries()) {
    const [, id, prefix] = RULE_HEADING.exec(lines[start]) ?? [];
    if (id === undefined || prefix !== area) report(file, start + 1, `"${lines[start]}" is not a rule of ${area}`);
    else if (rules.has(id)) report(file, start + 1, `there are two rules ${id}`);
    else rules.add(id);
    const text = lines.slice(start, starts[place + 1]).join('\n');
    const [, enforced, tested] = /^- Enforced: ([^]*?)\.\n- Tested: ([^]*?)\.$/m.exec(text) ?? [];
    if (enforced === undefined || tested === undefined) {
      report(file, start + 1, `${id} does not say where it is enforced and tested`);
      continue;
    }
    const named = tested === 'not yet' ? enforced : `${enforced}, ${tested}`;
    for (const list of [enforced, tested]) {
      const names = list.split(/,\s+/);
      if (new Set(names).size < names.length) report(file, start + 1, `${id} names a file twice`);
    }
    for (const name of named.split(/,\s+/)) {
      const [, code] = /^`([^`]+)`$/.exec(name) ?? [];
      if (code === undefined || !isThere(code)) report(file, start + 1, `${id} names ${name}, which does not exist`);
    }
  }
}

function checkCitations(file, lines, rules) {
  for (const [index, line] of lines.entries()) {
    const foreign = FOREIGN.exec(line);
    if (foreign) report(file, index + 1, `"${foreign[0]}" is not in the repository: cite a rule of ${SPEC}`);
    for (const [, cited] of line.matchAll(CITATION)) {
      for (const [id] of cited.matchAll(RULE_ID)) {
        if (!rules.has(id)) report(file, index + 1, `there is no rule ${id} in ${SPEC}`);
      }
    }
  }
}

/** Tables and code may be longer. */
function checkLengths(file, lines) {
  const prose = proseOf(lines);
  for (const [index, line] of lines.entries()) {
    const isProse = prose[index] !== '' && !line.startsWith('|') && !line.includes('](');
    if (isProse && line.length > PROSE_LINE_MAX) report(file, index + 1, `is longer than ${PROSE_LINE_MAX} characters`);
  }
}

function checkLinks(file, lines) {
  for (const [index, line] of proseOf(lines).entries()) {
    for (const [, target] of line.matchAll(LINK)) {
      if (/^[a-z]+:/i.test(target)) continue;
      const [name, anchor] = target.split('#');
      const linked = name === '' ? file : path.posix.join(path.posix.dirname(file), decodeURI(name));
      if (!isThere(linked)) report(file, index + 1, `the link ${target} leads to no file`);
      else if (anchor !== undefined && linked.endsWith('.md') && !anchorsOf(readLines(linked)).has(anchor)) {
        report(file, index + 1, `the link ${target} leads to no heading`);
      }
    }
  }
}

const files = [...readdirSync(ROOT).filter((name) => name.endsWith('.md')), ...FOLDERS.flatMap(filesOf)];
const rules = new Set();
for (const file of files) if (file.startsWith(SPEC) && !file.endsWith('/README.md')) readRules(file, rules);
for (const file of files) {
  const lines = readLines(file);
  checkCitations(file, lines, rules);
  if (!file.endsWith('.md')) continue;
  checkLinks(file, lines);
  checkLengths(file, lines);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${rules.size} rules, and every citation and link leads somewhere.`);
