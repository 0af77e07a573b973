import type { EventTime } from '../columns/event-time.ts';
import type { NodeColumns } from '../columns/node-columns.ts';
import type { Diagnostic, StageResult } from '../diagnostics/diagnostic.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedProject } from '../resolve/resolved-project.ts';
import { checkRequirements } from './check-requirements.ts';
import { inferColumns } from './infer-columns.ts';
import { type MaterializedAs, materialize } from './materialize.ts';

/** A project with what follows from its models. */
export interface InferredProject {
  readonly resolved: ResolvedProject;
  /** By name, in order of the files; models of which it cannot be told are left out. */
  readonly materialized: ReadonlyMap<string, MaterializedAs>;
  /** Columns of every source and model. */
  readonly columns: ReadonlyMap<NodeId, NodeColumns>;
  /** Event time of the sources and models that have one. */
  readonly eventTimes: ReadonlyMap<NodeId, EventTime>;
}

/** Says what each model becomes, and reports systems that this takes and the project does not have. */
export function inferProject(resolved: ResolvedProject): StageResult<InferredProject> {
  const materialized = new Map<string, MaterializedAs>();
  const diagnostics: Diagnostic[] = [];
  for (const model of resolved.models.values()) {
    const as = materialize(model);
    if (as !== undefined) materialized.set(model.name, as);
  }
  diagnostics.push(...checkRequirements(resolved, materialized));
  const { columns, eventTimes, diagnostics: found } = inferColumns(resolved);
  return { value: { resolved, materialized, columns, eventTimes }, diagnostics: [...diagnostics, ...found] };
}
