import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

/** A process of `flooding-server.ts`. */
export interface Flood {
  readonly port: number;
  /** Ends the process at once, and waits for that. */
  readonly kill: () => Promise<void>;
}

const script = fileURLToPath(new URL('flooding-server.ts', import.meta.url));

/** Starts flooding servers that do not outlive the test. */
export function floods(): { readonly startFlood: (name: string, port?: number) => Promise<Flood> } {
  const children = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const startFlood = async (name: string, port = 0): Promise<Flood> => {
    const child = spawn(process.execPath, [script, String(port), name], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.add(child);
    const exited = once(child, 'exit').then(() => void children.delete(child));
    const [line] = await Promise.race([
      once(child.stdout, 'data'),
      exited.then(() => Promise.reject(new Error('the server ended before it was ready'))),
    ]);
    return {
      port: Number(line),
      kill: () => {
        child.kill('SIGKILL');
        return exited;
      },
    };
  };
  return { startFlood };
}
