import type { AssertionKind, FieldPath } from '@levada/stream-project-schema';
import type { NodeColumns } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isText, listAt, objectAt, type TextNode, textAt } from '../../parse/known-value.ts';
import { nodeId } from '../../resolve/node-id.ts';
import { type PlacedAssertion, targetWords } from '../../test-jobs/assertion.ts';
import { comparable } from '../../types/comparable.ts';
import { typeName } from '../../types/print-type.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { familyOf, isNumeric, isTime } from '../../types/type-families.ts';
import { type ColumnHint, lookUpColumn } from '../column-lookup.ts';
import { at, finding, named } from '../finding.ts';
import type { RuleContext } from '../rule.ts';
import { shown } from '../written-value.ts';
import { testCodes } from './test-codes.ts';

/** What a column must hold so that something can be said of it. */
interface TypeNeed {
  /** In words that follow "expected". */
  readonly expected: string;
  readonly holds: (type: SqlType) => boolean;
}

const numbers: TypeNeed = { expected: 'a number', holds: isNumeric };

const times: TypeNeed = { expected: 'TIMESTAMP or TIMESTAMP_LTZ', holds: isTime };

const scalars: ReadonlySet<string> = new Set(['text', 'number', 'boolean', 'date', 'time', 'timestamp']);

/** What a value in YAML can be compared with. */
const plainValues: TypeNeed = {
  expected: 'text, a number, a boolean or a time',
  holds: (type) => scalars.has(familyOf(type)),
};

/** A column that an assertion names. */
interface NamedColumn {
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
const assertionColumns: Readonly<Record<AssertionKind, AssertionRow>> = {
  not_null: { columns: listed },
  accepted_values: { columns: oneColumn('column'), needs: plainValues },
  accepted_types: { columns: mapped },
  range: { columns: oneColumn('column'), needs: numbers },
  unique_key: { columns: keyParts },
  max_lag: { columns: oneColumn('column'), needs: times },
  throughput: { columns: () => [] },
  distribution: { columns: oneColumn('column'), needs: numbers },
  foreign_key: { columns: oneColumn('column') },
  custom_sql: { columns: () => [] },
  freshness: { columns: oneColumn('column'), needs: times },
  positive: { columns: oneColumn('column'), needs: numbers },
};

function oneColumn(key: string): ReadColumns {
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

/** Reports columns that the target of a test does not have, and those that hold something else than the assertion needs. */
export function checkColumns(
  assertion: PlacedAssertion,
  columns: NodeColumns | undefined,
  hint: ColumnHint,
): readonly Diagnostic[] {
  const row = assertionColumns[assertion.kind];
  return row.columns(assertion).flatMap((column) => {
    const found = lookUpColumn(columns, column.name);
    if (found?.is === 'nothing') return [unknown(assertion, column, hint(columns, column.name))];
    const type = found?.type;
    if (type === undefined || row.needs === undefined || row.needs.holds(type)) return [];
    return [wrongType(assertion, column, { needs: row.needs, type })];
  });
}

function unknown(
  { test: { definition, target }, kind }: PlacedAssertion,
  { shown, path, mark }: NamedColumn,
  hint: string | undefined,
): Diagnostic {
  const message = `"${kind}" of ${named(definition)}: column ${quote(shown)} does not exist in ${target === undefined ? 'its target' : targetWords(target)}`;
  return finding(testCodes['assertion-column'], at(definition, path, mark), { message, hint });
}

function wrongType(
  { test: { definition }, kind }: PlacedAssertion,
  { shown, path, mark }: NamedColumn,
  { needs, type }: { readonly needs: TypeNeed; readonly type: SqlType },
): Diagnostic {
  const held = typeName(type);
  const message = `"${kind}" of ${named(definition)}: column ${quote(shown)} has type ${held}, expected ${needs.expected}`;
  return finding(testCodes['assertion-type'], at(definition, path, mark), { message });
}

/** Reports a key that the other model does not have, or that can never equal the column. */
export function checkForeignKey(
  { project }: RuleContext,
  assertion: PlacedAssertion,
  hint: ColumnHint,
): readonly Diagnostic[] {
  const { test, node, path } = assertion;
  const { definition } = test;
  const model = textAt(node, 'ref_model');
  const key = textAt(node, 'ref_key');
  if (model === undefined || key === undefined) return [];
  const columns = project.columns.get(nodeId('model', model.value));
  const found = lookUpColumn(columns, key.value);
  if (found?.is === 'nothing') {
    const message = `"foreign_key" of ${named(definition)}: column ${quote(shown(key))} does not exist in model ${quote(shown(model))}`;
    return [
      finding(testCodes['assertion-column'], at(definition, [...path, 'ref_key']), {
        message,
        hint: hint(columns, key.value),
      }),
    ];
  }
  const column = textAt(node, 'column');
  const own =
    column === undefined || test.target === undefined
      ? undefined
      : lookUpColumn(project.columns.get(test.target), column.value);
  if (column === undefined || own?.is !== 'column') return [];
  const types = [own.type, found?.type] as const;
  if (mayBeEqual(...types)) return [];
  const message = `"foreign_key" of ${named(definition)} compares ${typed(column, own.type)} with ${typed(key, found?.type)}, which can never be equal`;
  return [finding(testCodes['foreign-key-type'], at(definition, [...path, 'ref_key']), { message })];
}

function typed(node: TextNode, type: SqlType | undefined): string {
  return `${quote(shown(node))} (${typeName(type)})`;
}

/** An unknown type may fit. */
function mayBeEqual(one: SqlType | undefined, other: SqlType | undefined): boolean {
  return one === undefined || other === undefined || comparable(one, other);
}
