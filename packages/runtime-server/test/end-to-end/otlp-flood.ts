import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { OtlpPorts } from './otlp-connector.ts';

/** A process of `otlp-flood-sender.ts`. */
export interface OtlpFlood {
  /** What was answered so far, such as `http 503`, and how often. */
  answers(): Readonly<Record<string, number>>;
  /** Requests that were answered. */
  requests(): number;
  /** Ends it, and waits for that. */
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL('otlp-flood-sender.ts', import.meta.url));

/** Floods both receivers until it is stopped. */
export function startOtlpFlood({ grpc, http }: OtlpPorts): OtlpFlood {
  const child = spawn(process.execPath, [script, String(grpc), String(http)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let answers: Readonly<Record<string, number>> = {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    answers = JSON.parse(line) as typeof answers;
  });
  return {
    answers: () => answers,
    requests: () =>
      Object.entries(answers).reduce((sum, [name, n]) => sum + (name.endsWith('closed') ? 0 : n), 0),
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
