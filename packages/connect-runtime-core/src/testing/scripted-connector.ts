import { configDef } from '../config/config-def.ts';
import { atLeast, topicName } from '../config/validators.ts';
import type { SourceConnector } from '../contract/source-connector.ts';
import type { LogEventTable } from '../diagnostics/log-event.ts';
import { connectionMetrics, sourceMetrics } from '../diagnostics/source-metrics.ts';
import { reconnectKeys } from '../source-kit/reconnect-keys.ts';
import { createScriptedPeer, type ScriptedPeer } from './scripted-peer.ts';
import { ScriptedTask } from './scripted-task.ts';

const rows = [
  {
    name: 'topic',
    type: 'string',
    importance: 'high',
    documentation: 'Topic to write to.',
    validator: topicName,
    update: 'live',
    option: 'topic',
  },
  {
    name: 'scripted.queue.size',
    type: 'int',
    default: 100,
    importance: 'medium',
    documentation: 'Most messages in the queue.',
    validator: atLeast(1),
    option: 'queueSize',
  },
  {
    name: 'scripted.batch.size',
    type: 'int',
    default: 10,
    importance: 'low',
    documentation: 'Most records of a poll.',
    validator: atLeast(1),
    option: 'batchSize',
  },
  {
    name: 'scripted.token',
    type: 'password',
    default: null,
    importance: 'low',
    documentation: 'A secret, to see that it is never shown.',
    option: 'token',
  },
  {
    name: 'scripted.start.error',
    type: 'string',
    default: null,
    importance: 'low',
    documentation: 'Text of the error that a start rejects with, as with an unreadable file.',
    option: 'startError',
  },
  ...reconnectKeys('scripted'),
] as const;

/** The log events of a scripted source. */
export const scriptedEvents = {
  connected: { level: 'info', help: 'The connection is up' },
  disconnected: { level: 'warn', help: 'The connection ended' },
  queue_full: { level: 'warn', help: 'A message was dropped because the queue is full', everyMs: 1000 },
} as const satisfies LogEventTable;

/** The configuration of a scripted source. */
export const scriptedConfig = configDef(rows);

/** A connector for tests of what runs connectors, and the peer that its sources connect to. */
export interface ScriptedConnector {
  readonly connector: SourceConnector<typeof rows>;
  readonly peer: ScriptedPeer;
}

/** A small but complete source: queue, supervisor, metrics, events, live topic. Everything but the wire is real. */
export function createScriptedConnector(): ScriptedConnector {
  const peer = createScriptedPeer();
  return { peer, connector: scriptedConnector(() => peer) };
}

/** The descriptor of a scripted source whose tasks connect to the peer that is there when they are made. */
export function scriptedConnector(peer: () => ScriptedPeer): SourceConnector<typeof rows> {
  return {
    className: 'io.vendor.connect.scripted.ScriptedSourceConnector',
    version: '1.0.0',
    config: scriptedConfig,
    metrics: { ...sourceMetrics, ...connectionMetrics },
    events: scriptedEvents,
    maxTasks: 1,
    objectName: (name) => ({
      domain: 'io.vendor.connect.scripted',
      type: 'ScriptedConnector',
      keys: { name },
    }),
    taskConfigs: (raw) => [raw],
    createTask: () => new ScriptedTask(peer()),
  };
}
