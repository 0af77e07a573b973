import type { Argument, Call, Column, TableArgument, TableFunction } from '@levada/stream-sql';
import type { SqlType } from '../../types/sql-type.ts';
import { checkConstruct, checkFunctionName } from '../../types/unknown-function.ts';
import { expressionType } from '../scope/expression-type.ts';
import { type ExpressionPlace, useOf } from '../scope/expression-use.ts';
import { FromScope } from '../scope/from-scope.ts';
import { influencesBy, mergeInfluences, mergeOrigins, through } from './merge-origins.ts';
import { queryRelation } from './query-relation.ts';
import { type Relation, type RelationColumn, relationOf, type TimeState } from './relation.ts';
import { namedTable } from './table-relation.ts';
import { descriptorColumns, isDescriptor, windowOf, windowSizeMistake } from './window-call.ts';

const windowFunctions: ReadonlySet<string> = new Set(['TUMBLE', 'HOP', 'CUMULATE', 'SESSION']);

/** The rows of a table function: of windows and machine learning they are known, of those of users not. */
export function functionRelation({ call, start }: TableFunction, place: ExpressionPlace): Relation {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  checkFunctionName(call, place.context);
  if (start === call.start) checkConstruct('a table function without TABLE( )', call, place.context);
  if (name === 'SESSION') checkConstruct('SESSION as a table function', call, place.context);
  const input = inputOf(call, place);
  if (input !== undefined && windowFunctions.has(name)) return windowRelation(call, input, place);
  if (input !== undefined && name === 'ML_PREDICT') return predictRelation(call, input, place);
  const origins = call.arguments.map(({ value }) => {
    if (!isExpression(value)) return [];
    // DESCRIPTOR names columns of the table that the function is called with
    const seen = input !== undefined && isDescriptor(value) ? input.place : place;
    expressionType(value, seen);
    return useOf(value, seen).origins;
  });
  const reason = `it reads the table function ${place.context.mayHint ? name : ''}`.trim();
  return relationOf({
    columns: [],
    open: {
      reason,
      range: place.context.rangeOf(call),
      nodes: [],
      origins: through('transformation', mergeOrigins(origins)),
    },
  });
}

function isExpression(
  value: Argument['value'],
): value is Exclude<
  Argument['value'],
  { readonly kind: 'time-unit' | 'table-argument' | 'model-argument' | 'default' | 'query' }
> {
  return !['time-unit', 'table-argument', 'model-argument', 'default', 'query'].includes(value.kind);
}

/** The table that a function is called with. */
interface FunctionInput {
  readonly relation: Relation;
  /** Its columns by their names, without those of other tables. */
  readonly place: ExpressionPlace;
  readonly table: TableArgument | undefined;
}

function inputOf(call: Call, place: ExpressionPlace): FunctionInput | undefined {
  for (const { value } of call.arguments) {
    if (value.kind === 'table-argument') {
      const { table } = value;
      const relation = table.kind === 'query' ? queryRelation(table, place) : namedTable(table, place);
      return { relation, place: placeWithin(relation, place), table: value };
    }
    const query = value.kind === 'subquery' ? value.query : value.kind === 'query' ? value : undefined;
    if (query !== undefined) {
      const relation = queryRelation(query, place);
      return { relation, place: placeWithin(relation, place), table: undefined };
    }
  }
  return undefined;
}

function placeWithin(relation: Relation, place: ExpressionPlace): ExpressionPlace {
  const scope = new FromScope();
  scope.add({ alias: undefined, relation });
  return { ...place, scope };
}

/** The columns of the input, and those that the model declares in `ml_outputs`. */
function predictRelation(
  call: Call,
  { relation, place: within }: FunctionInput,
  place: ExpressionPlace,
): Relation {
  const origins = mergeOrigins(descriptorColumns(call).map((column) => useOf(column, within).origins));
  const model = call.arguments.flatMap(({ value }) =>
    value.kind === 'model-argument' ? value.model : [],
  )[0];
  const name = model?.kind === 'macro' ? model.name : model?.path.at(-1)?.name;
  const outputs = name === undefined ? undefined : place.context.modelOutputs(name);
  if (outputs?.name !== 'ROW') {
    const reason = 'it calls a machine-learning model whose columns "ml_outputs" does not declare';
    const hint = 'declare its columns in "ml_outputs"';
    const open = { reason, hint, range: place.context.rangeOf(call), nodes: relation.open?.nodes ?? [] };
    return relationOf({ ...relation, open });
  }
  return relationOf({ ...relation, columns: [...relation.columns, ...predicted(outputs, origins)] });
}

function predicted(
  { fields }: Extract<SqlType, { readonly name: 'ROW' }>,
  origins: RelationColumn['origins'],
): readonly RelationColumn[] {
  return fields.map(({ name, type }) => ({
    name,
    type,
    time: undefined,
    origins: through('transformation', origins),
  }));
}

/** The columns by which a function is partitioned. */
function partitionInfluences({ table, place }: FunctionInput, by: 'window' | 'group') {
  const uses = (table?.partitionBy ?? []).map((expression) => useOf(expression, place));
  return mergeInfluences(
    uses.flatMap(({ origins, influences }) => [
      influences,
      origins.map(({ node, column }) => ({ node, column, by })),
    ]),
  );
}

/** Where a window starts and ends is a timestamp without a zone, whatever its time column is. */
const bound: SqlType = { name: 'TIMESTAMP', precision: 3, nullable: false };

/** The rows of `TUMBLE`, `HOP`, `CUMULATE` or `SESSION` as a table: those of the input with the window of each. */
function windowRelation(call: Call, input: FunctionInput, place: ExpressionPlace): Relation {
  const { relation } = input;
  place.context.parts.push({ kind: 'window', call, place });
  checkName(descriptorColumns(call)[0], place);
  const mistake = windowSizeMistake(call);
  const isHop = call.name.at(-1)?.name.toUpperCase() === 'HOP';
  // The rows of HOP can be made all the same, only groups cannot
  const refused = isHop && mistake !== undefined ? { refusedInGroups: mistake } : {};
  const [descriptor] = descriptorColumns(call);
  const origins = descriptor === undefined ? [] : useOf(descriptor, input.place).origins;
  const time = descriptor === undefined ? undefined : place.context.columns.get(descriptor)?.column;
  const from = through('transformation', origins);
  const edge = {
    time: time?.time === 'processing' ? 'processing' : 'event',
    type: time?.type?.name,
    ...windowOf(call),
  } as const;
  const windowed: readonly RelationColumn[] = [
    {
      name: 'window_start',
      type: bound,
      time: undefined,
      origins: from,
      edge: { ...edge, of: 'start' },
      ...refused,
    },
    {
      name: 'window_end',
      type: bound,
      time: undefined,
      origins: from,
      edge: { ...edge, of: 'end' },
      ...refused,
    },
    { name: 'window_time', type: windowTimeType(time), time: windowTime(time), origins: from },
  ];
  return relationOf({
    ...relation,
    columns: [...relation.columns.map(afterWindow), ...windowed],
    influences: mergeInfluences([
      relation.influences,
      influencesBy('window', origins),
      partitionInfluences(input, 'window'),
    ]),
  });
}

/** Earlier versions confuse the time of a table with a column of the same name that the window adds. */
function checkName(descriptor: Column | undefined, { context }: ExpressionPlace): void {
  const name = descriptor?.path.at(-1)?.name;
  if (descriptor === undefined || name === undefined || !/^window_(?:start|end|time)$/.test(name)) return;
  checkConstruct('DESCRIPTOR of a column with the name of one of the window', descriptor, context);
}

/** Another window over the plain time of a window makes the planner fail: it takes `window_time`. */
function afterWindow(column: RelationColumn): RelationColumn {
  return column.time === undefined ? column : { ...column, time: 'uncertain' };
}

function windowTime(time: RelationColumn | undefined): TimeState {
  return time === undefined || time.time === undefined ? 'uncertain' : time.time;
}

function windowTimeType(time: RelationColumn | undefined): SqlType | undefined {
  if (time?.time === 'processing') return { name: 'TIMESTAMP_LTZ', precision: 3, nullable: false };
  const { type } = time ?? { type: undefined };
  if (type?.name !== 'TIMESTAMP' && type?.name !== 'TIMESTAMP_LTZ') return undefined;
  return { name: type.name, precision: 3, nullable: false };
}
