import { MetricGroup } from '@levada/connect-runtime-core';
import { connectionMetrics, sourceMetrics } from '@levada/connect-runtime-core/source-kit';
import { describe, expect, it } from 'vitest';
import { groupedAttributes } from './attribute-groups.ts';

const text = (values: Readonly<Record<string, unknown>>): readonly string[] =>
  groupedAttributes(values, true).sections.flatMap(([, rows]) => rows.map(({ value }) => value ?? ''));

describe('groupedAttributes', () => {
  it('gives numbers their unit and two digits', () => {
    expect(text({ DropRate: 99.50065132435954 })).toEqual(['99.50 %']);
    expect(text({ QueueUtilizationPercent: 0 })).toEqual(['0.00 %']);
    expect(text({ A: 8994, B: 0.5, IsConnected: false })).toEqual(['false', '8994', '0.50']);
    expect(text({ ABytes: 25, BBytes: 25_159, CBytes: 33_554_432, DBytes: 1024 ** 3 })).toEqual([
      '25 B',
      '24.57 KiB',
      '32.00 MiB',
      '1.00 GiB',
    ]);
    expect(text({ MillisSinceA: 999, BMillis: 1500, CMillis: 150_000, DMillis: 7_200_000 })).toEqual([
      '999 ms',
      '1.50 s',
      '2.50 min',
      '2.00 h',
    ]);
    expect(text({ UptimeMillis: 259_200_000, MillisSinceLastMessage: -1 })).toEqual(['3.00 d', 'none yet']);
  });

  it('leaves out causes and errors that are 0, and says how many', () => {
    const values = { MessagesReceived: 0, DroppedQueueFull: 0, DroppedFenced: 3, PermanentErrors: 0 };
    expect(groupedAttributes(values, false)).toEqual({
      sections: [
        ['TRAFFIC', [{ attribute: 'MessagesReceived', value: '0' }]],
        ['DROPPED BY CAUSE', [{ attribute: 'DroppedFenced', value: '3' }]],
      ],
      hidden: 2,
    });
    const { sections, hidden } = groupedAttributes(values, true);
    expect([sections.flatMap(([, rows]) => rows).length, hidden]).toEqual([4, 0]);
  });

  it('groups every attribute that all sources share, and knows its unit', () => {
    const table = { ...sourceMetrics, ...connectionMetrics };
    const { sections } = groupedAttributes(new MetricGroup(table).snapshot(), true);
    const rows = sections.flatMap(([, each]) => each);
    expect(rows.map(({ attribute }) => attribute).toSorted()).toEqual(Object.keys(table).toSorted());
    expect(sections.map(([title]) => title)).toEqual([
      'TRAFFIC',
      'QUEUE',
      'CONNECTION',
      'DROPPED BY CAUSE',
      'ERRORS',
    ]);
    const units = {
      percent: / %$/,
      bytes: / B$/,
      milliseconds: / ms$|^none yet$/,
      boolean: /^false$/,
      count: /^0$/,
    };
    for (const { attribute = '', value } of rows)
      expect([attribute, value]).toEqual([
        attribute,
        expect.stringMatching(units[table[attribute as keyof typeof table].unit]),
      ]);
  });

  it('shows attributes of connectors that it does not know', () => {
    expect(groupedAttributes({ Widgets: 0 }, false).sections).toEqual([
      ['OTHER', [{ attribute: 'Widgets', value: '0' }]],
    ]);
  });
});
