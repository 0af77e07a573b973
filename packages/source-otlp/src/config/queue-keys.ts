import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast, between, oneOf, withMessage } from '@levada/connect-runtime-core/config';

/** The queues between receivers and log, and when an export counts as taken. */
export const queueKeys = [
  {
    name: 'otlp.message.queue.size',
    type: 'int',
    default: 10000,
    importance: 'medium',
    documentation: 'Most messages waiting for the log, per signal.',
    validator: withMessage(
      'Invalid value for otlp.message.queue.size: expected an integer from 1 to 10000000',
      between(1, 10_000_000),
    ),
    update: 'live',
    group: 'Queue',
    option: 'queueSize',
    optionDocumentation: 'Most messages that wait to be read, per signal.',
    example: '1000',
  },
  {
    name: 'otlp.message.queue.bytes',
    type: 'long',
    default: 32 * 1024 * 1024,
    importance: 'low',
    documentation:
      'Most bytes of all waiting messages of a signal together. A queue that holds so many is full.',
    validator: atLeast(1024),
    group: 'Queue',
    option: 'queueBytes',
    example: '8 * 1024 * 1024',
  },
  {
    name: 'otlp.queue.full.answer',
    type: 'string',
    default: 'refuse',
    importance: 'medium',
    documentation:
      'How an export that is dropped because the queue is full is answered: refuse (503 with Retry-After, UNAVAILABLE with RetryInfo: most send it again), or accept (success with partial_success: it is lost).',
    validator: oneOf('refuse', 'accept'),
    recommend: () => ['refuse', 'accept'],
    update: 'live',
    group: 'Queue',
    option: 'queueFullAnswer',
    example: "'accept'",
  },
  {
    name: 'otlp.queue.full.grace.ms',
    type: 'long',
    default: 1000,
    importance: 'medium',
    documentation:
      'How long the log may take nothing out of a full queue before exports are refused or dropped. Until then requests wait within otlp.max.inflight.requests and otlp.max.inflight.bytes, none longer than otlp.ack.timeout.ms or its own deadline: HTTP bodies are not read, and answers are delayed. 0: none waits. A spool that is full refuses at once.',
    validator: between(0, 60_000),
    update: 'live',
    group: 'Queue',
    option: 'queueFullGraceMs',
    optionDocumentation:
      'How long nothing may be read from a full queue before exports are refused or dropped. Until then requests wait within maxInFlightRequests and maxInFlightBytes, none longer than ackTimeoutMs or its own deadline: HTTP bodies are not read, and answers are delayed. 0: none waits. A spool that is full refuses at once.',
    example: '0',
  },
  {
    name: 'otlp.ack.mode',
    type: 'string',
    default: 'queued',
    importance: 'high',
    documentation:
      'When an export is answered with success: when it is queued (queued), when the log has acknowledged it (produced), or when it is on the disk of this machine (spool).',
    validator: oneOf('queued', 'produced', 'spool'),
    recommend: () => ['queued', 'produced', 'spool'],
    group: 'Acknowledgement',
    dependents: ['otlp.ack.timeout.ms', 'otlp.spool.path', 'otlp.spool.bytes'],
    option: 'ackMode',
    optionDocumentation:
      'When an export is answered with success: when it is queued (queued), when the loop asks for what follows it or a pipe has written it (produced), or when it is on the disk of this machine (spool).',
    example: "'produced'",
  },
  {
    name: 'otlp.ack.timeout.ms',
    type: 'long',
    default: 8000,
    importance: 'low',
    documentation:
      'Longest time that a client waits for an answer: while its export is held by a full queue, in every mode, and until it is acknowledged or on the disk with otlp.ack.mode=produced or spool. One that gives up sooner (grpc-timeout) is answered sooner. Then: UNAVAILABLE or 503; an export that was held is answered as otlp.queue.full.answer says, and nothing of it is written, any other may be written all the same.',
    validator: between(100, 600_000),
    group: 'Acknowledgement',
    option: 'ackTimeoutMs',
    optionDocumentation:
      'Longest time that a client waits for an answer: while its export is held by a full queue, in every mode, and until it is acknowledged or on the disk with ackMode produced or spool. One that gives up sooner (grpc-timeout) is answered sooner. Then: UNAVAILABLE or 503; an export that was held is answered as queueFullAnswer says, and nothing of it is read, any other may be read all the same.',
    example: '5000',
  },
  {
    name: 'otlp.spool.path',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'Folder of the spool, of this connector alone. Required with otlp.ack.mode=spool. What is in it is produced also with another mode, and when its signal is not received any more.',
    group: 'Acknowledgement',
    option: 'spool.path',
    example: "'/var/lib/shop/otlp'",
    accepts: ['file'],
  },
  {
    name: 'otlp.spool.bytes',
    type: 'long',
    default: 1024 * 1024 * 1024,
    importance: 'medium',
    documentation:
      'Most bytes of the spool on the disk, per signal. When it is full, exports are answered as with a full queue.',
    validator: atLeast(1024 * 1024),
    group: 'Acknowledgement',
    option: 'spool.bytes',
    example: '256 * 1024 * 1024',
  },
] as const satisfies readonly ConfigKey[];
