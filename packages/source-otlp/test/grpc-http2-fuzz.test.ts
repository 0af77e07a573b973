import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  ACK,
  dataFrame,
  END_HEADERS,
  exportHeaders,
  frameOf,
  opening,
  prefixed,
  rawClient,
  resetFrame,
} from '@levada/test-peers/http2';
import { http2Request, http2Session } from '@levada/test-peers/otlp';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';

const message = prefixed(Buffer.from('some telemetry'));
const whole = Buffer.concat([
  opening,
  frameOf('settings', { flags: ACK }),
  exportHeaders(1),
  dataFrame(1, message, { end: true }),
  exportHeaders(3, { 'grpc-encoding': 'gzip', 'grpc-timeout': '1S' }, 0),
  frameOf('continuation', { streamId: 3, flags: END_HEADERS }),
  dataFrame(3, message.subarray(0, 8)),
  frameOf('ping', { payload: Buffer.alloc(8) }),
  frameOf('windowUpdate', { payload: Buffer.of(0, 0, 1, 0) }),
  resetFrame(3),
  exportHeaders(5, { ':path': '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo' }),
  dataFrame(5, prefixed(Buffer.of(0x3a, 0))),
  frameOf('goaway', { payload: Buffer.alloc(8) }),
  exportHeaders(7),
  dataFrame(7, message, { end: true }),
]);

const change = fc.record({
  at: fc.nat(whole.length - 1),
  kind: fc.constantFrom('flip', 'set', 'drop', 'insert'),
  value: fc.nat(255),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(bytes: Buffer, { at, kind, value }: Change): Buffer {
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  if (kind === 'drop') return Buffer.concat([before, after.subarray(1 + (value % 16))]);
  if (kind === 'insert') return Buffer.concat([before, Buffer.of(value), after]);
  const byte = kind === 'set' ? value : (bytes[at] ?? 0) ^ (1 << (value % 8));
  return Buffer.concat([before, Buffer.of(byte), after.subarray(1)]);
}

describe('a connection whose bytes are broken somewhere', () => {
  it('the receiver survives a connection with broken bytes, frees its memory, and serves others', async () => {
    const intake = scriptedIntake();
    const receiver = await openedReceiver(intake);
    const other = http2Session(receiver.port);
    const cases = fc.tuple(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: whole.length }),
    );
    const property = fc.asyncProperty(cases, async ([changes, cut]) => {
      const client = rawClient(receiver.port);
      const sent = changes.reduce(changed, whole);
      client.write(sent.subarray(0, cut));
      client.write(sent.subarray(cut));
      client.socket.end();
      await waitFor(client.closed);
      await waitFor(() => intake.open === 0);
    });
    await fc.assert(property, { numRuns: 200 });
    expect((await http2Request(other, {}, [message])).trailers['grpc-status']).toBe('0');
  });
});
