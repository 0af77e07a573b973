import { describe, expect, test } from 'vitest';
import { type Diagnostic, sourceFile } from '../src/index.ts';
import { parseFile } from '../src/parse/parse-file.ts';

function parsed(text: string): readonly Diagnostic[] {
  return parseFile(sourceFile('models/m.yml', text), { form: 'fragment', variables: new Map() }).diagnostics;
}

function codes(text: string): readonly string[] {
  return [...new Set(parsed(text).map(({ code }) => code))];
}

const TOO_DEEP = 'LV1106';
const UNKNOWN_KEY = 'LV1301';
const TOO_MANY_FINDINGS = 'LV1390';

describe('nesting', () => {
  const nested: Readonly<Record<string, string>> = {
    lists: '[',
    maps: '{',
    'maps in maps': '{a: ',
    'block lists': '- ',
    'keys of keys': '? ',
    'lists in maps': '{a: [',
  };

  test.each(Object.entries(nested))(
    'reports nesting of %s beyond the limit as one error, every time',
    (_, part) => {
      for (const depth of [65, 1000, 1000, 100_000]) expect(codes(part.repeat(depth))).toEqual([TOO_DEEP]);
    },
  );

  test('reports nesting of indented keys beyond the limit as one error', () => {
    const lines = Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`);
    expect(codes(lines.join('\n'))).toEqual([TOO_DEEP]);
  });

  test('up to the limit is read', () => {
    expect(codes(`a: ${'['.repeat(63)}${']'.repeat(63)}`)).toEqual([UNKNOWN_KEY]);
  });

  test('does not count brackets in text as nesting', () => {
    expect(codes(`models:\n- name: a\n  sql: |\n    ${'['.repeat(5000)}\n`)).toEqual([]);
    expect(codes(`models:\n- name: a\n  sql: "${'{['.repeat(5000)}"\n`)).toEqual([]);
  });
});

describe('aliases', () => {
  test('reports aliases that expand to billions of values as one error', () => {
    const lines = Array.from(
      { length: 11 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(', ')}]`,
    );
    const found = parsed(`a0: &a0 [x]\n${lines.join('\n')}`);
    expect(found.filter(({ code }) => code === 'LV1108')).toHaveLength(1);
  });

  test('reports aliases that merge a large map many times as one error', () => {
    const keys = Array.from({ length: 1000 }, (_, at) => `k${at}: 1`).join(', ');
    const found = parsed(
      `a: &a {${keys}}\n${Array.from({ length: 2000 }, (_, at) => `m${at}: {<<: *a}`).join('\n')}`,
    );
    expect(found.filter(({ code }) => code === 'LV1108')).toHaveLength(1);
  });
});

describe('size', () => {
  test('reports many unknown keys up to a bound', () => {
    const found = parsed(Array.from({ length: 5000 }, (_, at) => `k${at}: v`).join('\n'));
    expect(found).toHaveLength(501);
    expect(found.at(-1)?.code).toBe(TOO_MANY_FINDINGS);
  });
});

describe('names that objects have', () => {
  test('treats names of object properties as keys like others', () => {
    const text =
      'models:\n- __proto__: {x: 1}\n  constructor: {prototype: {x: 1}}\n  name: a\n  sql: SELECT 1\n';
    expect(parsed(text).map(({ path }) => path)).toEqual(['models[0].__proto__', 'models[0].constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('accepts names of object properties as keys of maps', () => {
    const text =
      'models:\n- name: a\n  from: b\n  sink: {connector: jdbc-sink, config: {__proto__: 1, toString: 2}}\n';
    const { definitions } = parseFile(sourceFile('m.yml', text), { form: 'fragment', variables: new Map() });
    const [model] = definitions;
    const config = model?.kind === 'model' ? model.value?.sink?.config : undefined;
    expect(Object.entries(config ?? {})).toEqual([
      ['__proto__', 1],
      ['toString', 2],
    ]);
  });

  test('merged through "<<" change nothing', () => {
    expect(codes('x: &x {__proto__: {x: 1}}\nmodels:\n- {<<: *x, name: a, sql: SELECT 1}\n')).toEqual([
      UNKNOWN_KEY,
    ]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

test('values are typed by the core schema of YAML 1.2', () => {
  const words = ['no', 'yes', 'on', 'off', '1_000', '12:30:45', '2020-01-01', '0x_1'];
  for (const word of words) expect(codes(`models:\n- {name: a, sql: SELECT 1, owner: ${word}}`)).toEqual([]);
  const others = ['017', '0o17', '1e3', '.inf', '.nan', '12345678901234567890', 'true', '~'];
  for (const word of others)
    expect(codes(`models:\n- {name: a, sql: SELECT 1, owner: ${word}}`)).toEqual(['LV1305']);
});

test('every cut of a file is read without a throw', () => {
  const text =
    'models:\n- &a name: "x\\n"\n  <<: [*a, {b: \'c\'}]\n  sql: |2-\n    SELECT $V {V:-1}\n  tags: [a, {b: c}] # d\n? e\n: >\n f\n';
  for (let end = 0; end <= text.length; end += 1) {
    expect(parsed(text.slice(0, end)).every(({ range }) => range.start.line >= 1)).toBe(true);
    expect(parsed(text.slice(end)).every(({ range }) => range.end.line >= range.start.line)).toBe(true);
  }
});
