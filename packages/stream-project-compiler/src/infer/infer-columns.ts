import type { EventTime } from '../columns/event-time.ts';
import { columnsOfRelation, sqlColumns } from '../columns/model-columns.ts';
import type { NodeColumns } from '../columns/node-columns.ts';
import { nodeRelation } from '../columns/node-relation.ts';
import { sourceEventTime } from '../columns/read-event-time.ts';
import type { Relation } from '../columns/relation.ts';
import { sourceColumns } from '../columns/source-columns.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import type { ResolvedModel, ResolvedProject } from '../resolve/resolved-project.ts';

/** Columns and event time of every source and model. */
export interface InferredColumns {
  readonly columns: ReadonlyMap<NodeId, NodeColumns>;
  readonly eventTimes: ReadonlyMap<NodeId, EventTime>;
  readonly diagnostics: readonly Diagnostic[];
}

interface Inferring {
  readonly columns: Map<NodeId, NodeColumns>;
  readonly eventTimes: Map<NodeId, EventTime>;
  readonly relations: Map<NodeId, Relation>;
  readonly diagnostics: Diagnostic[];
}

/** Infers the columns of sources, then of models, each behind the models that it reads. */
export function inferColumns({ sources, models, order }: ResolvedProject): InferredColumns {
  const inferring: Inferring = {
    columns: new Map(),
    eventTimes: new Map(),
    relations: new Map(),
    diagnostics: [],
  };
  for (const [name, source] of sources) {
    const id = nodeId('source', name);
    const eventTime = sourceEventTime(source);
    if (eventTime !== undefined) inferring.eventTimes.set(id, eventTime);
    keep(inferring, id, sourceColumns(source, eventTime));
  }
  for (const name of order) {
    const model = models.get(name);
    if (model !== undefined) inferModel(inferring, model);
  }
  return inferring;
}

function keep({ columns, relations }: Inferring, id: NodeId, found: NodeColumns): void {
  columns.set(id, found);
  relations.set(id, nodeRelation(id, found));
}

function inferModel(inferring: Inferring, model: ResolvedModel): void {
  const { relations, diagnostics } = inferring;
  const { sql, inputs } = model;
  if (sql !== undefined) {
    const { relation, diagnostics: found } = sqlColumns(model, sql, (id) => relations.get(id));
    diagnostics.push(...found);
    keep(inferring, model.id, columnsOfRelation(model, relation));
    return;
  }
  const [input, another] = inputs;
  const only = input?.target === undefined || another !== undefined ? undefined : relations.get(input.target);
  if (only !== undefined) keep(inferring, model.id, columnsOfRelation(model, only));
}
