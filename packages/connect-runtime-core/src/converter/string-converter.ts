import { configDef } from '../config/config-def.ts';
import { oneOfIgnoringCase } from '../config/validators.ts';
import type { Schema } from '../contract/schema.ts';
import { numberText } from '../text/java-number.ts';
import { numberTypes } from './accepted-types.ts';
import { conversionFailed, kindOf } from './conversion-failed.ts';
import { converterTypeKey } from './converter-config.ts';
import { fixedConverter } from './fixed-converter.ts';

const config = configDef([
  converterTypeKey,
  {
    name: 'converter.encoding',
    type: 'string',
    default: 'UTF-8',
    importance: 'high',
    documentation: 'How text becomes bytes. Only UTF-8 is offered.',
    validator: oneOfIgnoringCase('UTF-8', 'UTF8'),
    width: 'medium',
    displayName: 'Encoding',
  },
]);

/** Text as UTF-8 bytes; numbers and booleans as Java prints them. The usual choice for sources, whose values are JSON text. */
export const stringConverter = fixedConverter('org.apache.kafka.connect.storage.StringConverter', {
  config,
  accepts: ['string', 'boolean', ...numberTypes],
  fromConnectData: (_topic, schema, value) => {
    if (value instanceof Uint8Array) {
      // Text that is held as bytes is the log's form already.
      if (schema !== null && schema.type === 'string') return value;
      throw conversionFailed('StringConverter converts no bytes, use ByteArrayConverter or JsonConverter');
    }
    if (typeof value === 'string') return Buffer.from(value);
    if (value === null || value === undefined) return null;
    return Buffer.from(scalarText(schema, value));
  },
});

function scalarText(schema: Schema | null, value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberText(schema?.type, value);
  throw conversionFailed(
    `StringConverter converts text, numbers and booleans, got ${kindOf(value)}; use JsonConverter`,
  );
}
