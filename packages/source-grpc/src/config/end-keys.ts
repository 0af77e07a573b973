import type { ConfigKey } from '@levada/connect-runtime-core';
import { oneOf } from '@levada/connect-runtime-core/config';
import { statusList } from '../status-list.ts';

/** What the end of a stream means, beside reconnecting. */
export const endKeys = [
  {
    name: 'grpc.fail.on.status',
    type: 'list',
    default: 'UNIMPLEMENTED',
    importance: 'low',
    documentation:
      'Status codes, by name or number, that fail the task when the server answers them. After any other the connector reconnects.',
    validator: statusList,
    group: 'Reconnect',
    option: 'failOnStatus',
  },
  {
    name: 'grpc.completion.policy',
    type: 'string',
    default: 'reconnect',
    importance: 'low',
    documentation:
      'What the end of the stream with status OK means: reconnect calls again, stop ends the task when everything is delivered, fail fails it.',
    validator: oneOf('reconnect', 'stop', 'fail'),
    recommend: () => ['reconnect', 'stop', 'fail'],
    group: 'Reconnect',
    option: 'completion',
  },
] as const satisfies readonly ConfigKey[];
