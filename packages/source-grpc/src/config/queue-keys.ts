import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast, between, oneOf } from '@levada/connect-runtime-core/config';
import { DEFAULT_GRACE_MS, MAX_GRACE_MS } from '@levada/connect-runtime-core/source-kit';

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
      'What a full queue does: both stop reading, so that HTTP/2 flow control holds the server up; block for as long as it takes, drop_newest for grpc.queue.full.grace.ms, and then it drops and counts what arrives. Default in a service: block.',
    validator: oneOf('drop_newest', 'block'),
    recommend: () => ['drop_newest', 'block'],
    group: 'Queue',
    option: 'overflow',
    optionDocumentation:
      'What a full queue does: block stops reading, so that HTTP/2 flow control holds the server up and nothing is lost; drop_newest does so for overflowGraceMs, and then drops what arrives, counts it, and emits it as dropped.',
    example: "'drop_newest'",
  },
  {
    name: 'grpc.queue.full.grace.ms',
    type: 'long',
    default: DEFAULT_GRACE_MS,
    importance: 'low',
    documentation:
      'With grpc.queue.full.policy=drop_newest: how long a full queue holds the server up while the log acknowledges nothing, before messages are dropped. Each acknowledgement begins it again, so that nothing is lost while the log is healthy. 0: drop at once.',
    validator: between(0, MAX_GRACE_MS),
    update: 'live',
    group: 'Queue',
    needs: { key: 'grpc.queue.full.policy', value: 'drop_newest' },
    option: 'overflowGraceMs',
    optionDocumentation:
      "With overflow 'drop_newest': how long a full queue holds the server up while nothing is read from it, before messages are dropped. Whatever is read begins it again. 0: drop at once.",
    example: '5000',
  },
] as const satisfies readonly ConfigKey[];
