import { describe, expect, expectTypeOf, it } from 'vitest';
import type { SourceConnector } from '../contract/source-connector.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { sourceFactory } from './source-factory.ts';
import type { SourceHandle } from './source-handle.ts';

describe('the options of a source', () => {
  const { connector } = createScriptedConnector();
  const scriptedSource = sourceFactory(connector);
  const thrownBy = (make: () => unknown): ConnectorError => {
    try {
      make();
    } catch (thrown) {
      if (thrown instanceof ConnectorError) return thrown;
    }
    throw new Error('nothing was thrown');
  };

  it('become the configuration that REST takes', async () => {
    const source = scriptedSource({ topic: 't', queueSize: 7, name: 'small' });
    await source.ready();
    expect(source.name).toBe('small');
    expect(source.status()['QueueCapacity']).toBe(7);
    await source.close();
  });

  it('are reported all at once when they are wrong', () => {
    const options = { topc: 't', queueSize: 'many', batchSize: 0 } as unknown as { topic: string };
    const error = thrownBy(() => scriptedSource(options));
    expect(error.code).toBe('config_invalid');
    expect(error.issues).toEqual([
      { key: 'topc', message: 'topc is not an option, did you mean topic?' },
      { key: 'queueSize', message: expect.stringContaining('queueSize must be a number') },
      { key: 'topic', message: 'topic is required' },
      { key: 'batchSize', message: 'batchSize must be at least 1, got 0' },
    ]);
  });

  it('are typed by the rows of the connector', () => {
    // @ts-expect-error topic is required
    expect(() => scriptedSource({})).toThrow('topic is required');
    // @ts-expect-error so are the options as a whole
    expect(() => scriptedSource()).toThrow('topic is required');
    // @ts-expect-error queueSize is a number
    expect(() => scriptedSource({ topic: 't', queueSize: '7' })).toThrow('queueSize must be a number');
    // @ts-expect-error there is no such option
    expect(() => scriptedSource({ topic: 't', colour: 'red' })).toThrow('colour is not an option');
  });

  it('come with the attributes and events of the connector', () => {
    const metrics = { Ticks: { kind: 'counter', unit: 'count', help: 'Ticks' } } as const;
    type Ticking = SourceConnector<typeof connector.config.keys, typeof metrics, 'connected'>;
    const createTask = (): never => {
      throw new Error('it is not started here');
    };
    const ticking: Ticking = { ...connector, metrics, emits: ['connected'], createTask };
    const source = sourceFactory(ticking)({ topic: 't' });
    expectTypeOf(source.status().Ticks).toEqualTypeOf<number>();
    // What the runtime counts for every source.
    expectTypeOf(source.status().RecordsProduced).toEqualTypeOf<number>();
    expectTypeOf<(typeof source)['on']>().parameter(0).toEqualTypeOf<'connected' | 'dropped'>();
    expectTypeOf(source).toExtend<SourceHandle>();
    expect(source.status()).toMatchObject({ Ticks: 0, RecordsProduced: 0, DroppedConversionError: 0 });
    expect(source.status()).not.toHaveProperty('DroppedQueueFull');
    // @ts-expect-error the source has no queue that could be full
    expect(source.status().DroppedQueueFull).toBeUndefined();
  });

  it('show no secret in their problems', () => {
    const options = { topic: 't', token: 4711 } as unknown as { topic: string };
    expect(thrownBy(() => scriptedSource(options)).message).not.toContain('4711');
  });

  it('may be the map of REST, worker keys included', async () => {
    const map = { name: 'from-rest', topic: 't', 'tasks.max': '1', 'scripted.queue.size': '3' };
    const source = scriptedSource.fromConfig(map);
    await source.ready();
    expect([source.name, source.status()['QueueCapacity']]).toEqual(['from-rest', 3]);
    await source.close();
    expect(
      thrownBy(() => scriptedSource.fromConfig({ topic: '', 'scripted.queue.size': '0' })).issues.length,
    ).toBe(2);
  });

  it('may be grouped, and false or true where a group may be switched off', async () => {
    const capacityOf = (options: Parameters<typeof scriptedSource>[0]) => scriptedSource(options).close();
    await capacityOf({ topic: 't', reconnect: { intervalMs: 5, maxAttempts: Number.POSITIVE_INFINITY } });
    await capacityOf({ topic: 't', reconnect: false });
    const options = { topic: 't', reconnect: { intervalMs: 0, intervall: 5, backoffMaxMs: 'long' } };
    const wrong = options as unknown as { topic: string };
    expect(thrownBy(() => scriptedSource(wrong)).issues).toEqual([
      {
        key: 'reconnect.intervall',
        message: 'reconnect.intervall is not an option, did you mean reconnect.intervalMs?',
      },
      { key: 'reconnect.backoffMaxMs', message: 'reconnect.backoffMaxMs must be a number, got string' },
      { key: 'reconnect.intervalMs', message: 'reconnect.intervalMs must be at least 1, got 0' },
    ]);
    const text = { topic: 't', reconnect: 'often' } as unknown as { topic: string };
    expect(thrownBy(() => scriptedSource(text)).message).toBe(
      'reconnect must be a boolean or an object, got string',
    );
  });

  it.each([
    ['a text', 'ws://feed.example', 'string'],
    ['a list', ['ws://feed.example'], 'list'],
    ['a function', () => 'ws://feed.example', 'function'],
  ])('are refused as a whole when they are %s', (_, options, kind) => {
    const given = options as unknown as { topic: string };
    expect(thrownBy(() => scriptedSource(given)).issues).toEqual([
      { key: 'options', message: `options must be an object, such as { topic: ... }, got ${kind}` },
    ]);
    const map = options as unknown as Record<string, string>;
    expect(thrownBy(() => scriptedSource.fromConfig(map)).issues).toEqual([
      {
        key: 'configuration',
        message: `configuration must be an object, such as { 'topic': ... }, got ${kind}`,
      },
    ]);
  });

  it('are not keys of REST: the key is suggested', () => {
    expect(() => scriptedSource.fromConfig({ topic: 't', queueSize: '3' })).toThrow(
      'queueSize is not a key, did you mean scripted.queue.size?',
    );
  });

  it('may be those of a connector that inherits its methods', async () => {
    const instance: typeof connector = Object.create(connector);
    const source = sourceFactory(instance)({ topic: 't' });
    await expect(source.ready()).resolves.toBeUndefined();
    await source.close();
  });

  it('may not hold keys that nothing reads, in the map of REST neither', () => {
    const map = { topic: 't', 'scripted.queue.sise': '3', 'value.converter': 'x', 'transforms.a.type': 'y' };
    expect(thrownBy(() => scriptedSource.fromConfig(map)).issues).toEqual([
      {
        key: 'scripted.queue.sise',
        message: 'scripted.queue.sise is not a key, did you mean scripted.queue.size?',
      },
    ]);
  });
});
