import {
  type Diagnostic,
  formatText,
  type InferredProject,
  inferProject,
  loadProject,
  parseProject,
  resolveProject,
  type SeverityPolicy,
  settleDiagnostics,
} from '../../src/index.ts';
import type { ResolvedProject } from '../../src/resolve/resolved-project.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** A project as far as its kinds are inferred. */
export interface CompiledFiles {
  readonly resolved: ResolvedProject;
  readonly inferred: InferredProject;
  /** Of all stages, as they are reported. */
  readonly diagnostics: readonly Diagnostic[];
  /** As people see them. */
  readonly text: string;
}

/** The least that a project file holds, with an engine. */
export const projectFile = `project:
  name: shop
runtime:
  platform:
    bootstrap_servers: localhost:9092
  engine:
    clusters:
      main:
        type: rest
`;

/** Compiles a project in memory; the project file is the least one unless it is given. */
export async function compileFiles(
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
  policy: SeverityPolicy = {},
): Promise<CompiledFiles> {
  const entries = { 'stream_project.yml': projectFile, ...files };
  const loaded = await loadProject({ fileSystem: memoryFileSystem(entries), environment });
  const parsed = parseProject(loaded.value);
  const resolved = resolveProject(parsed.value);
  const inferred = inferProject(resolved.value);
  const { suppressions, secrets } = parsed.value;
  const diagnostics = settleDiagnostics(
    [loaded, parsed, resolved, inferred].flatMap((stage) => stage.diagnostics),
    { suppressions, policy },
  );
  const text = formatText(diagnostics, { files: loaded.value.files, secrets });
  return { resolved: resolved.value, inferred: inferred.value, diagnostics, text };
}
