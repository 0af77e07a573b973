import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { testDescriptor } from './descriptor-fixtures.ts';

/** Fields of a `teststream.StreamEvent`. */
export interface TestEvent {
  readonly eventId?: string;
  readonly payload?: string;
  readonly sequence?: bigint;
}

/** Wire bytes of a `teststream.StreamEvent`. */
export function eventBytes(event: TestEvent): Uint8Array {
  const schema = registry().getMessage('teststream.StreamEvent');
  if (schema === undefined) throw new Error('teststream.StreamEvent is not in the fixture');
  return toBinary(schema, create(schema, event as Record<string, unknown>));
}

/** The canonical JSON of {@link eventBytes}, with implicit defaults. */
export function eventJson({ eventId = '', payload = '', sequence = 0n }: TestEvent): string {
  const fields = { eventId, timestamp: '', eventType: '', payload, sequence: String(sequence) };
  return JSON.stringify(fields);
}

let made: ReturnType<typeof createFileRegistry> | undefined;

function registry() {
  made ??= createFileRegistry(fromBinary(FileDescriptorSetSchema, testDescriptor()));
  return made;
}
