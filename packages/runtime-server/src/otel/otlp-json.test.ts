import { describe, expect, it } from 'vitest';
import type { SeriesFamily } from '../telemetry/prometheus-text.ts';
import { metricsRequests } from './otlp-json.ts';
import { makeSpan, SpanBuffer, type SpanInput } from './span.ts';

const resource = { attributes: {}, version: '1' };
const times = { startedAt: 1_000, now: 1_500.5 };

function family(name: string, type: SeriesFamily['type'], ...values: readonly number[]): SeriesFamily {
  return { name, type, help: 'help', samples: () => values.map((value, at) => [{ at: String(at) }, value]) };
}

describe('metrics as OTLP/JSON', () => {
  it('are divided into requests with so many points, none lost, none twice', () => {
    const families = [family('a', 'gauge', 1, 2, 3, 4, 5), family('b_total', 'counter', 6, 7)];
    const bodies = [...metricsRequests(families, { resource, times, maxPoints: 3 })];
    const metrics = bodies.map((body) => JSON.parse(body).resourceMetrics[0].scopeMetrics[0].metrics);
    const points = metrics.map((request) =>
      request.flatMap((metric: { gauge?: object; sum?: object }) =>
        ((metric.gauge ?? metric.sum) as { dataPoints: { asDouble: number }[] }).dataPoints.map(
          ({ asDouble }) => asDouble,
        ),
      ),
    );
    expect(points).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('leave out what is not finite, and need no request when nothing is left', () => {
    const families = [family('a', 'gauge', Number.NaN, Number.POSITIVE_INFINITY)];
    expect([...metricsRequests(families, { resource, times, maxPoints: 3 })]).toEqual([]);
  });

  it('have times in nanoseconds', () => {
    const [body = ''] = metricsRequests([family('b_total', 'counter', 6)], { resource, times, maxPoints: 3 });
    expect(body).toContain('"startTimeUnixNano":"1000000000","timeUnixNano":"1500500000"');
  });
});

const input: SpanInput = { name: 'x', kind: 'internal', startedAt: 0, ms: 1, attributes: {}, failed: false };

describe('spans', () => {
  it.each(['', 'nonsense', '00-short-b7ad6b7169203331-01'])(
    'begin a trace after the header %j',
    (traceparent) => {
      const span = makeSpan({ ...input, traceparent });
      expect(span?.traceId).toMatch(/^[\da-f]{32}$/);
      expect(span?.parentSpanId).toBeUndefined();
    },
  );

  it('are counted when there are more than can wait', () => {
    const buffer = new SpanBuffer(2);
    for (let i = 0; i < 5; i += 1) {
      const span = makeSpan(input);
      if (span !== undefined) buffer.add(span);
    }
    expect(buffer).toMatchObject({ size: 2, lost: 3 });
    buffer.remove(1, 'sent');
    buffer.remove(5, 'lost');
    expect(buffer).toMatchObject({ size: 0, lost: 4 });
  });
});
