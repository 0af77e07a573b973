import { printable } from '@levada/connect-runtime-core/source-kit';
import { describe, expect, it } from 'vitest';
import { closeError, refusalError, socketError } from './errors.ts';

const print = printable([]);

describe('errors of a connection', () => {
  it.each([
    [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'connection_failed'],
    [
      Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      'connection_failed',
    ],
    [Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), 'connection_lost'],
    [Object.assign(new Error('x'), { code: 'WS_ERR_INVALID_UTF8' }), 'protocol_error'],
    [Object.assign(new Error('x'), { code: 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' }), 'message_too_large'],
    [Object.assign(new Error('x'), { code: 'HPE_INVALID_CONSTANT' }), 'protocol_error'],
    [new Error('Invalid Sec-WebSocket-Accept header'), 'protocol_error'],
    ['a string', 'connection_failed'],
  ])('%s is a %s and can be tried again', (thrown, code) => {
    expect(socketError(thrown, { peer: 'h:1', print })).toMatchObject({ code, retriable: true });
  });

  it('speaks with the first failure when several addresses were tried', () => {
    const inner = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' });
    expect(socketError(new AggregateError([inner]), { peer: 'h:1', print }).message).toBe(
      'cannot connect to h:1: connect ECONNREFUSED ::1:1',
    );
  });

  it.each([
    ['7', 7000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 9000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads Retry-After %s as %s ms', (retryAfter, expected) => {
    const status = { code: 429, text: 'Slow Down', retryAfter };
    const { code, message, retryAfterMs } = refusalError(status, 'h:1', 1000);
    expect({ code, message, retryAfterMs }).toEqual({
      code: 'handshake_rejected',
      message: 'h:1 answered the handshake with HTTP 429 Slow Down',
      retryAfterMs: expected,
    });
  });

  it('judges a close code as configured', () => {
    const context = {
      failCodes: [[4000, 4999]] as const,
      slowCodes: [[1013, 1013]] as const,
      slowRetryMs: 8,
      print,
    };
    expect(closeError(4321, 'no', context).retriable).toBe(false);
    expect(closeError(1013, '', context).retryAfterMs).toBe(8);
    expect(closeError(1000, 'bye\n', context).message).toBe(
      'server closed the connection with code 1000: bye\\u000a',
    );
    expect(closeError(1005, '', context).message).toBe('server closed the connection with no code');
    expect(closeError(1006, '', context).message).toBe('connection lost without a close frame');
  });
});
