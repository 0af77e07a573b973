// A process with a file size limit: lets a batch fail, commits nothing, has the limit lifted, and prints the health. Argument:
// folder.
import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createRecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { openEmbeddedPlatform } from '../src/open-embedded-platform.ts';
import { record } from './records.ts';

// a write over the limit is an error only if the signal is handled; otherwise it kills the process
process.on('SIGXFSZ', () => undefined);
const limit = (value: string): void => {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${value}`]);
};

const logger = createRecordingLogger();
const platform = await openEmbeddedPlatform({ folder: process.argv[2] ?? '', logger });
await platform.createTopics([{ name: 'numbers' }]);
const producer = await platform.producer({ clientId: 'w', overrides: { 'delivery.timeout.ms': '500' } });
limit('300000:unlimited');
const { failures } = await producer.send(
  Array.from({ length: 500 }, () => record('numbers', 'x'.repeat(1000))),
);
await platform.createTopics([{ name: 'numbers' }]);
const afterEmptyCommit = platform.health().status;
limit('unlimited');
await waitFor(() => platform.health().status === 'ok', { timeoutMs: 10_000 });

const codes = new Set(failures.map(({ error }) => error.code));
const lines = logger.lines.map(({ fields }) => fields['event']);
const afterwards = platform.health().status;
await platform.close();
writeSync(1, JSON.stringify({ failures: [...codes], afterEmptyCommit, afterwards, lines }));
