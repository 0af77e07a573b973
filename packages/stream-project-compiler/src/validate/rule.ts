import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import type { ObjectMemory } from '../resolve/object-memory.ts';

/** What rules look at. */
export interface RuleContext {
  readonly project: InferredProject;
  /** The day that dates are compared with, `2026-11-21`. Given by the caller, so that the same input always gives the same findings. */
  readonly today: string;
  /** What rules keep about single definitions from one call to the next. */
  readonly memory: ObjectMemory;
}

/**
 * One rule: what it says about a project as a whole. A rule looks at two definitions or at the graph; what can be said of one
 * field alone is a row of the format.
 *
 * A rule stays silent about what it cannot tell because of an earlier mistake.
 */
export type Rule = (context: RuleContext) => readonly Diagnostic[];
