import type { ConfigKey } from '../config/config-key.ts';
import { oneOf } from '../config/validators.ts';

/** The key that every converter of Kafka Connect has. The runtime fills it in; users do not write it. */
export const converterTypeKey = {
  name: 'converter.type',
  type: 'string',
  importance: 'low',
  documentation: 'What the converter is used for. Set by the runtime.',
  validator: oneOf('key', 'value', 'header'),
} as const satisfies ConfigKey;

/** The keys of a converter with its type filled in. */
export function withConverterType(
  config: Readonly<Record<string, string>>,
  isKey: boolean,
): Readonly<Record<string, string>> {
  return { ...config, [converterTypeKey.name]: isKey ? 'key' : 'value' };
}
