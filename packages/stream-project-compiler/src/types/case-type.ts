import type { Case } from '@levada/stream-sql';
import { checkComparison } from './check-comparison.ts';
import { commonType } from './common-type.ts';
import { withNullable } from './make-type.ts';
import { expectCondition } from './operator-types.ts';
import type { SqlType } from './sql-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-walk.ts';

/** `CASE WHEN a THEN b ELSE c END`: the type that holds all results, and null where there is no ELSE. */
export function caseType(
  { operand, branches, otherwise, ...span }: Case,
  walk: TypeWalk,
): SqlType | undefined {
  const subject = operand === undefined ? undefined : walk.typeOf(operand);
  for (const when of branches.flatMap((branch) => branch.when)) {
    const type = walk.typeOf(when);
    if (operand === undefined) expectCondition(when, type, walk);
    else checkComparison({ left: subject, right: type, by: 'CASE', equality: true }, when, walk);
  }
  const types = branches.map(({ result }) => walk.typeOf(result));
  if (otherwise !== undefined) types.push(walk.typeOf(otherwise));
  const type = commonType(types);
  if (type === 'none') {
    const words = [
      ...new Set(types.flatMap((one) => (one === undefined || one.name === 'NULL' ? [] : [typeWords(one)]))),
    ];
    reportMismatch(
      walk,
      span,
      `CASE with results of ${words.join(' and ')}, one type was expected`,
      'convert the results with CAST',
    );
    return undefined;
  }
  if (type?.name === 'NULL') {
    const message = 'CASE whose results are all NULL, at least one of a type was expected';
    reportMismatch(walk, span, message, 'write CAST(NULL AS STRING), or the type that is meant');
    return undefined;
  }
  return otherwise === undefined ? withNullable(type, true) : type;
}
