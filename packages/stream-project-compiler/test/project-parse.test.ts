import { expect, test } from 'vitest';
import { type Diagnostic, loadProject, parseProject, placeOf } from '../src/index.ts';
import { headSpan } from '../src/parse/node-place.ts';
import { scalarMap } from '../src/resolve/place-in-file.ts';
import { type MemoryEntry, memoryFileSystem } from './project-support/memory-file-system.ts';
import { checkProject, projectFile } from './project-support/run-project.ts';

const variable = (inner: string): string => ['$', '{', inner, '}'].join('');

function paths(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code, path }) => `${code} ${path}`);
}

async function models(text: string, environment: Readonly<Record<string, string>> = {}) {
  return checkProject({ 'stream_project.yml': projectFile, 'models/m.yml': `models:\n${text}` }, environment);
}

test('accepts any of the four keys in any file', async () => {
  const { parsed, diagnostics } = await checkProject({
    'stream_project.yml': `${projectFile}models: [{name: a, sql: SELECT 1}]\n`,
    'sources/x.yml': 'models: [{name: b, sql: SELECT 1}]\nsources: [{name: s, topic: t}]\n',
    'tests/y.yaml':
      'exposures: [{name: e, type: api}]\ntests: [{name: t, model: a, type: schema, assertions: []}]\n',
  });
  expect(diagnostics).toEqual([]);
  const { sources, tests, exposures } = parsed;
  expect(parsed.models.map(({ name, file, path }) => `${name} ${file.path} ${path}`)).toEqual([
    'a stream_project.yml models[0]',
    'b sources/x.yml models[0]',
  ]);
  expect([sources, tests, exposures].map(([one]) => one?.object)).toEqual([
    'source:s',
    'test:t',
    'exposure:e',
  ]);
  expect(parsed.project?.value).toEqual({ name: 'shop' });
  expect(parsed.complete).toBe(true);
});

test('values are plain data, without what is wrong', async () => {
  const { parsed, diagnostics } = await models(
    '- {name: a, sql: SELECT 1, access: Public, tags: [x, 5, y], advanced: {topic: {name: t, partitions: 0}}}\n',
  );
  expect(paths(diagnostics)).toEqual([
    'LV1306 models[0].access',
    'LV1305 models[0].tags[1]',
    'LV1307 models[0].advanced.topic.partitions',
  ]);
  expect(parsed.models[0]?.value).toEqual({
    name: 'a',
    sql: 'SELECT 1',
    tags: ['x', 'y'],
    advanced: { topic: { name: 't' } },
  });
});

test('a definition without a required key has no value, but its places', async () => {
  const { parsed } = await checkProject({
    'stream_project.yml': `${projectFile}sources:\n- name: s\n  description: x\n`,
  });
  const [source] = parsed.sources;
  expect(source?.value).toBeUndefined();
  expect(source?.name).toBe('s');
  expect(source?.node.entries.get('description')?.node.value).toBe('x');
});

test('every key and value has its place', async () => {
  const { parsed } = await models('- name: a\n  sql: SELECT 1\n  advanced:\n    topic: {partitions: 6}\n');
  const [model] = parsed.models;
  if (model === undefined) throw new Error('no model');
  const text = (span: { readonly start: number; readonly end: number } | undefined) =>
    span === undefined ? undefined : model.file.text.slice(span.start, span.end);
  const there = placeOf(model.node, 'advanced.topic.partitions');
  expect([text(there.keySpan), text(there.span), there.node?.value]).toEqual(['partitions', '6', 6]);
  const absent = placeOf(model.node, ['advanced', 'topic', 'name']);
  expect([text(absent.span), absent.node]).toEqual(['topic', undefined]);
  expect(text(placeOf(model.node, 'sink').span)).toBe('name');
  expect(text(headSpan(model.node))).toBe('name');
});

test('places in SQL are places in the file', async () => {
  const { parsed } = await models(`- name: a\n  sql: |\n    SELECT ${variable('C')}\n    FROM x\n`, {
    C: 'one, two',
  });
  const leaf = parsed.models[0] === undefined ? undefined : placeOf(parsed.models[0].node, 'sql').node;
  const file = parsed.models[0]?.file;
  if (leaf?.kind !== 'leaf' || file === undefined) throw new Error('no SQL');
  expect(leaf.value).toBe('SELECT one, two\nFROM x\n');
  const span = scalarMap(leaf, file.text)({ start: 16, end: 20 });
  expect(file.text.slice(span.start, span.end)).toBe('FROM');
});

test('a key that is misspelt is not missing too', async () => {
  const { diagnostics } = await models('- {nme: a, sql: SELECT 1}\n');
  expect(paths(diagnostics)).toEqual(['LV1301 models[0].nme']);
});

test('a project is incomplete when definitions may be missing', async () => {
  const files: readonly string[] = [
    'modles: []',
    'models: x',
    'models: [{sql: SELECT 1}]',
    'models: [a: b: c]',
    'models: [5]',
  ];
  for (const text of files) {
    const { parsed } = await checkProject({ 'stream_project.yml': projectFile, 'models/m.yml': `${text}\n` });
    expect(parsed.complete).toBe(false);
  }
  const { parsed } = await checkProject({
    'stream_project.yml': projectFile,
    'models/m.yml': { unreadable: 'gone' },
  });
  expect(parsed.complete).toBe(false);
});

test('a key that hides no definitions leaves a project complete', async () => {
  const { parsed } = await checkProject({ 'stream_project.yml': `${projectFile}governance: {}\n` });
  expect(parsed.complete).toBe(true);
});

test('empty sections and empty files count as absent', async () => {
  const { diagnostics } = await checkProject({
    'stream_project.yml': `${projectFile}rules:\nmodels: ~\ndefaults: null\n`,
    'models/a.yml': '',
    'models/b.yml': '# nothing\n',
    'models/c.yml': '---\n',
    'models/d.yml': 'models:\n',
  });
  expect(diagnostics).toEqual([]);
});

test('a mark of byte order and line ends of CRLF change nothing', async () => {
  const { diagnostics, parsed } = await models('- name: a\r\n  sql: |\r\n    SELECT 1\r\n    FROM x\r\n');
  expect(diagnostics).toEqual([]);
  expect(parsed.models[0]?.value?.sql).toBe('SELECT 1\nFROM x\n');
  const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(projectFile)]);
  expect((await checkProject({ 'stream_project.yml': bytes })).diagnostics).toEqual([]);
});

test('merge keys take over what is not there', async () => {
  const { parsed, diagnostics } = await models(
    '- &a {name: a, sql: SELECT 1, owner: x}\n- {<<: *a, name: b}\n- {<<: [*a], name: c, owner: y}\n',
  );
  expect(diagnostics).toEqual([]);
  expect(parsed.models.map(({ value }) => [value?.name, value?.owner, value?.sql])).toEqual([
    ['a', 'x', 'SELECT 1'],
    ['b', 'x', 'SELECT 1'],
    ['c', 'y', 'SELECT 1'],
  ]);
});

test('a variable may stand for a number, true or false', async () => {
  const text = `- {name: a, sql: SELECT 1, version: "${variable('N')}"}\n`;
  expect((await models(text, { N: '12' })).parsed.models[0]?.value?.version).toBe(12);
  const { diagnostics } = await models(text, { N: 'hunter2' });
  expect(paths(diagnostics)).toEqual(['LV1305 models[0].version']);
  expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
});

test('a value of a variable is never read as YAML', async () => {
  const { parsed, diagnostics } = await models(`- {name: a, sql: "${variable('V')}"}\n`, {
    V: 'x"\n  owner: [evil, {a: *b}]\n#',
  });
  expect(diagnostics).toEqual([]);
  expect(parsed.models[0]?.value).toEqual({ name: 'a', sql: 'x"\n  owner: [evil, {a: *b}]\n#' });
});

test('all variables without a value are reported in one run, each once', async () => {
  const { diagnostics } = await checkProject({
    'stream_project.yml': projectFile.replace('localhost:9092', variable('SERVERS')),
    '.env': 'SERVER=x\n',
    'models/m.yml': `models:\n- {name: a, sql: "${variable('X')} ${variable('SERVERS')}", version: "${variable('X')}"}\n`,
  });
  expect(diagnostics.map(({ object, hint, related }) => [object, hint, related?.length])).toEqual([
    ['SERVERS', 'did you mean "SERVER"?', 1],
    ['X', `set it, or write ${variable('X:-text')} for a default`, 1],
  ]);
});

test('secrets are marked and never shown', async () => {
  const secret = `${projectFile}    sasl_password: [hunter2]\n  schema_registry: {url: "http://x", password: 12345678}\n`;
  const files = {
    'stream_project.yml': secret,
    'models/m.yml': `models:\n- name: a\n  from: b\n  sink:\n    connector: jdbc-sink\n    config: {connection.password: hunter2, nme: &x hunter3, api.key: "${variable('KEY')}"}\n  bogus: 1\n`,
  };
  const { text, parsed, diagnostics } = await checkProject(files, { KEY: 'hunter4' });
  expect(`${text}${JSON.stringify(diagnostics)}`).not.toMatch(/hunter[24]|12345678/);
  const spans = parsed.secrets.get('models/m.yml') ?? [];
  expect(spans.map(({ start, end }) => files['models/m.yml'].slice(start, end))).toEqual(['hunter2']);
});

test('files that did not change are not read again', async () => {
  const load = (second: string) =>
    loadProject({
      fileSystem: memoryFileSystem({
        'stream_project.yml': projectFile,
        'models/a.yml': 'models: [{nam: a}]\n',
        'models/b.yml': second,
      }),
    });
  const first = parseProject((await load('')).value);
  const next = parseProject((await load('models: []\n')).value, { previous: first.value });
  expect(next.value.files[1]).toBe(first.value.files[1]);
  expect(next.value.files[2]).not.toBe(first.value.files[2]);
  expect(next.diagnostics).toEqual(first.diagnostics);
});

test('other variables make all files be read again', async () => {
  const load = (environment: Readonly<Record<string, string>>) =>
    loadProject({ fileSystem: memoryFileSystem({ 'stream_project.yml': projectFile }), environment });
  const first = parseProject((await load({ A: '1' })).value);
  const next = parseProject((await load({ A: '2' })).value, { previous: first.value });
  expect(next.value.files[0]).not.toBe(first.value.files[0]);
});

test('a comment hides a finding of its line, and not within a text', async () => {
  const hidden = await models(
    '- name: a\n  # levada-disable-next-line unknown-key\n  bogus: 1\n  sql: SELECT 1\n',
  );
  expect(hidden.diagnostics).toEqual([]);
  const text = await models('- name: a\n  sql: |\n    # levada-disable-next-line unknown-key\n  bogus: 1\n');
  expect(paths(text.diagnostics)).toEqual(['LV1301 models[0].bogus']);
});

test('both runs over the same files say the same in the same order', async () => {
  const entries: readonly (readonly [string, MemoryEntry])[] = [
    ['stream_project.yml', projectFile],
    ['models/b.yml', 'models: [{x: 1}]\n'],
    ['models/a/c.yml', 'models: [{y: 1}]\n'],
    ['sources/s.yml', 'sources: [{}]\n'],
  ];
  const one = await checkProject(Object.fromEntries(entries));
  const other = await checkProject(Object.fromEntries([...entries].reverse()));
  expect(other.text).toBe(one.text);
  expect(one.diagnostics.length).toBeGreaterThan(4);
});

test('variables that a broken line of .env would set are not missing as well', async () => {
  const file = `${projectFile.replace('localhost:9092', `${variable('A')}:${variable('B')}`)}`;
  const one = await checkProject({ 'stream_project.yml': file, '.env': 'A="x\n' });
  expect(one.diagnostics.map(({ object, code }) => `${code} ${object}`)).toEqual(['LV1023 file', 'LV1320 B']);
  const two = await checkProject({ 'stream_project.yml': file, '.env': { unreadable: 'permission denied' } });
  expect(two.diagnostics.map(({ code }) => code)).toEqual(['LV1003']);
});
