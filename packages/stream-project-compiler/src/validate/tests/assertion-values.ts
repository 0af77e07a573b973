import { nearestName } from '@levada/stream-project-schema';
import type { NodeColumns } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isText, listAt, objectAt, textAt } from '../../parse/known-value.ts';
import type { LeafNode, ListNode, ObjectNode, TypedNode } from '../../parse/typed-node.ts';
import type { ResolvedTest } from '../../resolve/resolved-project.ts';
import type { PlacedAssertion } from '../../test-jobs/assertion.ts';
import { typeName } from '../../types/print-type.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { familyOf, type TypeFamily } from '../../types/type-families.ts';
import { declaredType } from '../../types/type-of-data-type.ts';
import { lookUpColumn } from '../column-lookup.ts';
import { at, finding, named, rangeBelow } from '../finding.ts';
import { repeatsOf } from '../repeats.ts';
import { shown } from '../written-value.ts';
import { testCodes } from './test-codes.ts';

/** Words that `accepted_types` knows beside the types of the engine, in lower case. */
const words: ReadonlySet<string> = new Set(['str', 'text', 'number', 'long', 'bool', 'datetime']);

/** Types to name where a word is nearly one of them. */
const usual = ['string', 'int', 'bigint', 'double', 'decimal', 'boolean', 'timestamp', 'date', 'time'];

/** Reports types that neither the engine has nor the format knows a word for. */
export function checkAcceptedTypes({
  test: { definition },
  node,
  path,
}: PlacedAssertion): readonly Diagnostic[] {
  const types = objectAt(node, 'types')?.entries ?? new Map<string, never>();
  return [...types.values()].flatMap(({ key, node: type }) => {
    if (!isText(type) || words.has(type.value.toLowerCase())) return [];
    if (declaredType(type.value) !== undefined) return [];
    const near = nearestName(type.value, [...usual, ...words]);
    const message = `"accepted_types" of ${named(definition)}: unknown type ${quote(shown(type))}, expected a type of the engine or a name such as "number"`;
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    return [finding(testCodes['accepted-type'], at(definition, [...path, 'types', key]), { message, hint })];
  });
}

/** The engine compares a column with every value, for each record. */
const MAX_VALUES = 1000;

/** Reports values that a column cannot hold, and more of them than a test should compare with. */
export function checkAcceptedValues(
  { test: { definition }, node, path }: PlacedAssertion,
  columns: NodeColumns | undefined,
): readonly Diagnostic[] {
  const values = listAt(node, 'values')?.items ?? [];
  const column = textAt(node, 'column');
  if (values.length > MAX_VALUES) {
    const message = `"accepted_values" of ${named(definition)} has ${values.length} values, expected at most ${MAX_VALUES}`;
    const hint = 'keep them in a model, and refer to it with "foreign_key"';
    return [
      finding(testCodes['too-many-values'], at(definition, [...path, 'values'], 'key'), { message, hint }),
    ];
  }
  const found = column === undefined ? undefined : lookUpColumn(columns, column.value);
  if (column === undefined || found?.is !== 'column' || found.type === undefined) return [];
  const { type } = found;
  const index = values.findIndex((value) => !fits(value, type));
  const value = values[index];
  if (value?.kind !== 'leaf') return [];
  const message = `"accepted_values" of ${named(definition)}: the ${wordFor(value)} ${quote(shown(value))} does not match column ${quote(shown(column))} of type ${typeName(type)}`;
  const hint = hintFor(value, type);
  return [
    finding(testCodes['accepted-value-type'], at(definition, [...path, 'values', index]), { message, hint }),
  ];
}

/** What may be compared with a column of a family; text stands for times too. Families beyond these are reported as such. */
const comparable: Readonly<Partial<Record<TypeFamily, readonly string[]>>> = {
  text: ['string'],
  number: ['number'],
  boolean: ['boolean', 'string'],
  date: ['string'],
  time: ['string'],
  timestamp: ['string'],
};

function fits(node: TypedNode, type: SqlType): boolean {
  if (!node.known || node.value === null) return true;
  // What a variable was replaced by is text, whatever it stands for
  if (node.kind === 'leaf' && node.interpolated !== undefined) return true;
  return comparable[familyOf(type)]?.includes(typeof node.value) ?? true;
}

function wordFor({ value }: LeafNode): string {
  return typeof value;
}

function hintFor({ value }: LeafNode, type: SqlType): string | undefined {
  if (familyOf(type) === 'text') return 'put it in quotes';
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return familyOf(type) === 'number' && isNumber ? 'write it without quotes' : undefined;
}

/** Lists and maps of assertions, and what it means that one has no entry. */
const meanings: Readonly<Record<string, string>> = {
  columns: 'has no columns',
  values: 'accepts no value, so every record fails',
  types: 'has no columns',
  buckets: 'has no buckets',
};

/** Reports a test without assertions. */
export function checkTestEmptiness({ definition }: ResolvedTest): readonly Diagnostic[] {
  const node = definition.node.entries.get('assertions')?.node;
  if (node === undefined || !isEmpty(node)) return [];
  const message = `${named(definition)} has no assertions, so it always passes`;
  return [finding(testCodes['empty-assertion'], at(definition, ['assertions'], 'key'), { message })];
}

/** Reports lists and maps of an assertion that have no entry. */
export function checkEmptiness({ test, kind, node, path }: PlacedAssertion): readonly Diagnostic[] {
  return [...node.entries.values()].flatMap(({ key, node: value }) => {
    const meaning = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
    if (meaning === undefined || !isEmpty(value)) return [];
    const message = `"${kind}" of ${named(test.definition)} ${meaning}`;
    const hint = `add an entry to "${key}", or remove the assertion`;
    return [
      finding(testCodes['empty-assertion'], at(test.definition, [...path, key], 'key'), { message, hint }),
    ];
  });
}

function isEmpty(node: ListNode | ObjectNode | { readonly kind: 'leaf' }): boolean {
  if (node.kind === 'list') return node.known && node.items.length === 0;
  return node.kind === 'object' && node.known && node.entries.size === 0;
}

/** Reports assertions of one test that say the same. */
export function checkRepeatedAssertions(assertions: readonly PlacedAssertion[]): readonly Diagnostic[] {
  const seen = new Map<string, PlacedAssertion>();
  return assertions.flatMap((assertion) => {
    const { test, kind, node, path } = assertion;
    const said = `${kind} ${JSON.stringify(sorted(node.value))}`;
    const first = seen.get(said);
    if (!node.known || first === undefined) {
      seen.set(said, assertion);
      return [];
    }
    const message = `${named(test.definition)}: duplicate assertion "${kind}"`;
    const related = [
      { message: 'first defined here', range: rangeBelow(test.definition, first.path, 'key') },
    ];
    return [finding(testCodes['repeated-assertion'], at(test.definition, path, 'key'), { message, related })];
  });
}

/** The order of keys does not matter. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Reports columns and values that an assertion lists twice. */
export function checkRepeatedEntries({ test, kind, node, path }: PlacedAssertion): readonly Diagnostic[] {
  const { definition } = test;
  return ['columns', 'values'].flatMap((key) => {
    const leaves = (listAt(node, key)?.items ?? []).flatMap((item, index) =>
      item.kind === 'leaf' && item.known ? [{ item, path: [...path, key, index] }] : [],
    );
    return repeatsOf(leaves, ({ item }) => item.value).map(({ item: repeat, first }) =>
      finding(testCodes['repeated-entry'], at(definition, repeat.path), {
        message: `"${kind}" of ${named(definition)}: duplicate entry ${quote(shown(repeat.item))}`,
        related: [{ message: 'first defined here', range: rangeBelow(definition, first.path) }],
      }),
    );
  });
}
