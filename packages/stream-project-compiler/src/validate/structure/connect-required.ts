import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { clustersOf } from '../../resolve/runtime-clusters.ts';
import type { Rule } from '../rule.ts';
import { hasSink } from './has-sink.ts';
import { structureCodes } from './structure-codes.ts';

/** A project with sinks has a connector runtime that runs them. */
export const connectRequired: Rule = ({ project }) => {
  const connect = clustersOf(project.resolved.parsed, 'connect');
  if (connect === undefined || connect.isThere) return [];
  return [...project.resolved.models.values()].flatMap(({ definition, name }) => {
    const as = project.materialized.get(name);
    if (as?.kind !== 'sink' || !hasSink(definition)) return [];
    return [
      diagnose(structureCodes['connect-required'], {
        message: `model ${quote(name)} is a sink, because ${as.reason}, and "runtime.connect" is missing`,
        path: `${definition.path}.from`,
        object: definition.object,
        range: as.range,
        hint: 'describe a cluster in "runtime.connect"',
      }),
    ];
  });
};
