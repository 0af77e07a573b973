import type { StageResult } from '../diagnostics/diagnostic.ts';
import { type LoadedProject, type LoadOptions, loadProject } from '../load/load-project.ts';
import { nodeFileSystem } from './file-system.ts';

/** Options of `loadProjectFolder`. */
export interface LoadFolderOptions extends Pick<LoadOptions, 'previous' | 'changed'> {
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Reads the project in a folder of this machine. */
export function loadProjectFolder(
  folder: string,
  { environment = process.env, ...options }: LoadFolderOptions = {},
): Promise<StageResult<LoadedProject>> {
  return loadProject({ fileSystem: nodeFileSystem(folder), environment, ...options });
}
