import { isMap, isPair, isScalar, isSeq, type Node, parseAllDocuments } from 'yaml';

/** A connector as a file describes it. */
export interface ConnectorDefinition {
  readonly name: string;
  /** Values as text, `name` among them. */
  readonly config: Readonly<Record<string, string>>;
  /** The state in which it is created, if the file says so. */
  readonly initialState?: InitialState | undefined;
  /** The file, as it was named. */
  readonly file: string;
}

/** States in which a connector can be created. */
export const initialStates = ['running', 'paused', 'stopped'] as const;

export type InitialState = (typeof initialStates)[number];

/** A file of connectors. */
export interface ConnectorText {
  /** As messages name it. */
  readonly file: string;
  readonly text: string;
  readonly format: 'json' | 'yaml' | 'properties';
  /** Name of a connector that has none of its own: that of the file. */
  readonly fallbackName: string | undefined;
}

/** Why a file cannot be used; the message begins with its name. */
export class ConnectorFileError extends Error {
  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`);
    this.name = 'ConnectorFileError';
  }
}

/** Keys beside `name` and `config` that answers of workers have, so that those can be files too. */
const otherKeys = ['name', 'config', 'initial_state', 'tasks', 'type'];

/**
 * The connectors of a file: `{name, config}`, the configuration alone, or several of these as a list or as YAML documents.
 * Throws a {@link ConnectorFileError}.
 */
export async function parseConnectors(source: ConnectorText): Promise<readonly ConnectorDefinition[]> {
  const values = source.format === 'properties' ? [await properties(source)] : documents(source);
  const all = values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
  if (all.length === 0) throw new ConnectorFileError(source.file, 'is empty, expected a connector');
  return all.map((value) => definitionOf(value, source, all.length > 1));
}

async function properties({ file, text }: ConnectorText): Promise<Readonly<Record<string, string>>> {
  const { propertyEntries } = await import('@levada/connect-runtime-core/host');
  try {
    return Object.fromEntries([...propertyEntries(text)].map(({ key, value }) => [key, value]));
  } catch (thrown) {
    throw new ConnectorFileError(file, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** JSON is YAML, apart from tabs in its white space, which are read as blanks; so both get messages with line and column. */
function documents({ file, text, format }: ConnectorText): readonly unknown[] {
  const parsed = parseAllDocuments(format === 'json' ? withoutTabs(text) : text, { uniqueKeys: true });
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((document) => {
    const [error] = document.errors;
    // Only the first line: what follows quotes the file, which may hold secrets.
    if (error !== undefined) {
      throw new ConnectorFileError(file, error.message.split('\n', 1)[0]?.replace(/:$/, '') ?? 'not valid');
    }
    const { contents } = document as { readonly contents: Node | null };
    return contents === null || (isScalar(contents) && contents.value === null)
      ? []
      : [plain(contents, file)];
  });
}

function withoutTabs(text: string): string {
  return text.replace(/^[ \t]+/gm, (indent) => ' '.repeat(indent.length));
}

/** A value in which numbers and booleans are the text that was written: `1.10` stays `1.10`. */
function plain(node: unknown, file: string): unknown {
  if (isMap(node)) {
    const entries = node.items.filter(isPair).map(({ key, value }) => [String(key), plain(value, file)]);
    return Object.fromEntries(entries as [string, unknown][]);
  }
  if (isSeq(node)) return node.items.map((item) => plain(item, file));
  if (isScalar(node)) {
    return node.value === null || typeof node.value === 'string'
      ? node.value
      : (node.source ?? JSON.stringify(node.value));
  }
  if (node === null) return null;
  throw new ConnectorFileError(file, 'aliases of YAML are not supported, write the value itself');
}

function definitionOf(value: unknown, source: ConnectorText, several: boolean): ConnectorDefinition {
  const { file, fallbackName } = source;
  if (!isObject(value)) {
    throw new ConnectorFileError(file, 'expected {name, config} or the configuration of a connector');
  }
  const isWrapped = isObject(value['config']);
  const extra = isWrapped ? Object.keys(value).find((key) => !otherKeys.includes(key)) : undefined;
  if (extra !== undefined) {
    throw new ConnectorFileError(file, `unknown key "${extra}", expected ${otherKeys.join(', ')}`);
  }
  const written = isWrapped ? (value['config'] as Readonly<Record<string, unknown>>) : value;
  const config = Object.fromEntries(
    Object.entries(written).map(([key, one]) => [key, configText(key, one, file)]),
  );
  const outer = isWrapped ? (value['name'] ?? undefined) : undefined;
  if (outer !== undefined && typeof outer !== 'string') {
    throw new ConnectorFileError(file, '"name" is not text');
  }
  const name = (outer ?? config['name'] ?? (several ? '' : (fallbackName ?? ''))).trim();
  if (name === '') throw new ConnectorFileError(file, 'a connector has no "name"');
  if (config['name'] !== undefined && config['name'] !== name) {
    throw new ConnectorFileError(file, `"name" is "${name}", but "${config['name']}" in its configuration`);
  }
  if ((config['connector.class'] ?? '') === '') {
    throw new ConnectorFileError(file, `the connector "${name}" has no "connector.class"`);
  }
  return { name, config: { ...config, name }, initialState: initialStateOf(value, isWrapped, file), file };
}

function initialStateOf(
  value: Readonly<Record<string, unknown>>,
  isWrapped: boolean,
  file: string,
): InitialState | undefined {
  const given = isWrapped ? (value['initial_state'] ?? undefined) : undefined;
  if (given === undefined) return undefined;
  const state = initialStates.find((one) => typeof given === 'string' && one === given.toLowerCase());
  if (state !== undefined) return state;
  throw new ConnectorFileError(file, `"initial_state" is not one of ${initialStates.join(', ')}`);
}

/** A value as Kafka Connect takes it: text, of a list its parts with commas in between. */
function configText(key: string, value: unknown, file: string): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list of lists or maps' : 'a map';
  throw new ConnectorFileError(
    file,
    `"${key}" is ${found}, expected text, a number, a boolean or a list of these`,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
