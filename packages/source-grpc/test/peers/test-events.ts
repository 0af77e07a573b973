import { create, createFileRegistry, type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { testDescriptor } from '@levada/test-peers/grpc';

let registry: ReturnType<typeof createFileRegistry> | undefined;

function descriptor(name: string): DescMessage {
  registry ??= createFileRegistry(fromBinary(FileDescriptorSetSchema, testDescriptor()));
  const found = registry.getMessage(`teststream.${name}`);
  if (found === undefined) throw new Error(`no message "${name}" in the test descriptor`);
  return found;
}

/** A request of the test service; the peers' README explains the filter. */
export function requestBytes(filter: string, intervalMs = 0): Uint8Array {
  const desc = descriptor('StreamRequest');
  return toBinary(desc, create(desc, { filter, intervalMs } as Record<string, unknown>));
}

/** The message that a peer sends with this sequence number. */
export function eventBytes(sequence: number, size = 5, eventType = 'test'): Uint8Array {
  const payload = '0123456789abcdef'.repeat(size / 16 + 1).slice(0, size);
  const desc = descriptor('StreamEvent');
  const fields = { eventId: `event-${sequence}`, eventType, payload, sequence: BigInt(sequence) };
  return toBinary(desc, create(desc, fields as Record<string, unknown>));
}

/** The payload of an event. */
export function payloadOf(event: Uint8Array): string {
  const message = fromBinary(descriptor('StreamEvent'), event) as unknown as { payload: string };
  return message.payload;
}
