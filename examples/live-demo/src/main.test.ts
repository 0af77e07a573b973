import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const flags = ['--disable-proto=delete', '--disallow-code-generation-from-strings'];

it('shows live data, follows the feed through an interruption, and drains at the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'levada-demo-'));
  const demo = spawn(process.execPath, [...flags, main], {
    cwd: folder,
    env: { ...process.env, LEVADA_DEMO_PORT: '0', LEVADA_DEMO_FEED_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const ended = once(demo, 'exit');
    let shown = '';
    const grown = new EventTarget();
    demo.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      grown.dispatchEvent(new Event('text'));
    });
    const see = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const match = pattern.exec(shown);
        if (match !== null) return match[1] ?? '';
        await once(grown, 'text', { signal: AbortSignal.timeout(20_000) });
      }
    };
    const url = await see(/REST\s+(\S+)/);
    const control = await see(/(http:\S+)\/stop/);
    const connection = async () => {
      const response = await fetch(`${url}/connectors/prices/status?expand=connection`);
      return JSON.stringify(await response.json());
    };
    await eventually(connection, /"state":"connected","last_message_age_ms":\d+/);
    await fetch(`${control}/stop`, { method: 'POST' });
    await eventually(connection, /"state":"backing-off"/);
    await fetch(`${control}/start`, { method: 'POST' });
    await eventually(connection, /"state":"connected"/);
    demo.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
    expect(shown).toContain('Drained: everything received is in the log');
  } finally {
    demo.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

async function eventually(read: () => Promise<string>, shows: RegExp): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const text = await read();
    if (shows.test(text)) return;
    if (Date.now() > deadline) throw new Error(`never shown: ${shows}\n${text}`);
  }
}
