// A definition as a documented interface of TypeScript, for the versions that are used.
import { bounds, fieldName, structFields, typeOf } from './field-rows.mjs';

const WIDTH = 110;

const types = {
  bool: 'boolean',
  int64: 'bigint',
  string: 'string',
  uuid: 'string',
  bytes: 'Buffer',
  records: 'Buffer',
};

/** The interface of a message. Fields that appear only after version `newest` are left out. */
export function interfaceText({ name, type, validVersions, fields, commonStructs = [] }, newest) {
  const oldest = Number.parseInt(validVersions, 10);
  const context = { isRequest: type === 'request', used: [oldest, newest], commonStructs };
  const versions = oldest === newest ? `Version ${oldest}` : `Versions ${oldest} to ${newest}`;
  return `/** ${versions} of Kafka's ${name}. */\nexport interface ${name} {\n${members(fields, context)}\n}\n`;
}

function members(fields, context) {
  return fields
    .filter((field) => overlap(field.versions, context.used))
    .map((field) => member(field, context))
    .join('\n');
}

function member(field, context) {
  const { type, list } = typeOf(field);
  const struct = structFields(field, context.commonStructs);
  const single = struct === undefined ? (types[type] ?? 'number') : `{\n${members(struct, context)}\n}`;
  const whole = list ? `readonly ${single}[]` : single;
  const nullable = overlap(field.nullableVersions ?? 'none', context.used) ? ' | null' : '';
  const mark = context.isRequest && isOptional(field, context) ? '?' : '';
  return `${comment(field, context)}\nreadonly ${fieldName(field)}${mark}: ${whole}${nullable};`;
}

/** A request leaves out what has a default that the definition names, or what not all versions have. */
function isOptional(field, { used }) {
  return field.default !== undefined || bounds(field.versions)[0] > used[0];
}

function comment(field, { isRequest, used }) {
  const [first, last] = bounds(field.versions);
  const since = first > used[0] ? ` Since version ${first}.` : '';
  const until = last < used[1] ? ` Until version ${last}.` : '';
  const preset =
    isRequest && field.default !== undefined && field.default !== '' ? ` Default: ${field.default}.` : '';
  const about = (field.about ?? fieldName(field)).trim().replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');
  const text = `${/[.!?)]$/.test(about) ? about : `${about}.`}${since}${until}${preset}`;
  if (text.length < WIDTH - 12) return `/** ${text} */`;
  return `/**\n${wrapped(text)
    .map((line) => ` * ${line}`)
    .join('\n')}\n */`;
}

function wrapped(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line.length + word.length + 1 > WIDTH - 12) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

function overlap(versions, [oldest, newest]) {
  const found = bounds(versions);
  return found !== undefined && found[0] <= newest && found[1] >= oldest;
}
