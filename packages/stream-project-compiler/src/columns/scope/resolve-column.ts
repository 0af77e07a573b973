import type { Column, Identifier } from '@levada/stream-sql';
import { fieldType } from '../../types/collection-types.ts';
import {
  reportAmbiguous,
  reportModelName,
  reportQualified,
  reportUnknown,
  reportUnknownField,
  reportUnknownTable,
} from '../nodes/report-columns.ts';
import type { QueryContext, ResolvedColumn } from '../query-context.ts';
import { through } from '../relations/merge-origins.ts';
import type { Found, FromScope } from './from-scope.ts';

/** Says what a column in an expression is. Undefined where it is nothing, which is reported, once for each place. */
export function resolveColumn(
  node: Column,
  scope: FromScope,
  context: QueryContext,
): ResolvedColumn | undefined {
  if (context.columns.has(node)) return context.columns.get(node);
  const resolved = resolvePath(node, scope, context);
  context.columns.set(node, resolved);
  return resolved;
}

/** A table wins over a column with the same name. */
function resolvePath(node: Column, scope: FromScope, context: QueryContext): ResolvedColumn | undefined {
  const [first, second, ...rest] = node.path;
  if (first === undefined) return undefined;
  for (let level: FromScope | undefined = scope; level !== undefined; level = level.outer) {
    const place = second === undefined ? undefined : level.tableAt(first.name);
    if (place !== undefined && second !== undefined) {
      const found = level.findIn(place, second.name);
      if (found.kind === 'column') return fieldOf(found, { fields: rest, scope: level, node }, context);
      return reportQualified({ node, table: first, column: second, scope: level, place }, found, context);
    }
  }
  return resolveFirst(node, scope, context);
}

function resolveFirst(node: Column, scope: FromScope, context: QueryContext): ResolvedColumn | undefined {
  const [first, ...fields] = node.path;
  if (first === undefined) return undefined;
  for (let level: FromScope | undefined = scope; level !== undefined; level = level.outer) {
    const found = level.find(first.name);
    if (found.kind === 'column') return fieldOf(found, { fields, scope: level, node }, context);
    if (found.kind === 'ambiguous') {
      reportAmbiguous(node, first, { scope: level, context });
      return undefined;
    }
  }
  const call = context.modelNames.get(node);
  if (call !== undefined) reportModelName(first, call, context);
  else if (fields.length > 0) reportUnknownTable(node, first, { scope, context });
  else reportUnknown(first, scope, context);
  return undefined;
}

interface FieldPlace {
  readonly fields: readonly Identifier[];
  readonly scope: FromScope;
  readonly node: Column;
}

/** The field of a row that the rest of a path names. */
function fieldOf(
  { column, id, place, fields: within = [] }: Extract<Found, { kind: 'column' }>,
  { fields, scope }: FieldPlace,
  context: QueryContext,
): ResolvedColumn | undefined {
  if (fields.length === 0 && within.length === 0) return { column, id, scope, place };
  let type = within.reduce(fieldType, column.type);
  for (const field of fields) {
    if (type === undefined) break;
    const inner = type.name === 'ROW' ? type.fields.find(({ name }) => name === field.name) : undefined;
    if (inner === undefined) {
      const names = type.name === 'ROW' ? type.fields.map(({ name }) => name) : [];
      reportUnknownField(field, { column, names, context });
      return undefined;
    }
    // A field of a row that is missing is missing
    const nullable = type.nullable;
    type = nullable && inner.type !== undefined ? { ...inner.type, nullable } : inner.type;
  }
  const path = [...within, ...fields.map(({ name }) => name)];
  return {
    column: {
      name: path.at(-1) ?? '',
      type,
      time: undefined,
      origins: through('transformation', column.origins),
    },
    id: `${id}.${path.join('.')}`,
    scope,
    place,
  };
}
