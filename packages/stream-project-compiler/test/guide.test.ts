import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillGuide } from './guide-support/fill-guide.ts';
import { blocksOf } from './guide-support/run-guide.ts';

const guide = readFileSync(new URL('../../../docs/guides/stream-projects.md', import.meta.url), 'utf8');
const example = new URL('../../../examples/shop-project/', import.meta.url);

const debezium = readFileSync(new URL('../../../docs/guides/debezium.md', import.meta.url), 'utf8');

test('the guide of Debezium writes the files of its example, and shows what the command prints', () => {
  const folder = new URL('../../../examples/debezium-project/', import.meta.url);
  const files = blocksOf(debezium).filter(({ language }) => language === 'yaml');
  expect(files.map(({ path }) => path)).toContain('sources/tables.yml');
  for (const { path, text } of files)
    expect({ path, text }).toEqual({ path, text: readFileSync(new URL(path, folder), 'utf8') });
  expect(debezium).toBe(fillGuide(debezium));
}, 120_000);

test('the guide writes the files of the example, as they are there', () => {
  const files = blocksOf(guide).filter(({ language }) => language === 'yaml');
  expect(files.map(({ path }) => path)).toContain('stream_project.yml');
  for (const { path, text } of files)
    expect({ path, text }).toEqual({ path, text: readFileSync(new URL(path, example), 'utf8') });
});

test('the guide shows what the command prints, step by step', () => {
  expect(guide).toBe(fillGuide(guide));
}, 120_000);

test('the guide makes ten mistakes, and each message says where it is and what to change', () => {
  const blocks = blocksOf(guide);
  const shown = blocks.filter((_, at) => blocks[at - 1]?.language === 'diff').map(({ text }) => text);
  expect(shown).toHaveLength(10);
  for (const text of shown) expect(text).toMatch(/\n[\w/]+\.yml:\d+:\d+ {2}error {2}LV\d{4} {2}.* — \S/);
});
