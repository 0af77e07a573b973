import type { ConfigKey } from '@levada/connect-runtime-core';
import { nonBlank, optional } from '@levada/connect-runtime-core/config';
import { requestText } from '../request/request-text.ts';
import { resumeSource } from './message-pointer.ts';

/** The request of the method, and the descriptor of its messages. */
export const requestKeys = [
  {
    name: 'grpc.request.message',
    type: 'string',
    default: '{}',
    importance: 'medium',
    documentation:
      'The request message as ProtoJSON: field names in either case, 64-bit integers as text or number.',
    validator: requestText,
    group: 'Method',
    option: 'request',
    optionDocumentation:
      'The request message as ProtoJSON, as an object or as text: field names in either case, 64-bit integers as bigint, text or number.',
    example: "{ symbols: ['ABC'] }",
    accepts: ['json'],
  },
  {
    name: 'grpc.proto.descriptor',
    type: 'string',
    default: null,
    importance: 'high',
    documentation:
      'The descriptor of the service: the path of a .proto file (needs @grpc/proto-loader) or of a descriptor set with all imports, several paths with commas, or the bytes of a set in base64. Without it, or when it is blank, the server is asked by reflection.',
    group: 'Method',
    dependents: ['grpc.reflection.enabled'],
    option: 'descriptor',
    optionDocumentation:
      'The descriptor of the service: the file: URL or path of a .proto file (needs @grpc/proto-loader) or of a descriptor set with all imports, several paths with commas, or the bytes of a set, in base64 too. Without it the server is asked by reflection.',
    example: "new URL('prices.proto', import.meta.url)",
    accepts: ['file', 'bytes'],
  },
  {
    name: 'grpc.proto.import.paths',
    type: 'list',
    default: '',
    importance: 'low',
    documentation:
      'Folders in which imports of .proto files are looked for, in this order. None: the folder of each file. The types of protobuf itself (google/protobuf) need none.',
    group: 'Method',
    option: 'protoPaths',
    example: "[new URL('protos/', import.meta.url)]",
    accepts: ['files'],
  },
  {
    name: 'grpc.reflection.enabled',
    type: 'boolean',
    default: true,
    importance: 'low',
    documentation:
      'Whether a server may be asked for the descriptor (gRPC reflection v1, then v1alpha) when none is configured.',
    group: 'Method',
    option: 'reflection',
    example: 'false',
  },
] as const satisfies readonly ConfigKey[];

/** Where a new stream resumes. */
export const resumeKeys = [
  {
    name: 'grpc.request.resume.field',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Field of the request, with dots for nested ones, that sets where the server resumes. It is set when something was received before, also in an earlier run. Needs grpc.queue.full.policy=block.',
    validator: optional(nonBlank),
    group: 'Resume',
    dependents: ['grpc.request.resume.from'],
    option: 'resume.field',
    example: "'after_id'",
  },
  {
    name: 'grpc.request.resume.from',
    type: 'string',
    default: 'sequence',
    importance: 'low',
    documentation:
      'What the field is set to: sequence (the number of the last message), or a JSON pointer into the last message as JSON, such as /eventId.',
    validator: resumeSource,
    group: 'Resume',
    option: 'resume.from',
    example: "'/eventId'",
  },
] as const satisfies readonly ConfigKey[];
