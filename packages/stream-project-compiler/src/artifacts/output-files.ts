import type { InferredProject } from '../infer/infer-project.ts';
import { type ArtifactList, artifactPath, manifestPath } from './artifact-paths.ts';
import { connectorFiles } from './connector-file.ts';
import type { ProjectManifest } from './manifest.ts';

/** What a compiled project is written as. */
export interface OutputFiles {
  /** Text by path: `manifest.json`, `topics/<name>.json`, `connectors/<name>.json`, `virtual_topics/<name>.json`. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths of files with secrets that stand in the project's own files: nobody else should be able to read them. */
  readonly secretFiles: ReadonlySet<string>;
}

/** Nothing to write. */
export const noFiles: OutputFiles = { files: new Map(), secretFiles: new Set() };

/** Makes the files of a compiled project; the same project always gives the same bytes. `connectorClasses` are those that the caller gives words of `sink.connector`. */
export function outputFiles(
  project: InferredProject,
  manifest: ProjectManifest,
  connectorClasses: Readonly<Record<string, string>>,
): OutputFiles {
  const { topics, virtual_topics } = manifest.artifacts;
  const connectors = connectorFiles(project, connectorClasses);
  const files = new Map<string, string>([[manifestPath, jsonText(manifest)]]);
  const add = (list: ArtifactList, name: string, value: unknown) => {
    const path = artifactPath(list, name);
    files.set(path, jsonText(value));
    return path;
  };
  for (const topic of topics) add('topics', topic.name, topic);
  for (const topic of virtual_topics) add('virtual_topics', topic.name, topic);
  const secretFiles = new Set<string>();
  for (const { body, secret } of connectors) {
    const path = add('connectors', body.name, body);
    if (secret) secretFiles.add(path);
  }
  return { files, secretFiles };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
