import type { AssertionKind } from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';
import { dialectReader } from '../infer/engine-dialect.ts';
import type { InferredProject } from '../infer/infer-project.ts';
import { type ProjectJobs, topicText } from '../jobs/project-jobs.ts';
import { isRefusal, type Refusal } from '../jobs/refusal.ts';
import { type ClassificationFlow, classificationFlow } from '../lineage/classification-flow.ts';
import { isSensitive } from '../lineage/declared-classifications.ts';
import { textAt } from '../parse/known-value.ts';
import type { NodeId } from '../resolve/node-id.ts';
import { createObjectMemory, type ObjectMemory } from '../resolve/object-memory.ts';
import type { ResolvedTest } from '../resolve/resolved-project.ts';
import { assertionsOf } from './assertion.ts';
import { type ContinuousTest, continuousTest, type TestFacts } from './continuous-test.ts';

/** The continuous tests of a project. */
export interface ProjectTests {
  /** By name, in order of the files. */
  readonly tests: ReadonlyMap<string, ContinuousTest>;
  readonly refused: ReadonlyMap<string, Refusal>;
  /** The topic of all violations. */
  readonly violationsTopic: string;
}

/**
 * Makes a job of each continuous test. Meant for a valid project. With the memory of an earlier call, jobs are made again only of
 * tests that changed, that read a topic that did, or that read more than one topic.
 */
export function projectTests(
  project: InferredProject,
  jobs: ProjectJobs,
  memory: ObjectMemory = createObjectMemory(),
): ProjectTests {
  const { resolved } = project;
  const tests = new Map<string, ContinuousTest>();
  const refused = new Map<string, Refusal>();
  const violationsTopic = violationsTopicOf(project);
  const facts: TestFacts = {
    facts: jobs.facts,
    dialectOf: dialectReader(resolved.parsed),
    violationsTopic,
    hidden: hiddenColumns(project, memory),
  };
  for (const test of resolved.tests.values()) {
    const { target } = test;
    if (!isContinuous(test) || target === undefined || isSink(project, target)) continue;
    const made = madeTest(test, target, { jobs, facts, memory });
    if (isRefusal(made)) refused.set(test.name, made);
    else tests.set(test.name, made);
  }
  return { tests, refused, violationsTopic };
}

/** Whether a test runs as a job of the engine. */
export function isContinuous({ definition }: ResolvedTest): boolean {
  return textAt(definition.node, 'type')?.value === 'continuous';
}

/** What a sink writes is in another system; that a test of it reads nothing is a finding of its own. */
function isSink({ materialized }: InferredProject, target: NodeId): boolean {
  return target.startsWith('model:') && materialized.get(target.slice('model:'.length))?.kind === 'sink';
}

function madeTest(
  test: ResolvedTest,
  target: NodeId,
  {
    jobs,
    facts,
    memory,
  }: { readonly jobs: ProjectJobs; readonly facts: TestFacts; readonly memory: ObjectMemory },
): ContinuousTest | Refusal {
  const name = target.slice(target.indexOf(':') + 1);
  if (target.startsWith('model:') && jobs.refused.has(name)) {
    return { refused: `model ${quote(name)} has none, so that the form of its records is not known` };
  }
  const topic = jobs.facts.topicOf(target);
  if (topic === undefined) return { refused: `${quote(name)} has no topic that a job can read` };
  const make = () => continuousTest(test, topic, facts);
  if (assertionsOf(test).some(({ kind }) => readsOthers.has(kind))) return make();
  const { project, assumed } = jobs.facts;
  const { parsed } = project.resolved;
  const needs = [
    parsed.runtime,
    parsed.project?.value?.name,
    project.engineVersion,
    facts.violationsTopic,
    topicText(topic, memory),
    topic.eventTime?.origin,
    project.columns.get(target),
    assumed.get(target),
    [...facts.hidden(target)].join('\n'),
  ];
  return memory.remember('test job', { object: test, needs }, make);
}

/** What these assertions compare with depends on other topics. */
const readsOthers: ReadonlySet<string> = new Set<AssertionKind>(['custom_sql', 'foreign_key']);

/** `defaults.tests.violations_topic`, else one that has the name of the project. */
function violationsTopicOf({ resolved: { parsed } }: InferredProject): string {
  const named =
    parsed.defaults === undefined ? undefined : textAt(parsed.defaults.node, 'tests.violations_topic');
  const project = parsed.project?.value?.name ?? '';
  const prefix = project.replaceAll(/[^A-Za-z0-9._-]/gu, '-').slice(0, MAX_PREFIX);
  return named?.value ?? `${prefix}.test-violations`;
}

/** Names of topics have at most 249 characters. */
const MAX_PREFIX = 200;

/** Sensitive columns, which are in the topic under test as they are and need not be in another one. */
function hiddenColumns(project: InferredProject, memory: ObjectMemory): TestFacts['hidden'] {
  let flow: ClassificationFlow | undefined;
  return (node) => {
    flow ??= classificationFlow(project, memory);
    const found = [...(flow.get(node) ?? [])].filter(
      ([, { level, masks, masked }]) => !masked && (isSensitive(level) || masks.length > 0),
    );
    return new Set(found.map(([name]) => name));
  };
}
