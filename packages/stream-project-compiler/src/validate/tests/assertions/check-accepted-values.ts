import type { NodeColumns } from '../../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { listAt, textAt } from '../../../parse/known-value.ts';
import type { LeafNode, TypedNode } from '../../../parse/typed-node.ts';
import { printType } from '../../../types/print-type.ts';
import type { SqlType } from '../../../types/sql-type.ts';
import { familyOf, type TypeFamily } from '../../../types/type-families.ts';
import { findingAt, wordsOf } from '../../finding-at.ts';
import { lookUpColumn } from '../../look-up-column.ts';
import { shown } from '../../shown-value.ts';
import { assertionCodes } from './assertion-codes.ts';
import type { PlacedAssertion } from './placed-assertion.ts';

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
    const message = `"accepted_values" of ${wordsOf(definition)} has ${values.length} values, more than ${MAX_VALUES}`;
    const hint = 'keep them in a model, and refer to it with "foreign_key"';
    return [
      findingAt(assertionCodes['too-many-values'], definition, {
        path: [...path, 'values'],
        mark: 'key',
        message,
        hint,
      }),
    ];
  }
  const found = column === undefined ? undefined : lookUpColumn(columns, column.value);
  if (column === undefined || found?.is !== 'column' || found.type === undefined) return [];
  const { type } = found;
  const index = values.findIndex((value) => !fits(value, type));
  const value = values[index];
  if (value?.kind !== 'leaf') return [];
  const message = `"accepted_values" of ${wordsOf(definition)} has the ${wordFor(value)} ${quote(shown(value))}, and the column ${quote(shown(column))} is ${printType(type, { notNull: false })}`;
  const hint = hintFor(value, type);
  return [
    findingAt(assertionCodes['accepted-value-type'], definition, {
      path: [...path, 'values', index],
      message,
      hint,
    }),
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
  return typeof value === 'string' ? 'text' : typeof value;
}

function hintFor({ value }: LeafNode, type: SqlType): string | undefined {
  if (familyOf(type) === 'text') return 'put it in quotes';
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return familyOf(type) === 'number' && isNumber ? 'write it without quotes' : undefined;
}
