import { type Call, type Column, isModelFunction, type Query, walkSql } from '@levada/stream-sql';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { LeafNode } from '../parse/typed-node.ts';
import { isReplaced, type RangeOf, type ValuePlaces } from '../resolve/place-in-file.ts';
import { mistakeCodes } from './column-codes.ts';
import type { ColumnMistake, QueryContext } from './query-context.ts';

/** More of one query are not worth reading: they are nearly always consequences of the first. */
const MAX_MISTAKES = 100;

/** SQL in a value, and what it is inferred with. */
interface QueryText extends Pick<QueryContext, 'tableOf' | 'report' | 'modelOutputs' | 'dialect' | 'owner'> {
  readonly sql: ValuePlaces & { readonly leaf: LeafNode; readonly text: string };
  readonly query: Query;
}

/** The context in which SQL in the value of a file is inferred. Values of variables are never shown. */
export function createQueryContext({ sql, query, report, ...facts }: QueryText): QueryContext {
  const mayHint = !isReplaced(sql.leaf);
  let count = 0;
  return {
    ...facts,
    report: (mistake) => {
      count += 1;
      if (count <= MAX_MISTAKES) report(mistake);
    },
    isFull: () => count >= MAX_MISTAKES,
    rangeOf: (span) => () => sql.rangeOf(span),
    shown: (name) => (mayHint ? name.name : sql.writtenAt(name)),
    written: (name) => (mayHint ? undefined : withVariables(sql.writtenAt(name))),
    mayHint,
    modelNames: /\bML_/i.test(sql.text) ? namesWithoutQuotes(query) : new Map(),
    columns: new Map(),
    parts: [],
    relations: new Map(),
  };
}

function namesWithoutQuotes(query: Query): QueryContext['modelNames'] {
  const names = new Map<Column, Call>();
  walkSql(query, (node) => {
    const first =
      node.kind === 'call' && isModelFunction(node.name.at(-1)?.name ?? '') ? node.arguments[0] : undefined;
    if (node.kind === 'call' && first?.value.kind === 'column' && first.value.path.length === 1)
      names.set(first.value, node);
    return undefined;
  });
  return names;
}

/** A name as it is written, without its backticks, when a variable is part of it. */
function withVariables(written: string): string | undefined {
  return written.includes('${') ? written.replaceAll('`', '') : undefined;
}

/** Where SQL with a mistake is written. */
export interface MistakePlace {
  readonly rangeOf: RangeOf;
  readonly path: string;
  readonly object: string;
}

/** The finding of a mistake in SQL. What is not sure is no error. */
export function diagnoseMistake(
  { name, message, hint, unsure, at, start, end }: ColumnMistake,
  { rangeOf, path, object }: MistakePlace,
): Diagnostic {
  const place = at ?? { range: rangeOf({ start, end }), path, object };
  const found = diagnose(mistakeCodes[name], {
    message,
    hint,
    range: place.range,
    path: place.path,
    object: place.object,
  });
  return unsure === true && found.severity === 'error' ? { ...found, severity: 'warning' } : found;
}
