import { queryFeatures, type Select, type Span } from '@levada/stream-sql';
import type { ModelSql } from '../resolve/model-sql.ts';

/** A part of a model's SQL that is not in the artifact of a virtual topic. */
export interface VirtualTopicLoss {
  /** In a few words: `WHERE`, `a join`. */
  readonly what: string;
  readonly span: Span;
}

/**
 * The first part of the SQL that a compiled virtual topic does not carry. The artifact has a name, the physical topic and a
 * compression, so nothing is lost of `SELECT *` from one table only. Undefined too for SQL that has mistakes or reads no table.
 */
export function virtualTopicLoss({ kind, parsed }: ModelSql): VirtualTopicLoss | undefined {
  const { query, diagnostics } = parsed;
  if (diagnostics.length > 0 || kind?.readsTable !== true) return undefined;
  const [fact] = kind.facts;
  if (fact !== undefined) return { what: queryFeatures[fact.feature].title, span: fact };
  let body = query?.body;
  while (body?.kind === 'query') body = body.body;
  return body?.kind === 'select' ? lossOfSelect(body) : undefined;
}

function lossOfSelect({ items, from, where, hints, windows, qualify }: Select): VirtualTopicLoss | undefined {
  const [first, second] = items;
  const selected = first?.expression.kind === 'star' ? second : first;
  if (selected !== undefined) return { what: 'a list of columns', span: selected };
  const table = from?.kind === 'table' ? from : undefined;
  const [renamed] = table?.columns ?? [];
  if (renamed !== undefined) return { what: 'names for the columns of its table', span: renamed };
  if (where !== undefined) return { what: 'WHERE', span: where };
  if (qualify !== undefined) return { what: 'QUALIFY', span: qualify };
  if (table?.asOf !== undefined) return { what: 'FOR SYSTEM_TIME AS OF', span: table.asOf };
  const [hint] = [...hints, ...(table?.hints ?? [])];
  if (hint !== undefined) return { what: 'a hint', span: hint };
  const [window] = windows;
  return window === undefined ? undefined : { what: 'WINDOW', span: window };
}
