import { allFields } from '@levada/stream-project-schema';
import type { CodeTable } from '../diagnostics/diagnostic.ts';

/** Keys that are read and checked, and used by nothing else: no other finding, no lineage and no file that compilation writes depends on them. */
export const keysWithoutEffect: readonly string[] = allFields('project').flatMap(({ path, field }) =>
  field.status === 'parsed' ? [path] : [],
);

/** Codes of YAML (11xx), of fields and variables (13xx), and of comments that hide findings (11xx). */
export const parseCodes = {
  'yaml-syntax': {
    code: 'LV1101',
    title: 'Invalid YAML',
    severity: 'error',
    fixed: true,
    doc: 'The text breaks the grammar of YAML 1.2 at this place. What the file defines is not read, and nothing that depends on it is reported. Usually a value with `: `, `#`, `{`, `[`, `*`, `&`, `@` or a quote needs quotes around it, or a line is indented by too much or too little.',
  },
  'yaml-character': {
    code: 'LV1102',
    title: 'Invalid character',
    severity: 'error',
    fixed: true,
    doc: 'Control characters other than tab and line end are not allowed, and neither are line ends of CR alone. In double quotes they can be written as escapes, for example `\\x07`.',
  },
  'yaml-documents': {
    code: 'LV1103',
    title: 'More than one document in a file',
    severity: 'error',
    fixed: true,
    doc: 'A file is one YAML document. Content after the second `---` is not read. Move it to a separate file.',
  },
  'yaml-version': {
    code: 'LV1104',
    title: 'Unsupported YAML directive',
    severity: 'error',
    fixed: true,
    doc: 'Files are read as YAML 1.2, in which `no` and `on` are text. A directive `%YAML` with another version, or any directive but `%TAG`, would change what the file means.',
  },
  'yaml-tag': {
    code: 'LV1105',
    title: 'Unknown YAML tag',
    severity: 'error',
    fixed: true,
    doc: 'Only the tags of the core schema are known: `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!map` and `!!seq`. No tag ever runs code. Remove the tag.',
  },
  'yaml-too-deep': {
    code: 'LV1106',
    title: 'Nesting too deep',
    severity: 'error',
    fixed: true,
    doc: 'Lists and maps may be nested 64 deep; the format itself needs less than 12. The file is not read.',
  },
  'yaml-too-many': {
    code: 'LV1107',
    title: 'Too many values in a file',
    severity: 'error',
    fixed: true,
    doc: 'A file has at most 500,000 lines, 300,000 entries of lists and maps, and 850,000 pieces: keys, values, punctuation, comments, line ends. The file is not read. Split it.',
  },
  'yaml-alias': {
    code: 'LV1108',
    title: 'Invalid alias',
    severity: 'error',
    fixed: true,
    doc: 'An alias `*name` is replaced by the value of the anchor `&name` before it in the same file. It is an error if there is no such anchor, if its value contains the alias itself, or if aliases expand to more than 100,000 values in one file.',
  },
  'yaml-merge': {
    code: 'LV1109',
    title: 'Invalid merge key',
    severity: 'error',
    fixed: true,
    doc: 'The key `<<` merges the keys of a map, or of the maps in a list; usually it is written `<<: *name`. Other keys of the same object take precedence.',
  },
  'duplicate-key': {
    code: 'LV1110',
    title: 'Duplicate key',
    severity: 'error',
    fixed: true,
    doc: 'A map has the same key twice. The first one is used, the second one is ignored. Remove one of them.',
  },
  'yaml-key': {
    code: 'LV1111',
    title: 'Key that is not a string',
    severity: 'error',
    fixed: true,
    doc: 'A key is a string. Lists and maps as keys are valid YAML, but not supported here. Often `{{ ... }}` at the start of a value lacks quotes.',
  },
  'unused-suppression': {
    code: 'LV1120',
    title: 'Unused suppression comment',
    severity: 'warning',
    doc: 'A comment `levada-disable-line` or `levada-disable-next-line` names a code that is not reported there, does not exist, or cannot be hidden. Remove it.',
  },
  'unknown-key': {
    code: 'LV1301',
    title: 'Unknown key',
    severity: 'error',
    doc: 'The format has no such key at this place, so it would have no effect. The hint names the nearest key, or the place where the key belongs.',
  },
  'planned-key': {
    code: 'LV1302',
    title: 'Unsupported key',
    severity: 'error',
    doc: 'The format plans this key, but nothing reads it yet. Remove it, so that nothing relies on it.',
  },
  'parsed-only': {
    code: 'LV1303',
    title: 'Key without effect',
    severity: 'info',
    doc: `The key is read and checked, but has no effect yet, so it is not in what is compiled either. The keys are ${keysWithoutEffect.map((key) => `\`${key}\``).join(', ')}. Keys that are planned are refused instead.`,
  },
  'missing-key': {
    code: 'LV1304',
    title: 'Missing required key',
    severity: 'error',
    fixed: true,
    doc: 'An object is missing a key that is required, always or because of its other keys.',
  },
  'wrong-type': {
    code: 'LV1305',
    title: 'Value of the wrong type',
    severity: 'error',
    fixed: true,
    doc: 'The key expects another type of value: text, a number, true or false, a list, an object. A number that is meant as text needs quotes: `"1.0"`.',
  },
  'bad-enum': {
    code: 'LV1306',
    title: 'Unknown value',
    severity: 'error',
    fixed: true,
    doc: 'The key takes one of a fixed list of values, which are case-sensitive.',
  },
  'invalid-value': {
    code: 'LV1307',
    title: 'Value out of range',
    severity: 'error',
    fixed: true,
    doc: 'The value has the right type, but is too small, too large, empty, or not of the form that the key requires. The message says which.',
  },
  'unusual-value': {
    code: 'LV1308',
    title: 'Value of an unusual form',
    severity: 'warning',
    doc: 'The value works, but does not have the form that people and tools expect.',
  },
  'conflicting-keys': {
    code: 'LV1309',
    title: 'Conflicting keys',
    severity: 'error',
    fixed: true,
    doc: 'Two keys have the same meaning, or contradict each other. Keep one.',
  },
  'one-key': {
    code: 'LV1310',
    title: 'Object without exactly one key',
    severity: 'error',
    fixed: true,
    doc: 'An entry such as `{ref: orders}` or `{not_null: ...}` is identified by its only key. It has no key, or more than one. Write a separate entry for each.',
  },
  'unresolved-variable': {
    code: 'LV1320',
    title: 'Unset variable',
    severity: 'error',
    fixed: true,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it speaks of variables
    doc: '`${NAME}` is replaced from the environment, else from `.env` in the folder of the project. An empty value counts as set. `${NAME:-text}` gives a default, `$${NAME}` stands for the text `${NAME}`.',
  },
  'variable-syntax': {
    code: 'LV1321',
    title: 'Invalid variable',
    severity: 'warning',
    doc: 'Names of variables have letters, digits and `_` and do not begin with a digit. The text is not replaced; write `$${` if that is intended.',
  },
  'secret-in-clear': {
    code: 'LV1360',
    title: 'Secret in clear text',
    severity: 'error',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it speaks of variables
    doc: 'The key names a secret, or the address contains a password, and the value is written in the file. It would be in the repository, and in the files that are compiled from it. Write `${NAME}` and set the variable in the environment or in `.env`, or write a reference that the connector runtime resolves, such as `${file:/run/secrets/db:password}`. A default (`${NAME:-text}`) is written in the file too. Keys about a secret, such as `password.file` or `token.url`, take any value.',
  },
  'cut-value': {
    code: 'LV1380',
    title: 'Value split by its commas',
    severity: 'error',
    fixed: true,
    doc: 'In a map on one line a comma ends a value, so `{type: DECIMAL(12, 2)}` has two keys: `type` with the value `DECIMAL(12`, and `2)`. Put the value in quotes: `{type: "DECIMAL(12, 2)"}`.',
  },
  'too-many-findings': {
    code: 'LV1390',
    title: 'Too many findings',
    severity: 'error',
    fixed: true,
    doc: 'A file has more than 500 findings of loading and parsing; the rest is not reported.',
  },
} as const satisfies CodeTable;
