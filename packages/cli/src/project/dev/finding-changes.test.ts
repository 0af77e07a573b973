import type { Diagnostic } from '@levada/stream-project-compiler';
import { expect, it } from 'vitest';
import { findingChanges } from './finding-changes.ts';

function finding(message: string, line: number): Diagnostic {
  const place = { line, column: 1 };
  const range = { file: 'models/a.yml', start: place, end: place };
  return { code: 'LV1301', severity: 'error', message, range, path: '', object: 'model:a' };
}

it('lists findings that appeared or disappeared, and omits those that only moved', () => {
  const before = [finding('stays', 3), finding('goes', 4)];
  const { added, removed } = findingChanges(before, [finding('comes', 1), finding('stays', 5)]);
  expect(added.map(({ message }) => message)).toEqual(['comes']);
  expect(removed.map(({ message }) => message)).toEqual(['goes']);
});

it('counts findings with the same text', () => {
  const twice = [finding('same', 1), finding('same', 2)];
  expect(findingChanges(twice, [finding('same', 1)])).toMatchObject({ added: [], removed: [{}] });
  expect(findingChanges([finding('same', 1)], twice)).toMatchObject({ added: [{}], removed: [] });
});
