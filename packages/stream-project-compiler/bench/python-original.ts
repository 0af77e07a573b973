import { spawnSync } from 'node:child_process';
import { withFolder } from './measured-project.ts';

/** How long the Python tool that the format comes from takes for a project; a text says why that is not known. */
export type OriginalTime = { readonly ms: number; readonly exitCode: number | null } | string;

const LONGEST_MS = 120_000;

/** Whether its command is there. */
export function hasOriginal(): boolean {
  return spawnSync('streamt', ['--version'], { stdio: 'ignore', timeout: LONGEST_MS }).status === 0;
}

/** Runs its `validate` on the same models, in its own words. It reads one folder of each kind and none below. */
export function timeOriginal(files: ReadonlyMap<string, string>): Promise<OriginalTime> {
  const own = new Map([...files].map(([path, text]) => [flat(path), inItsWords(path, text)]));
  return withFolder(own, (folder) => {
    const start = performance.now();
    const { status, error } = spawnSync('streamt', ['validate', '--project-dir', folder], {
      stdio: 'ignore',
      timeout: LONGEST_MS,
    });
    if (error !== undefined) return `did not end: ${error.message}`;
    return { ms: performance.now() - start, exitCode: status };
  });
}

function flat(path: string): string {
  const [kind, ...below] = path.split('/');
  return below.length === 0 ? path : `${kind}/${below.join('_')}`;
}

function inItsWords(path: string, text: string): string {
  if (path !== 'stream_project.yml') return text;
  return text.replace('\n  platform:', '\n  kafka:').replace('\n  engine:', '\n  flink:');
}
