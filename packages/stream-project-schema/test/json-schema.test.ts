import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type DocumentForm, type JsonSchemaDraft, jsonSchema } from '../src/index.ts';
import { type CorpusDiagnostic, corpusProjects } from './corpus-projects.ts';
import { checksOf } from './validators.ts';

const drafts: readonly JsonSchemaDraft[] = ['draft-07', '2020-12'];

const files: Readonly<Record<string, { readonly form: DocumentForm; readonly draft: JsonSchemaDraft }>> = {
  'stream-project.schema.json': { form: 'project', draft: 'draft-07' },
  'stream-project.2020-12.schema.json': { form: 'project', draft: '2020-12' },
  'stream-project-fragment.schema.json': { form: 'fragment', draft: 'draft-07' },
  'stream-project-fragment.2020-12.schema.json': { form: 'fragment', draft: '2020-12' },
};

test.each(Object.entries(files))('schema/%s is what the rows give', (file, options) => {
  const committed = readFileSync(new URL(`../schema/${file}`, import.meta.url), 'utf8');
  expect(committed).toBe(`${JSON.stringify(jsonSchema(options), null, 2)}\n`);
});

describe.each(drafts)('the schema of %s', (draft) => {
  const checks = Object.entries(checksOf(draft));
  const [tableBreakers, others] = [
    corpusProjects.filter((project) => project.class === 'structure' || breaksBounds(project.id)),
    corpusProjects.filter((project) => project.class !== 'structure' && !breaksBounds(project.id)),
  ];

  test.each(checks)('accepts every project that keeps the field table (%s)', (_, check) => {
    const refused = others.filter((project) => check(project.value).length > 0);
    expect(refused.map(({ id, value }) => [id, ...check(value)])).toEqual([]);
    expect(others.length).toBeGreaterThan(100);
  });

  test.each(checks)('refuses every project that breaks it (%s)', (_, check) => {
    const accepted = tableBreakers.filter((project) => check(project.value).length === 0);
    expect(accepted.map(({ id }) => id)).toEqual([]);
    expect(tableBreakers.length).toBeGreaterThan(30);
  });

  test('points at every place where a project breaks the table', () => {
    const { ajv = () => [] } = checksOf(draft);
    const missed = tableBreakers.flatMap((project) => {
      const places = new Set(ajv(project.value));
      return project.diagnostics
        .filter((diagnostic) => !pointers(diagnostic).some((place) => places.has(place)))
        .map(({ path }) => `${project.id} ${path}`);
    });
    expect(missed).toEqual([]);
  });

  test('passes strict validators for fragments too', () => {
    // Ajv's strict mode throws at compilation for unknown keywords, except for those of editors, which it is configured to accept.
    for (const check of Object.values(checksOf(draft, 'fragment'))) {
      expect(check({ sources: [{ name: 'raw', topic: 'raw' }] })).toEqual([]);
      expect(check({ rules: {} })).not.toEqual([]);
    }
  });
});

/** A state TTL of 0 keeps the shape, but not the bounds of its row. */
function breaksBounds(id: string): boolean {
  return id === 'p4f0f638d';
}

/** JSON pointers at which a validator may report: keys that are missing or unknown at their object. */
function pointers({ kind, alt = [], path = '' }: CorpusDiagnostic): readonly string[] {
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return [kind, ...alt].map((one) => {
    const shown = one === 'unknown-key' || one === 'missing-key' ? steps.slice(0, -1) : steps;
    return shown.map((step) => `/${step}`).join('');
  });
}
