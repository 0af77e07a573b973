import { describe, expect, it } from 'vitest';
import { createAccess } from './access.ts';

const head = (authorization?: string, host?: string) => ({ authorization, host });

describe('createAccess', () => {
  it('lets everybody in without tokens and hosts', () => {
    const access = createAccess({ tokens: [], hosts: [] });
    expect(access(head(undefined, 'anything'))).toBeUndefined();
  });

  it.each([
    ['Bearer one', undefined],
    ['bearer two', undefined],
    ['Bearer  two ', undefined],
    [undefined, 'unauthenticated'],
    ['', 'unauthenticated'],
    ['Bearer', 'unauthenticated'],
    ['Bearer ', 'unauthenticated'],
    ['Bearer onetwo', 'unauthenticated'],
    ['Bearer on', 'unauthenticated'],
    ['Basic one', 'unauthenticated'],
    ['Bearer one two', 'unauthenticated'],
    ['one', 'unauthenticated'],
  ])('of Authorization %j says %s', (authorization, reason) => {
    const access = createAccess({ tokens: ['one', 'two'], hosts: [] });
    expect(access(head(authorization))?.reason).toBe(reason);
  });

  it('never repeats a token', () => {
    const refusal = createAccess({ tokens: ['canary-one'], hosts: [] })(head('Bearer canary-two'));
    expect(JSON.stringify(refusal)).not.toContain('canary');
  });

  it.each([
    ['otel.example', undefined],
    ['OTEL.example:4318', undefined],
    ['otel.example.', undefined],
    ['localhost:4318', undefined],
    ['127.0.0.1:4318', undefined],
    ['[::1]:4318', undefined],
    ['evil.example', 'forbidden'],
    ['otel.example.evil', 'forbidden'],
    ['', 'forbidden'],
    [undefined, 'forbidden'],
  ])('of host %j says %s', (host, reason) => {
    const access = createAccess({ tokens: [], hosts: ['otel.example'] });
    expect(access(head(undefined, host))?.reason).toBe(reason);
  });
});
