import { ConnectorError, isConnectorError } from '@levada/connect-runtime-core';
import { propertyEntries } from '@levada/connect-runtime-core/host';
import type { Document } from 'yaml';

/** A key of a configuration file. */
export interface FileEntry {
  readonly key: string;
  readonly value: string;
  /** Where it is: the file, in a properties file with the line. */
  readonly place: string;
}

/**
 * The keys of a worker configuration file, in its order: Java properties, or YAML and JSON by the ending of the name. A
 * properties file may repeat keys, of which the last counts. YAML maps may be nested instead of dotted, and lists stand for
 * comma-separated text. Rejects with `config_invalid`.
 */
export async function parseConfigFile(path: string, text: string): Promise<readonly FileEntry[]> {
  if (!/\.(ya?ml|json)$/i.test(path)) return propertiesOf(path, text);
  // Loaded when it is wanted: most workers are configured without YAML.
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { uniqueKeys: true });
  const [error] = document.errors;
  // Only the first line: what follows quotes the file, which may hold secrets.
  if (error !== undefined) throw invalid(`${path}: ${error.message.split('\n', 1)[0]?.replace(/:$/, '')}`);
  const content: unknown = plainValue(document, path);
  if (content === null || content === undefined) return [];
  if (!(content instanceof Map)) throw invalid(`${path} must hold a map of keys to values`);
  return [...flatten(content, '', path)].map(([key, value]) => ({ key, value, place: path }));
}

function propertiesOf(path: string, text: string): readonly FileEntry[] {
  try {
    return [...propertyEntries(text)].map(({ key, value, line }) => ({
      key,
      value,
      place: `${path}:${line}`,
    }));
  } catch (thrown) {
    throw isConnectorError(thrown) ? invalid(`${path}: ${thrown.message}`) : thrown;
  }
}

function plainValue(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS({ mapAsMap: true, maxAliasCount: 0 });
  } catch (error) {
    throw invalid(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function* flatten(
  map: ReadonlyMap<unknown, unknown>,
  prefix: string,
  path: string,
): Iterable<[string, string]> {
  for (const [name, value] of map) {
    const key = `${prefix}${String(name)}`;
    if (value instanceof Map) yield* flatten(value, `${key}.`, path);
    else if (Array.isArray(value)) yield [key, value.map((item) => scalarText(item, key, path)).join(',')];
    else if (value !== null) yield [key, scalarText(value, key, path)];
  }
}

function scalarText(value: unknown, key: string, path: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw invalid(`${path}: "${key}" must be text, a number, a boolean or a list of these`);
}

function invalid(message: string): ConnectorError {
  return new ConnectorError('config_invalid', message);
}
