import { expect, it } from 'vitest';
import { hexFields } from './hex-fields.ts';
import { otlpSchema } from './otlp-schema.ts';

it('hexFields lists the ids of traces and spans, and no other bytes', () => {
  expect([...hexFields(otlpSchema())].sort()).toEqual([
    'opentelemetry.proto.logs.v1.LogRecord.span_id',
    'opentelemetry.proto.logs.v1.LogRecord.trace_id',
    'opentelemetry.proto.metrics.v1.Exemplar.span_id',
    'opentelemetry.proto.metrics.v1.Exemplar.trace_id',
    'opentelemetry.proto.profiles.v1development.Link.span_id',
    'opentelemetry.proto.profiles.v1development.Link.trace_id',
    'opentelemetry.proto.trace.v1.Span.Link.span_id',
    'opentelemetry.proto.trace.v1.Span.Link.trace_id',
    'opentelemetry.proto.trace.v1.Span.parent_span_id',
    'opentelemetry.proto.trace.v1.Span.span_id',
    'opentelemetry.proto.trace.v1.Span.trace_id',
  ]);
});
