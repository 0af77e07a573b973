import { expect, it } from 'vitest';
import { messagesIn } from './messages-in.ts';
import { otlpSchema } from './otlp-schema.ts';

it('finds messages that hold themselves once', () => {
  const anyValue = otlpSchema().message('opentelemetry.proto.common.v1.AnyValue');
  const names = [...messagesIn([anyValue])].map(({ name }) => name);
  expect(names).toEqual(['AnyValue', 'ArrayValue', 'KeyValueList', 'KeyValue']);
});
