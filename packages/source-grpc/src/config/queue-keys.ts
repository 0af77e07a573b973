import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast, between, oneOf } from '@levada/connect-runtime-core/config';

/** The queue between the stream and the log. */
export const queueKeys = [
  {
    name: 'grpc.message.queue.size',
    type: 'int',
    default: 10000,
    importance: 'medium',
    documentation: 'Most messages waiting between the stream and the log.',
    validator: between(1, 10_000_000),
    update: 'reconnect',
    group: 'Queue',
    option: 'queueSize',
    optionDocumentation: 'Most messages that were received and wait to be read.',
    example: '1000',
  },
  {
    name: 'grpc.message.queue.bytes',
    type: 'long',
    default: 64 * 1024 * 1024,
    importance: 'low',
    documentation: 'Most bytes of all waiting messages together.',
    validator: atLeast(1),
    group: 'Queue',
    option: 'queueBytes',
    example: '16 * 1024 * 1024',
  },
  {
    name: 'grpc.queue.full.policy',
    type: 'string',
    default: 'drop_newest',
    libraryDefault: 'block',
    importance: 'low',
    documentation:
      'What a full queue does: drop_newest drops and counts what arrives, block stops reading, so that HTTP/2 flow control holds the server up. Default in a service: block.',
    validator: oneOf('drop_newest', 'block'),
    recommend: () => ['drop_newest', 'block'],
    group: 'Queue',
    option: 'overflow',
    optionDocumentation:
      'What a full queue does: block stops reading, so that HTTP/2 flow control holds the server up and nothing is lost; drop_newest drops what arrives, counts it, and emits it as dropped.',
    example: "'drop_newest'",
  },
] as const satisfies readonly ConfigKey[];
