// Configuration definitions as JSON Schemas, for editors and for checks in a pipeline. In Kafka Connect's files every value is a text;
// numbers and booleans are accepted too.

const DRAFT = 'http://json-schema.org/draft-07/schema#';

const reference = {
  type: 'string',
  pattern: '\\$\\{[^}]+\\}',
  description: 'A reference of a config provider.',
};

/** Forms of a value, by the type of its key. */
const forms = {
  boolean: () => [
    { type: 'boolean' },
    { type: 'string', pattern: '^\\s*(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])\\s*$' },
  ],
  int: wholeNumber,
  long: wholeNumber,
  short: wholeNumber,
  double: () => [{ type: 'number' }, { type: 'string' }],
  list: ({ enumeration }) => [
    { type: 'string' },
    { type: 'array', items: enumeration === undefined ? { type: 'string' } : { enum: enumeration } },
  ],
  string: ({ enumeration }) => [
    enumeration === undefined ? { type: ['string', 'number', 'boolean'] } : { enum: enumeration },
  ],
  password: () => [{ type: ['string', 'number'] }],
  class: () => [{ type: 'string' }],
};

/** A JSON Schema of the configurations that `keys` define. Other keys are allowed: those of converters and transformations, say. */
export function configSchema({ id, title, keys, fixed = {} }) {
  const rows = keys.filter(({ prefix, name }) => prefix !== true && !name.includes('<'));
  const prefixed = keys.filter(({ prefix, name }) => prefix === true || name.includes('<'));
  const properties = Object.fromEntries(
    rows.flatMap((key) => [key.name, ...(key.aliases ?? [])].map((name) => [name, keySchema(key)])),
  );
  const required = rows.filter((key) => key.default === undefined);
  const aliased = required
    .filter(({ aliases = [] }) => aliases.length > 0)
    .map(({ name, aliases }) => ({ anyOf: [name, ...aliases].map((one) => ({ required: [one] })) }));
  return {
    $schema: DRAFT,
    $id: `https://levada.github.io/levada/schemas/${id}.schema.json`,
    title,
    type: 'object',
    properties: { ...properties, ...fixed },
    patternProperties: Object.fromEntries(
      prefixed.map((key) => [
        patternOf(key.name),
        { description: key.documentation, type: ['string', 'number', 'boolean'] },
      ]),
    ),
    required: required.filter(({ aliases = [] }) => aliases.length === 0).map(({ name }) => name),
    ...(aliased.length > 0 ? { allOf: aliased } : {}),
  };
}

function keySchema(key) {
  const form = forms[key.type];
  if (form === undefined) throw new Error(`${key.name}: no JSON Schema for the type "${key.type}"`);
  const allowed = key.validator?.allowed ?? '';
  const enumeration = enumerationOf(allowed);
  const optional = key.default === null || key.default === undefined ? {} : { default: key.default };
  return {
    description: allowed === '' ? key.documentation : `${key.documentation} Allowed: ${allowed}`,
    ...optional,
    anyOf: [...form({ enumeration, ...rangeOf(allowed) }), reference],
  };
}

function wholeNumber({ minimum, maximum }) {
  return [
    {
      type: 'integer',
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
    },
    { type: 'string', pattern: '^\\s*[+-]?\\d+\\s*$' },
  ];
}

/** The words of "[json, protobuf]"; undefined where letters of any case are allowed, or it is something else. */
function enumerationOf(allowed) {
  const [, words] = /^\[([A-Za-z][\w.-]*(?:, [A-Za-z][\w.-]*)*)\]$/.exec(allowed) ?? [];
  return words?.split(', ');
}

/** The bounds of "[1,...,65535]". */
function rangeOf(allowed) {
  const [, minimum, maximum] = /^\[(-?\d+),\.\.\.(?:,(\d+))?\]$/.exec(allowed) ?? [];
  return {
    ...(minimum === undefined ? {} : { minimum: Number(minimum) }),
    ...(maximum === undefined ? {} : { maximum: Number(maximum) }),
  };
}

/** A prefix, or a name with places such as `<n>`. */
function patternOf(name) {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/<[^>]+>/g, '[^.]+');
  return name.endsWith('>') || !name.endsWith('.') ? `^${escaped}$` : `^${escaped}.+$`;
}
