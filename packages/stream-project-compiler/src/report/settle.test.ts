import { expect, test } from 'vitest';
import { diagnose } from '../diagnostics/diagnose.ts';
import { suppressionIn } from '../diagnostics/suppression.ts';
import { parseCodes } from '../parse/parse-codes.ts';
import type { TextRange } from '../text/range.ts';
import { settleDiagnostics, unknownPolicyNames } from './settle.ts';

function at(line: number, file = 'models/a.yml', column = 1): TextRange {
  return { file, start: { line, column }, end: { line, column: column + 1 } };
}
const info = (line: number, file?: string) =>
  diagnose(parseCodes['parsed-only'], { message: 'no effect', range: at(line, file) });
const error = (line: number, file?: string) =>
  diagnose(parseCodes['missing-key'], { message: 'lacks', range: at(line, file) });

function codes(found: ReturnType<typeof settleDiagnostics>): readonly string[] {
  return found.map(({ code, severity, range }) => `${range.file}:${range.start.line} ${code} ${severity}`);
}

test('findings are in order of their places, those of the project file first', () => {
  const found = [info(9), error(2), info(1, 'stream_project.yml'), info(1, 'models/Z.yml')];
  expect(codes(settleDiagnostics(found))).toEqual([
    'stream_project.yml:1 LV1303 info',
    'models/Z.yml:1 LV1303 info',
    'models/a.yml:2 LV1304 error',
    'models/a.yml:9 LV1303 info',
  ]);
});

test('a policy changes severities by code or name, and leaves findings out', () => {
  expect(codes(settleDiagnostics([info(1)], { policy: { LV1303: 'error' } }))).toEqual([
    'models/a.yml:1 LV1303 error',
  ]);
  expect(codes(settleDiagnostics([info(1)], { policy: { 'parsed-only': 'warning' } }))).toEqual([
    'models/a.yml:1 LV1303 warning',
  ]);
  expect(settleDiagnostics([info(1)], { policy: { 'parsed-only': 'off' } })).toEqual([]);
});

test('no policy hides what leaves a part of the project unread', () => {
  expect(codes(settleDiagnostics([error(1)], { policy: { 'missing-key': 'off' } }))).toEqual([
    'models/a.yml:1 LV1304 error',
  ]);
});

test('reports names of a policy that no code has', () => {
  expect(
    unknownPolicyNames({ 'parsed-only': 'off', LV1301: 'off', ['to' + 'String']: 'off', LV9: 'off' }),
  ).toEqual(['toString', 'LV9']);
});

test('a comment hides findings of its line or the next', () => {
  const next = suppressionIn('# levada-disable-next-line LV1303, unknown-key', at(1));
  const same = suppressionIn('# why levada-disable-line parsed-only', at(5, undefined, 30));
  const suppressions = [next, same].filter((one) => one !== undefined);
  const found = settleDiagnostics([info(2), info(5), info(6)], { suppressions });
  expect(codes(found)).toEqual(['models/a.yml:1 LV1120 warning', 'models/a.yml:6 LV1303 info']);
});

test('a comment of another file hides nothing', () => {
  const other = suppressionIn('# levada-disable-line LV1303', at(2, 'models/b.yml'));
  const found = settleDiagnostics([info(2)], { suppressions: other === undefined ? [] : [other] });
  expect(codes(found)).toEqual(['models/a.yml:2 LV1303 info', 'models/b.yml:2 LV1120 warning']);
});

test('other comments hide nothing', () => {
  expect(suppressionIn('# levada-disable LV1303', at(1))).toBeUndefined();
  expect(suppressionIn('# disable-line LV1303', at(1))).toBeUndefined();
});
