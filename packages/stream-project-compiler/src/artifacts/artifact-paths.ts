import type { SchemaFormat } from '@levada/stream-project-schema';

/** Where the manifest is written. */
export const manifestPath = 'manifest.json';

/** Folders of the artifacts' files, by the key that lists them in the manifest. */
const folders = ['topics', 'schemas', 'jobs', 'connectors', 'virtual_topics', 'tests'] as const;

/** The key of a kind of artifact in the manifest. */
export type ArtifactList = (typeof folders)[number];

/** Where an artifact is written: `topics/orders.v1.json`. Names that are no file names are written in percent. */
export function artifactPath(list: ArtifactList, name: string): string {
  return `${list}/${fileNameFor(name)}.json`;
}

/** Where the statements of a job are written: `jobs/orders.sql`, of a continuous test `tests/orders_fresh.sql`. */
export function scriptPath(list: 'jobs' | 'tests', name: string): string {
  return `${list}/${fileNameFor(name)}.sql`;
}

/** What the file of a schema ends with. */
const schemaEndings: Readonly<Record<SchemaFormat, string>> = {
  avro: 'avsc',
  json: 'json',
  protobuf: 'proto',
};

/** Where a schema is written: `schemas/orders-value.avsc`. */
export function schemaPath(name: string, format: SchemaFormat): string {
  return `schemas/${fileNameFor(name)}.${schemaEndings[format]}`;
}

/**
 * Paths of the artifacts that a manifest lists, of whatever version, as it was read from a file; none where that is no manifest.
 * None leads out of the folder, whatever the names are.
 */
export function pathsInManifest(manifest: unknown): readonly string[] {
  const { schema, artifacts, files } = keysOf(manifest);
  if (typeof schema !== 'string' || !schema.startsWith('levada.project-manifest/')) return [];
  const lists = keysOf(artifacts);
  const named = folders.flatMap((list) => {
    const found = lists[list];
    if (!Array.isArray(found)) return [];
    return found.flatMap((one: unknown) => {
      const { name: own, model } = keysOf(one);
      const name = list === 'virtual_topics' ? (model ?? own) : own;
      if (typeof name !== 'string' || name === '') return [];
      const hasScript = list === 'jobs' || list === 'tests';
      return hasScript ? [artifactPath(list, name), scriptPath(list, name)] : [artifactPath(list, name)];
    });
  });
  const listed = Array.isArray(files) ? files.flatMap(pathOf) : [];
  return [...new Set([...named, ...listed])];
}

/** A path as those of artifacts are, in one of their folders. */
const filePath = new RegExp(`^(?:${folders.join('|')})/[A-Za-z0-9_%-][A-Za-z0-9._%-]*$`);

function pathOf(file: unknown): readonly string[] {
  const { path } = keysOf(file);
  return typeof path === 'string' && filePath.test(path) ? [path] : [];
}

function keysOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Names that some systems do not take for files, whatever ends them. */
const devices = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/**
 * The name as a file name on every system: letters, digits, ".", "-" and "_" stay, everything else is written in percent, and
 * so is a first character that would hide the file or make it a device. Two names never give the same file name.
 */
export function fileNameFor(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/gu, percent);
  if (safe !== '' && !safe.startsWith('.') && !devices.test(safe)) return safe;
  return `${percent(safe.slice(0, 1))}${safe.slice(1)}`;
}

function percent(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
