import { describe, expect, it } from 'vitest';
import { grpcJsStatus } from './grpc-js-status.ts';

describe('the status of a call of grpc-js', () => {
  it.each([
    [5, 'no such feed', { code: 'NOT_FOUND', source: 'server' }],
    [14, 'later', { code: 'UNAVAILABLE', source: 'server' }],
    [0, 'OK', { code: 'OK', source: 'server' }],
    [42, 'odd', { code: 'UNKNOWN', message: 'grpc-status "42": odd', source: 'server' }],
    [12, 'Received HTTP status code 404', { code: 'UNIMPLEMENTED', source: 'http' }],
    [14, 'Connection dropped', { code: 'UNAVAILABLE', source: 'local' }],
    [14, 'read ECONNRESET', { code: 'UNAVAILABLE', source: 'local' }],
    [14, 'round_robin: No connection established. Last error: x', { code: 'UNAVAILABLE', source: 'local' }],
    [13, 'Received RST_STREAM with code 2 (Internal server error)', { code: 'INTERNAL', source: 'local' }],
    [
      8,
      'Received message larger than max (99999999 vs 67108864)',
      { code: 'RESOURCE_EXHAUSTED', source: 'local', exhausted: 'message_too_large' },
    ],
  ])('%d "%s" is taken for what the library or the server said', (code, details, expected) => {
    expect(grpcJsStatus({ code, details }, { pings: true })).toMatchObject(expected);
  });

  it.each([true, false])('of a server that wants calm is about pings, when some are sent: %s', (pings) => {
    const details = 'Bandwidth exhausted or memory limit exceeded';
    const { exhausted, source } = grpcJsStatus({ code: 8, details }, { pings });
    expect([exhausted, source]).toEqual([pings ? 'too_many_pings' : undefined, 'local']);
  });
});
