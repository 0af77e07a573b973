import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * A project's folder below the root of its repository, with "/" between; "" when it is the root itself. The root is the nearest
 * folder with `.git`; without one, the working directory.
 */
export function repositoryFolder(cwd: string, folder: string): string {
  const project = resolve(cwd, folder);
  const below = relative(repositoryRoot(project) ?? cwd, project).replaceAll('\\', '/');
  return below.startsWith('..') ? '' : below;
}

function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
