import { type Expression, functionKind, parseSql, type Query, type Span, walkSql } from '@levada/stream-sql';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import type { TextNode } from '../../parse/known-value.ts';
import type { ModelSql } from '../../resolve/model-sql.ts';
import { shownText, valuePlaces } from '../../resolve/place-in-file.ts';
import { newestDialect } from '../../types/functions/engine-dialect.ts';
import { columnCodes } from '../column-codes.ts';
import type { Relation, RelationColumn } from '../relations/relation.ts';
import { sqlColumns } from './model-columns.ts';

/** A column that an expression computes, and what is wrong with that. */
interface ComputedColumn {
  /** Undefined for an expression with mistakes. */
  readonly column: Pick<RelationColumn, 'type' | 'time' | 'origins'> | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface ExpressionFacts {
  readonly name: TextNode;
  readonly leaf: TextNode;
  /** Keys from the top of the file. */
  readonly path: string;
  /** The columns that are not computed: the engine does not compute columns of computed ones. */
  readonly relation: Relation;
}

const before = 'SELECT ';

/** Finds the type of a source's computed column as that of a query which selects it. */
export function computedColumn(
  source: Definition<'source'>,
  { name, leaf, path, relation }: ExpressionFacts,
): ComputedColumn {
  const places = valuePlaces(source, leaf);
  // A comment in the last line of the expression ends before AS
  const text = `${before}${leaf.value}\nAS computed FROM {{ source("source") }}`;
  const parsed = parseSql(text);
  const within = ({ start, end }: Span): Span => {
    const at = (place: number) => Math.min(Math.max(place - before.length, 0), leaf.value.length);
    return { start: at(start), end: at(end) };
  };
  const failed = (span: Span, says: string, hint?: string): ComputedColumn => ({
    column: undefined,
    diagnostics: [
      diagnose(columnCodes['computed-column'], {
        message: `computed column ${quote(shownText(name, name.value))} of source ${quote(source.name ?? '')} ${says}`,
        hint,
        range: places.rangeOf(within(span)),
        path,
        object: source.object,
      }),
    ],
  });
  const whole = { start: before.length, end: before.length + leaf.value.length };
  const [wrong] = parsed.diagnostics;
  const expression = wrong === undefined ? onlyExpression(parsed.query, whole) : undefined;
  if (expression === undefined)
    return failed(
      wrong ?? whole,
      wrong === undefined ? 'is not one expression' : `cannot be read: ${wrong.message}`,
      wrong?.hint,
    );
  const unfit = unfitPart(expression);
  if (unfit !== undefined)
    return failed(
      unfit.span,
      `has ${unfit.what}, which the engine does not compute for single rows`,
      'compute it in the SQL of a model',
    );
  const sql: ModelSql = {
    leaf,
    text,
    parsed,
    kind: undefined,
    plainTables: [],
    rangeOf: (span) => places.rangeOf(within(span)),
    writtenAt: (span) => places.writtenAt(within(span)),
  };
  const { relation: result, diagnostics } = sqlColumns({ name: source.name ?? '', definition: source }, sql, {
    relationOfNode: () => relation,
    dialect: newestDialect,
  });
  const [column] = result.columns;
  const found = diagnostics.map((diagnostic) => ({ ...diagnostic, path }));
  if (found.length === 0 && column?.type === undefined)
    return failed(
      whole,
      'has a type that is not known',
      'declare the type of each column that it reads, or write CAST',
    );
  return { column, diagnostics: found };
}

/** The expression that a query selects, if it is all of the text. */
function onlyExpression(query: Query | undefined, whole: Span): Expression | undefined {
  if (query?.body.kind !== 'select' || query.with.length > 0 || query.orderBy.length > 0) return undefined;
  const { items, from, quantifier, hints, where, groupBy, having, qualify, windows } = query.body;
  const [item, another] = items;
  const isPlain = [quantifier, where, groupBy, having, qualify, query.limit, another].every(
    (part) => part === undefined,
  );
  if (!isPlain || item?.alias === undefined || hints.length + windows.length > 0) return undefined;
  // An expression that ends the query, or reads a table of its own, leaves another FROM
  const isOwn = from?.kind === 'table' && from.source.kind === 'macro' && from.source.start > whole.end;
  return isOwn && item.expression.kind !== 'star' ? item.expression : undefined;
}

/** What is more than an expression of one row. */
function unfitPart(expression: Expression): { readonly span: Span; readonly what: string } | undefined {
  let found: { readonly span: Span; readonly what: string } | undefined;
  walkSql(expression, (node) => {
    if (node.kind === 'query') found ??= { span: node, what: 'a query' };
    if (node.kind === 'call') {
      const name = node.name.at(-1)?.name.toUpperCase() ?? '';
      if (node.over !== undefined) found ??= { span: node, what: 'OVER' };
      else if (functionKind(name) === 'aggregate') found ??= { span: node, what: name };
    }
    return found === undefined ? undefined : 'skip';
  });
  return found;
}
