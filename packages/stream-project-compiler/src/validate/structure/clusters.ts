import type { Materialization } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { ParsedProject } from '../../parse/parse-project.ts';
import type { ResolvedModel, ResolvedTest } from '../../resolve/resolved-project.ts';
import { type ClusterSystem, clustersOf, mayBeManaged } from '../../resolve/runtime-clusters.ts';
import { at, atSql, finding, named } from '../finding.ts';
import { nameHints } from '../name-hint.ts';
import type { ModelRule, Rule } from '../rule.ts';
import { shownSetting, type WrittenText, writtenText } from '../written-value.ts';
import { hasSink } from './sinks.ts';
import { structureCodes } from './structure-codes.ts';

/** A system with clusters, and what names them. */
interface SystemRow {
  readonly system: ClusterSystem;
  /** What runs there. A missing system is reported for it anyway. */
  readonly kind: Materialization;
  /** What may run there: for other kinds the key has no effect, which is reported. */
  readonly mayRun: readonly (Materialization | undefined)[];
  /** The key of a model, and the setting that it is a part of. */
  readonly key: string;
  readonly setting: 'engineCluster' | 'connectCluster';
  readonly defaults: readonly (readonly ['runtime' | 'defaults', string])[];
}

const systems: readonly SystemRow[] = [
  {
    system: 'engine',
    kind: 'engine',
    mayRun: [undefined, 'engine', 'topic'],
    key: 'advanced.engine_cluster',
    setting: 'engineCluster',
    defaults: [
      ['runtime', 'engine.default'],
      ['defaults', 'models.cluster'],
      ['defaults', 'tests.engine_cluster'],
    ],
  },
  {
    system: 'connect',
    kind: 'sink',
    mayRun: ['sink'],
    key: 'advanced.connect_cluster',
    setting: 'connectCluster',
    defaults: [['runtime', 'connect.default']],
  },
];

/** Only tests of this type run, and they run on the engine. */
function isContinuous({ definition }: ResolvedTest): boolean {
  return definition.node.entries.get('type')?.node.value === 'continuous';
}

/** A text that names a cluster. */
interface ClusterUse {
  readonly text: WrittenText | undefined;
  /** As messages name it: `model "orders"`. */
  readonly user: () => string;
  /** Whether something runs on the cluster. */
  readonly runs: boolean;
  /** Whether a system that is missing altogether is reported for it anyway. */
  readonly needsSystem: boolean;
}

/** Reports names of clusters that a system does not have. Silent where its clusters are not known. */
function unknownIn(
  runtime: Pick<ParsedProject, 'runtime'>,
  system: ClusterSystem,
): (use: ClusterUse) => readonly Diagnostic[] {
  const clusters = clustersOf(runtime, system);
  if (clusters === undefined) return () => [];
  const where = `runtime.${system}.clusters`;
  const hintFor = nameHints([...clusters.byName.keys()]);
  return ({ text, user, runs, needsSystem }) => {
    if (text === undefined || clusters.byName.has(text.value)) return [];
    if (needsSystem && !clusters.isThere) return [];
    return [
      finding(structureCodes[runs ? 'unknown-cluster' : 'unknown-cluster-unused'], text.place, {
        message: `${user()}: cluster ${quote(text.shown)} is not defined in "${where}"`,
        hint: hintFor(text.value) ?? `define it in "${where}"`,
      }),
    ];
  };
}

/**
 * Every cluster that a default or a test names is one of `runtime`. It is an error where something runs there, a warning where nothing
 * takes the default or the test does not run on the engine.
 */
export const unknownCluster: Rule = ({ project: { resolved, materialized } }) =>
  systems.flatMap(({ system, mayRun, setting, defaults }) => {
    const report = unknownIn(resolved.parsed, system);
    const models = [...resolved.models.values()].filter(({ name }) =>
      mayRun.includes(materialized.get(name)?.kind),
    );
    const tests = system === 'engine' ? [...resolved.tests.values()] : [];
    const taken = new Set([
      ...models.map(({ settings }) => settings[setting]?.origin.path),
      ...tests.filter(isContinuous).map(({ settings }) => settings.engineCluster?.origin.path),
    ]);
    return [
      ...defaults.flatMap(([section, path]) => {
        const key = `${section}.${path}`;
        const text = writtenText(resolved.parsed[section], path);
        return report({ text, user: () => quote(key), runs: taken.has(key), needsSystem: false });
      }),
      ...tests.flatMap((test) => {
        const { definition } = test;
        const text = writtenText(definition, 'engine_cluster');
        const runs = isContinuous(test);
        return report({ text, user: () => named(definition), runs, needsSystem: runs });
      }),
    ];
  });

/** Every cluster that a model names is one of `runtime`. */
export const unknownModelCluster: ModelRule = (context) => {
  const rows = systems.map((row) => ({ ...row, report: unknownIn(context, row.system) }));
  return ({ model: { definition }, as }) =>
    rows.flatMap(({ kind, mayRun, key, report }) => {
      if (!mayRun.includes(as?.kind)) return [];
      const text = writtenText(definition, key);
      return report({ text, user: () => named(definition), runs: true, needsSystem: as?.kind === kind });
    });
};

/** Where a system has several clusters, something says which one runs what. One finding for each system, at its clusters. */
export const clusterNotChosen: Rule = ({ project: { resolved, materialized } }) =>
  systems.flatMap(({ system, kind, key, setting }) => {
    const { parsed, models, tests } = resolved;
    const isOpen = ({ name, definition, settings }: ResolvedModel) =>
      materialized.get(name)?.kind === kind &&
      settings[setting] === undefined &&
      isDeclared(definition.node, key);
    const isTestOpen = (test: ResolvedTest) =>
      isContinuous(test) &&
      test.settings.engineCluster === undefined &&
      isDeclared(test.definition.node, 'engine_cluster');
    const open = [
      ...[...models.values()].filter(isOpen),
      ...(system === 'engine' ? [...tests.values()].filter(isTestOpen) : []),
    ];
    const { runtime } = parsed;
    const count = clustersOf(parsed, system)?.byName.size ?? 0;
    const [first, ...others] = open;
    if (runtime === undefined || first === undefined || count < 2) return [];
    // A default that is there and wrong was reported
    if (placeOf(runtime.node, `${system}.default`).node !== undefined) return [];
    if (!isDeclared(runtime.node, `${system}.default`)) return [];
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const path = `${system}.clusters`;
    return [
      finding(structureCodes['cluster-not-chosen'], at(runtime, path, 'key'), {
        message: `"runtime.${path}" defines ${count} clusters and no default, so the cluster of ${named(first.definition)}${more} is ambiguous`,
        hint: `set "runtime.${system}.default"`,
      }),
    ];
  });

/** A model that calls a machine-learning function runs on a cluster of type `managed`, where the project has one. */
export const clusterNotManaged: ModelRule = (context) => {
  const clusters = clustersOf(context, 'engine')?.byName ?? new Map<string, never>();
  const managed = [...clusters].find(([, node]) => placeOf(node, 'type').node?.value === 'managed');
  // Without any, that was reported
  if (managed === undefined) return undefined;
  return ({ model: { definition, sql, settings } }) => {
    const { engineCluster } = settings;
    const call = sql?.kind?.facts.find(({ feature }) => feature === 'ml-call');
    const chosen = engineCluster === undefined ? undefined : clusters.get(engineCluster.value);
    if (sql === undefined || call === undefined || engineCluster === undefined || chosen === undefined)
      return [];
    if (mayBeManaged(chosen)) return [];
    const shown = shownSetting(context, definition, engineCluster);
    return [
      finding(structureCodes['cluster-not-managed'], atSql({ definition, sql }, call), {
        message: `${named(definition)} calls a machine-learning function, but its cluster ${quote(shown)} is not of type "managed"`,
        related: [{ message: 'cluster set here', range: engineCluster.origin.range }],
        hint: `set "advanced.engine_cluster" to "${managed[0]}"`,
      }),
    ];
  };
};

/** A project with sinks has a connector runtime that runs them. */
export const connectRequired: ModelRule = (context) => {
  const connect = clustersOf(context, 'connect');
  if (connect === undefined || connect.isThere) return undefined;
  return ({ model: { definition }, as }) => {
    if (as?.kind !== 'sink' || !hasSink(definition)) return [];
    return [
      finding(
        structureCodes['connect-required'],
        { ...at(definition, 'from'), range: as.range },
        {
          message: `${named(definition)} is a sink because ${as.reason}, but "runtime.connect" is not defined`,
          hint: 'define a cluster in "runtime.connect"',
        },
      ),
    ];
  };
};
