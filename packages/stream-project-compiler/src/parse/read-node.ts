import {
  expectation,
  type Field,
  isLeaf,
  type ListField,
  type MapField,
  matchesFormat,
  textFormats,
  type UnionField,
} from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';
import { keyPlace, plainObject } from './check-constraints.ts';
import { noteVariables, type Place, type ReadContext, reportAt, wordsFor } from './read-context.ts';
import { readLeaf } from './read-leaf.ts';
import { readChoice, readObject } from './read-object.ts';
import type { EntryNode, ListNode, ObjectNode, TypedNode } from './typed-node.ts';
import type { YamlList, YamlMap, YamlNode } from './yaml-tree.ts';

/**
 * Reads a value by its row: every mistake below it is reported, each once. What is wrong is not known and left out of the
 * values around it.
 */
export function readNode(context: ReadContext, row: Field, yaml: YamlNode, place: Place): TypedNode {
  if (yaml.kind !== 'list' && yaml.broken === true) return unknownNode(row, yaml);
  if (row.type === 'any') return readAny(context, row, yaml, place);
  if (row.type === 'union') return readUnion(context, row, yaml, place);
  if (isLeaf(row)) {
    return yaml.kind === 'scalar'
      ? readLeaf(context, row, yaml, place)
      : wrongKind(context, row, yaml, place);
  }
  if (row.type === 'list') {
    return yaml.kind === 'list' ? readList(context, row, yaml, place) : wrongKind(context, row, yaml, place);
  }
  if (yaml.kind !== 'map') return wrongKind(context, row, yaml, place);
  if (row.type === 'map') return readMap(context, row, yaml, place);
  return row.type === 'choice'
    ? readChoice(context, row, yaml, place)
    : readObject(context, row, yaml, place);
}

/** The option whose kind is that of the value. */
function readUnion(context: ReadContext, row: UnionField, yaml: YamlNode, place: Place): TypedNode {
  const option = row.options.find((one) => {
    if (yaml.kind === 'list') return one.type === 'list';
    if (yaml.kind === 'scalar') return isLeaf(one) && yaml.value !== null && typeof yaml.value === 'string';
    return one.type === 'object' || one.type === 'map' || one.type === 'choice';
  });
  return option === undefined ? wrongKind(context, row, yaml, place) : readNode(context, option, yaml, place);
}

function readList(context: ReadContext, row: ListField, yaml: YamlList, place: Place): ListNode {
  const items = yaml.items.map((item, index) =>
    readNode(context, row.items, item, itemPlace(place, item, index)),
  );
  return listOf(row, yaml, items);
}

function readMap(context: ReadContext, row: MapField, yaml: YamlMap, place: Place): ObjectNode {
  const inside = { ...place, secretKeys: row.secretKeys === true };
  const entries = yaml.entries.map((entry) => {
    const below = keyPlace(inside, entry);
    if (row.keyFormat !== undefined && !matchesFormat(row.keyFormat, entry.key)) {
      const message = `invalid key ${quote(entry.key)} in ${wordsFor(place)}, expected ${textFormats[row.keyFormat].expected}`;
      reportAt(context, 'invalid-value', { place: below, span: entry.keySpan, message });
    }
    return {
      key: entry.key,
      keySpan: entry.keySpan,
      node: readNode(context, row.values, entry.value, below),
    };
  });
  return objectOf(row, yaml, entries);
}

/** Whatever it says, with variables replaced; keys that name secrets are those of the map around it. */
function readAny(context: ReadContext, row: Field, yaml: YamlNode, place: Place): TypedNode {
  if (yaml.kind === 'scalar') return readLeaf(context, row, yaml, place);
  if (yaml.kind === 'list') {
    const items = yaml.items.map((item, index) => readAny(context, row, item, itemPlace(place, item, index)));
    return listOf(row, yaml, items);
  }
  const entries = yaml.entries.map((entry) => ({
    key: entry.key,
    keySpan: entry.keySpan,
    node: readAny(context, row, entry.value, keyPlace(place, entry)),
  }));
  return objectOf(row, yaml, entries);
}

/** The place of an item of a list. */
export function itemPlace(parent: Place, item: YamlNode, index: number): Place {
  const first = item.kind === 'map' ? item.entries[0]?.keySpan : undefined;
  const { start, end } = item.span;
  const head = first ?? (start === end ? parent.head : item.span);
  const { object, secret, secretKeys } = parent;
  return { parent, step: index, object, head, secret, secretKeys };
}

function wrongKind(context: ReadContext, row: Field, yaml: YamlNode, place: Place): TypedNode {
  noteVariables(context, yaml, place);
  const span = yaml.kind !== 'scalar' || yaml.span.start === yaml.span.end ? place.head : yaml.span;
  const message = `${wordsFor(place)} ${kindFound(yaml, place)}, expected ${expectation(row)}`;
  reportAt(context, 'wrong-type', { place, span, message, hint: hintForKind(row, yaml, place) });
  return unknownNode(row, yaml);
}

const call = /^(?:\{\{\s*)?(ref|source)\(\s*["']([\w.-]+)["']\s*\)/;

function hintForKind(row: Field, yaml: YamlNode, place: Place): string | undefined {
  if (yaml.kind === 'scalar' && yaml.value === null) return 'give it a value, or remove the key';
  const list =
    row.type === 'list' || (row.type === 'union' && row.options.some(({ type }) => type === 'list'));
  if (list) return yaml.kind === 'map' || row.type === 'list' ? 'begin each entry with "- "' : undefined;
  if (row.type !== 'choice' || yaml.kind !== 'scalar' || place.secret) return undefined;
  const text = String(yaml.value);
  if (Object.hasOwn(row.fields, text)) return `write "${text}:" with what it needs below`;
  const [, key, name] = call.exec(text) ?? [];
  return key === undefined ? undefined : `write "${key}: ${name}"`;
}

function kindFound(yaml: YamlNode, place: Place): string {
  if (yaml.kind === 'list') return 'is a list';
  if (yaml.kind === 'map') return 'is an object';
  if (yaml.value === null) return 'has no value';
  return place.secret ? 'is text or a number' : `is ${quote(String(yaml.value))}`;
}

function unknownNode(row: Field, yaml: YamlNode): TypedNode {
  const facts = { row, span: yaml.span, known: false, value: undefined } as const;
  if (yaml.kind === 'scalar') return { kind: 'leaf', scalar: yaml, ...facts };
  return yaml.kind === 'list'
    ? { kind: 'list', items: [], ...facts }
    : { kind: 'object', entries: new Map(), ...facts };
}

function listOf(row: Field, yaml: YamlList, items: readonly TypedNode[]): ListNode {
  const value = items.filter(({ known }) => known).map((item) => item.value);
  return { kind: 'list', row, span: yaml.span, items, known: true, value };
}

function objectOf(row: Field, yaml: YamlMap, entries: readonly EntryNode[]): ObjectNode {
  const known = entries.filter(({ node }) => node.known);
  return {
    kind: 'object',
    row,
    span: yaml.span,
    entries: new Map(entries.map((entry) => [entry.key, entry])),
    known: true,
    value: plainObject(known),
  };
}
