import { describe, expect, it } from 'vitest';
import { scrubber } from './scrubber.ts';

describe('scrubber', () => {
  it('hides a secret wherever it is in a text', () => {
    expect(scrubber(['p4ssw0rd'])('a p4ssw0rd, p4ssw0rd!')).toBe('a [hidden], [hidden]!');
  });

  it('hides a secret inside a URL and inside JSON', () => {
    const scrub = scrubber(['p"4 ß&$1']);
    expect(scrub(`wss://h/?t=${encodeURIComponent('p"4 ß&$1')} ${JSON.stringify({ t: 'p"4 ß&$1' })}`)).toBe(
      'wss://h/?t=[hidden] {"t":"[hidden]"}',
    );
  });

  it('hides a secret that was read as a list', () => {
    expect(scrubber(['ab ,c d'])('Invalid value [ab, c d], not ab,c d')).toBe(
      'Invalid value [[hidden]], not [hidden]',
    );
  });

  it('hides the longer secret first', () => {
    expect(scrubber(['secret', 'secret-and-more'])('secret-and-more secret')).toBe('[hidden] [hidden]');
  });

  it('hides single lines of a key', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nabc\n-----END KEY-----\n';
    expect(scrubber([key])('bad line MIIEvQIBADANBgkqhkiG9w0B here')).toBe('bad line [hidden] here');
  });

  it('leaves values alone that are too short or too common to be secrets', () => {
    expect(scrubber(['', 'a', '8080 '.slice(0, 3), 'true', 'FALSE'])('a port 8080 is true')).toBe(
      'a port 8080 is true',
    );
  });
});
