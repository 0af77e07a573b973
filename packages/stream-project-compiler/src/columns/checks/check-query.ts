import type { Query, Select } from '@levada/stream-sql';
import type { QueryContext, QueryPart } from '../query-context.ts';
import type { Relation } from '../relations/relation.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { checkConstructs } from './check-constructs.ts';
import { checkAggregates, checkGroups, checkOrderGroups } from './check-groups.ts';
import { checkJoin, checkTemporalJoin, checkTemporalKey } from './check-joins.ts';
import { checkMatch } from './check-match.ts';
import { checkMergedCondition, checkMergedNames, checkMergedOrder } from './check-merged-names.ts';
import { checkIntervals, checkNulls, checkOrder } from './check-output.ts';
import { checkOver } from './check-over.ts';
import { checkWindow } from './check-window-arguments.ts';
import { checkWindowGroups } from './check-window-groups.ts';

/**
 * Reports what is wrong with a query beyond the names and types that inferring its columns reports. Runs once the whole query is
 * inferred, over the parts that were noted with what was found of them.
 */
export function checkQuery(query: Query, result: Relation, context: QueryContext): void {
  for (const part of context.parts) checkPart(part, context);
  checkIntervals(query, context);
  checkOrder(query, result, context);
}

function checkPart(part: QueryPart, context: QueryContext): void {
  switch (part.kind) {
    case 'join':
      checkJoin(part.join, context);
      checkMergedCondition(part.join, part.place);
      checkTemporalKey(part.join, part.before, part.place);
      break;
    case 'as-of':
      checkTemporalJoin(part.asOf, part.right, part.place);
      break;
    case 'window':
      checkWindow(part.call, part.place);
      break;
    case 'match':
      checkMatch(part.match, context);
      break;
    case 'select':
      checkSelect(part.select, part.place);
      break;
    case 'order':
      checkOrderGroups(part.select, part.orderBy, part.place);
      checkMergedOrder(part.select, part.orderBy, part.place);
      break;
    case 'every-column':
      break;
  }
}

function checkSelect(select: Select, place: ExpressionPlace): void {
  const { context } = place;
  checkNulls(select, place);
  checkMergedNames(select, place);
  checkAggregates(select, context);
  checkGroups(select, place);
  checkWindowGroups(select, place);
  checkOver(select, context);
  checkConstructs(select, context);
}
