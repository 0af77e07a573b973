import type { Materialization } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import type { Parsed } from '../parse/definition.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { shownText } from '../resolve/place-in-file.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import type { ModelSettings, Setting } from '../resolve/settings.ts';
import type { TextRange } from '../text/range.ts';
import { offsetAt, rangeAt } from '../text/source-file.ts';
import type { ExplainedPlace, ExplainedValue } from './model-explanation.ts';

interface SettingRow {
  readonly what: string;
  readonly setting: keyof ModelSettings;
  /** Where it has a meaning. */
  readonly kinds: readonly Materialization[];
}

const withTopic: readonly Materialization[] = ['engine', 'topic', 'virtual_topic'];

/** Settings that defaults can provide. */
const settingRows: readonly SettingRow[] = [
  { what: 'topic', setting: 'topicName', kinds: withTopic },
  { what: 'partitions', setting: 'partitions', kinds: withTopic },
  { what: 'replication factor', setting: 'replicationFactor', kinds: withTopic },
  { what: 'engine cluster', setting: 'engineCluster', kinds: ['engine', 'topic'] },
  { what: 'connect cluster', setting: 'connectCluster', kinds: ['sink'] },
];

/** Settings that only the model itself can provide. A key ending in "." means all keys below. */
const ownRows: readonly (readonly [path: string, what: string])[] = [
  ['key', 'partition key'],
  ['access', 'access'],
  ['group', 'group'],
  ['owner', 'owner'],
  ['version', 'version'],
  ['advanced.topic.config.', 'topic config'],
  ['advanced.engine.parallelism', 'parallelism'],
  ['advanced.engine.checkpoint_interval_ms', 'checkpoint interval in ms'],
  ['advanced.engine.state_ttl_ms', 'state kept in ms'],
  ['advanced.engine.state_backend', 'state backend'],
  ['advanced.gateway.virtual_topic.name', 'virtual topic'],
  ['advanced.gateway.virtual_topic.compression', 'compression'],
  ['sink.connector', 'connector'],
  ['sink.config.', 'connector config'],
  ['advanced.sink.connector', 'connector'],
  ['advanced.sink.config.', 'connector config'],
];

/** The settings of a model, after defaults, each with its origin. Settings without a value are omitted. */
export function explainValues(
  model: ResolvedModel,
  kind: Materialization | undefined,
  project: ParsedProject,
): readonly ExplainedValue[] {
  const settings = settingRows.flatMap(({ what, setting, kinds }) => {
    const found = model.settings[setting];
    if (found === undefined || found.unsure === true || (kind !== undefined && !kinds.includes(kind)))
      return [];
    return [explainSetting(what, found, project)];
  });
  return [...settings, ...ownRows.flatMap(([path, what]) => ownValues(model, path, what))];
}

function explainSetting(
  what: string,
  { value, origin }: Setting<string | number>,
  project: ParsedProject,
): ExplainedValue {
  return {
    what,
    value: written(origin.range, project) ?? value,
    path: origin.path,
    at: placeAt(origin.range),
  };
}

/** The text of a place when it has variables: what they were replaced by is not shown. */
function written(range: Setting<unknown>['origin']['range'], { files }: ParsedProject): string | undefined {
  const file = files.find((one) => one.file.path === range.file)?.file;
  const text = file?.text.slice(offsetAt(file, range.start), offsetAt(file, range.end));
  return text?.includes('${') === true ? text.replace(/^["'](.*)["']$/s, '$1') : undefined;
}

function ownValues({ definition }: ResolvedModel, path: string, what: string): readonly ExplainedValue[] {
  const all = path.endsWith('.');
  const { node, span } = placeOf(definition.node, all ? path.slice(0, -1) : path);
  const found: readonly { readonly key: string; readonly node: TypedNode }[] =
    all && node?.kind === 'object' ? [...node.entries.values()] : [];
  const values = all
    ? found.map((entry) => ({ what: `${what} ${entry.key}`, path: `${path}${entry.key}`, node: entry.node }))
    : [{ what, path, node }];
  return values.flatMap((one) => {
    const value = shownValue(one.node);
    if (value === undefined) return [];
    const at = placeIn(definition, one.node?.span ?? span);
    return [{ what: one.what, value, path: `${definition.path}.${one.path}`, at }];
  });
}

/** Where a range begins. */
export function placeAt({ file, start }: TextRange): ExplainedPlace {
  return { file, line: start.line, column: start.column };
}

/** Where a span of a definition begins. */
export function placeIn({ file }: Parsed<unknown>, span: Span): ExplainedPlace {
  return placeAt(rangeAt(file, span));
}

/** A value as it may be shown; undefined when it is absent, wrong, or no text, number or boolean. */
function shownValue(node: TypedNode | undefined): string | number | boolean | undefined {
  if (node?.known !== true || node.kind !== 'leaf') return undefined;
  const { value } = node;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const shown = shownText(node, String(value));
  return shown === String(value) ? value : shown;
}

/** As {@link shownValue}, in words. */
export function shownWords(node: TypedNode | undefined): string | undefined {
  const value = shownValue(node);
  return value === undefined ? undefined : String(value);
}
