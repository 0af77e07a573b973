import { diagnose } from '../../diagnostics/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { placeOf } from '../../parse/node-place.ts';
import { clustersOf, mayBeManaged } from '../../resolve/runtime-clusters.ts';
import type { Rule } from '../rule.ts';
import { shownSetting } from '../setting-node.ts';
import { structureCodes } from './structure-codes.ts';

/** A model that calls a machine-learning function runs on a cluster of type `managed`, where the project has one. */
export const clusterNotManaged: Rule = ({ project }) => {
  const { parsed, models } = project.resolved;
  const clusters = clustersOf(parsed, 'engine')?.byName;
  const managed = [...(clusters ?? [])].filter(([, node]) => placeOf(node, 'type').node?.value === 'managed');
  const [first] = managed;
  // Without any, that was reported
  if (clusters === undefined || first === undefined) return [];
  return [...models.values()].flatMap(({ definition, name, sql, settings: { engineCluster } }) => {
    const call = sql?.kind?.facts.find(({ feature }) => feature === 'ml-call');
    const chosen = engineCluster === undefined ? undefined : clusters.get(engineCluster.value);
    if (sql === undefined || call === undefined || engineCluster === undefined || chosen === undefined)
      return [];
    if (mayBeManaged(chosen)) return [];
    const shown = shownSetting(parsed, definition, engineCluster);
    return [
      diagnose(structureCodes['cluster-not-managed'], {
        message: `model ${quote(name)} calls a machine-learning function and runs on the cluster ${quote(shown)}, which is not of type "managed"`,
        path: `${definition.path}.sql`,
        object: definition.object,
        range: sql.rangeOf(call),
        related: [{ message: 'the cluster is chosen here', range: engineCluster.origin.range }],
        hint: `set "advanced.engine_cluster" to "${first[0]}"`,
      }),
    ];
  });
};
