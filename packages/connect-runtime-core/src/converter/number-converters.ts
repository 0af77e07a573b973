import { configDef } from '../config/config-def.ts';
import { numberTypes } from './accepted-types.ts';
import { conversionFailed, kindOf } from './conversion-failed.ts';
import type { ConverterPlugin } from './converter.ts';
import { converterTypeKey } from './converter-config.ts';
import { fixedConverter } from './fixed-converter.ts';

/** One number converter: its size in bytes and how a fitting value is put there. */
interface NumberRow {
  readonly className: string;
  /** The type's word in Connect's messages. */
  readonly word: string;
  readonly bytes: number;
  readonly fits: (value: unknown) => boolean;
  readonly put: (view: DataView, value: number | bigint) => void;
}

const whole = (min: number, max: number) => (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

const isLong = (value: unknown): boolean =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);

const isNumber = (value: unknown): boolean => typeof value === 'number';

const rows: readonly NumberRow[] = [
  {
    className: 'org.apache.kafka.connect.converters.ShortConverter',
    word: 'short',
    bytes: 2,
    fits: whole(-32_768, 32_767),
    put: (view, value) => view.setInt16(0, Number(value)),
  },
  {
    className: 'org.apache.kafka.connect.converters.IntegerConverter',
    word: 'integer',
    bytes: 4,
    fits: whole(-2_147_483_648, 2_147_483_647),
    put: (view, value) => view.setInt32(0, Number(value)),
  },
  {
    className: 'org.apache.kafka.connect.converters.LongConverter',
    word: 'long',
    bytes: 8,
    fits: isLong,
    put: (view, value) => view.setBigInt64(0, BigInt(value)),
  },
  {
    className: 'org.apache.kafka.connect.converters.FloatConverter',
    word: 'float',
    bytes: 4,
    fits: isNumber,
    put: (view, value) => view.setFloat32(0, Number(value)),
  },
  {
    className: 'org.apache.kafka.connect.converters.DoubleConverter',
    word: 'double',
    bytes: 8,
    fits: isNumber,
    put: (view, value) => view.setFloat64(0, Number(value)),
  },
];

const config = configDef([converterTypeKey]);

/** Numbers of a fixed size, big-endian. Long takes bigints, and numbers up to 2^53. */
export const numberConverters: readonly ConverterPlugin[] = rows.map((row) =>
  fixedConverter(row.className, {
    config,
    accepts: numberTypes,
    fromConnectData: (_topic, _schema, value) => numberBytes(row, value),
  }),
);

function numberBytes(row: NumberRow, value: unknown): Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (!row.fits(value)) {
    throw conversionFailed(`Failed to serialize to ${row.word} (was ${kindOf(value)})`);
  }
  const bytes = new Uint8Array(row.bytes);
  row.put(new DataView(bytes.buffer), value as number | bigint);
  return bytes;
}
