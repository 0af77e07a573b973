// Counts what makes texts and names of this repository hard to read (measures.mjs), by package, and refuses counts that rise above
// those of clarity.json.
//
//   node tools/clarity/clarity.mjs                     counts of each package, and what has risen
//   node tools/clarity/clarity.mjs --list [<folder>]   each place
//   node tools/clarity/clarity.mjs --write             lowers the committed counts to those of now
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMarkers, findNames, findTitles } from './measures.mjs';

const committedFile = fileURLToPath(new URL('clarity.json', import.meta.url));
const kinds = ['source', 'tests', 'docs', 'titles', 'names'];
/** Markers in 10,000 lines that good prose has: a sentence bent to avoid a marker is worse than the marker. */
const GOAL = 15;
/** Commit messages that are read; of a shallow clone those that it has. */
const MESSAGES = 100;

/** Files that quote others, and that tools write. */
const excluded =
  /(?:^|\/)CHANGELOG\.md$|\/(?:gen|golden|recorded|fixtures|templates)\/|^api\/|^docs\/(?:packages|reference\/(?:api|diagnostics))\/|^tools\/clarity\//;
const generated = /^(?:\/\/|<!--) .*(?:do not change by hand|run "pnpm run generate")/;

/** Counts by package, with every place. `files` are paths from `root`. */
export function measure(root, files) {
  const read = files
    .filter((file) => /\.(?:ts|mjs|vue|md)$/.test(file) && !excluded.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => !generated.test(text));
  const groups = Object.groupBy(read, ({ file }) => groupOf(file));
  return Object.fromEntries(
    Object.keys(groups)
      .toSorted()
      .map((name) => [name, measureGroup(groups[name])]),
  );
}

function groupOf(file) {
  return /^(?:packages\/([^/]+)|([^/]+)\/)/.exec(file)?.slice(1).find(Boolean) ?? '.';
}

function measureGroup(files) {
  const lines = { source: 0, tests: 0, docs: 0 };
  const places = [];
  for (const { file, text } of files) {
    const isMarkdown = file.endsWith('.md');
    const isTest = /\.test\.ts$|\/(?:test|bench)\//.test(file);
    const prose = isMarkdown ? 'docs' : isTest ? 'tests' : 'source';
    lines[prose] += countLines(text);
    const add = (kind, found) => places.push(...found.map((place) => ({ kind, file, ...place })));
    add(prose, findMarkers(text, { isMarkdown }));
    if (isMarkdown) continue;
    if (isTest) add('titles', findTitles(text));
    add('names', findNames(text));
  }
  const counts = Object.fromEntries(
    kinds.map((kind) => [kind, places.filter((place) => place.kind === kind).length]),
  );
  return { lines, counts, places };
}

/** Lines and markers of the last commit messages. */
function measureMessages(root) {
  const text = execFileSync('git', ['log', `-${MESSAGES}`, '--no-merges', '--format=%B'], {
    cwd: root,
    encoding: 'utf8',
  });
  return { lines: countLines(text), places: findMarkers(text) };
}

/** Counts that are higher than committed, one line each. A package with fewer markers than the goal may use some. */
export function findRisen(groups, committed) {
  return Object.entries(groups).flatMap(([name, { counts, lines }]) =>
    kinds.flatMap((kind) => {
      const goal = kind in lines ? Math.floor((GOAL * lines[kind]) / 10_000) : 0;
      const most = Math.max(committed[name]?.[kind] ?? 0, goal);
      if (counts[kind] <= most) return [];
      return [`${name}: ${describe(kind)}: ${counts[kind]}, at most ${most} are allowed`];
    }),
  );
}

function describe(kind) {
  if (kind === 'titles') return 'test titles without a subject';
  if (kind === 'names') return 'functions named by a participle or adjective';
  return `markers in ${kind}`;
}

/** Rates of messages are committed, because those that are made cannot be changed; one marker is always allowed. */
export function findRisenMessages({ lines, places }, mostRate) {
  const most = Math.max(1, Math.ceil((mostRate * lines) / 10_000));
  if (places.length <= most) return [];
  const found = places.map((place) => `"${place.found}"`).join(', ');
  return [
    `commit messages: ${places.length} markers in ${lines} lines (${found}), at most ${most} are allowed`,
  ];
}

/** Counts to commit. Code may move from one package to another while the sum does not rise; otherwise no package's count may. */
export function lower(groups, committed) {
  const now = Object.entries(groups);
  const mayMove = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      sum(now.map(([, { counts }]) => counts[kind])) <=
        sum(Object.values(committed).map((row) => row[kind] ?? 0)),
    ]),
  );
  return Object.fromEntries(
    now.map(([name, { counts }]) => [
      name,
      Object.fromEntries(
        kinds.map((kind) => [
          kind,
          mayMove[kind] ? counts[kind] : Math.min(counts[kind], committed[name]?.[kind] ?? 0),
        ]),
      ),
    ]),
  );
}

/** Findings for check-structure.mjs. */
export function clarityFindings(root, files) {
  const { packages, messages } = readCommitted();
  const hint =
    'node tools/clarity/clarity.mjs --list prints each place, docs/contributing/style.md says what to write';
  return [
    ...findRisen(measure(root, files), packages),
    ...findRisenMessages(measureMessages(root), messages),
  ].map((finding) => `${finding} (${hint})`);
}

function readCommitted() {
  return JSON.parse(readFileSync(committedFile, 'utf8'));
}

/** One package a line, so that changes of several packages merge. */
function printCommitted({ messages, packages }) {
  const rows = Object.entries(packages).map(
    ([name, counts]) =>
      `    "${name}": ${JSON.stringify(counts).replaceAll(/[{:,]/g, '$& ').replace('}', ' }')}`,
  );
  return `{\n  "messages": ${messages},\n  "packages": {\n${rows.join(',\n')}\n  }\n}\n`;
}

function printTable(groups) {
  const rows = Object.entries(groups).map(([name, { lines, counts }]) => [name, lines, counts]);
  const add = (parts) =>
    Object.fromEntries(Object.keys(parts[0]).map((key) => [key, sum(parts.map((part) => part[key]))]));
  rows.push(['all', add(rows.map(([, lines]) => lines)), add(rows.map(([, , counts]) => counts))]);
  const cells = rows.map(([name, lines, counts]) => [
    name,
    ...['source', 'tests', 'docs'].flatMap((kind) => [counts[kind], rate(counts[kind], lines[kind])]),
    counts.titles,
    counts.names,
  ]);
  const head = ['markers (per 10,000 lines) in', 'source', '', 'tests', '', 'docs', '', 'titles', 'names'];
  return [head, ...cells]
    .map(([name, ...rest]) => name.padEnd(30) + rest.map((cell) => String(cell).padStart(8)).join(''))
    .join('\n');
}

function rate(markers, lines) {
  return lines === 0 ? '' : `(${Math.round((markers * 10_000) / lines)})`;
}

function countLines(text) {
  return text.split('\n').length - 1;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function main([flag, folder = '']) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => existsSync(join(root, file)));
  const groups = measure(root, files);
  const messages = measureMessages(root);
  const committed = readCommitted();
  if (flag === '--list') {
    const places = Object.values(groups).flatMap((group) => group.places);
    for (const { file, line, kind, found } of places.filter((place) => place.file.startsWith(folder)))
      process.stdout.write(`${file}:${line}: ${describe(kind)}: ${found}\n`);
    return;
  }
  if (flag === '--write') {
    const packages = lower(groups, committed.packages);
    writeFileSync(committedFile, printCommitted({ ...committed, packages }));
    return;
  }
  const risen = [
    ...findRisen(groups, committed.packages),
    ...findRisenMessages(messages, committed.messages),
  ];
  process.stdout.write(`${printTable(groups)}\ncommit messages: ${messages.places.length} `);
  process.stdout.write(`${rate(messages.places.length, messages.lines)}\n`);
  for (const finding of risen) process.stdout.write(`${finding}\n`);
  process.exitCode = risen.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
