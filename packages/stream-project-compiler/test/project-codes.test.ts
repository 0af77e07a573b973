import { describe, expect, test } from 'vitest';
import { catalogue, type DiagnosticName, entryOf } from '../src/index.ts';
import { fieldFixtures } from './project-codes/fields.ts';
import { fileFixtures } from './project-codes/files.ts';
import { yamlFixtures } from './project-codes/yaml.ts';
import { checkProject } from './project-support/run-project.ts';

const codeFixtures = { ...fileFixtures, ...yamlFixtures, ...fieldFixtures };
const ownCodes = Object.entries(catalogue).filter(([code]) => code < 'LV1200' || code >= 'LV1300');
const names = ownCodes.filter(([code]) => code < 'LV2000').map(([, { name }]) => name as DiagnosticName);

describe.each(names)('the diagnostic "%s"', (name) => {
  test('has a fixture', () => {
    expect(codeFixtures[name]?.length ?? 0).toBeGreaterThan(0);
  });

  test('is reported where it is, in words that say what to change', async () => {
    for (const { files, shows } of codeFixtures[name] ?? []) {
      const { diagnostics, text } = await checkProject(files);
      expect(text).toContain(shows);
      expect(diagnostics.map(({ code }) => entryOf(code).name)).toContain(name);
    }
  });
});

test('every code has a number of the range of its origin and a name of its own', () => {
  const all = Object.values(catalogue).map(({ name }) => name);
  expect(new Set(all).size).toBe(all.length);
  for (const code of Object.keys(catalogue)) expect(code).toMatch(/^LV[1-69]\d{3}$/);
});

test('titles and documentation are sentences for people', () => {
  for (const { title, doc } of Object.values(catalogue)) {
    expect(title).toMatch(/^[A-Z][^\n]{8,60}[^.]$/);
    expect(doc).toMatch(/^[A-Z`][\s\S]{40,}\.$/);
  }
});
