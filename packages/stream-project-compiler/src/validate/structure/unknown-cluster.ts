import type { Materialization } from '@levada/stream-project-schema';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { InferredProject } from '../../infer/infer-project.ts';
import type { Definition } from '../../parse/definition.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { type ClusterSystem, clustersOf } from '../../resolve/runtime-clusters.ts';
import { nameHints } from '../name-hint.ts';
import { type PlacedText, placedText } from '../placed-text.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/**
 * Every cluster that something names is one of `runtime`. It is an error where something runs there, a warning where a default is
 * taken by nobody or a test does not run on the engine.
 */
export const unknownCluster: Rule = ({ project }) => [
  ...unknownIn(project, 'engine', engineUses(project)),
  ...unknownIn(project, 'connect', connectUses(project)),
];

/** The same of the clusters that models name. */
export const unknownModelCluster: Rule = ({ project }) => [
  ...unknownIn(project, 'engine', jobUses(project)),
  ...unknownIn(project, 'connect', sinkUses(project)),
];

/** A place that names a cluster. */
interface ClusterUse {
  /** In words, as in messages: `model "orders"`. */
  readonly who: () => string;
  readonly object: string;
  readonly text: PlacedText | undefined;
  /** Whether something runs on the cluster. */
  readonly runs: boolean;
  /** Whether a system that is missing altogether is reported for it anyway. */
  readonly needsSystem: boolean;
}

function unknownIn(
  { resolved }: InferredProject,
  system: ClusterSystem,
  uses: readonly ClusterUse[],
): readonly Diagnostic[] {
  const clusters = clustersOf(resolved.parsed, system);
  if (clusters === undefined) return [];
  const where = `runtime.${system}.clusters`;
  const hintFor = nameHints([...clusters.byName.keys()]);
  return uses.flatMap(({ who, object, text, runs, needsSystem }) => {
    if (text === undefined || clusters.byName.has(text.value)) return [];
    if (needsSystem && !clusters.isThere) return [];
    return [
      diagnose(runs ? structureCodes['unknown-cluster'] : structureCodes['unknown-cluster-unused'], {
        message: `${who()} names the cluster ${quote(text.shown)}, which "${where}" does not have`,
        path: text.path,
        object,
        range: text.range,
        hint: hintFor(text.value) ?? `describe it in "${where}"`,
      }),
    ];
  });
}

function engineUses(project: InferredProject): readonly ClusterUse[] {
  const { resolved } = project;
  const tests = [...resolved.tests.values()];
  const running = tests.filter(({ definition }) => isContinuous(definition));
  const taken = new Set(
    [...jobsOf(project), ...running].map(({ settings: { engineCluster } }) => engineCluster?.origin.path),
  );
  const { runtime, defaults } = resolved.parsed;
  return [
    sectionUse(placedText(runtime, 'engine.default'), taken),
    sectionUse(placedText(defaults, 'models.cluster'), taken),
    sectionUse(placedText(defaults, 'tests.engine_cluster'), taken),
    ...tests.map(({ definition }) => ({
      ...definitionUse(definition, 'engine_cluster'),
      runs: isContinuous(definition),
      needsSystem: isContinuous(definition),
    })),
  ];
}

function connectUses(project: InferredProject): readonly ClusterUse[] {
  const taken = new Set(
    sinksOf(project).map(({ settings: { connectCluster } }) => connectCluster?.origin.path),
  );
  return [sectionUse(placedText(project.resolved.parsed.runtime, 'connect.default'), taken)];
}

function jobUses(project: InferredProject): readonly ClusterUse[] {
  return jobsOf(project).map(({ definition, name }) => ({
    ...definitionUse(definition, 'advanced.engine_cluster'),
    needsSystem: project.materialized.get(name)?.kind === 'engine',
  }));
}

function sinkUses(project: InferredProject): readonly ClusterUse[] {
  return sinksOf(project).map(({ definition }) => ({
    ...definitionUse(definition, 'advanced.connect_cluster'),
    needsSystem: true,
  }));
}

function jobsOf({ resolved, materialized }: InferredProject): readonly ResolvedModel[] {
  return [...resolved.models.values()].filter(({ name }) => runsJob(materialized.get(name)?.kind));
}

function sinksOf({ resolved, materialized }: InferredProject): readonly ResolvedModel[] {
  return [...resolved.models.values()].filter(({ name }) => materialized.get(name)?.kind === 'sink');
}

/** For other kinds the name has no effect, which is reported. */
function runsJob(kind: Materialization | undefined): boolean {
  return kind === undefined || kind === 'engine' || kind === 'topic';
}

function isContinuous(test: Definition<'test'>): boolean {
  return test.node.entries.get('type')?.node.value === 'continuous';
}

function definitionUse(definition: Definition, path: string): Omit<ClusterUse, 'needsSystem'> {
  const { kind, object, name } = definition;
  return {
    who: () => `${kind} ${quote(name ?? '')}`,
    object,
    text: placedText(definition, path),
    runs: true,
  };
}

function sectionUse(text: PlacedText | undefined, taken: ReadonlySet<string | undefined>): ClusterUse {
  const path = text?.path ?? '';
  return {
    who: () => quote(path),
    object: path.slice(0, path.indexOf('.')),
    text,
    runs: taken.has(path),
    needsSystem: false,
  };
}
