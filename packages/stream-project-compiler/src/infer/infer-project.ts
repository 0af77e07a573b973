import type { EventTime, NodeColumns } from '../columns/nodes/node-columns.ts';
import type { Diagnostic, StageResult } from '../diagnostics/diagnostic.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedProject } from '../resolve/resolved-project.ts';
import { checkRequirements } from './check-requirements.ts';
import { inferColumns } from './infer-columns.ts';
import { type MaterializedAs, materialize } from './materialize.ts';
import type { NodeInference } from './node-inference.ts';

/** A project with what follows from its models. */
export interface InferredProject {
  readonly resolved: ResolvedProject;
  /** By name, in order of the files; models of which it cannot be told are left out. */
  readonly materialized: ReadonlyMap<string, MaterializedAs>;
  /** Columns of every source and model. */
  readonly columns: ReadonlyMap<NodeId, NodeColumns>;
  /** Event time of the sources and models that have one. */
  readonly eventTimes: ReadonlyMap<NodeId, EventTime>;
  /** What columns and event times were inferred from: `previous` of the next call takes over what still holds. */
  readonly nodes: ReadonlyMap<NodeId, NodeInference>;
}

/** Options of `inferProject`. */
export interface InferOptions {
  /** What an earlier call made: columns of models are not inferred again whose SQL and inputs did not change. */
  readonly previous?: InferredProject;
}

/**
 * Says what each model becomes, and the columns and event time of every source and model. Reports systems that this takes
 * and the project does not have, and mistakes in the columns that SQL names.
 */
export function inferProject(
  resolved: ResolvedProject,
  { previous }: InferOptions = {},
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
  } = inferColumns(resolved, materialized, previous?.nodes);
  const value: InferredProject = { resolved, materialized, columns, eventTimes, nodes };
  return { value, diagnostics: [...diagnostics, ...found] };
}
