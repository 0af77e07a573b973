import { describe, expect, it } from 'vitest';
import { printable } from './printable.ts';

describe('text of a peer', () => {
  it.each([
    ['plain ü 漢', 'plain ü 漢'],
    ['a\r\nb', 'a\\u000d\\u000ab'],
    ['\u001b[31m', '\\u001b[31m'],
    ['\u2028\u202e\u0085', '\\u2028\\u202e\\u0085'],
  ])('%j is shown as %s', (given, shown) => {
    expect(printable([])(given)).toBe(shown);
  });

  it('is masked where it repeats a secret, and cut after 512 characters', () => {
    const print = printable(['s3cret!', 'abc', '']);
    expect(print('bad s3cret! for abc')).toBe('bad *** for abc');
    expect(print('x'.repeat(600))).toBe(`${'x'.repeat(512)}...`);
  });

  it('is masked whole where one secret holds another', () => {
    expect(printable(['token', 'token-of-mine'])('bad token-of-mine')).toBe('bad ***');
  });

  it('is masked where it was cut within a secret', () => {
    const print = printable(['eyJhbGciOiJIUzI1NiJ9.payload.signature']);
    expect(print('bad eyJhbGciOiJIUzI1NiJ9.payl...')).toBe('bad ***...');
    expect(print('eyJhbGciOiJIUzI1Ni or eyJhbGciOiJIUzI1Ni')).toBe('*** or ***');
    expect(print('bad eyJhbGciOiJIUz')).toBe('bad eyJhbGciOiJIUz');
  });

  it('may be a megabyte of beginnings', () => {
    const print = printable([`${'a'.repeat(16)}!`]);
    expect(print(`${'a'.repeat(16)}b`.repeat(60_000))).toBe(`${'***b'.repeat(128)}...`);
  });

  it('does not let a secret through that straddles the cut', () => {
    const shown = printable(['s3cret!'])(`${'x'.repeat(508)}s3cret!`);
    expect(shown).not.toContain('s3cr');
  });
});
