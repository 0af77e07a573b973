import { expect, test } from 'vitest';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { parseCodes } from '../parse/parse-codes.ts';
import { sourceFile } from '../text/source-file.ts';
import { formatGithub } from './format-github.ts';
import { diagnosticsJson, formatJson } from './format-json.ts';
import { formatJunit } from './format-junit.ts';
import { formatText } from './format-text.ts';

const file = sourceFile('models/a.yml', 'models:\n\t- name: 名前 x # 😀 y\n  sql: z\n');

function found(
  start: readonly [number, number],
  end: readonly [number, number],
  more: Partial<Diagnostic> = {},
): Diagnostic {
  const range = {
    file: 'models/a.yml',
    start: { line: start[0], column: start[1] },
    end: { line: end[0], column: end[1] },
  };
  return {
    ...diagnose(parseCodes['unknown-key'], {
      range,
      message: 'unknown key "x"',
      path: 'models[0].x',
      object: 'model:a',
    }),
    ...more,
  };
}

test('puts carets below the marked text, after tabs and wide characters', () => {
  expect(formatText([found([2, 13], [2, 14])], { files: [file] })).toBe(
    [
      'models/a.yml:2:13  error  LV1301  unknown key "x"',
      '  2 |     - name: 名前 x # 😀 y',
      '    |                  ^',
      '1 error in 1 file',
      '',
    ].join('\n'),
  );
});

test('wide characters have carets of two cells', () => {
  expect(formatText([found([2, 10], [2, 12])], { files: [file] })).toContain('\n    |             ^^^^\n');
  expect(formatText([found([2, 17], [2, 19])], { files: [file] })).toContain(`\n    | ${' '.repeat(21)}^^\n`);
});

test('a place over several lines is underlined to the end of the first', () => {
  const short = sourceFile('models/a.yml', 'abc\ndef');
  expect(formatText([found([1, 2], [2, 2])], { files: [short] })).toContain('\n  1 | abc\n    |  ^^\n');
});

test('a place beyond the end of a line has one caret', () => {
  const short = sourceFile('models/a.yml', 'abc');
  expect(formatText([found([1, 4], [1, 4])], { files: [short] })).toContain('\n  1 | abc\n    |    ^\n');
});

test('long lines are cut around the place', () => {
  const long = sourceFile('models/a.yml', `${'a'.repeat(100_000)}XYZ${'b'.repeat(100_000)}`);
  const text = formatText([found([1, 100_001], [1, 100_004])], { files: [long] });
  const [, line = '', carets = ''] = text.split('\n');
  expect(line.length).toBeLessThan(200);
  expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('XYZ');
});

test('control characters and directions are shown as escapes', () => {
  const odd = sourceFile('models/a.yml', 'a\u001B[31m\u202Eb');
  const text = formatText([found([1, 9], [1, 10])], { files: [odd] });
  expect(text).toContain('  1 | a\\u001b[31m\\u202eb\n');
});

test('secrets are shown as stars, by their place and by their key', () => {
  const secret = sourceFile(
    'models/a.yml',
    'webhook_password: "hunter2" # x\nplain: hunter2\napi_key: $' + '{KEY}\n',
  );
  const secrets = new Map([['models/a.yml', [{ start: 39, end: 46 }]]]);
  const text = formatText([found([1, 1], [1, 2]), found([2, 1], [2, 2]), found([3, 1], [3, 2])], {
    files: [secret],
    secrets,
  });
  expect(text).not.toContain('hunter2');
  expect(text).toContain('plain: *******');
  expect(text).toContain('api_key: $' + '{KEY}');
});

test('SQL that compares a column with the name of a secret is shown', () => {
  const sql = sourceFile('models/a.yml', "    WHERE token = 'x'");
  expect(formatText([found([1, 5], [1, 6])], { files: [sql] })).toContain("WHERE token = 'x'");
});

test('lines of files of variables are never shown', () => {
  const secret = sourceFile('models/a.yml', 'A=hunter2', { secret: true });
  expect(formatText([found([1, 1], [1, 2])], { files: [secret] })).not.toContain('hunter2');
});

test('colors severities only when asked for', () => {
  expect(formatText([found([1, 1], [1, 2])])).not.toContain('\u001B');
  expect(formatText([found([1, 1], [1, 2])], { color: true })).toContain('\u001B[31merror\u001B[0m');
});

test('no findings are no text', () => {
  expect(formatText([])).toBe('');
});

test('the last line counts by severity', () => {
  const text = formatText([
    found([1, 1], [1, 2]),
    found([1, 1], [1, 2]),
    found([1, 1], [1, 2], { severity: 'info' }),
  ]);
  expect(text).toContain('\n2 errors, 1 info in 1 file\n');
});

test('JSON has the published shape', () => {
  const related = [{ message: 'here first', range: found([1, 1], [1, 2]).range }];
  expect(diagnosticsJson([found([2, 3], [2, 4], { hint: 'remove it', related })])).toEqual({
    schema: 'levada.project-diagnostics/1',
    valid: false,
    complete: false,
    holes: [],
    diagnostics: [
      {
        code: 'LV1301',
        severity: 'error',
        message: 'unknown key "x"',
        file: 'models/a.yml',
        range: { start: { line: 2, column: 3 }, end: { line: 2, column: 4 } },
        path: 'models[0].x',
        object: 'model:a',
        hint: 'remove it',
        related: [
          {
            message: 'here first',
            file: 'models/a.yml',
            range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } },
          },
        ],
      },
    ],
  });
});

test('JSON of a project with a hole is valid and not complete', () => {
  const hole = { object: 'model:m', reason: 'its SQL cannot be read' };
  expect(diagnosticsJson([], [hole])).toMatchObject({ valid: true, complete: false, holes: [hole] });
  expect(diagnosticsJson([])).toMatchObject({ valid: true, complete: true, holes: [] });
});

test('JSON without errors is valid, and leaves out what there is not', () => {
  const json = JSON.parse(formatJson([found([1, 1], [1, 2], { severity: 'warning' })])) as ReturnType<
    typeof diagnosticsJson
  >;
  expect(json.valid).toBe(true);
  expect(Object.keys(json.diagnostics[0] ?? {})).toEqual([
    'code',
    'severity',
    'message',
    'file',
    'range',
    'path',
    'object',
  ]);
});

test('GitHub annotations escape what ends a property or a command', () => {
  const odd = found([2, 3], [2, 6], { message: '100%\r\nof a,b:c', severity: 'info' });
  const range = { ...odd.range, file: 'models/a,b:c.yml' };
  expect(formatGithub([{ ...odd, range }], 'projects/shop/')).toBe(
    '::notice file=projects/shop/models/a%2Cb%3Ac.yml,line=2,endLine=2,col=3,endColumn=5,title=LV1301 unknown-key::100%25%0D%0Aof a,b:c\n',
  );
});

test('GitHub annotations over several lines have no columns', () => {
  expect(formatGithub([found([1, 1], [3, 2])])).toContain('line=1,endLine=3,title=');
});

test('JUnit has a suite for each file, with errors as failures', () => {
  const xml = formatJunit(
    [found([1, 2], [1, 3], { message: '<a> & "b"\u0000' }), found([1, 1], [1, 2], { severity: 'warning' })],
    ['stream_project.yml'],
  );
  expect(xml).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="levada project validate" tests="3" failures="1" errors="0">',
      '  <testsuite name="stream_project.yml" tests="1" failures="0" errors="0" skipped="0">',
      '    <testcase classname="stream_project.yml" name="no findings"/>',
      '  </testsuite>',
      '  <testsuite name="models/a.yml" tests="2" failures="1" errors="0" skipped="0">',
      '    <testcase classname="models/a.yml" name="LV1301 models[0].x">',
      '      <failure type="unknown-key" message="&lt;a&gt; &amp; &quot;b&quot;\uFFFD">models/a.yml:1:2 &lt;a&gt; &amp; "b"\uFFFD</failure>',
      '    </testcase>',
      '    <testcase classname="models/a.yml" name="LV1301 models[0].x">',
      '      <system-out>warning models/a.yml:1:1 unknown key "x"</system-out>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ].join('\n'),
  );
});
