import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { ModelSql } from '../../resolve/model-sql.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { outputColumns } from '../../sql/analysis/output-columns.ts';
import { queryFeatures } from '../../sql/analysis/query-kind.ts';
import type { Span } from '../../text/span.ts';
import type { Rule } from '../rule.ts';

/** A gateway serves the rows of one topic, filtered and with fewer columns. Whatever else the SQL of a virtual topic asks for is lost. */
export const gatewaySql: Rule = ({ project }) =>
  [...project.resolved.models.values()].flatMap((model) => {
    const { sql } = model;
    if (project.materialized.get(model.name)?.kind !== 'virtual_topic' || sql === undefined) return [];
    if (sql.parsed.diagnostics.length > 0) return [];
    const beyond = beyondGateway(sql);
    return beyond === undefined ? [] : [finding(model, sql, beyond)];
  });

interface Beyond {
  readonly what: string;
  readonly span: Span;
}

/** The first thing that only the engine does. */
function beyondGateway({ kind, parsed: { query } }: ModelSql): Beyond | undefined {
  const [fact] = kind?.facts ?? [];
  if (fact !== undefined) return { what: queryFeatures[fact.feature].title, span: fact };
  const computed = query === undefined ? undefined : outputColumns(query).find(isComputed);
  return computed === undefined ? undefined : { what: 'a column that is computed', span: computed };
}

function isComputed(column: ReturnType<typeof outputColumns>[number]): boolean {
  return column.kind === 'column' && column.expression.kind !== 'column';
}

function finding({ definition, name }: ResolvedModel, sql: ModelSql, { what, span }: Beyond): Diagnostic {
  return diagnose('gateway-sql', {
    message: `model ${quote(name)} is a virtual topic, and its SQL has ${what}, expected columns and WHERE of one topic`,
    path: `${definition.path}.sql`,
    object: definition.object,
    range: sql.rangeOf(span),
    hint: 'a gateway computes nothing: remove "advanced.gateway" and let the engine do it, or do it in a model before this one',
  });
}
