import type { Definition, Parsed } from '../parse/definition.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';

/** A value that holds for a model or test, and where it comes from. */
export interface Setting<T> {
  readonly value: T;
  /** Its file and place there: of the definition itself, or of a default. */
  readonly origin: SettingOrigin;
}

export interface SettingOrigin {
  /** Keys from the top of the file: `models[0].advanced.topic.partitions`, `defaults.topic.partitions`. */
  readonly path: string;
  readonly range: TextRange;
}

/** What holds for a model. Undefined: nothing says it. */
export interface ModelSettings {
  /** Engine cluster for its job. */
  readonly engineCluster: Setting<string> | undefined;
  /** Cluster of the connector runtime for its sink. */
  readonly connectCluster: Setting<string> | undefined;
  /** Output topic; the name of the model where nothing else says it. */
  readonly topicName: Setting<string> | undefined;
  readonly partitions: Setting<number> | undefined;
  readonly replicationFactor: Setting<number> | undefined;
}

/** What holds for a test. */
export interface TestSettings {
  readonly engineCluster: Setting<string> | undefined;
}

/** Where a setting is looked for: `self` is the definition. `only` is the one key of a map, if it has just one. */
interface Candidate {
  readonly in: 'self' | 'defaults' | 'runtime';
  readonly path: string;
  readonly only?: true;
}

/** Each setting from what wins to what loses. */
const modelRows = {
  engineCluster: [
    { in: 'self', path: 'advanced.engine_cluster' },
    { in: 'defaults', path: 'models.cluster' },
    { in: 'runtime', path: 'engine.default' },
    { in: 'runtime', path: 'engine.clusters', only: true },
  ],
  connectCluster: [
    { in: 'self', path: 'advanced.connect_cluster' },
    { in: 'runtime', path: 'connect.default' },
    { in: 'runtime', path: 'connect.clusters', only: true },
  ],
  topicName: [
    { in: 'self', path: 'advanced.topic.name' },
    { in: 'self', path: 'name' },
  ],
  partitions: [
    { in: 'self', path: 'advanced.topic.partitions' },
    { in: 'defaults', path: 'models.topic.partitions' },
    { in: 'defaults', path: 'topic.partitions' },
  ],
  replicationFactor: [
    { in: 'self', path: 'advanced.topic.replication_factor' },
    { in: 'defaults', path: 'models.topic.replication_factor' },
    { in: 'defaults', path: 'topic.replication_factor' },
  ],
} as const satisfies Record<keyof ModelSettings, readonly Candidate[]>;

const testRow = [
  { in: 'self', path: 'engine_cluster' },
  { in: 'defaults', path: 'tests.engine_cluster' },
  { in: 'runtime', path: 'engine.default' },
  { in: 'runtime', path: 'engine.clusters', only: true },
] as const satisfies readonly Candidate[];

/** What holds for a model: its own values, then those of defaults, each by itself. */
export function modelSettings(model: Definition<'model'>, project: ParsedProject): ModelSettings {
  return {
    engineCluster: textSetting(modelRows.engineCluster, model, project),
    connectCluster: textSetting(modelRows.connectCluster, model, project),
    topicName: textSetting(modelRows.topicName, model, project),
    partitions: numberSetting(modelRows.partitions, model, project),
    replicationFactor: numberSetting(modelRows.replicationFactor, model, project),
  };
}

/** What holds for a test. */
export function testSettings(test: Definition<'test'>, project: ParsedProject): TestSettings {
  return { engineCluster: textSetting(testRow, test, project) };
}

type Find<T> = (
  candidates: readonly Candidate[],
  self: Definition,
  project: ParsedProject,
) => Setting<T> | undefined;

const textSetting: Find<string> = (candidates, self, project) =>
  firstSetting(candidates, { self, project, accepts: (value): value is string => typeof value === 'string' });

const numberSetting: Find<number> = (candidates, self, project) =>
  firstSetting(candidates, { self, project, accepts: (value): value is number => typeof value === 'number' });

interface Lookup<T> {
  readonly self: Definition;
  readonly project: ParsedProject;
  readonly accepts: (value: unknown) => value is T;
}

function firstSetting<T>(candidates: readonly Candidate[], lookup: Lookup<T>): Setting<T> | undefined {
  for (const candidate of candidates) {
    const section = candidate.in === 'self' ? lookup.self : lookup.project[candidate.in];
    const found = section === undefined ? undefined : settingAt(section, candidate, lookup.accepts);
    if (found !== undefined) return found;
  }
  return undefined;
}

function settingAt<T>(
  section: Parsed<unknown>,
  { path, only }: Candidate,
  accepts: Lookup<T>['accepts'],
): Setting<T> | undefined {
  const { node, span } = placeOf(section.node, path);
  if (node === undefined) return undefined;
  const [key, another] = only === true && node.kind === 'object' ? node.entries.values() : [];
  const value = only === true ? key?.key : node.value;
  if (another !== undefined || !accepts(value) || (only !== true && !node.known)) return undefined;
  const range = rangeAt(section.file, key?.keySpan ?? span);
  const steps = [section.path, path, ...(key === undefined ? [] : [key.key])];
  return { value, origin: { path: steps.join('.'), range } };
}
