import { deepEqual } from 'node:assert/strict';
import { WebSocketServer } from 'ws';

/** Reads three messages from a server on loopback through the packed package, then lets everything close. */
export async function readWebSocket(websocketSource) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket) => {
    for (const text of ['one', 'two', 'three']) socket.send(text);
  });
  const values = [];
  const source = websocketSource({ url: `ws://127.0.0.1:${server.address().port}`, topic: 'words' });
  for await (const record of source) {
    values.push(record.value);
    if (values.length === 3) break;
  }
  deepEqual(values, ['one', 'two', 'three']);
  server.close();
}
