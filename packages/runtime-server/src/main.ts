#!/usr/bin/env -S node --disable-proto=delete --disallow-code-generation-from-strings
import process from 'node:process';
import { systemClock } from '@levada/connect-runtime-core';
import { exitCodes, runWorker } from './worker-process.ts';

const usage = `Usage: levada-worker [dev | <worker.properties | worker.yaml | worker.json>]

  dev      embedded log in ./.levada, REST on http://127.0.0.1:8083
  <file>   the keys of Kafka Connect's connect-distributed.properties

CONNECT_* variables win over the file: CONNECT_BOOTSTRAP_SERVERS is bootstrap.servers.
`;

const [argument, ...rest] = process.argv.slice(2);
if (rest.length > 0 || argument?.startsWith('-') === true) {
  process.stderr.write(usage);
  process.exitCode = exitCodes.usage;
} else {
  const dev = argument === 'dev';
  const code = await runWorker({
    file: dev ? undefined : argument,
    defaults: dev ? { listeners: 'http://127.0.0.1:8083' } : {},
    environment: process.env,
    clock: systemClock,
    stdout: process.stdout,
    stderr: process.stderr,
    events: process,
    exit: (status) => process.exit(status),
  });
  process.exit(code);
}
