import process from 'node:process';
import { devConfig } from './config/dev-config.ts';
import { thisProcess } from './host/this-process.ts';
import { exitCodes, runWorker } from './worker-process.ts';

const usage = `Usage: levada-worker [dev | <worker.properties | worker.yaml | worker.json>]

  dev      embedded log in ./.levada, REST on http://127.0.0.1:8083, whatever CONNECT_* variables say
  <file>   the keys of Kafka Connect's connect-distributed.properties

CONNECT_* variables win over the file: CONNECT_BOOTSTRAP_SERVERS is bootstrap.servers.
`;

const [argument, ...rest] = process.argv.slice(2);
if (rest.length > 0 || argument?.startsWith('-') === true) {
  process.stderr.write(usage);
  process.exitCode = exitCodes.usage;
} else {
  const what = argument === 'dev' ? { overrides: devConfig() } : { file: argument };
  process.exit(await runWorker({ ...thisProcess(), ...what }));
}
