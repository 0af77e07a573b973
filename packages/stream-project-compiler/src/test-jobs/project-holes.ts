import { quote } from '../diagnostics/quote.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import type { ProjectJobs } from '../jobs/project-jobs.ts';
import { isContinuous, type ProjectTests } from './project-tests.ts';

/** A job that the project asks for and that is not written. */
export interface Hole {
  /** `model:x` or `test:x`, as in findings. */
  readonly object: string;
  /** Completes "it has no job, because". */
  readonly reason: string;
}

/**
 * Models and continuous tests without a job, in order of the files. Severities and comments that hide findings make no difference:
 * what is missing stays missing.
 */
export function projectHoles(
  { resolved, materialized }: InferredProject,
  { plans, refused }: ProjectJobs,
  tests: ProjectTests,
): readonly Hole[] {
  const holes: Hole[] = [];
  for (const { name, definition } of resolved.models.values()) {
    const isJob = definition.node.entries.has('sql') && materialized.get(name)?.kind !== 'virtual_topic';
    if (!isJob || plans.has(name)) continue;
    holes.push({ object: `model:${name}`, reason: refused.get(name)?.refused ?? 'its SQL cannot be read' });
  }
  for (const test of resolved.tests.values()) {
    const reason = isContinuous(test) ? reasonOf(test.name, tests) : undefined;
    if (reason !== undefined) holes.push({ object: `test:${test.name}`, reason });
  }
  return holes;
}

function reasonOf(name: string, { tests, refused }: ProjectTests): string | undefined {
  const made = tests.get(name);
  if (made === undefined) return refused.get(name)?.refused ?? 'its target has no topic';
  const [first] = made.impossible;
  return first && `${quote(first.assertion.kind)} cannot run continuously: ${first.refusal.refused}`;
}
