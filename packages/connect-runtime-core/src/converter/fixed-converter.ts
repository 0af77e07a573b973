import type { ConfigDef } from '../config/config-def.ts';
import type { Converter, ConverterPlugin } from './converter.ts';
import { withConverterType } from './converter-config.ts';

interface FixedConversion extends Required<Omit<Converter, 'preparation'>> {
  readonly config: ConfigDef;
}

/** A converter that does the same whatever its settings say. They are checked all the same. */
export function fixedConverter(
  className: string,
  { config, accepts, fromConnectData }: FixedConversion,
): ConverterPlugin {
  const converter: Converter = { accepts, fromConnectData };
  return {
    className,
    config,
    create: (raw, isKey) => {
      config.parse(withConverterType(raw, isKey));
      return converter;
    },
  };
}
