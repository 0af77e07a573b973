import { describe, expect, it } from 'vitest';
import { inColor, plainMarks, showsUnicode } from './style.ts';

describe('inColor', () => {
  it.each([
    ['somebody looks', { tty: true, env: {} }, true],
    ['the output is not a terminal', { tty: false, env: {} }, false],
    ['NO_COLOR is set', { tty: true, env: { NO_COLOR: '1' } }, false],
    ['NO_COLOR is empty, which counts as absent', { tty: true, env: { NO_COLOR: '' } }, true],
    ['the terminal is dumb', { tty: true, env: { TERM: 'dumb' } }, false],
    ['FORCE_COLOR is set, whatever else is', { tty: false, env: { FORCE_COLOR: '1', NO_COLOR: '1' } }, true],
    ['FORCE_COLOR is 0', { tty: true, env: { FORCE_COLOR: '0' } }, false],
  ])('decides about color when %s', (_, terminal, expected) => {
    expect(inColor(terminal, true)).toBe(expected);
    expect(inColor(terminal, false)).toBe(false);
  });
});

describe('showsUnicode', () => {
  it.each([
    [{}, true],
    [{ LANG: 'en_US.UTF-8' }, true],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
    [{ LANG: 'de_DE.ISO-8859-1' }, false],
    [{ LC_ALL: '', LC_CTYPE: 'C.utf8' }, true],
    [{ LANG: 'en_US.UTF-8', TERM: 'dumb' }, false],
  ])('decides about Unicode for %j', (env, expected) => {
    expect(showsUnicode({ env })).toBe(expected);
  });
});

it('replaces every mark by ASCII on plain terminals', () => {
  expect(plainMarks('✓✗·—→…├└│─')).toMatch(/^\p{ASCII}+$/u);
  expect(plainMarks('Ärger')).toBe('Ärger');
});
