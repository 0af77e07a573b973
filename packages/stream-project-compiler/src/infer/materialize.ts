import type { Materialization } from '@levada/stream-project-schema';
import { queryFeatures } from '@levada/stream-sql';
import { quote } from '../diagnostics/quote.ts';
import { isDeclared } from '../parse/is-declared.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';

/** How a model is materialized, and why. */
export interface MaterializedAs {
  readonly kind: Materialization;
  /** In a few words: `its SQL has GROUP BY`, `it has "advanced.gateway"`. */
  readonly reason: string;
  /** Where that is decided: at the first construct of its SQL that needs the engine, or at a key. */
  readonly range: TextRange;
}

/**
 * What a model becomes: a gateway block before everything; then `from` without `sql`; then what its SQL takes; else a
 * topic. Undefined when there is nothing like a query in its SQL, when a key that decides is misspelt, or when there is nothing to
 * go by at all; neither where it is said to be two things at once.
 */
export function materialize(model: ResolvedModel): MaterializedAs | undefined {
  const gateway = placeOf(model.definition.node, 'advanced.gateway');
  if (gateway.node?.kind === 'object' && gateway.node.entries.size > 0) {
    return byKey(model, 'virtual_topic', 'advanced.gateway');
  }
  if (!['sql', 'from', 'advanced.gateway'].every((key) => isSpelt(model, key))) return undefined;
  const { entries } = model.definition.node;
  if (entries.has('sql')) return entries.has('sink') ? undefined : bySql(model);
  if (entries.has('from')) return byKey(model, 'sink', 'from');
  return placeOf(model.definition.node, 'advanced.topic').node === undefined
    ? undefined
    : byKey(model, 'topic', 'advanced.topic');
}

/** A key with an invalid value still shows the intent. */
function isSpelt({ definition: { node } }: ResolvedModel, key: string): boolean {
  return placeOf(node, key).node !== undefined || isDeclared(node, key);
}

const reasons: Readonly<Partial<Record<Materialization, string>>> = {
  sink: 'it has "from" and no "sql"',
  topic: 'it has neither "sql" nor "from"',
};

function byKey({ definition }: ResolvedModel, kind: Materialization, key: string): MaterializedAs {
  const { keySpan, span } = placeOf(definition.node, key);
  return {
    kind,
    reason: reasons[kind] ?? `it has ${quote(key)}`,
    range: rangeAt(definition.file, keySpan ?? span),
  };
}

/** For SQL with mistakes, the part that could be parsed decides. */
function bySql({ sql }: ResolvedModel): MaterializedAs | undefined {
  const query = sql?.parsed.query;
  if (sql?.kind === undefined || query === undefined) return undefined;
  const { reason } = sql.kind;
  if (reason !== undefined) {
    const { title } = queryFeatures[reason.feature];
    return { kind: 'engine', reason: `its SQL has ${title}`, range: sql.rangeOf(reason) };
  }
  const plain = 'its SQL handles rows one by one';
  return { kind: 'topic', reason: plain, range: sql.rangeOf(query) };
}
