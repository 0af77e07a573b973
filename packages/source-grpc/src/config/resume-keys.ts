import type { ConfigKey } from '@levada/connect-runtime-core';
import { nonBlank, optional } from '@levada/connect-runtime-core/config';
import { resumeSource } from '../message-pointer.ts';

/** Where a new stream goes on. */
export const resumeKeys = [
  {
    name: 'grpc.request.resume.field',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Field of the request, with dots for nested ones, that tells the server where to go on. It is set when something was received before, also in an earlier run. Needs grpc.queue.full.policy=block.',
    validator: optional(nonBlank),
    group: 'Resume',
    dependents: ['grpc.request.resume.from'],
    option: 'resumeField',
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
    option: 'resumeFrom',
  },
] as const satisfies readonly ConfigKey[];
