import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ParsedProject } from '../../parse/parse-project.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { Rule } from '../rule.ts';
import { type ClusterSystem, clustersOf } from './clusters.ts';

/** Of several clusters it is said which one runs what. One finding for each system, at its clusters. */
export const clusterNotChosen: Rule = ({ project }) => {
  const { parsed, models, tests } = project.resolved;
  const kindOf = (name: string) => project.materialized.get(name)?.kind;
  const jobs = [...models.values()].filter(
    ({ name, settings }) => kindOf(name) === 'engine' && settings.engineCluster === undefined,
  );
  const sinks = [...models.values()].filter(
    ({ name, settings }) => kindOf(name) === 'sink' && settings.connectCluster === undefined,
  );
  const continuous = [...tests.values()].filter(
    ({ definition, settings }) =>
      definition.node.entries.get('type')?.node.value === 'continuous' &&
      settings.engineCluster === undefined,
  );
  return [
    ...ambiguous(parsed, 'engine', [...jobs.map(modelWords), ...continuous.map(testWords)]),
    ...ambiguous(parsed, 'connect', sinks.map(modelWords)),
  ];
};

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
  // A default that is there and wrong was reported
  if (runtime === undefined || first === undefined || names.length < 2) return [];
  if (placeOf(runtime.node, `${system}.default`).node !== undefined) return [];
  const path = `${system}.clusters`;
  const { keySpan, span } = placeOf(runtime.node, path);
  const more = others.length === 0 ? '' : ` and for ${others.length} more`;
  return [
    diagnose('cluster-not-chosen', {
      message: `"runtime.${path}" has ${names.length} clusters, and nothing says which one is for ${first}${more}`,
      path: `runtime.${path}`,
      object: 'runtime',
      range: rangeAt(runtime.file, keySpan ?? span),
      hint: `name one in "runtime.${system}.default"`,
    }),
  ];
}
