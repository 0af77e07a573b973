import type { Random } from '../../bench/seeded-random.ts';
import type { DiagnosticName } from '../../src/index.ts';
import type { HostileEntry } from './hostile-case.ts';

/** Spoils the text of one file; undefined where it has nothing that could be spoilt so. */
interface Mutation {
  readonly finds: readonly DiagnosticName[];
  readonly spoil: (text: string, random: Random) => HostileEntry | undefined;
}

const ref = /\{\{\s*ref\(["'](\w+)["']\)\s*\}\}/g;
const source = /\{\{\s*source\(["'](\w+)["']\)\s*\}\}/g;
const name = /^( *)- name: *(\w+)$/gm;

/** Each makes a mistake in any project, whatever it holds. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'NUL somewhere': { finds: ['yaml-character'], spoil: inserting('\0') },
  'a byte that is no UTF-8': {
    finds: ['not-utf-8'],
    spoil: (text, random) => {
      const bytes = Buffer.from(text);
      const at = random.below(bytes.length);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at)]);
    },
  },
  'an unknown section': { finds: ['unknown-key'], spoil: (text) => `${text}\nnonsense: 1\n` },
  'a second document': { finds: ['yaml-documents'], spoil: (text) => `${text}\n---\nmodels: []\n` },
  'a bracket at the end': { finds: ['yaml-syntax'], spoil: (text) => `${text}\nmodels: [\n` },
  'deep brackets at the end': {
    finds: ['yaml-too-deep'],
    spoil: (text) => `${text}\nx: ${'['.repeat(500)}\n`,
  },
  'an unknown key': {
    finds: ['unknown-key'],
    spoil: replacing(name, (indent, old) => `${indent}- nonsense: 1\n${indent}  name: ${old}`),
  },
  'a misspelt name': {
    finds: ['unknown-key'],
    spoil: replacing(name, (indent, old) => `${indent}- nam: ${old}`),
  },
  'a name twice': {
    finds: ['duplicate-key'],
    spoil: replacing(name, (indent, old) => `${indent}- name: ${old}\n${indent}  name: ${old}`),
  },
  'a list as a name': {
    finds: ['wrong-type'],
    spoil: replacing(name, (indent, old) => `${indent}- name: [${old}]`),
  },
  'a name with a path': {
    finds: ['invalid-value'],
    spoil: replacing(name, (indent, old) => `${indent}- name: "../${old};\\n--"`),
  },
  'an alias as a name': {
    finds: ['yaml-alias'],
    spoil: replacing(name, (indent, old) => `${indent}- name: *${old}`),
  },
  'a variable that is not set': {
    finds: ['unresolved-variable'],
    spoil: replacing(name, (indent) => `${indent}- name: \${LEVADA_NOT_SET}`),
  },
  'a tag': {
    finds: ['yaml-tag'],
    spoil: replacing(name, (indent, old) => `${indent}- name: !!js/function ${old}`),
  },
  'a tab': {
    finds: ['yaml-syntax', 'yaml-character', 'wrong-type', 'missing-key'],
    spoil: replacing(name, (indent, old) => `\t${indent}- name: ${old}`),
  },
  'a model that is not there': {
    finds: ['unknown-model'],
    spoil: replacing(ref, (old) => `{{ ref("${old}_gone") }}`),
  },
  'a source that is not there': {
    finds: ['unknown-source'],
    spoil: replacing(source, (old) => `{{ source("${old}_gone") }}`),
  },
  'a macro that is none': {
    finds: ['sql-template'],
    spoil: replacing(source, (old) => `{{ table("${old}") }}`),
  },
  'a macro without end': {
    finds: ['sql-template', 'sql-unterminated', 'sql-syntax'],
    spoil: replacing(source, (old) => `{{ source("${old}"`),
  },
  'a comment that does not end': {
    finds: ['sql-unterminated'],
    spoil: replacing(source, (old) => `{{ source("${old}") }} /*`),
  },
  'SQL that continues after its end': {
    finds: ['sql-statement', 'sql-syntax'],
    spoil: replacing(source, (old) => `{{ source("${old}") }}; DROP TABLE ${old};`),
  },
};

/** Puts text at a place that is not within a character. */
function inserting(part: string): Mutation['spoil'] {
  return (text, random) => {
    const at = random.below(text.length);
    return text.slice(0, at) + part + text.slice(at);
  };
}

/** Replaces one of the places that match. */
function replacing(pattern: RegExp, replacement: (...groups: string[]) => string): Mutation['spoil'] {
  return (text, random) => {
    const matches = [...text.matchAll(pattern)];
    const match = matches.length === 0 ? undefined : random.pick(matches);
    if (match === undefined) return undefined;
    const [whole, ...groups] = match;
    return text.slice(0, match.index) + replacement(...groups) + text.slice(match.index + whole.length);
  };
}
