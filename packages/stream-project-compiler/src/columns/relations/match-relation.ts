import type { Expression, MatchRecognize, RowPattern } from '@levada/stream-sql';
import type { ColumnInfluence } from '../nodes/node-columns.ts';
import type { QueryPlace } from '../query-context.ts';
import { conditionType, expressionType } from '../scope/expression-type.ts';
import { type ExpressionPlace, useOf } from '../scope/expression-use.ts';
import { FromScope } from '../scope/from-scope.ts';
import { influencesBy, mergeInfluences } from './merge-origins.ts';
import { type Relation, type RelationColumn, relationOf } from './relation.ts';
import { timeOf } from './relation-time.ts';

/** The rows that are searched, and the name of their table. */
export interface MatchInput {
  readonly input: Relation;
  readonly name: string | undefined;
}

/** The rows of MATCH_RECOGNIZE: the columns of its partition and its measures; with ALL ROWS those of the input as well. */
export function matchRelation(table: MatchInput, match: MatchRecognize, place: QueryPlace): Relation {
  const { input } = table;
  const within: ExpressionPlace = { ...place, scope: patternScope(table, match) };
  const influences = [
    input.influences,
    ...decides(match.partitionBy, 'group', within),
    ...decides(
      match.orderBy.map(({ expression }) => expression),
      'order',
      within,
    ),
    ...decides(
      match.definitions.map(({ condition }) => condition),
      'filter',
      within,
    ),
  ];
  place.context.parts.push({ kind: 'match', match });
  const partition = match.partitionBy.flatMap((expression) => partitionColumn(expression, within) ?? []);
  const measures = match.measures.map(({ expression, alias }): RelationColumn => {
    const { origins } = useOf(expression, within);
    const type = expressionType(expression, within);
    const source = expression.kind === 'column' ? place.context.columns.get(expression)?.column : undefined;
    // A column of one row of the match is a plain value
    const time =
      expression.kind === 'column' && source !== undefined ? undefined : timeOf(expression, source);
    return { name: alias.name, type, time, origins, span: { start: alias.start, end: alias.end } };
  });
  const all = match.rowsPerMatch === 'ALL';
  return relationOf({
    columns: [...(all ? input.columns : partition), ...measures],
    open: all ? input.open : undefined,
    influences: mergeInfluences(influences),
    undeclared: input.undeclared,
  });
}

/** Columns are written alone, after the name of a pattern's variable, or after that of the table. */
function patternScope(
  { input, name }: MatchInput,
  { pattern, subsets, definitions }: MatchRecognize,
): FromScope {
  const scope = new FromScope();
  scope.add({ alias: undefined, relation: input });
  const names = new Set([
    ...variablesOf(pattern),
    ...subsets.map(({ name }) => name.name),
    ...definitions.map(({ variable }) => variable.name),
  ]);
  if (name !== undefined) names.add(name);
  for (const alias of names) scope.add({ alias, relation: input, qualifiedOnly: true });
  return scope;
}

function variablesOf(pattern: RowPattern): readonly string[] {
  if (pattern.kind === 'pattern-variable') return [pattern.name.name];
  if (pattern.kind === 'pattern-group') return pattern.items.flatMap(variablesOf);
  return pattern.kind === 'pattern-invalid' ? [] : variablesOf(pattern.item);
}

function decides(
  expressions: readonly Expression[],
  by: ColumnInfluence['by'],
  place: ExpressionPlace,
): readonly (readonly ColumnInfluence[])[] {
  return expressions.map((expression) => {
    if (by === 'filter') conditionType(expression, place);
    else expressionType(expression, place);
    return influencesBy(by, useOf(expression, place).origins);
  });
}

function partitionColumn(expression: Expression, place: ExpressionPlace): RelationColumn | undefined {
  const found = expression.kind === 'column' ? place.context.columns.get(expression)?.column : undefined;
  return found === undefined ? undefined : { ...found, time: undefined };
}
