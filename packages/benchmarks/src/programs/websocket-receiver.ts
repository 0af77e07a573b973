// The least that receives a WebSocket feed, with the library `ws`. Arguments: port, and for a program that stores what it receives
// the address of a broker and a topic; otherwise it forgets everything. Answers `count` with the number received or stored.
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { LeastProducer } from './least-producer.ts';

const [port, bootstrap, topic = ''] = process.argv.slice(2);
const producer = bootstrap === undefined ? undefined : await LeastProducer.open(bootstrap, topic);
let received = 0;

const ws = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
ws.on('message', (data: Buffer) => {
  received += 1;
  producer?.offer(data, ws);
});
await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
process.stdout.write('ready\n');
createInterface({ input: process.stdin })
  .on('line', () => process.stdout.write(`${producer?.stored ?? received}\n`))
  .on('close', () => process.exit());
