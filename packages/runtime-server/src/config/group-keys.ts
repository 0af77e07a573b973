import type { ConfigKey } from '@levada/connect-runtime-core';
import { atLeast, oneOfIgnoringCase } from '@levada/connect-runtime-core/config';
import { groupProtocols } from '@levada/connect-runtime-core/platform';
import { macAlgorithm, macAlgorithmList } from './mac-validators.ts';

/** Keys of the membership in a worker group, and of what its members send each other. */
export const groupKeys = [
  {
    name: 'session.timeout.ms',
    type: 'int',
    default: 10_000,
    importance: 'high',
    documentation:
      'A worker that the group coordinator has not heard of for so long is removed from its group, in milliseconds. It stops producing one heartbeat interval earlier.',
    validator: atLeast(1),
  },
  {
    name: 'heartbeat.interval.ms',
    type: 'int',
    default: 3_000,
    importance: 'high',
    documentation:
      'Time between two signs of life to the group coordinator, in milliseconds. At most a third of session.timeout.ms is usual; it must be less, and less than rebalance.timeout.ms.',
    validator: atLeast(1),
  },
  {
    name: 'rebalance.timeout.ms',
    type: 'int',
    default: 60_000,
    importance: 'high',
    documentation:
      'How long the group waits for each of its members to join again in a rebalance, in milliseconds.',
    validator: atLeast(1),
  },
  {
    name: 'scheduled.rebalance.max.delay.ms',
    type: 'int',
    default: 300_000,
    importance: 'low',
    documentation:
      'How long connectors and tasks of a worker that departed wait for a worker in its place before the others take them over, in milliseconds; 0: not at all.',
    validator: atLeast(0),
  },
  {
    name: 'connect.protocol',
    type: 'string',
    default: 'sessioned',
    importance: 'low',
    documentation:
      'How workers share connectors: sessioned and compatible move only what has to move, eager stops everything in each rebalance. With sessioned, requests between workers are signed. Others of the group may have another value; what all understand is used.',
    validator: oneOfIgnoringCase(...groupProtocols),
  },
  {
    name: 'worker.sync.timeout.ms',
    type: 'int',
    default: 3_000,
    importance: 'medium',
    documentation:
      'How long a worker with an older state than the others reads the config topic before it gives up and leaves the group for a while, in milliseconds.',
    validator: atLeast(0),
  },
  {
    name: 'worker.unsync.backoff.ms',
    type: 'int',
    default: 300_000,
    importance: 'medium',
    documentation:
      'How long such a worker stays out of an eager group, in milliseconds. In the other protocols it stays out for a part of scheduled.rebalance.max.delay.ms.',
    validator: atLeast(0),
  },
  {
    name: 'inter.worker.key.ttl.ms',
    type: 'int',
    default: 3_600_000,
    importance: 'low',
    documentation: 'How long a key is used with which workers sign requests to each other, in milliseconds.',
    validator: atLeast(1),
  },
  {
    name: 'inter.worker.key.generation.algorithm',
    type: 'string',
    default: 'HmacSHA256',
    importance: 'low',
    documentation: 'Algorithm that such a key is made for, by its name in Java.',
    validator: macAlgorithm,
  },
  {
    name: 'inter.worker.key.size',
    type: 'int',
    default: null,
    importance: 'low',
    documentation: 'Length of such a key in bits, at least 40. Default: that of the algorithm.',
  },
  {
    name: 'inter.worker.signature.algorithm',
    type: 'string',
    default: 'HmacSHA256',
    importance: 'low',
    documentation: 'Algorithm with which requests to other workers are signed, by its name in Java.',
    validator: macAlgorithm,
  },
  {
    name: 'inter.worker.verification.algorithms',
    type: 'list',
    default: 'HmacSHA256',
    importance: 'low',
    documentation:
      'Algorithms that signatures of other workers may have; inter.worker.signature.algorithm must be one of them.',
    validator: macAlgorithmList,
  },
] as const satisfies readonly ConfigKey[];
