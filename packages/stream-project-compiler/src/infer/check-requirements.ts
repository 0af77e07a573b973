import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { ResolvedModel, ResolvedProject, ResolvedTest } from '../resolve/resolved-project.ts';
import { clustersOf, mayBeManaged } from '../resolve/runtime-clusters.ts';
import { hasGateway } from '../resolve/runtime-gateway.ts';
import { rangeAt } from '../text/source-file.ts';
import { inferCodes } from './infer-codes.ts';
import type { MaterializedAs } from './materialize.ts';
import { isLoss, virtualView } from './virtual-view.ts';

/** Systems of `runtime` that models and tests may need. */
interface Systems {
  readonly engine: boolean;
  readonly managedEngine: boolean;
  readonly gateway: boolean;
}

/** Reports models and tests that need an engine, a managed engine or a gateway where there is none. */
export function checkRequirements(
  resolved: ResolvedProject,
  materialized: ReadonlyMap<string, MaterializedAs>,
): readonly Diagnostic[] {
  const systems = systemsOf(resolved.parsed);
  if (systems === undefined || (systems.engine && systems.managedEngine && systems.gateway)) return [];
  const models = [...resolved.models.values()].flatMap((model) => [
    ...checkKind(model, materialized.get(model.name), systems),
    ...checkModelCalls(model, systems),
  ]);
  const tests = [...resolved.tests.values()].flatMap((test) => checkTest(test, systems));
  return [...models, ...tests];
}

/** Undefined when the section is missing. A system that cannot be determined is assumed to exist. */
function systemsOf(parsed: ParsedProject): Systems | undefined {
  if (parsed.runtime === undefined) return undefined;
  const engine = clustersOf(parsed, 'engine');
  return {
    engine: engine?.isThere ?? true,
    managedEngine: engine === undefined || [...engine.byName.values()].some(mayBeManaged),
    gateway: hasGateway(parsed) ?? true,
  };
}

function checkKind(
  { name, definition, sql }: ResolvedModel,
  as: MaterializedAs | undefined,
  systems: Systems,
): readonly Diagnostic[] {
  if (as?.kind === 'engine' && !systems.engine) {
    const message = `model ${quote(name)} runs on the engine because ${as.reason}, but "runtime.engine" is not defined`;
    return [
      diagnose(inferCodes['engine-required'], {
        message,
        path: `${definition.path}.sql`,
        object: definition.object,
        range: as.range,
        hint: 'define a cluster in "runtime.engine"',
      }),
    ];
  }
  if (as?.kind !== 'virtual_topic' || systems.gateway) return [];
  const message = `model ${quote(name)} is a virtual topic because ${as.reason}, but "runtime.vendor.gateway" is not defined`;
  return [
    diagnose(inferCodes['gateway-required'], {
      message,
      path: `${definition.path}.advanced.gateway`,
      object: definition.object,
      range: as.range,
      hint: gatewayHint(sql),
    }),
  ];
}

/** A gateway is no help where the virtual topic would lose a part of the SQL. */
function gatewayHint(sql: ResolvedModel['sql']): string {
  const loss = sql === undefined ? undefined : virtualView(sql);
  if (!isLoss(loss)) return 'define the gateway in "runtime.vendor.gateway"';
  return `remove "advanced.gateway": a virtual topic does not support ${loss.what} in its SQL`;
}

function checkModelCalls({ name, definition, sql }: ResolvedModel, systems: Systems): readonly Diagnostic[] {
  const call = systems.managedEngine
    ? undefined
    : sql?.kind?.facts.find(({ feature }) => feature === 'ml-call');
  if (sql === undefined || call === undefined) return [];
  return [
    diagnose(inferCodes['managed-engine-required'], {
      message: `model ${quote(name)} calls a machine-learning function, but no cluster of "runtime.engine" is of type "managed"`,
      path: `${definition.path}.sql`,
      object: definition.object,
      range: sql.rangeOf(call),
      hint: 'add a cluster with "type: managed" to "runtime.engine.clusters"',
    }),
  ];
}

function checkTest({ name, definition }: ResolvedTest, systems: Systems): readonly Diagnostic[] {
  const { node, span } = placeOf(definition.node, 'type');
  if (systems.engine || node?.value !== 'continuous') return [];
  return [
    diagnose(inferCodes['engine-required'], {
      message: `test ${quote(name)} is continuous and runs on the engine, but "runtime.engine" is not defined`,
      path: `${definition.path}.type`,
      object: definition.object,
      range: rangeAt(definition.file, span),
      hint: 'define a cluster in "runtime.engine"',
    }),
  ];
}
