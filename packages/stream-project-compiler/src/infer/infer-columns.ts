import type { EventTime } from '../columns/event-time.ts';
import type { NodeColumns } from '../columns/node-columns.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type NodeId, nodeId } from '../resolve/node-id.ts';
import type { ResolvedProject } from '../resolve/resolved-project.ts';
import { inferModel, inputsOf } from './infer-model.ts';
import { inferSource } from './infer-source.ts';
import { type NodeInference, stillHolds } from './node-inference.ts';

/** Columns and event time of every source and model. */
export interface InferredColumns {
  readonly columns: ReadonlyMap<NodeId, NodeColumns>;
  readonly eventTimes: ReadonlyMap<NodeId, EventTime>;
  /** What the above was made of, for the next time. */
  readonly nodes: ReadonlyMap<NodeId, NodeInference>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Infers the columns of sources, then of models, each behind the models that it reads. What still holds is taken over. */
export function inferColumns(
  { sources, models, order }: ResolvedProject,
  previous: ReadonlyMap<NodeId, NodeInference> = new Map(),
): InferredColumns {
  const nodes = new Map<NodeId, NodeInference>();
  for (const [name, definition] of sources) {
    const id = nodeId('source', name);
    const earlier = previous.get(id);
    const holds = stillHolds(earlier, { definition, sql: undefined, inputs: [] });
    nodes.set(id, holds ? earlier : inferSource(definition));
  }
  for (const name of order) {
    const model = models.get(name);
    if (model === undefined) continue;
    const inputs = inputsOf(model, (id) => nodes.get(id));
    const earlier = previous.get(model.id);
    const holds = stillHolds(earlier, { ...model, inputs });
    nodes.set(model.id, holds ? earlier : inferModel(model, (id) => nodes.get(id)));
  }
  return { ...partsOf(nodes), nodes };
}

function partsOf(nodes: ReadonlyMap<NodeId, NodeInference>): Omit<InferredColumns, 'nodes'> {
  const columns = new Map<NodeId, NodeColumns>();
  const eventTimes = new Map<NodeId, EventTime>();
  const diagnostics: Diagnostic[] = [];
  for (const [id, node] of nodes) {
    columns.set(id, node.columns);
    if (node.eventTime !== undefined) eventTimes.set(id, node.eventTime);
    for (const diagnostic of node.diagnostics) diagnostics.push(diagnostic);
  }
  return { columns, eventTimes, diagnostics };
}
