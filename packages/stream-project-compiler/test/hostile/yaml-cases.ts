import { casesOf, type HostileCase, type Text, textOf } from './hostile-case.ts';
import { soundWith, withFile, withMistakeBeside } from './sound-project.ts';

const times = (text: string, count: number) => () => text.repeat(count);
const lines = (count: number, line: (at: number) => string) => () =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

function aliasBomb(): string {
  const levels = Array.from(
    { length: 11 },
    (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(', ')}]`,
  );
  return `a0: &a0 [x]\n${levels.join('\n')}\n`;
}

function manyMerges(): string {
  const keys = Array.from({ length: 1000 }, (_, at) => `k${at}: 1`).join(', ');
  return `a: &a {${keys}}\n${lines(2000, (at) => `m${at}: {<<: *a}`)()}`;
}

/** Files that are no YAML, or more of it than is read. */
const refused = casesOf<Text>(
  'yaml',
  {
    '1,000 opened lists': ['yaml-too-deep', times('[', 1000)],
    '100,000 opened lists': ['yaml-too-deep', times('[', 100_000)],
    '1,000 opened maps': ['yaml-too-deep', times('{', 1000)],
    '100,000 opened maps': ['yaml-too-deep', times('{', 100_000)],
    'maps in maps': ['yaml-too-deep', times('{a: ', 100_000)],
    'lists in maps': ['yaml-too-deep', times('{a: [', 50_000)],
    'block lists in block lists': ['yaml-too-deep', times('- ', 100_000)],
    'keys of keys': ['yaml-too-deep', times('? ', 100_000)],
    'keys indented deeper and deeper': ['yaml-too-deep', lines(2000, (at) => `${' '.repeat(at)}a:`)],
    'lists deep in a value': ['yaml-too-deep', `models: ${'['.repeat(3000)}${']'.repeat(3000)}`],
    'lists 65 deep': ['yaml-too-deep', `models: ${'['.repeat(65)}${']'.repeat(65)}`],
    'aliases for billions of values': ['yaml-alias', aliasBomb],
    'merges of a large map': ['yaml-alias', manyMerges],
    'aliases for gigabytes of text': [
      'yaml-alias',
      () =>
        `models:\n- {name: a, sql: &s "${'a '.repeat(2e6)}"}\n${lines(40_000, (at) => `- {name: m${at}, sql: *s}`)()}`,
    ],
    'an alias of itself': ['yaml-alias', 'models: &a [*a]'],
    'an alias of the map that contains it': [
      'yaml-alias',
      'models:\n  - &m {name: a, sql: SELECT 1, columns: *m}',
    ],
    'an alias without anchor': ['yaml-alias', 'models: *nothing'],
    'an alias before its anchor': ['yaml-alias', 'models:\n  - *a\n  - &a {name: a}'],
    'a glob without quotes': ['yaml-alias', 'models:\n  - name: *.v1'],
    'a merge of text': ['yaml-merge', 'models:\n  - {<<: text, name: a, sql: SELECT 1}'],
    'a merge of lists': ['yaml-merge', 'models:\n  - {<<: [[a], 1], name: a}'],
    'a file of 9 MiB': ['file-too-large', times('# nine bytes\n', 800_000)],
    'half a million empty lines and more': ['yaml-too-many', times('\n', 600_000)],
    '400,000 keys': ['yaml-too-many', lines(400_000, (at) => `k${at}: v`)],
    'a megabyte of tags': ['yaml-syntax', times('!a ', 340_000)],
    'a megabyte of anchors': ['yaml-syntax', times('&a ', 340_000)],
    'a megabyte of quotes': ['yaml-syntax', times('"', 1_000_000)],
    'a megabyte of commas': ['yaml-syntax', times('[a],', 250_000)],
    'a megabyte of documents': ['yaml-documents', times('---\n', 250_000)],
    'a megabyte of directives': ['too-many-findings', times('%FOO\n', 200_000)],
    'a megabyte of colons': ['yaml-too-many', times(': :\n', 250_000)],
    'a megabyte of question marks': ['yaml-too-many', times('? a\n', 250_000)],
    'a megabyte of list items': ['yaml-too-many', times('- a\n', 250_000)],
    '100,000 list items': ['wrong-type', times('- a\n', 100_000)],
    'a megabyte of opened variables': ['wrong-type', times(['$', '{'].join(''), 500_000)],
    'the same key twice': ['duplicate-key', 'models: []\nmodels: []\n'],
    'a key of a model twice': ['duplicate-key', 'models:\n  - {name: a, name: b, sql: SELECT 1}'],
    'a key twice, once in quotes': ['duplicate-key', 'models:\n  - {name: a, "name": b, sql: SELECT 1}'],
    '50,000 times the same key': ['duplicate-key', times('models: []\n', 50_000)],
    'a key that is a list': ['yaml-key', '? [a, b]\n: 1\n'],
    'a key that is a template': ['yaml-key', 'models:\n  - name: {{ x }}\n'],
    'two documents': ['yaml-documents', 'models: []\n---\nmodels: []\n'],
    'YAML 1.1': ['yaml-version', '%YAML 1.1\n---\nmodels: []\n'],
    'YAML 3': ['yaml-version', '%YAML 3.0\n---\nmodels: []\n'],
    'a tag for a function': ['yaml-tag', 'models: !!js/function "function () { process.exit(0) }"'],
    'a tag for bytes': ['yaml-tag', 'models:\n  - {name: !!binary aGVsbG8=, sql: SELECT 1}'],
    'a tag for an object of Python': ['yaml-tag', 'models: !!python/object/apply:os.system ["true"]'],
    'a tag of its own': ['yaml-tag', 'models:\n  - !model {name: a, sql: SELECT 1}'],
    'a tag by a full address': ['yaml-tag', 'models: !<tag:example.org,2026:models> []'],
    'a tag for a set': ['yaml-tag', 'models: !!set {a, b}'],
    'a tab as indentation': ['yaml-syntax', 'models:\n\t- name: a\n'],
    'a tab between blanks': ['yaml-syntax', 'models:\n  - name: a\n \t sql: SELECT 1\n'],
    NUL: ['yaml-character', 'models:\n  - name: a\0b\n'],
    'a bell in quotes': ['yaml-character', 'models:\n  - name: "a\u0007"\n'],
    'lines that end with CR alone': ['yaml-character', 'models:\r  - name: a\r'],
    'a character that is none': ['yaml-character', 'models:\n  - name: a\uFFFE\n'],
    'a quote that is not closed': ['yaml-syntax', 'models:\n  - name: "a\n    sql: SELECT 1\n'],
    'a bracket that is not closed': ['yaml-syntax', 'models: [{name: a, sql: SELECT 1}\n'],
    'a key within a value': ['yaml-syntax', 'models:\n  - description: one: two\n'],
    'an at sign': ['yaml-syntax', 'models:\n  - name: @a\n'],
    'an escape that does not exist': ['yaml-syntax', 'models:\n  - name: "\\q"\n'],
    'a block that is not indented': ['yaml-syntax', 'models:\n  - name: a\n    sql: |\n  SELECT 1\n'],
    HTML: ['wrong-type', '<!doctype html>\n<html><body>404</body></html>\n'],
    'a conflict of merging': [
      'yaml-syntax',
      'models:\n<<<<<<< ours\n  - name: a\n=======\n  - name: b\n>>>>>>> theirs\n',
    ],
    'JSON with comments': ['yaml-syntax', '{"models": [] // none\n}\n'],
  },
  (text) => withFile(textOf(text)),
);

/** Bytes that are no UTF-8. */
const bytes = casesOf<Uint8Array>(
  'yaml',
  {
    'UTF-16 with its mark': ['not-utf-8', Buffer.from('\uFEFFmodels: []\n', 'utf16le')],
    'UTF-16, the other way': ['not-utf-8', Buffer.from('\uFEFFmodels: []\n', 'utf16le').swap16()],
    'UTF-16 without a mark': ['yaml-character', Buffer.from('models: []\n', 'utf16le')],
    'a byte that begins nothing': ['not-utf-8', Buffer.from('models: []\n# \xff\n', 'latin1')],
    'Latin 1': ['not-utf-8', Buffer.from('models:\n  - description: caf\xe9\n', 'latin1')],
    'a surrogate': ['not-utf-8', Buffer.from([0x23, 0xed, 0xa0, 0x80])],
    'two bytes for "/"': ['not-utf-8', Buffer.from([0x23, 0xc0, 0xaf])],
    'half of a character': ['not-utf-8', Buffer.from([0x23, 0xe2, 0x82])],
    'a picture': ['not-utf-8', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
    'a megabyte of noise': ['not-utf-8', Buffer.alloc(1_000_000, 0xfe)],
  },
  (content) => soundWith({ 'models/hostile.yml': content }),
);

/** What is unusual and fine: beside it, a mistake is found all the same. */
const read = casesOf<Text>(
  'yaml, beside a mistake',
  {
    'a mark of byte order': ['unknown-key', '\uFEFFmodels: []\n'],
    CRLF: ['unknown-key', 'models:\r\n  - name: a\r\n    sql: |\r\n      SELECT 1 FROM x\r\n'],
    'only comments': ['unknown-key', '# nothing\n# at all\n'],
    nothing: ['unknown-key', ''],
    'empty sections': ['unknown-key', 'models:\nsources: ~\ntests: null\nexposures:\n'],
    '20,000 anchors': [
      'unknown-key',
      () =>
        `models:\n- name: a\n  sql: SELECT 1 FROM x\n  tags:\n${lines(20_000, (at) => `  - &a${at} tag_${at}`)()}\n`,
    ],
    '100,000 keys of a map': [
      'unknown-key',
      () =>
        `models:\n- name: a\n  from: paid\n  sink:\n    connector: jdbc-sink\n    config:\n${lines(100_000, (at) => `      k${at}: v`)()}`,
    ],
    'text of 5 MB': [
      'unknown-key',
      () => `models:\n- name: a\n  description: ${'x'.repeat(5e6)}\n  sql: SELECT 1 FROM x\n`,
    ],
    'a folded text of 5 MB': [
      'unknown-key',
      () => `models:\n- name: a\n  description: >\n${'    word word\n'.repeat(4e5)}`,
    ],
    'escapes of 5 MB': ['unknown-key', () => `models:\n- name: a\n  description: "${'\\n'.repeat(2.5e6)}"\n`],
    'separators of lines that are none': [
      'unknown-key',
      'models:\n  - name: a\n    description: "a\u2028b\u2029c\u0085d"\n    sql: SELECT 1 FROM x\n',
    ],
    'a directive for tags': ['unknown-key', '%TAG ! tag:example.org,2026:\n---\nmodels: []\n'],
    'an end of the document': ['unknown-key', '---\nmodels: []\n...\n'],
    'writing from right to left': ['unknown-key', 'models: []  # \u202Eecruos\n'],
  },
  (text) => withMistakeBeside({ 'models/hostile.yml': textOf(text) }),
);

/** Project files that are none. */
const mainFile = casesOf<string | undefined>(
  'project file',
  {
    empty: ['missing-key', ''],
    'only comments': ['missing-key', '# a project\n'],
    'a list': ['wrong-type', '- project\n- runtime\n'],
    text: ['wrong-type', 'project\n'],
    'a number': ['wrong-type', '42\n'],
    null: ['missing-key', 'null\n'],
    'two documents': ['yaml-documents', 'project: {name: a}\n---\nruntime: {}\n'],
    'without runtime': ['missing-key', 'project: {name: a}\n'],
    'without project': ['missing-key', 'runtime: {platform: {bootstrap_servers: "a:1"}}\n'],
    'without platform': ['missing-key', 'project: {name: a}\nruntime: {engine: {}}\n'],
    'empty sections': ['missing-key', 'project:\nruntime:\n'],
    'sections of the wrong kind': ['wrong-type', 'project: shop\nruntime: []\n'],
    'opened lists': ['yaml-too-deep', '['.repeat(100_000)],
  },
  (text) => soundWith({ 'stream_project.yml': text ?? '' }),
);

/** Cases of reliability 3.7 that lie in the text of a file. */
export const yamlCases: readonly HostileCase[] = [...refused, ...bytes, ...read, ...mainFile];
