import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { ConnectorError, isConnectorError } from './connector-error.ts';

describe('ConnectorError', () => {
  it('is retriable as its code says by default', () => {
    expect(new ConnectorError('connection_lost', 'gone').retriable).toBe(true);
    expect(new ConnectorError('config_invalid', 'no').retriable).toBe(false);
    expect(new ConnectorError('handshake_rejected', 'no', { retriable: false }).retriable).toBe(false);
  });

  it('has a cause only when there is one', () => {
    expect('cause' in new ConnectorError('internal', 'x')).toBe(false);
    expect(new ConnectorError('internal', 'x', { cause: 'y' }).cause).toBe('y');
  });

  it('is recognised when it comes from another copy of the package', async () => {
    const copy = (await import(`${import.meta.dirname}/connector-error.ts?copy`)) as {
      readonly ConnectorError: typeof ConnectorError;
    };
    const other = new copy.ConnectorError('fenced', 'x');
    expect(copy.ConnectorError).not.toBe(ConnectorError);
    expect(other instanceof ConnectorError).toBe(true);
    expect(ConnectorError.from(other)).toBe(other);
    class Own extends ConnectorError {}
    expect(other instanceof Own).toBe(false);
    expect(new Own('fenced', 'x') instanceof Own).toBe(true);
    expect(new Error('x') instanceof ConnectorError).toBe(false);
  });
});

describe('ConnectorError.from', () => {
  it('keeps a ConnectorError as it is', () => {
    const error = new ConnectorError('fenced', 'x');
    expect(ConnectorError.from(error, 'timeout')).toBe(error);
  });

  it('makes anything else the cause', () => {
    const cause = new TypeError('not a function');
    expect(ConnectorError.from(cause)).toMatchObject({ code: 'internal', message: 'not a function', cause });
    expect(ConnectorError.from('text', 'timeout')).toMatchObject({ code: 'timeout', message: 'text' });
    expect(ConnectorError.from(undefined)).toMatchObject({ code: 'internal', message: 'undefined' });
  });
});

describe('isConnectorError', () => {
  it('knows an error from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), {
      name: 'ConnectorError',
      code: 'fenced',
      retriable: false,
    });
    expect(isConnectorError(foreign)).toBe(true);
  });

  it.each([
    ['an error with a code alone', Object.assign(new Error('x'), { code: 'ENOENT' })],
    ['an object that looks alike', { name: 'ConnectorError', code: 'fenced', retriable: false }],
    ['nothing', undefined],
  ])('does not take %s for one', (_, thrown) => {
    expect(isConnectorError(thrown)).toBe(false);
  });
});

describe('a ConnectorError that leaves its process', () => {
  const refused = (port: number): Error =>
    Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), {
      code: 'ECONNREFUSED',
      // Other properties of foreign errors are not written: they may hold headers, or the request.
      headers: { authorization: 'Bearer hunter2' },
    });
  const lost = new ConnectorError('connection_failed', 'cannot reach feed.example', {
    retryAfterMs: 5000,
    cause: new AggregateError([refused(1), refused(2)], '', { cause: 'gone' }),
  });
  const invalid = new ConnectorError('config_invalid', 'url is missing', {
    issues: [{ key: 'url', message: 'url is missing' }],
  });
  const written = {
    name: 'ConnectorError',
    code: 'connection_failed',
    message: 'cannot reach feed.example',
    retriable: true,
    retryAfterMs: 5000,
    cause: {
      name: 'AggregateError',
      message: '',
      errors: [1, 2].map((port) => ({
        name: 'Error',
        message: `connect ECONNREFUSED 127.0.0.1:${port}`,
        code: 'ECONNREFUSED',
      })),
      cause: { name: 'string', message: 'gone' },
    },
  };

  it('is complete as JSON, without stacks and without what foreign errors carry', () => {
    expect(JSON.parse(JSON.stringify(lost))).toEqual(written);
    expect(JSON.parse(JSON.stringify({ invalid }))).toEqual({
      invalid: {
        name: 'ConnectorError',
        code: 'config_invalid',
        message: 'url is missing',
        retriable: false,
        issues: [{ key: 'url', message: 'url is missing' }],
      },
    });
  });

  it('crosses threads as its JSON, and is the same on the other side', async () => {
    const { port1, port2 } = new MessageChannel();
    const received = new Promise<ReturnType<ConnectorError['toJSON']>>((resolve) =>
      port2.once('message', resolve),
    );
    port1.postMessage(lost.toJSON());
    const copy = ConnectorError.fromJSON(await received);
    port1.close();
    expect(copy).toBeInstanceOf(ConnectorError);
    expect(copy.toJSON()).toEqual(written);
    expect(ConnectorError.fromJSON(invalid.toJSON())).toMatchObject({
      retriable: false,
      issues: invalid.issues,
    });
  });

  it('keeps only message and stack in a structured clone', () => {
    const clone: Error & { readonly code?: string } = structuredClone(lost);
    expect([clone.message, clone.code]).toEqual([lost.message, undefined]);
  });

  it('is written out by the serializer for errors of pino', () => {
    const lines: string[] = [];
    pino({}, { write: (line) => lines.push(line) }).error(lost, 'the feed failed');
    pino({}, { write: (line) => lines.push(line) }).error(invalid);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        msg: 'the feed failed',
        err: { type: 'ConnectorError', code: 'connection_failed', retriable: true, retryAfterMs: 5000 },
      },
      { msg: 'url is missing', err: { code: 'config_invalid', issues: invalid.issues } },
    ]);
  });

  it('shows code, issues and causes in a console', () => {
    expect(inspect(lost)).toMatch(
      /cannot reach feed\.example[\s\S]*code: 'connection_failed'[\s\S]*AggregateError/,
    );
    expect(inspect(invalid)).not.toContain('retryAfterMs');
    expect(inspect(invalid)).toContain("issues: [ { key: 'url', message: 'url is missing' } ]");
  });

  it.each([
    ['an error of another realm', runInNewContext("new RangeError('far')"), 'RangeError', 'far'],
    [
      'an error that was made plain',
      Object.assign(Object.create(null), { message: 'plain' }),
      'Error',
      'plain',
    ],
    ['an object without a prototype', Object.create(null), 'object', '[object Object]'],
    ['null', null, 'object', '[object Null]'],
    ['a symbol', Symbol('s'), 'symbol', 'Symbol(s)'],
  ])('is written although %s led to it', (_, cause, name, message) => {
    expect(new ConnectorError('internal', 'x', { cause }).toJSON().cause).toEqual({ name, message });
  });

  it('is written although its causes lead back to it', () => {
    const first: Error = new Error('first');
    const second = new Error('second', { cause: first });
    first.cause = second;
    const text = JSON.stringify(new ConnectorError('internal', 'circle', { cause: first }));
    expect(text.match(/"first"/g)?.length).toBe(5);
  });
});
