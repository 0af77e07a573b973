import {
  type Diagnostic,
  formatText,
  loadProject,
  parseProject,
  settleDiagnostics,
} from '../../src/index.ts';
import { type MemoryEntry, memoryFileSystem } from './memory-file-system.ts';

/** What loading and parsing say of a project in memory. */
export interface CheckedProject {
  readonly diagnostics: readonly Diagnostic[];
  /** As people see them. */
  readonly text: string;
  readonly parsed: ReturnType<typeof parseProject>['value'];
}

/** The least that a project file holds. */
export const projectFile =
  'project:\n  name: shop\nruntime:\n  platform:\n    bootstrap_servers: localhost:9092\n';

/** Loads and parses a project in memory. */
export async function checkProject(
  entries: Readonly<Record<string, MemoryEntry>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<CheckedProject> {
  const loaded = await loadProject({ fileSystem: memoryFileSystem(entries), environment });
  const { value: parsed, diagnostics: found } = parseProject(loaded.value);
  const { suppressions, secrets } = parsed;
  const diagnostics = settleDiagnostics([...loaded.diagnostics, ...found], { suppressions });
  return { diagnostics, text: formatText(diagnostics, { files: loaded.value.files, secrets }), parsed };
}
