import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Registry,
} from '@bufbuild/protobuf';
import { shownName } from '../model/shown-name.ts';
import { expectedJson, expectedOf, isSpecial } from './json-form.ts';
import { unknownField } from './unknown-field.ts';

/**
 * Why JSON is refused as a message, which is known already: the path of the first field that is wrong and what was expected
 * there. Finds it by trying parts on their own; no value is quoted.
 */
export function requestProblem(message: DescMessage, json: JsonValue, registry: Registry): string {
  const search = { registry, path: '' };
  // Repeated keys are gone once parsed; nothing else can be wrong then.
  return reads(message, json, search)
    ? 'an object has the same field twice'
    : messageProblem(message, json, search);
}

interface Search {
  readonly registry: Registry;
  readonly path: string;
}

function messageProblem(message: DescMessage, json: JsonValue, search: Search): string {
  if (!isObject(json)) return problemAt(search, 'expected an object');
  if (message.typeName === 'google.protobuf.Any') return anyProblem(json, search);
  for (const [key, value] of Object.entries(json)) {
    if (reads(message, entry(key, value), search)) continue;
    const inside = { ...search, path: joined(search.path, key) };
    const field = message.fields.find(({ name, jsonName }) => name === key || jsonName === key);
    if (field !== undefined) return fieldProblem({ message, key, field }, value, inside);
    const isExtension = search.registry.getExtension(key.slice(1, -1)) !== undefined;
    return problemAt(inside, isExtension ? 'not the JSON of that extension' : unknownField(message, key));
  }
  return problemAt(search, 'two fields of one oneof are set, or one field by both of its names');
}

interface Place {
  readonly message: DescMessage;
  readonly key: string;
  readonly field: DescField;
}

function fieldProblem(place: Place, json: JsonValue, search: Search): string {
  const { field } = place;
  if (field.fieldKind === 'list') return listProblem(place, json, search);
  if (field.fieldKind === 'map') return mapProblem(place, json, search);
  return valueProblem(field, json, search);
}

function valueProblem(field: DescField, json: JsonValue, search: Search): string {
  const type = field.message;
  const isAny = type?.typeName === 'google.protobuf.Any' && isObject(json);
  if (type === undefined || (isSpecial(type) && !isAny)) return problemAt(search, expectedOf(field));
  return messageProblem(type, json, search);
}

function listProblem({ message, key, field }: Place, json: JsonValue, search: Search): string {
  if (!Array.isArray(json)) return problemAt(search, 'expected an array');
  const index = json.findIndex((item) => !reads(message, entry(key, [item]), search));
  return valueProblem(field, json[index] ?? null, { ...search, path: `${search.path}[${index}]` });
}

function mapProblem({ message, key, field }: Place, json: JsonValue, search: Search): string {
  if (!isObject(json)) return problemAt(search, 'expected an object');
  for (const [name, value] of Object.entries(json)) {
    if (reads(message, entry(key, entry(name, value)), search)) continue;
    const inside = { ...search, path: `${search.path}[${shownName(name)}]` };
    return valueProblem(field, value, inside);
  }
  return problemAt(search, 'two keys are the same');
}

/** The message inside an Any is beside "@type", or in "value" when it has a JSON form of its own. */
function anyProblem(json: JsonObject, search: Search): string {
  const { '@type': url, ...fields } = json;
  const name = typeof url === 'string' ? url.slice(url.lastIndexOf('/') + 1) : '';
  const type = search.registry.getMessage(name);
  if (type === undefined) return problemAt(search, expectedJson('google.protobuf.Any'));
  if (!isSpecial(type)) return messageProblem(type, fields, search);
  return problemAt({ ...search, path: joined(search.path, 'value') }, expectedJson(type.typeName));
}

function reads(message: DescMessage, json: JsonValue, { registry }: Search): boolean {
  try {
    fromJson(message, json, { registry });
    return true;
  } catch {
    return false; // why is what the search is for
  }
}

/** An object of one field, whatever its name. */
function entry(key: string, value: JsonValue): JsonObject {
  return Object.fromEntries([[key, value]]);
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function joined(path: string, key: string): string {
  if (!/^\w{1,80}$/.test(key)) return `${path}[${shownName(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function problemAt({ path }: Search, problem: string): string {
  return path === '' ? problem : `${path}: ${problem}`;
}
