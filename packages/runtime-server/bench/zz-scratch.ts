import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTopic, startBroker } from '@levada/kafka-testkit';
import { onCluster, startWorkerProcess } from '../test/end-to-end/worker-process.ts';
import { startNumberedFeed } from '../test/end-to-end/numbered-feed.ts';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
const broker = await startBroker();
await createTopic(broker, 't');
const feed = await startNumberedFeed();
const folder = mkdtempSync(join(tmpdir(), 'zz-'));
const worker = await startWorkerProcess(folder, { ...onCluster(broker.bootstrap, 'zz'), 'plugin.path': new URL('../../../examples/write-a-connector', import.meta.url).pathname });
await worker.ready();
const rss = () => { const s = readFileSync(`/proc/${worker.pid}/status`, 'utf8'); return Number(/^VmRSS:\s+(\d+) kB/m.exec(s)?.[1]) / 1024; };
const cpu = () => { const s = readFileSync(`/proc/${worker.pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(s[11]) + Number(s[12])) / 100; };
await pause(3000);
console.log('empty', rss().toFixed(0), 'MB');
try {
  for (const isolation of ['none', 'thread']) {
    for (let i = 0; i < 12; i += 1) {
      const c0 = cpu(), t0 = performance.now(), r0 = rss();
      await worker.call('PUT', `/connectors/${isolation}${i}/config`, { 'connector.class': 'WebSocketSource', 'tasks.max': '1', 'websocket.url': feed.url, 'platform.topic': 't', 'task.isolation': isolation });
      await worker.untilState(`${isolation}${i}`, 'RUNNING');
      console.log(isolation, i, 'ms', (performance.now() - t0).toFixed(0), 'cpu', (cpu() - c0).toFixed(2), 'rss', rss().toFixed(0), '+', (rss() - r0).toFixed(0));
    }
    await pause(12000);
    const c1 = cpu(); await pause(10000);
    console.log(isolation, 'idle cpu share', ((cpu() - c1) / 10).toFixed(4), 'rss', rss().toFixed(0));
  }
} catch (e) { console.log(String(e).slice(-3000)); process.kill(worker.pid!, 'SIGUSR1'); }
await worker.end('SIGKILL');
await broker.stop();
process.exit();
