import { configDef, type Schema } from '@levada/connect-runtime-core';
import { nonEmpty } from '@levada/connect-runtime-core/config';
import { logicalTypes, type SchemaType } from '@levada/connect-runtime-core/contract';
import { isDecimal } from '@levada/connect-runtime-core/text';
import { decimalNumber, int64, parseDecimal, wholePart } from '../data/big-decimal.ts';
import { dataFailure } from '../data/failures.ts';
import { isDateType, javaClass, typeOfValue } from '../data/java-class.ts';
import { fieldsOf } from '../data/schemas.ts';
import { fieldValue, requireMap, requireStruct, StructBuilder } from '../data/structs.ts';
import { ofKeyAndValue } from './part.ts';
import { nonEmptyList, replaceNullRow } from './rows.ts';

const PURPOSE = 'mask fields';

const config = configDef([
  {
    name: 'fields',
    type: 'list',
    importance: 'high',
    documentation: 'Names of the fields to mask.',
    validator: nonEmptyList,
  },
  {
    name: 'replacement',
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      'Replacement for values of numbers and strings. Default: the empty value of the type, such as 0 or an empty string.',
    validator: nonEmpty,
  },
  replaceNullRow,
]);

/** Masks the values of fields. */
export const maskField = ofKeyAndValue('MaskField', {
  config,
  create: ({ fields, replacement, 'replace.null.with.default': withDefault }) => {
    const masked = new Set(fields);
    const mask = (schema: Schema | null, value: unknown): unknown => {
      if (value === null || value === undefined) return null;
      return replacement === null ? emptyOf(schema, value) : maskValue(schema, value, replacement);
    };
    return ({ schema, value }) => {
      if (schema === null) {
        const updated = new Map(requireMap(value, PURPOSE));
        for (const field of masked) updated.set(field, mask(null, updated.get(field)));
        return { schema, value: updated };
      }
      const struct = requireStruct(schema, value, PURPOSE);
      const built = new StructBuilder(schema);
      for (const field of fieldsOf(schema)) {
        const given = fieldValue(struct, field, withDefault);
        built.put(field.field, masked.has(field.field) ? mask(field.schema, given) : given);
      }
      return { schema, value: built.values };
    };
  },
});

/** The type that determines the mask. */
function typeOf(schema: Schema | null, value: unknown): SchemaType | 'date' | 'decimal' | undefined {
  if (value instanceof Date || (schema !== null && isDateType(schema))) return 'date';
  if (isDecimal(value) || schema?.name === logicalTypes.decimal) return 'decimal';
  return schema?.type ?? typeOfValue(value);
}

function emptyOf(schema: Schema | null, value: unknown): unknown {
  const type = typeOf(schema, value);
  if (type === 'boolean') return false;
  if (type === 'string') return '';
  if (type === 'date') return new Date(0);
  if (type === 'decimal') return { unscaled: 0n, scale: 0 };
  if (type === 'array') return [];
  if (type === 'map') return new Map();
  if (type !== undefined && type !== 'bytes' && type !== 'struct') return 0;
  throw dataFailure(`Cannot mask value of type: class ${javaClass(schema, value)}`);
}

const bits = { int8: 8, int16: 16, int32: 32, int64: 64 } as const;

function maskValue(schema: Schema | null, value: unknown, replacement: string): unknown {
  const type = typeOf(schema, value);
  if (type === 'string') return replacement;
  const number = parseDecimal(replacement);
  if (type === 'decimal') {
    if (number !== undefined) return number;
    throw dataFailure(`Unable to convert ${replacement} (class java.lang.String) to number`);
  }
  const isInteger = type === 'int8' || type === 'int16' || type === 'int32' || type === 'int64';
  if (!isInteger && type !== 'float32' && type !== 'float64') {
    throw dataFailure(`Cannot mask value of type class ${javaClass(schema, value)} with custom replacement.`);
  }
  if (number === undefined)
    throw dataFailure(`Unable to convert ${replacement} (class java.lang.String) to a number`);
  if (isInteger) return int64(BigInt.asIntN(bits[type], BigInt.asIntN(64, wholePart(number))));
  return type === 'float32' ? Math.fround(decimalNumber(number)) : decimalNumber(number);
}
