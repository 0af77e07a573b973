import type { AssertionKind, FieldPath } from '@levada/stream-project-schema';
import { isText, listAt, objectAt, textAt } from '../../../parse/known-value.ts';
import { shown } from '../../shown-value.ts';
import type { PlacedAssertion } from './placed-assertion.ts';
import { numbers, plainValues, type TypeNeed, times } from './type-needs.ts';

/** A column that an assertion names. */
export interface NamedColumn {
  readonly name: string;
  /** As it may be shown: what a variable was replaced by is not. */
  readonly shown: string;
  /** Below the test. */
  readonly path: FieldPath;
  readonly mark: 'key' | 'value';
}

type ReadColumns = (assertion: PlacedAssertion) => readonly NamedColumn[];

/** Which columns of its target an assertion names, and what they must hold. */
interface AssertionRow {
  readonly columns: ReadColumns;
  /** Default: whatever there is. */
  readonly needs?: TypeNeed;
}

/** One row for each kind. */
export const assertionColumns: Readonly<Record<AssertionKind, AssertionRow>> = {
  not_null: { columns: listed },
  accepted_values: { columns: named('column'), needs: plainValues },
  accepted_types: { columns: mapped },
  range: { columns: named('column'), needs: numbers },
  unique_key: { columns: keyParts },
  max_lag: { columns: named('column'), needs: times },
  throughput: { columns: () => [] },
  distribution: { columns: named('column'), needs: numbers },
  foreign_key: { columns: named('column') },
  custom_sql: { columns: () => [] },
  freshness: { columns: named('column'), needs: times },
  positive: { columns: named('column'), needs: numbers },
};

function named(key: string): ReadColumns {
  return ({ node, path }) => {
    const text = textAt(node, key);
    if (text === undefined) return [];
    return [{ name: text.value, shown: shown(text), path: [...path, key], mark: 'value' }];
  };
}

/** A key of several columns is written with commas between. */
function keyParts({ node, path }: PlacedAssertion): readonly NamedColumn[] {
  const text = textAt(node, 'key');
  if (text === undefined) return [];
  const parts = text.value.split(',').map((part) => part.trim());
  const whole = parts.length === 1 ? shown(text) : undefined;
  return parts.map((name) => ({
    name,
    shown: whole ?? (text.interpolated === undefined ? name : shown(text)),
    path: [...path, 'key'],
    mark: 'value',
  }));
}

function listed({ node, path }: PlacedAssertion): readonly NamedColumn[] {
  const items = listAt(node, 'columns')?.items ?? [];
  return items.flatMap((item, index) =>
    isText(item)
      ? [{ name: item.value, shown: shown(item), path: [...path, 'columns', index], mark: 'value' }]
      : [],
  );
}

/** Variables are not replaced in keys. */
function mapped({ node, path }: PlacedAssertion): readonly NamedColumn[] {
  const entries = objectAt(node, 'types')?.entries ?? new Map<string, never>();
  return [...entries.keys()].map((key) => ({
    name: key,
    shown: key,
    path: [...path, 'types', key],
    mark: 'key',
  }));
}
