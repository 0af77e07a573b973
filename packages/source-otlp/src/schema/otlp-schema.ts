import type { DescMessage } from '@bufbuild/protobuf';
import type { SignalName } from '../signals.ts';

/** One file of the schema as reflection serves it. */
export interface SchemaFile {
  readonly name: string;
  readonly dependencies: readonly string[];
  /** Full names of messages, enums and services that it defines. */
  readonly symbols: readonly string[];
  /** Its FileDescriptorProto. */
  readonly bytes: Uint8Array;
}

/** OTLP's messages and services, and those of gRPC's health checks. */
export interface OtlpSchema {
  request(signal: SignalName): DescMessage;
  files(): readonly SchemaFile[];
}
