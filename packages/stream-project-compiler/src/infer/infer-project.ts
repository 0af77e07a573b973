import { appended, type Changes } from '../changelog/changes.ts';
import { type EventTime, isTimeKnown, type NodeColumns } from '../columns/nodes/node-columns.ts';
import { sourceEventTime } from '../columns/nodes/read-event-time.ts';
import { sourceColumns } from '../columns/nodes/source-columns.ts';
import { sourceChangelog, sourceKey } from '../columns/nodes/source-form.ts';
import { nodeRelation } from '../columns/relations/relation.ts';
import type { Diagnostic, StageResult } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition } from '../parse/definition.ts';
import { textAt } from '../parse/known-value.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { ResolvedProject } from '../resolve/resolved-project.ts';
import { checkRequirements } from './check-requirements.ts';
import { checkSource } from './check-source.ts';
import { dialectReader, gatewayDialect } from './engine-dialect.ts';
import { inferModel, inputsOf, withoutColumns } from './infer-model.ts';
import { type MaterializedAs, materialize } from './materialize.ts';
import { type NodeInference, stillHolds } from './node-inference.ts';

/** A project with what follows from its models. */
export interface InferredProject {
  readonly resolved: ResolvedProject;
  /** By name, in order of the files; without models for which it cannot be determined. */
  readonly materialized: ReadonlyMap<string, MaterializedAs>;
  /** Columns of every source and model. */
  readonly columns: ReadonlyMap<NodeId, NodeColumns>;
  /** Event time of the sources and models that have one. */
  readonly eventTimes: ReadonlyMap<NodeId, EventTime>;
  /** The inference of each node: as `previous` of the next call, results that still hold are reused. */
  readonly nodes: ReadonlyMap<NodeId, NodeInference>;
  /** The version that was given instead of those that the clusters say. */
  readonly engineVersion: string | undefined;
}

/** Options of `inferProject`. */
interface InferOptions {
  /** The result of an earlier call: columns of models whose SQL and inputs did not change are not inferred again. */
  readonly previous?: InferredProject;
  /** Version of the engine, instead of those that the clusters say. */
  readonly engineVersion?: string | undefined;
}

/**
 * Says what each model becomes, and the columns and event time of every source and model. Reports systems that this takes
 * and the project does not have, and mistakes in the columns that SQL names.
 */
export function inferProject(
  resolved: ResolvedProject,
  { previous, engineVersion }: InferOptions = {},
): StageResult<InferredProject> {
  const materialized = new Map<string, MaterializedAs>();
  const diagnostics: Diagnostic[] = [];
  for (const model of resolved.models.values()) {
    const { name } = model;
    const isSame = previous?.resolved.models.get(name) === model;
    const as = isSame ? previous.materialized.get(name) : materialize(model);
    if (as !== undefined) materialized.set(name, as);
  }
  diagnostics.push(...checkRequirements(resolved, materialized));
  const {
    columns,
    eventTimes,
    nodes,
    diagnostics: found,
  } = inferColumns(resolved, materialized, { previous: previous?.nodes, engineVersion });
  const value: InferredProject = { resolved, materialized, columns, eventTimes, nodes, engineVersion };
  return { value, diagnostics: [...diagnostics, ...found] };
}

/** Columns and event time of every source and model. */
interface InferredColumns {
  readonly columns: ReadonlyMap<NodeId, NodeColumns>;
  readonly eventTimes: ReadonlyMap<NodeId, EventTime>;
  /** What the above was made of, for the next time. */
  readonly nodes: ReadonlyMap<NodeId, NodeInference>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Models that hand on everything of each other can have far more columns than anybody wrote. */
const MAX_COLUMNS = 300_000;
const TOO_MANY = 'comes after too many columns of other models';

/** Infers the columns of sources, then of models, each after the models that it reads. Results that still hold are reused. */
function inferColumns(
  { parsed, sources, models, order, cycles }: ResolvedProject,
  materialized: ReadonlyMap<string, MaterializedAs>,
  {
    previous = new Map(),
    engineVersion,
  }: {
    readonly previous: ReadonlyMap<NodeId, NodeInference> | undefined;
    readonly engineVersion: string | undefined;
  },
): InferredColumns {
  const nodes = new Map<NodeId, NodeInference>();
  const dialectOf = dialectReader(parsed, engineVersion);
  const cyclic = new Set(cycles.flat());
  let total = 0;
  for (const [name, definition] of sources) {
    const id = nodeId('source', name);
    const earlier = previous.get(id);
    const holds = stillHolds(earlier, {
      definition,
      sql: undefined,
      inputs: [],
      dialect: undefined,
      cluster: undefined,
    });
    nodes.set(id, holds ? earlier : inferSource(definition));
  }
  for (const name of order) {
    const model = models.get(name);
    if (model === undefined) continue;
    const inputs = inputsOf(model, (id) => nodes.get(id));
    const kind = materialized.get(name)?.kind;
    const isVirtual = kind === 'virtual_topic';
    const cluster = model.settings.engineCluster?.value;
    const job = model.sql !== undefined && (kind === 'engine' || kind === 'topic') ? { cluster } : undefined;
    const dialect = isVirtual ? gatewayDialect : dialectOf(model.settings.engineCluster);
    const earlier = previous.get(model.id);
    const says = cyclic.has(name) ? 'depends on itself' : total > MAX_COLUMNS ? TOO_MANY : undefined;
    const infer = (): NodeInference =>
      stillHolds(earlier, { ...model, inputs, dialect, cluster: job?.cluster })
        ? withInputs(earlier, inputs)
        : inferModel(model, { dialect, job, inferenceOf: (id) => nodes.get(id) });
    const inference = says === undefined ? infer() : withoutColumns(model, { inputs, dialect, says });
    nodes.set(model.id, inference);
    total += inference.columns.columns.length;
  }
  return { ...partsOf(nodes), nodes };
}

/** A result that still holds, with the current inputs: otherwise every later call would compare columns with obsolete ones. */
function withInputs(earlier: NodeInference, inputs: NodeInference['inputs']): NodeInference {
  const isSame = inputs.every((input, index) => input === earlier.inputs[index]);
  return isSame ? earlier : { ...earlier, inputs };
}

function partsOf(nodes: ReadonlyMap<NodeId, NodeInference>): Omit<InferredColumns, 'nodes'> {
  const columns = new Map<NodeId, NodeColumns>();
  const eventTimes = new Map<NodeId, EventTime>();
  const diagnostics: Diagnostic[] = [];
  const said = new Set<string>();
  for (const [id, node] of nodes) {
    columns.set(id, node.columns);
    if (node.eventTime !== undefined) eventTimes.set(id, node.eventTime);
    for (const diagnostic of node.diagnostics) {
      const key = keyOf(diagnostic);
      if (!said.has(key)) diagnostics.push(diagnostic);
      said.add(key);
    }
  }
  return { columns, eventTimes, diagnostics };
}

/** Several models find the same of a model that all of them read. */
function keyOf({ code, range: { file, start, end }, message }: Diagnostic): string {
  return `${code} ${file}:${start.line}:${start.column}-${end.line}:${end.column} ${message}`;
}

/** The columns and the event time that a source declares. */
function inferSource(definition: Definition<'source'>): NodeInference {
  const eventTime = sourceEventTime(definition);
  const { columns, diagnostics } = sourceColumns(definition, eventTime);
  const uncertain = isTimeKnown(definition, 'event_time', { eventTime, columns })
    ? undefined
    : new Set(columns.columns.map(({ name }) => name));
  const relation = nodeRelation(nodeId('source', definition.name ?? ''), columns, {
    uncertain,
    key: sourceKey(definition).map(({ value }) => value),
  });
  const changes = sourceChanges(definition, columns);
  return {
    definition,
    sql: undefined,
    dialect: undefined,
    inputs: [],
    columns,
    eventTime,
    relation,
    changes: { query: changes, topic: changes, within: changes },
    diagnostics: [...diagnostics, ...checkSource(definition, columns)],
  };
}

/** How the rows of a source change: those of a table are found by its key. */
function sourceChanges(source: Definition<'source'>, { columns }: NodeColumns): Changes {
  if (sourceChangelog(source) === 'append') return appended;
  const name = shownText(textAt(source.node, 'name'), source.name ?? '');
  const key = sourceKey(source).map(({ value }) => columns.findIndex((column) => column.name === value));
  const isKnown = key.length > 0 && !key.includes(-1);
  return {
    updates: true,
    deletes: true,
    cause: { what: `source ${quote(name)}, whose rows change`, start: 0, end: 0 },
    keys: isKnown ? [[...new Set(key)].sort((one, other) => one - other)] : [],
  };
}
