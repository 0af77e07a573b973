import {
  type Constraint,
  type EnumField,
  type Field,
  type IntegerField,
  isLeaf,
  type LeafField,
  type ListField,
  type MapField,
  type NumberField,
  type ObjectField,
  type Section,
  type TextField,
} from '../fields/field.ts';
import { type TextFormat, type TextFormatFacts, textFormats } from '../fields/formats.ts';
import { type DocumentForm, documents } from '../rows/document.ts';

/** Drafts of JSON Schema that are written: draft-07 is what editors read. */
export type JsonSchemaDraft = 'draft-07' | '2020-12';

export interface JsonSchemaOptions {
  /** Default: `project`, the file `stream_project.yml`. */
  readonly form?: DocumentForm | undefined;
  /**
   * Default: `draft-07`, with the words editors know beside the standard's (`enumDescriptions`, `errorMessage`,
   * `doNotSuggest`). `2020-12` has the standard's words only.
   */
  readonly draft?: JsonSchemaDraft | undefined;
}

/** A JSON Schema as data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Keywords that schemas of draft-07 have beyond the standard; strict validators must be configured to accept them. */
export const editorKeywords = ['enumDescriptions', 'errorMessage', 'doNotSuggest'] as const;

const dialects = {
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const satisfies Readonly<Record<JsonSchemaDraft, string>>;

/** Where the schemas are published. */
const PUBLISHED = 'https://levada.github.io/levada/schemas';

function fileNameOf(form: DocumentForm, draft: JsonSchemaDraft): string {
  const name = form === 'project' ? 'stream-project' : `stream-project-${form}`;
  return `${name}${draft === 'draft-07' ? '' : `.${draft}`}.schema.json`;
}

/**
 * The rows of a document as a JSON Schema. Unknown keys are refused, text with `${VAR}` stands for any value that holds no
 * others, and an empty section is as good as none. Written new at each call.
 */
export function jsonSchema({ form = 'project', draft = 'draft-07' }: JsonSchemaOptions = {}): JsonSchema {
  const root: ObjectField = documents[form];
  const place = draft === 'draft-07' ? 'definitions' : '$defs';
  const properties: Record<string, JsonSchema> = {};
  const defined: Record<string, JsonSchema> = {};
  for (const [key, row] of Object.entries(root.fields)) {
    properties[key] = mayBeEmpty(row, keySchema(key, row, draft));
    if (row.type !== 'list') continue;
    defined[singular(key)] = fieldSchema(row.items, draft);
    properties[key] = { ...properties[key], items: { $ref: `#/${place}/${singular(key)}` } };
  }
  return {
    $schema: dialects[draft],
    $id: `${PUBLISHED}/${fileNameOf(form, draft)}`,
    title: form === 'project' ? 'Stream project' : 'Part of a stream project',
    description: root.doc,
    type: 'object',
    properties,
    ...requiredKeys(root.fields),
    additionalProperties: false,
    [place]: { ...defined, variable: variableSchema },
  };
}

function fieldSchema(row: Field, draft: JsonSchemaDraft): JsonSchema {
  if (row.status === 'planned') return plannedSchema(row, draft);
  const about = { description: description(row) };
  if (isLeaf(row)) return { ...about, ...leafSchema(row, draft) };
  switch (row.type) {
    case 'list':
      return { ...about, ...listSchema(row, draft) };
    case 'map':
      return { ...about, ...mapSchema(row, draft) };
    case 'object':
      return { ...about, ...objectSchema(row, draft) };
    case 'choice':
      return { ...about, ...sectionSchema(row, draft), minProperties: 1, maxProperties: 1 };
    case 'union':
      return { ...about, anyOf: row.options.map((option) => fieldSchema(option, draft)) };
    case 'any':
      return about;
  }
}

function listSchema(row: ListField, draft: JsonSchemaDraft): JsonSchema {
  return { type: 'array', items: fieldSchema(row.items, draft) };
}

function mapSchema(row: MapField, draft: JsonSchemaDraft): JsonSchema {
  const names =
    row.keyFormat === undefined
      ? {}
      : { propertyNames: { type: 'string', ...formatPattern(row.keyFormat, draft) } };
  return { type: 'object', ...names, additionalProperties: fieldSchema(row.values, draft) };
}

function objectSchema(row: ObjectField, draft: JsonSchemaDraft): JsonSchema {
  const conditions = (row.constraints ?? []).map((constraint: Constraint) =>
    constraintSchema(constraint, draft),
  );
  return { ...sectionSchema(row, draft), ...(conditions.length > 0 ? { allOf: conditions } : {}) };
}

function sectionSchema(
  row: { readonly fields: Section; readonly open?: true },
  draft: JsonSchemaDraft,
): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(row.fields).map(([key, field]) => [key, keySchema(key, field, draft)]),
    ),
    ...requiredKeys(row.fields),
    additionalProperties: row.open === true,
  };
}

/** Editors show the title above the description; without one they show that of the document. */
function keySchema(key: string, row: Field, draft: JsonSchemaDraft): JsonSchema {
  return { ...(draft === 'draft-07' ? { title: key } : {}), ...fieldSchema(row, draft) };
}

function requiredKeys(fields: Section): JsonSchema {
  const required = Object.keys(fields).filter((key) => fields[key]?.required === true);
  return required.length > 0 ? { required } : {};
}

/** An optional section without a value counts as absent. */
function mayBeEmpty(row: Field, schema: JsonSchema): JsonSchema {
  return row.required === true ? schema : { ...schema, type: [schema['type'], 'null'] };
}

/** Refuses any value; editors do not offer the key, and say why it is refused. */
function plannedSchema(row: Field, draft: JsonSchemaDraft): JsonSchema {
  const description = `${row.doc} Planned: not supported yet.`;
  if (draft === '2020-12') return { description, deprecated: true, not: {} };
  // No text matches, so editors show the message wherever they would report a wrong type or pattern.
  const nothing = { type: 'string', pattern: '(?!)', errorMessage: 'planned, not supported yet' };
  return { description, ...nothing, doNotSuggest: true };
}

function description(row: Field): string {
  const notes = [
    row.requiredWhen === undefined ? '' : ` Required when ${row.requiredWhen}.`,
    row.status === 'parsed' ? ' Parsed only: it has no effect yet.' : '',
    row.secret === true ? ' Secret: write it as a variable.' : '',
  ];
  return row.doc + notes.join('');
}

function singular(key: string): string {
  return key.slice(0, -1);
}

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
function formatPattern(format: TextFormat, draft: JsonSchemaDraft): JsonSchema {
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

/**
 * A condition between keys as a schema for their object. The condition is under `if`, the requirement under `else`: then
 * validators report the key that is missing or superfluous instead of "no alternative matches".
 */
function constraintSchema(constraint: Constraint, draft: JsonSchemaDraft): JsonSchema {
  if (constraint.kind === 'excludes') {
    const [first, second] = constraint.keys;
    return { if: { not: present(first) }, else: absent(second, notes(constraint.message, draft)) };
  }
  const { has = [], lacks = [], needs } = constraint;
  const [reported, ...others] = needs;
  const excused = [...has.map((path) => ({ not: present(path) })), ...[...lacks, ...others].map(present)];
  const [only] = excused;
  if (only === undefined) return present(reported);
  return { if: excused.length === 1 ? only : { anyOf: excused }, else: present(reported) };
}

/** Holds when the key at a dotted path is there. Strict validators want each required key among the properties. */
function present(path: string): JsonSchema {
  const [key, rest] = split(path);
  const value = rest === undefined ? true : present(rest);
  return { type: 'object', required: [key], properties: { [key]: value } };
}

/** Holds when the key at a dotted path is not there. */
function absent(path: string, about: JsonSchema): JsonSchema {
  const [key, rest] = split(path);
  const value = rest === undefined ? false : absent(rest, about);
  return { type: 'object', properties: { [key]: value }, ...(rest === undefined ? about : {}) };
}

function split(path: string): readonly [string, string?] {
  const dot = path.indexOf('.');
  return dot === -1 ? [path] : [path.slice(0, dot), path.slice(dot + 1)];
}

function notes(message: string, draft: JsonSchemaDraft): JsonSchema {
  return draft === 'draft-07' ? { errorMessage: message } : {};
}
