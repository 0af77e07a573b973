import { ScalarType } from '@bufbuild/protobuf';
import { messagesIn } from '@levada/protobuf-tables';
import type { OtlpSchema } from './otlp-schema.ts';
import { signalNames } from './signals.ts';

const IDS: ReadonlySet<string> = new Set(['trace_id', 'span_id', 'parent_span_id']);

/**
 * The fields of type bytes that OTLP/JSON has in hexadecimal instead of base64, as `package.Message.field`: ids of traces and
 * spans in whatever a request of any signal holds.
 */
export function hexFields(schema: Pick<OtlpSchema, 'request'>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const message of messagesIn(signalNames.map(schema.request))) {
    for (const { name, fieldKind, scalar } of message.fields) {
      if (fieldKind === 'scalar' && scalar === ScalarType.BYTES && IDS.has(name))
        found.add(`${message.typeName}.${name}`);
    }
  }
  return found;
}
