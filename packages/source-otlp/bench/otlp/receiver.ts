// Receives in its own process. Argument: the settings as JSON. Prints its port; then, whenever it reads `measure <seconds>` or
// `profile <seconds>`, what it measured meanwhile, and for `settle` an empty line when nothing is on its way any more.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceiverSettings } from './receiver-settings.ts';
import { type Counts, measure, type Usage } from './usage.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as ReceiverSettings;
/** Nothing was acknowledged for so long: nothing is on its way. */
const QUIET_MS = 30;
const MOST_MS = 1500;

const commands = {
  measure: (seconds: number): Promise<Usage> => measure(counts, seconds),
  profile: async (seconds: number): Promise<Usage> => {
    const { selfTimes } = await import('./self-times.ts');
    const { result, times } = await selfTimes(() => measure(counts, seconds));
    return { ...result, selfTimes: times };
  },
  settle: async (): Promise<string> => {
    const end = performance.now() + MOST_MS;
    for (let before = -1; counts.exports() !== before && performance.now() < end; ) {
      before = counts.exports();
      await sleep(QUIET_MS);
    }
    return '';
  },
};

const { port, counts } = await open();
process.stdout.write(`${port}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const [command = '', seconds] = line.split(' ');
  const result = await commands[command as keyof typeof commands](Number(seconds));
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
process.exit();

/** Loads only what is measured: nothing else takes memory or time. */
async function open(): Promise<{ readonly port: number; readonly counts: Counts }> {
  if (settings.jsonParse) (await import('./use-json-parse.ts')).useJsonParse();
  if (settings.receiver !== 'easy') return (await import('./own-receiver.ts')).openOwn(settings);
  return (await import('./easy-receiver.ts')).openEasy(settings);
}
