import { fileNameFor } from './file-name.ts';

/** Where the manifest is written. */
export const manifestPath = 'manifest.json';

/** Folders of the artifacts' files, by the key that lists them in the manifest. */
const folders = ['topics', 'connectors', 'virtual_topics'] as const;

/** The key of a kind of artifact in the manifest. */
export type ArtifactList = (typeof folders)[number];

/** Where an artifact is written: `topics/orders.v1.json`. Names that are no file names are written in percent. */
export function artifactPath(list: ArtifactList, name: string): string {
  return `${list}/${fileNameFor(name)}.json`;
}

/**
 * Paths of the artifacts that a manifest lists, of whatever version, as it was read from a file; none where that is no manifest.
 * None leads out of the folder, whatever the names are.
 */
export function pathsInManifest(manifest: unknown): readonly string[] {
  const { schema, artifacts } = keysOf(manifest);
  if (typeof schema !== 'string' || !schema.startsWith('levada.project-manifest/')) return [];
  const lists = keysOf(artifacts);
  return folders.flatMap((list) => {
    const found = lists[list];
    if (!Array.isArray(found)) return [];
    return found.flatMap((one: unknown) => {
      const { name } = keysOf(one);
      return typeof name === 'string' && name !== '' ? [artifactPath(list, name)] : [];
    });
  });
}

function keysOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
