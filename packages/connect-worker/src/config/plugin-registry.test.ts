import { builtInConverters } from '@levada/connect-runtime-core/host';
import { describe, expect, it } from 'vitest';
import { scriptedSource } from '../../test/scripted-connector.ts';
import { PluginRegistry } from './plugin-registry.ts';

const { connector } = scriptedSource();
const other = scriptedSource({ className: 'other.ArraySourceConnector', aliases: [] }).connector;
const registry = new PluginRegistry([connector], builtInConverters);

describe('PluginRegistry', () => {
  it.each(['test.ArraySourceConnector', 'old.ArraySourceConnector', 'ArraySourceConnector', 'ArraySource'])(
    'finds a connector by %s',
    (name) => {
      expect(registry.connector(name)).toBe(connector);
    },
  );

  it.each(['test.ArraySource', 'arraysource', '', '__proto__', 'toString'])('finds none by "%s"', (name) => {
    expect(() => registry.connector(name)).toThrow(
      `Failed to find any class that implements Connector and which name matches ${name}, available connectors are: PluginDesc{`,
    );
  });

  it('refuses a short name that stands for two, and takes the full ones', () => {
    const both = new PluginRegistry([connector, other], []);
    expect(() => both.connector('ArraySource')).toThrow(
      'More than one connector matches alias ArraySource. Please use full package and class name instead. Classes found: test.ArraySourceConnector, other.ArraySourceConnector',
    );
    expect(both.connector('other.ArraySourceConnector')).toBe(other);
  });

  it('loads a deferred connector when it is asked for, and not to list it', () => {
    let loads = 0;
    const { className, aliases = [], version } = connector;
    const load = () => {
      loads += 1;
      return connector;
    };
    const deferred = new PluginRegistry([{ className, aliases, version, load }], []);
    expect(deferred.list('9', false)).toHaveLength(1);
    expect(deferred.fullName('ArraySource')).toBe(className);
    expect(loads).toBe(0);
    expect(deferred.connector('ArraySource')).toBe(connector);
    expect(deferred.findConnector('old.ArraySourceConnector')).toBe(connector);
    expect(loads).toBe(2);
  });

  it('finds converters by full and short names', () => {
    const full = 'org.apache.kafka.connect.storage.StringConverter';
    for (const name of [full, 'StringConverter', 'String']) {
      expect(registry.findConverter(name)?.className).toBe(full);
    }
  });

  it('lists sources, then converters, then header converters', () => {
    expect(registry.list('9', true)).toEqual([
      { className: 'test.ArraySourceConnector', type: 'source', version: '1.2.3' },
    ]);
    const types = registry.list('9', false).map(({ type }) => type);
    expect([...new Set(types)]).toEqual(['source', 'converter', 'header_converter']);
    const simple = registry
      .list('9', false)
      .filter(({ className }) => className.endsWith('SimpleHeaderConverter'));
    expect(simple.map(({ type }) => type)).toEqual(['header_converter']);
  });
});
