import { expect, test } from 'vitest';
import { child, field } from './field-at.ts';

test('finds a row by keys and indices as by text', () => {
  const partitions = field(['models', 3, 'advanced', 'topic', 'partitions']);
  expect(partitions).toMatchObject({ type: 'integer', min: 1 });
  expect(field('models[3].advanced.topic.partitions')).toBe(partitions);
  expect(field('models[].advanced.topic.partitions')).toBe(partitions);
});

test('any key of a map has the row of its values', () => {
  expect(field(['runtime', 'connect', 'clusters', 'a.b', 'rest_url'])).toMatchObject({ format: 'http-url' });
  expect(field('runtime.connect.clusters.<cluster>.rest_url')).toMatchObject({ format: 'http-url' });
});

test('an item of a union has the row of the option that is a list', () => {
  expect(field('models[].from')).toMatchObject({ type: 'union' });
  expect(field('models[].from[2].ref')).toMatchObject({ refersTo: 'model' });
});

test('within a value of any shape every place is of any shape', () => {
  expect(field(['models', 0, 'sink', 'config', 'transforms', 0, 'x'])).toMatchObject({ type: 'any' });
});

test('keys beyond those of an open object are of any shape', () => {
  expect(field('tests[].on_failure.actions[].alert.severity')).toMatchObject({ type: 'any' });
  expect(field('tests[].on_failure.actions[].alert.channel')).toMatchObject({ type: 'text' });
});

test.each([
  'nothing',
  'models[].topic',
  'models.name',
  'models[0][0]',
  'project[0]',
  'project.name.first',
  'project.name[0]',
  'models[].from[].name',
])('%s is no place', (path) => {
  expect(field(path)).toBeUndefined();
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s is no key of any object', (key) => {
  expect(field([key])).toBeUndefined();
  expect(field(['models', 0, key])).toBeUndefined();
  expect(field(['tests', 0, 'assertions', 0, key])).toBeUndefined();
});

test('a fragment has the four keys and no others', () => {
  expect(field('models[].sql', 'fragment')).toBe(field('models[].sql'));
  expect(field('project.name', 'fragment')).toBeUndefined();
});

test('the empty path is the document', () => {
  const document = field([]);
  expect(document).toMatchObject({ type: 'object' });
  expect(document && child(document, 'rules')).toBe(field('rules'));
});
