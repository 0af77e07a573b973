// A definition's fields as rows of a table, which the codec of platform-kafka reads.

const primitives = new Set([
  'bool',
  'int8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'float64',
  'string',
  'uuid',
  'bytes',
  'records',
]);

/** The rows of fields as text of TypeScript. */
export function fieldRows(fields, commonStructs) {
  return fields.map((field) => `{ ${parts(field, commonStructs).join(', ')} }`).join(', ');
}

function parts(field, commonStructs) {
  const { type, list } = typeOf(field);
  const { nullableVersions = 'none', taggedVersions = 'none', flexibleVersions } = field;
  const rows = [`name: '${fieldName(field)}'`, `type: '${primitives.has(type) ? type : 'struct'}'`];
  if (list) rows.push('list: true');
  if (field.versions !== '0+') rows.push(`versions: ${range(field.versions)}`);
  if (nullableVersions !== 'none') rows.push(`nullable: ${range(nullableVersions)}`);
  if (taggedVersions !== 'none') rows.push(`tagged: ${range(taggedVersions)}`, `tag: ${field.tag}`);
  if (flexibleVersions === 'none') rows.push('flexible: false');
  if (field.ignorable === true) rows.push('ignorable: true');
  const preset = defaultText(field.default, type);
  if (preset !== undefined) rows.push(`default: ${preset}`);
  if (!primitives.has(type))
    rows.push(`fields: [${fieldRows(structFields(field, commonStructs), commonStructs)}]`);
  return rows;
}

/** The name of a field in arguments and answers. */
export function fieldName({ name }) {
  return name[0].toLowerCase() + name.slice(1);
}

/** What a field holds, and whether it holds a list of them. */
export function typeOf({ type }) {
  return type.startsWith('[]') ? { type: type.slice(2), list: true } : { type, list: false };
}

/** Fields of a field that is a structure; undefined for others. */
export function structFields(field, commonStructs) {
  const { type } = typeOf(field);
  if (primitives.has(type)) return undefined;
  const found = field.fields ?? commonStructs.find(({ name }) => name === type)?.fields;
  if (found === undefined) throw new Error(`${field.name}: the structure "${type}" is not defined`);
  return found;
}

/** First and last version of "3+", "3-5" or "3"; undefined for "none". */
export function bounds(versions) {
  const found = /^(\d+)(\+|-(\d+))?$/.exec(versions);
  if (found === null) return undefined;
  const [, first, more, last] = found;
  return [Number(first), more === '+' ? Number.POSITIVE_INFINITY : Number(last ?? first)];
}

function range(versions) {
  const [first, last] = bounds(versions);
  return last === Number.POSITIVE_INFINITY ? `[${first}]` : `[${first}, ${last}]`;
}

function defaultText(value, type) {
  if (value === undefined || value === '') return undefined;
  const text = String(value);
  if (text === 'null' || type === 'bool') return text === 'false' ? undefined : text;
  if (type === 'string' || type === 'uuid') return `'${text}'`;
  if (type === 'int64') return BigInt(text) === 0n ? undefined : `${BigInt(text)}n`;
  return Number(text) === 0 ? undefined : String(Number(text));
}
