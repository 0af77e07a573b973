import type { DiagnosticName } from '../../src/index.ts';
import { type CodeFixture, fragment, models } from './code-fixture.ts';

/** Codes of YAML. */
export const yamlFixtures: Readonly<Partial<Record<DiagnosticName, readonly CodeFixture[]>>> = {
  'yaml-syntax': [
    {
      files: models('- name: a', '  description: one: two'),
      shows: [
        'models/m.yml:3:16  error  LV1101  invalid YAML: a key within a value — put a value that holds ": " in quotes, or check how far the line is indented',
        '  3 |   description: one: two',
        '    |                ^',
      ].join('\n'),
    },
    {
      files: models('- name: a', '\tsql: x'),
      shows: 'models/m.yml:3:1  error  LV1101  invalid YAML: a tab as indentation — indent with spaces',
    },
    {
      files: models('- name: "a', '  sql: x'),
      shows: 'models/m.yml:2:9  error  LV1101  invalid YAML: missing closing quote "',
    },
    {
      files: models('- name: @a'),
      shows:
        'models/m.yml:2:9  error  LV1101  invalid YAML: plain value cannot start with reserved character @ — put the value in quotes',
    },
    { files: models('- name: [a'), shows: 'models/m.yml:3:1  error  LV1101  invalid YAML: flow sequence' },
  ],
  'yaml-character': [
    {
      files: models('- name: "a\u0007"'),
      shows:
        'models/m.yml:2:11  error  LV1102  the file contains the control character U+0007, which YAML does not allow',
    },
    {
      files: fragment('models:\r- name: a\r'),
      shows: 'models/m.yml:1:8  error  LV1102  the file contains a line end of CR alone',
    },
  ],
  'yaml-documents': [
    {
      files: fragment('models: []\n---\nmodels: []\n'),
      shows:
        'models/m.yml:2:1  error  LV1103  a second document begins here, expected one document\n  2 | ---\n    | ^^^',
    },
  ],
  'yaml-version': [
    {
      files: fragment('%YAML 1.1\n---\nmodels: []\n'),
      shows: 'models/m.yml:1:1  error  LV1104  the directive is not supported, files are YAML 1.2',
    },
  ],
  'yaml-tag': [
    {
      files: models('- name: !!js/function "x"'),
      shows: 'models/m.yml:2:23  error  LV1105  unknown tag "tag:yaml.org,2002:js/function"',
    },
    {
      files: models('- name: !!binary aGk='),
      shows: 'error  LV1105  unknown tag "tag:yaml.org,2002:binary"',
    },
    { files: models('- !custom {name: x}'), shows: 'error  LV1105  unknown tag "!custom"' },
  ],
  'yaml-too-deep': [
    {
      files: fragment(`a: ${'['.repeat(70)}`),
      shows: 'models/m.yml:1:67  error  LV1106  nesting deeper than 64',
    },
  ],
  'yaml-too-many': [
    {
      files: fragment('\n'.repeat(510_000)),
      shows: 'models/m.yml:500001:1  error  LV1107  the file has more than 500,000 lines',
    },
    {
      files: fragment(`a: [${'1,'.repeat(430_000)}]`),
      shows:
        'error  LV1107  the file has too many values, expected at most 850,000 keys, values and punctuation marks, and 300,000 entries',
    },
  ],
  'yaml-alias': [
    {
      files: models('- name: *x'),
      shows: 'models/m.yml:2:9  error  LV1108  unknown anchor "x" — put text that begins with "*" in quotes',
    },
    {
      files: models('- name: m', '  tags: &t [*t]', '  sql: SELECT 1'),
      shows: 'models/m.yml:3:13  error  LV1108  cyclic alias: "t" contains itself',
    },
    {
      files: fragment(
        `models: &a0 [x]\n${Array.from({ length: 20 }, (_, index) => `b${index}: &a${index + 1} [${`*a${index},`.repeat(9)}]`).join('\n')}`,
      ),
      shows:
        'error  LV1108  too many aliases: they expand to more than 100,000 values, or are nested deeper than 64',
    },
  ],
  'yaml-merge': [
    {
      files: models('- <<: text', '  name: m', '  sql: SELECT 1'),
      shows: 'models/m.yml:2:3  error  LV1109  the merge key "<<" needs a map, or a list of maps',
    },
  ],
  'duplicate-key': [
    {
      files: models('- name: a', '  name: b', '  sql: SELECT 1'),
      shows: [
        'models/m.yml:3:3  error  LV1110  duplicate key "name"',
        '  3 |   name: b',
        '    |   ^^^^',
        '  models/m.yml:2:3  first defined here',
        '  2 | - name: a',
        '    |   ^^^^',
      ].join('\n'),
    },
  ],
  'yaml-key': [
    {
      files: models('- name: a', '  sql: {{ ref("x") }}'),
      shows: 'models/m.yml:3:8  error  LV1111  macro "ref" without quotes',
    },
  ],
  'unused-suppression': [
    {
      files: models('# levada-disable-next-line LV1303', '- name: a', '  sql: SELECT 1'),
      shows:
        'models/m.yml:2:1  warning  LV1120  "LV1303" is not reported on that line\n  2 | # levada-disable-next-line LV1303\n    | ^',
    },
    {
      files: models('- name: a # levada-disable-line no-such', '  sql: SELECT 1'),
      shows: 'LV1120  unknown code "no-such"',
    },
    {
      files: models('- name: 1 # levada-disable-line wrong-type', '  sql: SELECT 1'),
      shows: 'LV1120  "wrong-type" cannot be hidden by a comment',
    },
    {
      files: models('- name: a # levada-disable-line', '  sql: SELECT 1'),
      shows: 'LV1120  the comment names no code to hide',
    },
  ],
};
