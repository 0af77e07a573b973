import type { Span } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import type { QueryContext } from '../query-context.ts';
import type { Relation, RelationColumn } from '../relations/relation.ts';

/** Reports columns of a model that have no type or no name of their own. */
export function checkOutput({ columns }: Relation, context: QueryContext): void {
  const names = new Set<string>();
  let reported: number | undefined;
  for (const column of columns) {
    if (column.type?.name === 'NULL' && column.span !== undefined) reportNull(column.span, context);
    if (column.repeats !== undefined || names.has(column.name)) {
      if (column.span?.start !== reported) reportDuplicate(column, context);
      reported = column.span?.start;
    }
    if (!names.has(column.name) && /^EXPR\$\d+$/.test(column.name)) reportUnnamed(column, context);
    names.add(column.name);
  }
}

/** Reports a column that is the word NULL. */
export function reportNull({ start, end }: Span, context: QueryContext): void {
  context.report({
    name: 'null-column',
    message: 'the column is NULL without a type, expected one that the engine can write',
    hint: 'write CAST(NULL AS STRING), or the type that is meant',
    start,
    end,
  });
}

function reportDuplicate({ name, repeats = name, span }: RelationColumn, context: QueryContext): void {
  if (span === undefined) return;
  const shown = context.mayHint ? ` ${quote(repeats)}` : '';
  context.report({
    name: 'repeated-column-name',
    message: `the name${shown} stands for more than one column of the result, so the engine calls the later one otherwise`,
    hint: 'write AS with another name behind it, or name the columns instead of *',
    ...span,
  });
}

function reportUnnamed({ name, span }: RelationColumn, context: QueryContext): void {
  if (span === undefined) return;
  context.report({
    name: 'unnamed-column',
    message: `the column has no name, so the engine calls it ${quote(name)}`,
    hint: 'write AS and a name behind it',
    ...span,
  });
}
