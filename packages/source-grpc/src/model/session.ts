import type { DescMethod, FileRegistry } from '@bufbuild/protobuf';
import type { WireToJson } from '@levada/protobuf-tables';

/** What a method is called by and what its messages are read with: from a descriptor, or from the server itself. */
export interface MethodDefinition {
  readonly method: DescMethod;
  readonly registry: FileRegistry;
  readonly converter: WireToJson;
}

/** One stream of the server: from the call to its end. */
export interface Session {
  /** UUID, new for each connection. */
  readonly id: string;
  /** What messages of this stream are read with, also when they are taken from the queue after its end. */
  readonly definition: MethodDefinition;
}
