import { describe, expect, it } from 'vitest';
import { grpcClient } from './grpc-client.ts';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';

describe('an export over gRPC', () => {
  it('is taken as it was sent, and answered with an empty response', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake);
    const body = Buffer.from('0a0012', 'hex');
    const result = await grpcClient(port).export('traces', body);
    expect(result).toMatchObject({ code: 0, answer: Buffer.alloc(0) });
    expect(intake.taken).toEqual([{ body, form: 'protobuf' }]);
    expect(intake.open).toBe(0);
  });
});
