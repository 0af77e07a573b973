import {
  configDef,
  type SourceConnector,
  sourceFactory,
  sourceRecord,
  stringSchema,
} from '@levada/connect-runtime-core';
import { atLeast, nonEmpty } from '@levada/connect-runtime-core/config';

const config = configDef([
  {
    name: 'topic',
    type: 'string',
    importance: 'high',
    documentation: 'Topic to write to.',
    validator: nonEmpty,
    option: 'topic',
  },
  {
    name: 'ticker.interval.ms',
    type: 'int',
    default: 1000,
    importance: 'medium',
    documentation: 'Milliseconds between two ticks.',
    validator: atLeast(1),
    option: 'intervalMs',
  },
]);

/** A worker loads this, and so does POST /connectors. */
export const tickerConnector: SourceConnector<typeof config.keys> = {
  className: 'com.example.TickerSourceConnector',
  version: '1.0.0',
  config,
  metrics: {},
  events: {},
  objectName: (name) => ({ domain: 'com.example', type: 'TickerConnector', keys: { name } }),
  taskConfigs: (raw) => [raw],
  createTask: () => {
    const stopped = new AbortController();
    let tick = async (): Promise<string> => '';
    let topic = '';
    return {
      start: async (parsed, { clock }) => {
        topic = parsed.topic;
        tick = async () => {
          await clock.sleep(parsed['ticker.interval.ms'], stopped.signal);
          return new Date(clock.now()).toISOString();
        };
      },
      poll: async () => {
        const value = await tick().catch(() => undefined);
        return value === undefined ? [] : [sourceRecord({ topic, value, valueSchema: stringSchema })];
      },
      stop: async () => stopped.abort(),
    };
  },
};

/** A service calls this. */
export const tickerSource = sourceFactory(tickerConnector);

export const ticks: unknown[] = [];
for await (const record of tickerSource({ topic: 'ticks', intervalMs: 10 })) {
  ticks.push(record.value);
  if (ticks.length === 3) break; // leaving the loop closes the source
}
