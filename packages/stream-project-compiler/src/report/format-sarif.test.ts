import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { parseCodes } from '../parse/parse-codes.ts';
import { formatSarif } from './format-sarif.ts';

const place = { file: 'models/my orders.yml', start: { line: 2, column: 3 }, end: { line: 2, column: 8 } };
const first = diagnose(parseCodes['unknown-key'], {
  range: place,
  message: 'unknown key "x"',
  path: 'models[3].x',
  object: 'model:a',
  hint: 'remove it',
});
const second = diagnose(parseCodes['parsed-only'], {
  range: place,
  message: 'no effect',
  path: 'models[3].y',
  object: 'model:a',
  related: [{ message: 'see here', range: place }],
});

interface Sarif {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly rules: readonly { readonly id: string; readonly helpUri?: string }[];
      };
    };
    readonly columnKind: string;
    readonly originalUriBaseIds: Readonly<Record<string, unknown>>;
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string };
          readonly region: Readonly<Record<string, number>>;
        };
      }[];
      readonly relatedLocations?: readonly { readonly id: number }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
    }[];
  }[];
}

function sarif(
  diagnostics: readonly Diagnostic[],
  options: Parameters<typeof formatSarif>[1] = {},
): Sarif['runs'][number] {
  const log = JSON.parse(formatSarif(diagnostics, options)) as Sarif;
  expect(log.version).toBe('2.1.0');
  const [run] = log.runs;
  if (run === undefined) throw new Error('no run');
  return run;
}

test('every result names a rule of the run by index and id', () => {
  const { results, tool } = sarif([first, second, first]);
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  expect(tool.driver.rules.map(({ id }) => id)).toEqual(['LV1301', 'LV1303']);
});

test('levels are those of SARIF', () => {
  expect(sarif([first, second]).results.map(({ level }) => level)).toEqual(['error', 'note']);
});

test('places are below the root of the repository, as URIs, with columns from 1', () => {
  const { results, columnKind, originalUriBaseIds } = sarif([first], { folder: 'projects/shop' });
  expect(columnKind).toBe('utf16CodeUnits');
  expect(results[0]?.locations[0]?.physicalLocation).toEqual({
    artifactLocation: { uri: 'projects/shop/models/my%20orders.yml', uriBaseId: 'SRCROOT' },
    region: { startLine: 2, startColumn: 3, endLine: 2, endColumn: 8 },
  });
  expect(originalUriBaseIds).toHaveProperty('SRCROOT');
});

test('hints are part of the message, related places have ids', () => {
  const { results } = sarif([first, second]);
  expect(results[0]?.message.text).toBe('unknown key "x" — remove it');
  expect(results[1]?.relatedLocations?.map(({ id }) => id)).toEqual([0]);
});

test('a finding keeps its fingerprint when lines and definitions above it change', () => {
  const moved: Diagnostic = {
    ...first,
    path: 'models[9].x',
    range: { ...place, start: { line: 90, column: 3 }, end: { line: 90, column: 8 } },
  };
  const prints = (diagnostics: readonly Diagnostic[]) =>
    sarif(diagnostics).results.map(({ partialFingerprints }) => partialFingerprints['levadaFinding/v1']);
  expect(prints([moved])).toEqual(prints([first]));
  expect(new Set(prints([first, first])).size).toBe(2);
});

test('rules link to the page of their code, here or elsewhere', () => {
  const [rule] = sarif([first]).tool.driver.rules;
  expect(rule?.helpUri).toBe('https://levada.github.io/levada/reference/diagnostics/LV1301');
  expect(existsSync(new URL('../../../../docs/reference/diagnostics/LV1301.md', import.meta.url))).toBe(true);
  const { tool } = sarif([first], { helpUri: 'https://docs.example/codes', version: '1.2.3' });
  expect(tool.driver.rules[0]?.helpUri).toBe('https://docs.example/codes/LV1301');
  expect(tool.driver).toHaveProperty('semanticVersion', '1.2.3');
});

test('a file name that is no text of Unicode does not stop the log', () => {
  const odd = { ...first, range: { ...place, file: 'models/\uD800.yml' } };
  expect(sarif([odd]).results).toHaveLength(1);
});
