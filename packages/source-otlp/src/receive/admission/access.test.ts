import { describe, expect, it } from 'vitest';
import { createAccess } from './access.ts';
import { linesOfUsers, readUsers } from './basic-users.ts';

const head = (authorization?: string, host?: string) => ({ authorization, host });

describe('createAccess', () => {
  it('access control accepts every request without tokens and hosts', () => {
    const access = createAccess({ tokens: [], users: [], hosts: [] });
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
  ])('access control checks Authorization %j against tokens: %s', (authorization, reason) => {
    const access = createAccess({ tokens: ['one', 'two'], users: [], hosts: [] });
    expect(access(head(authorization))?.reason).toBe(reason);
  });

  it('a refusal never repeats a token', () => {
    const refusal = createAccess({ tokens: ['canary-one'], users: [], hosts: [] })(head('Bearer canary-two'));
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
  ])('access control checks host %j against the allowed hosts: %s', (host, reason) => {
    const access = createAccess({ tokens: [], users: [], hosts: ['otel.example'] });
    expect(access(head(undefined, host))?.reason).toBe(reason);
  });
});

describe('createAccess with users', () => {
  const users = readUsers([
    'one:two',
    'caf\u00e9:p\u00e4ss:word',
    'hashed:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=',
  ]);
  const known = 'entry' in users ? [] : users;
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it.each([
    [basic('one:two'), undefined],
    [basic('one:two').replace('Basic', 'bAsIc '), undefined],
    [basic('caf\u00e9:p\u00e4ss:word'), undefined],
    [basic('hashed:password'), undefined],
    [basic('hashed:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g='), 'user or password is not accepted'],
    [basic('one:'), 'user or password is not accepted'],
    [basic('one:password'), 'user or password is not accepted'],
    [basic('other:two'), 'user or password is not accepted'],
    [basic('one'), 'user or password is not accepted'],
    ['Basic %%%', 'user or password is not accepted'],
    ['Basic', 'no user and password in Authorization'],
    ['Bearer one:two', 'no user and password in Authorization'],
    [undefined, 'no user and password in Authorization'],
  ])('access control checks Authorization %j against users: %s', (authorization, message) => {
    const refusal = createAccess({ tokens: [], users: known, hosts: [] })(head(authorization));
    expect(refusal?.message).toBe(message);
    expect(refusal?.challenge).toBe(
      message === undefined ? undefined : 'Basic realm="OTLP", charset="UTF-8"',
    );
  });

  it('access control accepts a token as well, when there are both', () => {
    const access = createAccess({ tokens: ['token'], users: known, hosts: [] });
    expect([access(head('Bearer token')), access(head(basic('one:two')))]).toEqual([undefined, undefined]);
    expect(access(head('Bearer other'))?.message).toBe('bearer token is not accepted');
    expect(access(head())).toMatchObject({
      message: 'no bearer token, and no user and password in Authorization',
      challenge: 'Bearer, Basic realm="OTLP", charset="UTF-8"',
    });
  });
});

describe('readUsers', () => {
  it.each([
    ['user', 'expected user:password'],
    [':password', 'expected user:password'],
    ['user:', 'expected user:password'],
    ['user:{SHA}short', 'expected 20 bytes in base64 after {SHA}'],
    ['user:$2y$05$canary', expect.stringContaining('use htpasswd -s')],
    ['user:$apr1$canary$x', expect.stringContaining('use htpasswd -s')],
  ])('readUsers refuses %s without repeating it', (entry, message) => {
    expect(readUsers(['a:b', entry])).toEqual({ entry: 2, message });
  });

  it('readUsers reads the lines of a file without comments and empty ones', () => {
    expect(linesOfUsers('# users\r\na:b\r\n\n c:d \n')).toEqual(['a:b', ' c:d ']);
  });
});
