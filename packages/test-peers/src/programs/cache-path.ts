import { homedir } from 'node:os';
import { join } from 'node:path';

/** Path in the folder where the project keeps what it fetched or built once on this machine. `XDG_CACHE_HOME` moves it. */
export function cachePath(...names: readonly string[]): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'levada', ...names);
}
