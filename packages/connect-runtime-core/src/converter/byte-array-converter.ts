import { configDef } from '../config/config-def.ts';
import { conversionFailed, kindOf, requireType } from './conversion-failed.ts';
import { converterTypeKey } from './converter-config.ts';
import { fixedConverter } from './fixed-converter.ts';

/** Bytes as they are, without a copy. Refuses everything that is not bytes, text of a string schema too, as Connect does. */
export const byteArrayConverter = fixedConverter('org.apache.kafka.connect.converters.ByteArrayConverter', {
  config: configDef([converterTypeKey]),
  accepts: ['bytes'],
  fromConnectData: (_topic, schema, value) => {
    requireType(schema, 'bytes', 'ByteArrayConverter');
    if (value === null || value === undefined) return null;
    if (value instanceof Uint8Array) return value;
    throw conversionFailed(`ByteArrayConverter is not compatible with objects of type ${kindOf(value)}`);
  },
});
