import type { ConfigKey } from '@levada/connect-runtime-core';
import { allOf, topicName } from '@levada/connect-runtime-core/config';
import { signalNames } from '../model/signals.ts';
import { listOf, notEmptyList } from './list-of.ts';

/** What is received, and where it goes. */
export const topicKeys = [
  {
    name: 'platform.topic.traces',
    type: 'string',
    default: 'otlp-traces',
    importance: 'high',
    documentation: 'Topic of traces.',
    validator: topicName,
    update: 'live',
    aliases: ['kafka.topic.traces'],
    group: 'Topics',
    option: 'topics.traces',
    example: "'traces'",
  },
  {
    name: 'platform.topic.metrics',
    type: 'string',
    default: 'otlp-metrics',
    importance: 'high',
    documentation: 'Topic of metrics.',
    validator: topicName,
    update: 'live',
    aliases: ['kafka.topic.metrics'],
    group: 'Topics',
    option: 'topics.metrics',
    example: "'metrics'",
  },
  {
    name: 'platform.topic.logs',
    type: 'string',
    default: 'otlp-logs',
    importance: 'high',
    documentation: 'Topic of logs.',
    validator: topicName,
    update: 'live',
    aliases: ['kafka.topic.logs'],
    group: 'Topics',
    option: 'topics.logs',
    example: "'logs'",
  },
  {
    name: 'platform.topic.profiles',
    type: 'string',
    default: 'otlp-profiles',
    importance: 'low',
    documentation: 'Topic of profiles.',
    validator: topicName,
    update: 'live',
    group: 'Topics',
    option: 'topics.profiles',
    example: "'profiles'",
  },
  {
    name: 'otlp.signals',
    type: 'list',
    default: 'traces,metrics,logs',
    importance: 'medium',
    documentation:
      'Signals that are received: traces, metrics, logs, profiles. The others are unknown services and paths. Profiles are in development in OTLP, and their form may change.',
    validator: allOf(listOf(...signalNames), notEmptyList),
    group: 'Topics',
    option: 'signals',
    example: "['traces', 'logs']",
  },
] as const satisfies readonly ConfigKey[];
