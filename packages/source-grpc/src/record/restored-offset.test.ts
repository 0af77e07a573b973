import { describe, expect, it } from 'vitest';
import { restoredOffset, sourcePartition } from './restored-offset.ts';

describe('restoredOffset', () => {
  it.each([
    [
      { sessionId: 'a', sequence: 5 },
      { sessionId: 'a', sequence: 5, resume: undefined },
    ],
    [
      { session_id: 'a', sequence: 0 },
      { sessionId: 'a', sequence: 0, resume: undefined },
    ],
    [
      { sessionId: 'a', sequence: 5, resume: 'x' },
      { sessionId: 'a', sequence: 5, resume: 'x' },
    ],
    [{ sequence: 5 }, { sessionId: '', sequence: 5, resume: undefined }],
    [{ sessionId: 'a' }, undefined],
    [{ sessionId: 'a', sequence: -1 }, undefined],
    [{ sessionId: 'a', sequence: 1.5 }, undefined],
    [{ sessionId: 'a', sequence: '5' }, undefined],
  ])('reads %j as %j', (offset, restored) => {
    expect(restoredOffset(offset)).toEqual(restored);
  });
});

describe('sourcePartition', () => {
  it('names server and method', () => {
    const config = {
      'grpc.server.host': '::1',
      'grpc.server.port': 9090,
      'grpc.service.name': 'a.B',
      'grpc.method.name': 'C',
    };
    expect(sourcePartition(config)).toEqual({ grpc_server: '[::1]:9090', grpc_method: 'a.B/C' });
  });
});
