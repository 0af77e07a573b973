import type { Macro, Select, TableName } from '@levada/stream-sql';
import {
  appended,
  type Changes,
  isAppend,
  type Key,
  together,
  uniqueSets,
  withUnique,
} from '../changelog/changes.ts';
import type { Refusal } from '../changelog/changes-context.ts';
import { queryChanges } from '../changelog/query-changes.ts';
import { diagnoseMistake, type MistakePlace } from '../columns/create-query-context.ts';
import type { InferredQuery } from '../columns/nodes/model-columns.ts';
import type { NodeColumns } from '../columns/nodes/node-columns.ts';
import type { ColumnMistake } from '../columns/query-context.ts';
import type { ExpressionPlace } from '../columns/scope/expression-use.ts';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { errataCodes } from '../errata/errata-codes.ts';
import type { FoundErratum, Rewrite } from '../errata/found-errata.ts';
import { valueErrata } from '../errata/value-errata.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { changesWithinJob, isWithinJob, type JobPlace } from './job-end.ts';
import { keepsApart, modelMasks } from './masks.ts';
import type { NodeChanges, NodeInference } from './node-inference.ts';

interface ChangesFacts {
  readonly inferenceOf: (id: NodeId) => NodeInference | undefined;
  readonly columns: NodeColumns;
  /** The column that the model names as its key. */
  readonly key: string | undefined;
  /** Where its job runs; undefined where no job is made of it. */
  readonly job: Pick<JobPlace, 'cluster'> | undefined;
}

interface ModelChanges {
  readonly changes: NodeChanges | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** How the rows of a model change: by its SQL, else as those of what it reads. */
export function modelChanges(
  model: ResolvedModel,
  inferred: InferredQuery | undefined,
  facts: ChangesFacts,
): ModelChanges {
  const found: FoundInChanges = { refusals: [], varying: [], errata: [] };
  const query = inferred === undefined ? handedOn(model, facts) : changesOf(inferred, facts, found);
  if (query === undefined) return { changes: undefined, diagnostics: [] };
  const diagnostics =
    inferred === undefined
      ? []
      : [
          ...found.refusals.map((refusal) => refused(refusal, inferred)),
          ...errataFindings(found.errata, inferred.place),
        ];
  const [varying] = found.varying;
  const topic = topicChanges(model, query, facts);
  const within = changesWithinJob(model, query, facts.columns.columns);
  const rewrites = errataRewrites(found.errata);
  const changes = {
    query,
    topic,
    within,
    ...(varying === undefined ? {} : { varying }),
    ...(rewrites.length === 0 ? {} : { rewrites }),
  };
  return { changes, diagnostics };
}

function handedOn({ inputs, sql }: ResolvedModel, { inferenceOf }: ChangesFacts): Changes | undefined {
  if (sql !== undefined) return undefined;
  const read = inputs.map(({ target }) =>
    target === undefined ? undefined : inferenceOf(target)?.changes?.topic,
  );
  const known = read.flatMap((one) => one ?? []);
  const [only, another] = known;
  if (only === undefined || known.length < read.length) return undefined;
  return another === undefined ? only : together(known);
}

/** What is found while the changes of a query are inferred. */
export interface FoundInChanges {
  /** What cannot take the changes of its input. */
  readonly refusals: (Refusal | ColumnMistake)[];
  /** Functions in rows that change whose values differ from call to call. */
  readonly varying: string[];
  /** What defects of the engine make wrong. */
  readonly errata: FoundErratum[];
}

/** How the rows of a query change; what else is found is added to the lists. */
export function changesOf(
  { query, context }: InferredQuery,
  { inferenceOf, job }: Pick<ChangesFacts, 'inferenceOf' | 'job'>,
  { refusals, varying, errata }: FoundInChanges,
): Changes {
  const selects = new Map<Select, ExpressionPlace>();
  for (const part of context.parts) if (part.kind === 'select') selects.set(part.select, part.place);
  const changes = queryChanges(query, {
    columns: context,
    selects,
    tableOf: (table) => changesOfTable(table, { inferenceOf, job }),
    refuse: (refusal) => refusals.push(refusal),
    vary: (name) => varying.push(name),
    erratum: (one) => errata.push(one),
  });
  errata.push(...valueErrata(query, context));
  return changes;
}

function changesOfTable(
  table: TableName | Macro,
  { inferenceOf, job }: Pick<ChangesFacts, 'inferenceOf' | 'job'>,
): Changes {
  if (table.kind !== 'macro') return appended;
  const read = inferenceOf(nodeId(table.macro === 'ref' ? 'model' : 'source', table.name));
  return (isWithinJob(job, read?.job) ? read?.changes?.within : read?.changes?.topic) ?? appended;
}

/**
 * Rows that change are found in a topic by the key that the model names, else by the smallest one of its query that masks do not make
 * the same for several rows.
 */
function topicChanges(
  { name, definition }: ResolvedModel,
  query: Changes,
  { columns: { columns }, key }: ChangesFacts,
): Changes {
  const named = columns.findIndex((column) => column.name === key);
  const merging = modelMasks(definition).masks.filter(
    (mask) => mask.roles === undefined && !keepsApart(mask),
  );
  const merged = new Set(merging.map(({ column }) => column));
  const isWhole = (one: Key) => one.length > 0 && one.every((at) => !merged.has(columns[at]?.name ?? ''));
  const unique = uniqueSets(query).filter(isWhole);
  if (isAppend(query)) return withUnique(appended, unique);
  const best = named >= 0 ? [named] : query.keys.find(isWhole);
  const changes: Changes = {
    updates: true,
    deletes: true,
    cause: { what: `model ${quote(name)}, whose rows change`, start: 0, end: 0 },
    keys: best === undefined ? [] : [best],
    ...(query.isKept === undefined ? {} : { isKept: query.isKept }),
  };
  return withUnique(changes, unique);
}

function refused(refusal: Refusal | ColumnMistake, { place, context }: InferredQuery): Diagnostic {
  if ('name' in refusal) return diagnoseMistake(refusal, place);
  const { operator, start, end, input } = refusal;
  const { cause } = input;
  const line =
    cause === undefined || cause.end === 0 ? '' : ` at line ${context.rangeOf(cause)().start.line}`;
  return diagnoseMistake(
    {
      name: 'append-only-input',
      message: `${operator} takes rows that are only appended, but those that it reads change later: ${cause?.what ?? 'they are updated'}${line}`,
      hint: `use ${operator} before that, or a window in its place`,
      start,
      end,
    },
    place,
  );
}

/** Replacements that avoid defects of the engine. */
export function errataRewrites(found: readonly FoundErratum[]): readonly Rewrite[] {
  // Two queries may read the same rows
  return [...new Set(found)].flatMap((one) => (one.kind === 'rewrite' ? one.rewrites : []));
}

/** Findings of the errata that no rewrite avoids. One place is reported once, whatever reads it. */
export function errataFindings(
  found: readonly FoundErratum[],
  { rangeOf, path, object }: MistakePlace,
): readonly Diagnostic[] {
  const reported = new Set<string>();
  return found.flatMap((one) => {
    if (one.kind === 'rewrite' || reported.has(`${one.name} ${one.start}`)) return [];
    reported.add(`${one.name} ${one.start}`);
    const { name, message, hint } = one;
    return [diagnose(errataCodes[name], { message, hint, range: rangeOf(one), path, object })];
  });
}
