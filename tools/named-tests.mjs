// Tables of Markdown that say which test shows a statement: their last column is "Shown by", and each of its cells holds one
// or more of `path/of/a/file.ts`: "title of a test". A path begins at the package of the document, or at the root of the
// repository with packages/, examples/ or tools/. The title is that of the source, %s and all; "a block > a test" is a test
// within a describe block, and finds nothing outside of it. Several titles of one file have a comma between.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const COLUMN = 'Shown by';
const reference = /`([\w./-]+\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g;

/** What is wrong with the tests that a document names, one line each. Empty when it has no such table. */
export function namedTestFindings(root, file) {
  const rows = shownRows(readFileSync(join(root, file), 'utf8'));
  return rows.flatMap((row) => rowFindings(root, file, row).map((finding) => `${file}: ${finding}`));
}

/** First and last cell of the rows of all such tables. */
function shownRows(text) {
  let shown = false;
  return text.split('\n').flatMap((line, index, lines) => {
    const cells = cellsOf(line);
    const isHead = cells !== undefined && cellsOf(lines[index - 1] ?? '') === undefined;
    if (cells === undefined) shown = false;
    if (isHead) shown = cells.at(-1) === COLUMN;
    if (!shown || isHead || /^[|\s:-]+$/.test(line)) return [];
    return [{ statement: cells[0], tests: cells.at(-1) }];
  });
}

function cellsOf(line) {
  if (!line.startsWith('|')) return undefined;
  return line
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .slice(1)
    .map((cell) => cell.trim());
}

function rowFindings(root, file, { statement, tests }) {
  const found = [...tests.matchAll(reference)];
  const rest = tests.replaceAll(reference, '').replaceAll(/[\s,]/g, '');
  if (found.length === 0 || rest !== '') return [`"${statement}" is not shown by \`file\`: "title" alone`];
  return found.flatMap(([, path, titles]) => {
    const target = /^(packages|examples|tools)\//.test(path) ? path : join(packageOf(file), path);
    if (!existsSync(join(root, target)))
      return [`"${statement}" is shown by ${target}, which does not exist`];
    const text = readFileSync(join(root, target), 'utf8');
    return [...titles.matchAll(/"([^"]+)"/g)]
      .filter(([, title]) => !hasTest(text, title.split(' > ')))
      .map(([, title]) => `"${statement}" is shown by "${title}", which is not in ${target}`);
  });
}

function packageOf(file) {
  return /^((?:packages|examples)\/[^/]+)\//.exec(file)?.[1] ?? '';
}

/** Whether a file has a test with the last title within blocks with the others. */
function hasTest(text, [title, ...inner]) {
  const literal = title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const calls = [...text.matchAll(new RegExp(`(?<!\\.(?:skip|todo))\\(\\s*(['"\`])${literal}\\1\\s*,`, 'g'))];
  return inner.length === 0
    ? calls.length > 0
    : calls.some(({ index }) => hasTest(blockFrom(text, index), inner));
}

/** From a call to its end, which the formatter puts at the call's own indentation. */
function blockFrom(text, index) {
  const begin = text.lastIndexOf('\n', index) + 1;
  const indent = /^ */.exec(text.slice(begin))[0];
  const end = text.indexOf(`\n${indent}}`, index);
  return text.slice(index + 1, end === -1 ? undefined : end);
}
