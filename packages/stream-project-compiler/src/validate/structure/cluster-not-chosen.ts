import type { Materialization } from '@levada/stream-project-schema';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isTold } from '../../parse/is-told.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ParsedProject } from '../../parse/parse-project.ts';
import { type ClusterSystem, clustersOf } from '../../resolve/runtime-clusters.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { structureCodes } from './structure-codes.ts';

/** Of several clusters it is said which one runs what. One finding for each system, at its clusters. */
export const clusterNotChosen: Rule = ({ project }) => {
  const { parsed, models, tests } = project.resolved;
  const withoutCluster = (kind: Materialization, setting: 'engineCluster' | 'connectCluster') =>
    [...models.values()].filter(
      ({ name, definition, settings }) =>
        project.materialized.get(name)?.kind === kind &&
        settings[setting] === undefined &&
        isTold(definition.node, keys[setting]),
    );
  const continuous = [...tests.values()].filter(
    ({ definition: { node }, settings }) =>
      node.entries.get('type')?.node.value === 'continuous' &&
      settings.engineCluster === undefined &&
      isTold(node, 'engine_cluster'),
  );
  const jobs = withoutCluster('engine', 'engineCluster');
  return [
    ...ambiguous(parsed, 'engine', [...jobs.map(modelWords), ...continuous.map(testWords)]),
    ...ambiguous(parsed, 'connect', withoutCluster('sink', 'connectCluster').map(modelWords)),
  ];
};

/** Keys of models by which they say it themselves. */
const keys = {
  engineCluster: 'advanced.engine_cluster',
  connectCluster: 'advanced.connect_cluster',
} as const;

function modelWords({ name }: { readonly name: string }): string {
  return `model ${quote(name)}`;
}

function testWords({ name }: { readonly name: string }): string {
  return `test ${quote(name)}`;
}

function ambiguous(
  parsed: ParsedProject,
  system: ClusterSystem,
  without: readonly string[],
): readonly Diagnostic[] {
  const { runtime } = parsed;
  const names = [...(clustersOf(parsed, system)?.byName.keys() ?? [])];
  const [first, ...others] = without;
  if (runtime === undefined || first === undefined || names.length < 2) return [];
  // A default that is there and wrong was reported
  if (placeOf(runtime.node, `${system}.default`).node !== undefined) return [];
  if (!isTold(runtime.node, `${system}.default`)) return [];
  const path = `${system}.clusters`;
  const { keySpan, span } = placeOf(runtime.node, path);
  const more = others.length === 0 ? '' : ` and for ${others.length} more`;
  return [
    diagnose(structureCodes['cluster-not-chosen'], {
      message: `"runtime.${path}" has ${names.length} clusters, and nothing says which one is for ${first}${more}`,
      path: `runtime.${path}`,
      object: 'runtime',
      range: rangeAt(runtime.file, keySpan ?? span),
      hint: `name one in "runtime.${system}.default"`,
    }),
  ];
}
