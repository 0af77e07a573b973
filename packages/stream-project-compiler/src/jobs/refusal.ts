import { columnCodes } from '../columns/column-codes.ts';
import type { QueryPart } from '../columns/query-context.ts';
import type { OpenRelation } from '../columns/relations/relation.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { typeCodes } from '../types/type-codes.ts';
import type { TopicSchema } from './topic-schemas.ts';

/** Why a model has no job: completes "because". */
export interface Refusal {
  readonly refused: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The project asks for something that cannot be. */
  readonly isMistake?: boolean;
  /** Schemas of its topic, where only the engine does not write them. */
  readonly schemas?: readonly TopicSchema[];
}

/** Whether there is no result. */
export function isRefusal(result: object): result is Refusal {
  return 'refused' in result;
}

type EveryColumn = Extract<QueryPart, { readonly kind: 'every-column' }>;

const ALL_COLUMNS = 'declare all columns of the source with their types';

/** A query whose rows follow from columns that are not known: reading some of them would give other rows. */
export function everyColumnRefusal({ what, open: { reason, hint = ALL_COLUMNS } }: EveryColumn): Refusal {
  const other = what === 'NATURAL JOIN' ? 'write USING' : 'name the columns in the SELECT';
  return { refused: `${what} needs every column, and ${reason}`, hint: `${hint}, or ${other}` };
}

/** A query that hands on columns that are not known. */
export function openRefusal(open: OpenRelation | undefined): Refusal {
  const hint = `${open?.hint ?? ALL_COLUMNS}, or name the columns in the SELECT`;
  return { refused: open?.reason ?? 'its columns are not known', hint };
}

const ofTypes = new Set<string>(
  [...Object.values(typeCodes), columnCodes['unknown-column']].map(({ code }) => code),
);
const ofTimes = new Set<string>(
  [columnCodes['window-type'], columnCodes['window-without-time-attribute']].map(({ code }) => code),
);

/**
 * The mistake of a query. Undeclared columns have types that the job assumes, so the mistake is that nothing declares them.
 * A name is undefined if it must not be shown.
 */
export function mistakeRefusal(
  { code, message, hint }: Diagnostic,
  undeclared: readonly (string | undefined)[],
): Refusal {
  const isOne = undeclared.length === 1;
  const names = undeclared.every((name) => name !== undefined)
    ? undeclared.map((name) => quote(name)).join(', ')
    : isOne
      ? 'a column'
      : 'columns';
  if (undeclared.length > 0 && ofTimes.has(code)) {
    return {
      refused: `nothing says that ${names} is an event time, which the query needs`,
      hint: 'name the column in "event_time" of the source',
    };
  }
  if (undeclared.length > 0 && ofTypes.has(code)) {
    return {
      refused: `nothing declares the ${isOne ? 'type' : 'types'} of ${names}, and none that a job may assume ${isOne ? 'suits' : 'suit'} the query`,
      hint: `declare ${isOne ? 'it' : 'them'} in "columns" of the source, with ${isOne ? 'its type' : 'their types'}`,
    };
  }
  return { refused: message, ...(hint === undefined ? {} : { hint }) };
}

/** `source "orders"`. */
export function nodeWords(node: NodeId): string {
  const at = node.indexOf(':');
  return `${node.slice(0, at)} ${quote(node.slice(at + 1))}`;
}
