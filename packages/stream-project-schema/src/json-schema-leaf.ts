import type { EnumField, IntegerField, LeafField, NumberField, TextField } from './field.ts';
import { type TextFormat, type TextFormatFacts, textFormats } from './formats.ts';
import type { JsonSchema, JsonSchemaDraft } from './json-schema.ts';

const variable = '\\$\\{[A-Za-z_][A-Za-z0-9_]*(?::-[^{}]*)?\\}';

/** Text that holds a `${VAR}`, which may stand for any value. */
export const variableSchema: JsonSchema = {
  description: 'Replaced from the environment or from `.env`.',
  type: 'string',
  pattern: variable,
};

/** What a value that holds no others may be, as keywords beside its description. */
export function leafSchema(row: LeafField, draft: JsonSchemaDraft): JsonSchema {
  switch (row.type) {
    case 'text':
      return textSchema(row, draft);
    case 'integer':
    case 'number':
      return orVariable(row, draft, numberSchema(row));
    case 'boolean':
      return orVariable(row, draft, { type: 'boolean' });
    case 'enum':
      return enumSchema(row, draft);
    case 'scalar':
      return {
        anyOf: ['string', 'number', 'boolean', ...(row.orNull === true ? ['null'] : [])].map((type) => ({
          type,
        })),
      };
  }
}

/** A pattern for text of a format that has one; text with a variable passes too. */
export function formatPattern(format: TextFormat, draft: JsonSchemaDraft): JsonSchema {
  const { pattern, advice, expected }: TextFormatFacts = textFormats[format];
  if (pattern === undefined || advice === true) return {};
  const editor = draft === 'draft-07' ? { errorMessage: `expected ${expected}` } : {};
  return { pattern: `${pattern}|${variable}`, ...editor };
}

function textSchema(row: TextField, draft: JsonSchemaDraft): JsonSchema {
  const notEmpty = row.notEmpty === true || row.format !== undefined;
  return {
    type: 'string',
    ...(notEmpty ? { minLength: 1 } : {}),
    ...(row.format === undefined ? {} : formatPattern(row.format, draft)),
    ...defaultOf(row),
    ...(row.suggestions === undefined ? {} : { examples: row.suggestions }),
  };
}

function numberSchema(row: IntegerField | NumberField): JsonSchema {
  const max = row.max ?? (row.type === 'integer' ? Number.MAX_SAFE_INTEGER : undefined);
  return {
    type: row.type,
    ...(row.min === undefined ? {} : { minimum: row.min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

function enumSchema(row: EnumField, draft: JsonSchemaDraft): JsonSchema {
  const words = {
    type: 'string',
    enum: Object.keys(row.values),
    ...(draft === 'draft-07' ? { enumDescriptions: Object.values(row.values) } : {}),
  };
  const other =
    row.otherwise === undefined ? [] : [{ type: 'string', ...formatPattern(row.otherwise, draft) }];
  const nothing = Object.hasOwn(row.values, 'null') ? [{ type: 'null' }] : [];
  return orVariable(row, draft, words, ...nothing, ...other);
}

function orVariable(row: LeafField, draft: JsonSchemaDraft, ...schemas: readonly JsonSchema[]): JsonSchema {
  const $ref = draft === 'draft-07' ? '#/definitions/variable' : '#/$defs/variable';
  return { ...defaultOf(row), anyOf: [...schemas, { $ref }] };
}

function defaultOf(row: LeafField): JsonSchema {
  return 'default' in row && row.default !== undefined ? { default: row.default } : {};
}
