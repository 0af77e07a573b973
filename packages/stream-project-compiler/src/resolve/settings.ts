import type { Definition, Parsed } from '../parse/definition.ts';
import { isDeclared } from '../parse/is-declared.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';

/** A value that holds for a model or test, and where it comes from. */
export interface Setting<T> {
  readonly value: T;
  /** Its file and place there: of the definition itself, or of a default. */
  readonly origin: SettingOrigin;
  /** A setting that takes precedence is misspelt or wrong, which was reported; this value is not checked any further. */
  readonly unsure?: true;
}

export interface SettingOrigin {
  /** Keys from the top of the file: `models[0].advanced.topic.partitions`, `defaults.topic.partitions`. */
  readonly path: string;
  readonly range: TextRange;
}

/** The settings of a model. Undefined: not set. */
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

/** The settings of a test. */
export interface TestSettings {
  readonly engineCluster: Setting<string> | undefined;
}

/** Where a setting is looked for: `self` is the definition. `only` is the one key of a map, if it has just one. */
interface Candidate {
  readonly in: 'self' | 'defaults' | 'runtime';
  readonly path: readonly string[];
  readonly only?: true;
}

const engineClusters: readonly Candidate[] = [
  { in: 'runtime', path: ['engine', 'default'] },
  { in: 'runtime', path: ['engine', 'clusters'], only: true },
];

/** Where each setting is looked up, by precedence. */
const rows = {
  modelEngineCluster: [
    { in: 'self', path: ['advanced', 'engine_cluster'] },
    { in: 'defaults', path: ['models', 'cluster'] },
    ...engineClusters,
  ],
  testEngineCluster: [
    { in: 'self', path: ['engine_cluster'] },
    { in: 'defaults', path: ['tests', 'engine_cluster'] },
    ...engineClusters,
  ],
  connectCluster: [
    { in: 'self', path: ['advanced', 'connect_cluster'] },
    { in: 'runtime', path: ['connect', 'default'] },
    { in: 'runtime', path: ['connect', 'clusters'], only: true },
  ],
  topicName: [
    { in: 'self', path: ['advanced', 'topic', 'name'] },
    { in: 'self', path: ['name'] },
  ],
  partitions: [
    { in: 'self', path: ['advanced', 'topic', 'partitions'] },
    { in: 'defaults', path: ['models', 'topic', 'partitions'] },
    { in: 'defaults', path: ['topic', 'partitions'] },
  ],
  replicationFactor: [
    { in: 'self', path: ['advanced', 'topic', 'replication_factor'] },
    { in: 'defaults', path: ['models', 'topic', 'replication_factor'] },
    { in: 'defaults', path: ['topic', 'replication_factor'] },
  ],
} as const satisfies Readonly<Record<string, readonly Candidate[]>>;

/** Settings of a project's models and tests. */
export interface SettingsReader {
  /** The settings of a model: its own values, then those of defaults, each independently. */
  readonly ofModel: (model: Definition<'model'>) => ModelSettings;
  readonly ofTest: (test: Definition<'test'>) => TestSettings;
}

/** Looks at defaults and `runtime` once. */
export function settingsReader(project: ParsedProject): SettingsReader {
  const modelEngine = settingOf(project, rows.modelEngineCluster, isText);
  const testEngine = settingOf(project, rows.testEngineCluster, isText);
  const connect = settingOf(project, rows.connectCluster, isText);
  const topicName = settingOf(project, rows.topicName, isText);
  const partitions = settingOf(project, rows.partitions, isNumber);
  const replicationFactor = settingOf(project, rows.replicationFactor, isNumber);
  return {
    ofModel: (model) => ({
      engineCluster: modelEngine(model),
      connectCluster: connect(model),
      topicName: topicName(model),
      partitions: partitions(model),
      replicationFactor: replicationFactor(model),
    }),
    ofTest: (test) => ({ engineCluster: testEngine(test) }),
  };
}

type Accepts<T> = (value: unknown) => value is T;

const isText: Accepts<string> = (value): value is string => typeof value === 'string';
const isNumber: Accepts<number> = (value): value is number => typeof value === 'number';

function settingOf<T>(
  project: ParsedProject,
  candidates: readonly Candidate[],
  accepts: Accepts<T>,
): (self: Definition) => Setting<T> | undefined {
  const own = candidates.filter((candidate) => candidate.in === 'self');
  const shared = candidates.filter((candidate) => candidate.in !== 'self');
  const otherwise = firstSetting(
    shared.map((candidate) => settingAt(sectionOf(project, candidate), candidate, accepts)),
  );
  return (self) => {
    const found = own.map((candidate) => settingAt(self, candidate, accepts));
    return firstSetting([...found, otherwise]);
  };
}

function sectionOf(project: ParsedProject, candidate: Candidate): Parsed<unknown> | undefined {
  return candidate.in === 'defaults' ? project.defaults : project.runtime;
}

/** What a place says; `undeclared` where a key is misspelt or a value is wrong. */
type Said<T> = Setting<T> | 'undeclared' | undefined;

function firstSetting<T>(found: readonly Said<T>[]): Setting<T> | undefined {
  let undeclared = false;
  for (const said of found) {
    if (said === 'undeclared') undeclared = true;
    else if (said !== undefined) return undeclared ? { ...said, unsure: true } : said;
  }
  return undefined;
}

function settingAt<T>(
  section: Parsed<unknown> | undefined,
  { path, only }: Candidate,
  accepts: Accepts<T>,
): Said<T> {
  if (section === undefined) return undefined;
  const { node, span } = placeOf(section.node, path);
  if (node === undefined) return isDeclared(section.node, path) ? undefined : 'undeclared';
  if (only === true) return onlyKey(section, node, { path, accepts });
  if (!node.known || !accepts(node.value)) return 'undeclared';
  return {
    value: node.value,
    origin: { path: pathBelow(section, path), range: rangeAt(section.file, span) },
  };
}

function onlyKey<T>(
  section: Parsed<unknown>,
  node: TypedNode,
  { path, accepts }: { readonly path: readonly string[]; readonly accepts: Accepts<T> },
): Setting<T> | undefined {
  const [first, another] = node.kind === 'object' ? node.entries.values() : [];
  if (first === undefined || another !== undefined || !accepts(first.key)) return undefined;
  const range = rangeAt(section.file, first.keySpan);
  return { value: first.key, origin: { path: pathBelow(section, [...path, first.key]), range } };
}

function pathBelow(section: Parsed<unknown>, path: readonly string[]): string {
  return [section.path, ...path].join('.');
}
