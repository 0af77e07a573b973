import { printable } from '@levada/connect-runtime-core/source-kit';
import { describe, expect, it } from 'vitest';
import { type EndContext, isPermanent, statusError } from './errors.ts';
import type { GrpcStatus } from './grpc-status.ts';

const context: EndContext = {
  peer: 'feed.example:443',
  failOn: new Set(['NOT_FOUND']),
  print: printable(['token-1234']),
};
const local = { message: '', source: 'local' } as const;

describe('the end of a call', () => {
  it.each<[GrpcStatus, string]>([
    [{ code: 'UNAVAILABLE', message: '', source: 'server' }, 'handshake_rejected'],
    [{ code: 'INTERNAL', message: '', source: 'http' }, 'handshake_rejected'],
    [{ code: 'UNAVAILABLE', ...local }, 'connection_lost'],
    [{ code: 'INTERNAL', ...local }, 'protocol_error'],
    [{ code: 'RESOURCE_EXHAUSTED', ...local, exhausted: 'message_too_large' }, 'message_too_large'],
    // Calls that the server wants fewer of, and headers above the limit.
    [{ code: 'RESOURCE_EXHAUSTED', ...local }, 'connection_lost'],
    [{ code: 'RESOURCE_EXHAUSTED', ...local, exhausted: 'too_many_pings' }, 'connection_lost'],
  ])('%j is a %s and can be tried again', (status, code) => {
    expect(statusError(status, context)).toMatchObject({ code, retriable: true });
  });

  it('has a text with number, name and what the server says, without secrets', () => {
    const status: GrpcStatus = { code: 'NOT_FOUND', message: 'no\ntoken-1234', source: 'server' };
    expect(statusError(status, context)).toMatchObject({
      retriable: false,
      message: 'feed.example:443: 5 NOT_FOUND: no\\u000a***',
      cause: { name: 'GrpcStatusError', code: 5, details: 'no\\u000a***' },
    });
  });

  it('keeps the error under a status of this side', () => {
    const cause = new Error('read ECONNRESET');
    const error = statusError({ code: 'UNAVAILABLE', message: '', source: 'local', cause }, context);
    expect(error.cause).toMatchObject({ code: 14, details: '', cause });
  });

  it('fails the task, and counts as permanent, only when the server itself says so', () => {
    const said = (source: GrpcStatus['source']): GrpcStatus => ({ code: 'NOT_FOUND', message: '', source });
    expect([said('server'), said('http'), said('local')].map((status) => isPermanent(status))).toEqual([
      true,
      false,
      false,
    ]);
    expect(statusError(said('http'), context).retriable).toBe(true);
    expect(statusError(said('local'), context)).toMatchObject({
      retriable: true,
      message: 'feed.example:443: 5 NOT_FOUND',
    });
  });
});
