import { fileURLToPath } from 'node:url';
import type { Log } from '../measure/log.ts';
import { type Program, startProgram } from '../measure/program.ts';
import type { RunningSystem } from '../measure/turns.ts';

const script = (name: string): string => fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url));

/** Starts one of our programs that receive and do nothing else. Resolves with it and the first line that it prints. */
export async function startReceiver(
  name: 'websocket-receiver' | 'grpc-receiver' | 'otlp-receiver',
  args: readonly (string | number)[],
): Promise<{ readonly system: RunningSystem; readonly line: string }> {
  const command = [process.execPath, script(name), ...args.map(String)];
  const program = startProgram({ name, core: 'measured', command });
  const line = await program.line();
  const system: RunningSystem = {
    pid: program.pid,
    output: program.output,
    stored: async () => Number(await program.ask('count')),
    stop: () => program.stop(),
  };
  return { system, line };
}

/** Starts the program that reads a topic and takes the age of what arrives. */
export async function startConsumer(log: Log, topic: string): Promise<Program> {
  const command = [process.execPath, script('consumer'), log.broker.bootstrap, topic];
  const program = startProgram({ name: 'the consumer', core: 'others', command });
  await program.line();
  return program;
}
