#!/usr/bin/env node
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { isConnectorError } from '@levada/connect-runtime-core';
import { websocketSource } from '@levada/source-websocket';

const usage = `usage: feed-tail <url> [--subscribe <message>] [--limit <count>] [--wait <seconds>]
Prints the messages of a WebSocket feed, one a line. Ends with 0 after so many, or when it is interrupted;
with 1 when the feed fails or does not connect in time (30 seconds); with 2 when it was called in a wrong way.
`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      subscribe: { type: 'string' },
      limit: { type: 'string' },
      wait: { type: 'string', default: '30' },
    },
  });
  const [url] = positionals;
  if (url === undefined) throw new TypeError('a URL is missing');
  if (!(Number(values.wait) >= 0)) throw new TypeError('--wait takes a number of seconds');
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const source = websocketSource({
    url,
    topic: 'feed',
    subscription: { message: values.subscribe },
    signal: interrupted.signal,
  });
  const records = source.text().limit(Number(values.limit ?? Number.MAX_SAFE_INTEGER));
  async function* lines(): AsyncGenerator<string> {
    for await (const { value } of records) yield `${value}\n`;
  }

  const late = setTimeout(() => {
    process.stderr.write(`feed-tail: not connected after ${values.wait} seconds\n`);
    process.exitCode = 1;
    void source.close();
  }, Number(values.wait) * 1000);
  source.on('connected', () => clearTimeout(late));
  // A pipe waits for a slow reader; the source waits for the pipe, and the feed for the source.
  await pipeline(Readable.from(lines()), process.stdout).finally(() => clearTimeout(late));
  return 0;
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode ||= code),
  (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return; // as with `feed-tail ... | head`
    const misused =
      error instanceof TypeError || (isConnectorError(error) && error.code === 'config_invalid');
    process.stderr.write(`feed-tail: ${error.message}\n${misused ? usage : ''}`);
    process.exitCode = misused ? 2 : 1;
  },
);
