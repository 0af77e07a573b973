import type { ConfigDef } from '../config/config-def.ts';
import type { Converter, ConverterPlugin } from './converter.ts';
import { withConverterType } from './converter-config.ts';

/** A converter that does the same whatever its settings say. They are checked all the same. */
export function fixedConverter(
  className: string,
  config: ConfigDef,
  fromConnectData: Converter['fromConnectData'],
): ConverterPlugin {
  const converter: Converter = { fromConnectData };
  return {
    className,
    config,
    create: (raw, isKey) => {
      config.parse(withConverterType(raw, isKey));
      return converter;
    },
  };
}
