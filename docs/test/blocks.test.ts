import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openEditor } from '@levada/test-peers/editor';
import { describe, expect, it } from 'vitest';
import { runHere, testedElsewhere, typeChecked } from './block-tests.ts';
import { allTexts, type Block, blocksIn, blocksOf, installs, isShown } from './page-blocks.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

it('finds a test for every code block, or a reason before it', () => {
  expect(allTexts().length).toBeGreaterThan(90);
  expect(allTexts().flatMap((file) => unaccounted(file, blocksOf(file)))).toEqual([]);
});

describe('a block that no test runs', () => {
  const page = 'docs/guides/backup.md';
  const found = (file: string, text: string) => unaccounted(file, blocksIn(text));

  it('is named with its page, its line and its language', () => {
    expect(found(page, 'Text.\n\n```yaml\na: 1\n```\n')).toEqual([
      `${page}:3: no test runs this block of yaml`,
    ]);
    expect(found(page, '1. Text:\n\n   ```bash\n   ls\n   ```\n')).toHaveLength(1);
    expect(found(page, '~~~\nls\n~~~\n')).toEqual([`${page}:1: no test runs this block without a language`]);
  });

  it('has a reason before it, or a language that is not run', () => {
    expect(found(page, '<!-- not run: needs a cluster -->\n\n```yaml\na: 1\n```\n')).toEqual([]);
    expect(found(page, '<!-- not run: -->\n\n```yaml\na: 1\n```\n')).toHaveLength(1);
    expect(found(page, '```text\na picture\n```\n')).toEqual([]);
  });

  it('is no text when it has commands', () => {
    expect(found(page, '```text\nlevada doctor\n```\n')).toEqual([
      `${page}:1: commands are sh or console, and no text`,
    ]);
  });

  it('installs packages of this repository', () => {
    expect(found('README.md', '```sh\nnpm install @levada/cli @levada/source-grpc\n```\n')).toEqual([]);
    expect(found('README.md', '```sh\nnpm install @levada/kafka-testkit\n```\n')).toHaveLength(1);
    expect(found('README.md', '```sh\nnpm install @levada/nothing\n```\n')).toHaveLength(1);
  });

  it('is one more than the test of its text runs', () => {
    const file = 'packages/grpc-wire/README.md';
    expect(found(file, '```ts\na;\n```\n')).toEqual([]);
    expect(found(file, '```ts\na;\n```\n\n```ts\nb;\n```\n')).toEqual([
      `${file}:1, 5: packages/grpc-wire/src/readme.test.ts runs 1 of these 2 blocks of ts`,
    ]);
    expect(found(file, '')).toEqual([
      `${file}: packages/grpc-wire/src/readme.test.ts runs 1 of these 0 blocks of ts`,
    ]);
  });
});

it.each(Object.entries(testedElsewhere))('%s is read by the tests that run its blocks', (file, tests) => {
  const name = file.endsWith('README.md') ? /README/i : file.replace(/^.*\/|\.md$/g, '');
  for (const test of Object.keys(tests)) expect(readFileSync(repository + test, 'utf8')).toMatch(name);
});

it.each(Object.entries(typeChecked))(
  'finds no errors in the examples of %s',
  (file, { folder, given = '' }) => {
    const examples = blocksOf(file).filter(isChecked(file));
    expect(examples.length).toBeGreaterThan(0);
    const editor = openEditor(repository + folder);
    const errors = examples.map(({ text, line }) => [line, editor.errors(`${given}\nexport {};\n${text}`)]);
    expect(errors).toEqual(examples.map(({ line }) => [line, []]));
  },
);

/** Blocks of a text that no test runs and that have no reason, and rows of tests that do not fit the text. */
function unaccounted(file: string, blocks: readonly Block[]): readonly string[] {
  const findings = blocks
    .filter((block) => file !== usagePage && isShown(block) && commands.test(block.text))
    .map(({ line }) => `${file}:${line}: commands are sh or console, and no text`);
  const left = blocks
    .filter((block) => block.notRun === undefined && !isShown(block) && !installs(block))
    .filter((block) => !runHere(file, block) && !isChecked(file)(block));
  const tests = Object.entries(testedElsewhere[file] ?? {}).flatMap(([test, counts]) =>
    Object.entries(counts).map(([language, count]) => ({ test, language, count })),
  );
  for (const { test, language, count } of tests) {
    const those = left.filter((block) => block.language === language).map(({ line }) => line);
    const at = those.length === 0 ? file : `${file}:${those.join(', ')}`;
    if (those.length !== count)
      findings.push(`${at}: ${test} runs ${count} of these ${those.length} blocks of ${language}`);
  }
  const counted = new Set(tests.map(({ language }) => language));
  for (const { language, line } of left.filter((block) => !counted.has(block.language))) {
    const kind = language === '' ? 'without a language' : `of ${language}`;
    findings.push(`${file}:${line}: no test runs this block ${kind}`);
  }
  return findings;
}

/** Generated: what `levada --help` prints. */
const usagePage = 'docs/reference/command-line.md';

/** Lines that begin as commands of shells do. */
const commands = /^(?:\$ |[A-Z_]+=\S+ \S|(?:curl|npm|npx|levada|docker|kubectl) )/m;

/** Whether TypeScript checks the example here. Those that import each other need the test that writes them as files. */
function isChecked(file: string): (block: Block) => boolean {
  const known = file in typeChecked;
  return ({ language, text, notRun }) =>
    known && language === 'ts' && notRun === undefined && !text.includes("from './");
}
