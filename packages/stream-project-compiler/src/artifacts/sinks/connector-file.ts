import { sinkConnectorClasses } from '@levada/stream-project-schema';
import type { InferredProject } from '../../infer/infer-project.ts';
import { modelMasks } from '../../infer/masks.ts';
import { textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import { isOnlyReferences } from '../../parse/secret-in-clear.ts';
import type { EntryNode, LeafNode, TypedNode } from '../../parse/typed-node.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import type { SourceFile } from '../../text/source-file.ts';
import { object, type SchemaPart, text } from '../schema-parts.ts';
import { topicNames } from '../topic-names.ts';
import { withMasks } from './mask-transforms.ts';
import { recordConfig } from './record-config.ts';

/** A connector as the connector runtime takes it: the body of `POST /connectors`. */
interface ConnectorFile {
  readonly body: { readonly name: string; readonly config: Readonly<Record<string, string>> };
  /** Whether the project's own files hold a secret of it, which is then in here too. */
  readonly secret: boolean;
}

/** The JSON Schema (draft 2020-12) of `connectors/<model>.json`, which is the body of a request and so names no shape of its own. */
export const connectorFileJsonSchema: SchemaPart = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Connector of a compiled stream project',
  ...object({
    name: text,
    config: {
      type: 'object',
      properties: { name: text, 'connector.class': text, topics: text },
      required: ['name', 'connector.class', 'topics'],
      additionalProperties: text,
    },
  }),
};

/**
 * The connectors of a project. The class of a word of `sink.connector` is what the caller says (`given`), else what
 * `runtime.connect.connector_classes` says, else that of the built-in table; any other text is a class itself. What the compiler
 * says (`name`, `connector.class`, `topics`) wins over `sink.config`, which wins over what follows from the records (converters, errors, keys). Masks of the sink are transformations before those of the project.
 */
export function connectorFiles(
  project: InferredProject,
  given: Readonly<Record<string, string>>,
): readonly ConnectorFile[] {
  const names = topicNames(project);
  const classes = connectorClasses(project, given);
  return [...project.resolved.models.values()].flatMap((model) => {
    if (project.materialized.get(model.name)?.kind !== 'sink') return [];
    const { connector, config } = sinkOf(model);
    if (connector === undefined) return [];
    const masks = modelMasks(model.definition).masks.filter(({ roles }) => roles === undefined);
    const className = classes.get(connector) ?? connector;
    const own = new Map([...config.texts].filter(([key]) => !reservedKeys.has(key)));
    const records = recordConfig(project, model, { connector, className, config: own });
    const texts = new Map([
      ...records.texts,
      ...withMasks(own, masks),
      ['name', model.name],
      ['connector.class', className],
      ['levada.project', project.resolved.parsed.project?.value?.name ?? ''],
      ['topics', names.readBy(model).join(',')],
    ]);
    const sorted = [...texts].sort(([one], [other]) => (one < other ? -1 : 1));
    const body = { name: model.name, config: Object.fromEntries(sorted) };
    const isReplaced = (key: string) => own.has(key);
    const secret = config.secretKeys.size > 0 || ![...records.secretKeys].every(isReplaced);
    return [{ body, secret }];
  });
}

/** Keys of a connector that the model says, and what says them. Connect takes `topics` or `topics.regex`, not both. */
export const reservedKeys: ReadonlyMap<string, string> = new Map([
  ['name', 'the "name" of the model'],
  ['connector.class', '"sink.connector"'],
  ['topics', '"from"'],
  ['topics.regex', '"from"'],
]);

/** Class by the word of `sink.connector`. */
export function connectorClasses(
  { resolved }: InferredProject,
  given: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> {
  const { runtime } = resolved.parsed;
  const words = Object.entries(sinkConnectorClasses).map(([word, { className }]): [string, string] => {
    const path = ['connect', 'connector_classes', word];
    const own = runtime === undefined ? undefined : textAt(runtime.node, path);
    return [word, own?.value ?? className];
  });
  return new Map([...words, ...Object.entries(given)]);
}

/** Configuration as text, and which of it must not be shown. */
export interface ConfigTexts {
  readonly texts: ReadonlyMap<string, string>;
  /** Keys whose text holds a secret that is written in the project's own file. */
  readonly secretKeys: ReadonlySet<string>;
}

/** No configuration. */
const none: ConfigTexts = { texts: new Map(), secretKeys: new Set() };

/**
 * A map of configuration with every value as text, as topics and connectors take it. Variables stay as they are written
 * (`${NAME}`, and `$${` for the text `${`): they are replaced where the artifact is applied, so that no value of the environment
 * is ever written to a file. Lists are joined by commas, other structures written as JSON.
 */
export function configTexts(map: TypedNode | undefined, file: SourceFile): ConfigTexts {
  if (map?.kind !== 'object') return none;
  const entries = [...map.entries.values()].filter(({ node }) => node.known);
  return {
    texts: new Map(entries.map(({ key, node }) => [key, textOf(node, file)])),
    secretKeys: new Set(entries.filter(holdsSecret).map(({ key }) => key)),
  };
}

function textOf(node: TypedNode, file: SourceFile): string {
  if (node.kind === 'leaf') return leafText(node, file);
  if (node.kind === 'list' && node.items.every(({ kind }) => kind === 'leaf')) {
    return node.items.map((item) => textOf(item, file)).join(',');
  }
  return JSON.stringify(structureOf(node));
}

/** Long whole numbers lose digits when they are read as numbers. */
function leafText({ scalar }: LeafNode, { text }: SourceFile): string {
  const { value, span } = scalar;
  if (typeof value !== 'number') return value === null ? '' : String(value);
  const written = text.slice(span.start, span.end);
  return /^-?\d+$/.test(written) && Number(written) === value ? written : String(value);
}

/** Depth is bounded by the reader of YAML. */
function structureOf(node: TypedNode): unknown {
  if (node.kind === 'leaf') return node.scalar.value;
  if (node.kind === 'list') return node.items.map(structureOf);
  return Object.fromEntries([...node.entries.values()].map((entry) => [entry.key, structureOf(entry.node)]));
}

function holdsSecret({ node }: Pick<EntryNode, 'node'>): boolean {
  if (node.kind === 'list') return node.items.some((item) => holdsSecret({ node: item }));
  if (node.kind === 'object') return [...node.entries.values()].some(holdsSecret);
  return node.secret === true && !isOnlyReferences(node.scalar.value ?? '');
}

/** What `sink`, or `advanced.sink`, of a model says. */
export function sinkOf({ definition }: ResolvedModel): {
  /** A word such as `jdbc-sink`, or a class; undefined when it is missing or wrong. */
  readonly connector: string | undefined;
  readonly config: ConfigTexts;
} {
  const sink = placeOf(definition.node, 'sink').node ?? placeOf(definition.node, 'advanced.sink').node;
  const connector = sink === undefined ? undefined : placeOf(sink, 'connector').node;
  const config = sink === undefined ? undefined : placeOf(sink, 'config').node;
  return {
    connector: connector?.known === true ? String(connector.value) : undefined,
    config: configTexts(config, definition.file),
  };
}
