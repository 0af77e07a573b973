import { expect, test } from 'vitest';
import { formatPath, parsePath } from './field-path.ts';

test.each([
  ['project.name', ['project', 'name']],
  ['models[3].from[0].ref', ['models', 3, 'from', 0, 'ref']],
  ['models[].columns[].name', ['models', '[]', 'columns', '[]', 'name']],
  ['runtime.engine.clusters.<cluster>.type', ['runtime', 'engine', 'clusters', '<cluster>', 'type']],
  ['', []],
] as const)('%s is read and written', (text, path) => {
  expect(parsePath(text)).toEqual(path);
  expect(formatPath(path)).toBe(text);
});
