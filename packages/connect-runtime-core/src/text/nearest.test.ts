import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const known = ['topic', 'tasks.max', 'websocket.url'];

it.each([
  ['topc', 'topic'],
  ['Topic', 'topic'],
  ['task.max', 'tasks.max'],
  ['websocket.urll', 'websocket.url'],
  ['topic', 'topic'],
])('suggests for %s the word %s', (word, suggestion) => {
  expect(nearest(word, known)).toBe(suggestion);
});

it.each(['', 'subject', 'tpc.mx', 'websocket'])(
  'suggests nothing for %j, which is too far from every word',
  (word) => {
    expect(nearest(word, known)).toBeUndefined();
  },
);

it('prefers the closest word', () => {
  expect(nearest('abcd', ['abxx', 'abcx'])).toBe('abcx');
});

it('is not slow on very long words', () => {
  expect(nearest('x'.repeat(100_000), known)).toBeUndefined();
});
