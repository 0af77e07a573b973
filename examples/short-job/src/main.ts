// node src/main.ts 127.0.0.1:50051 shop.v1.Orders/Since after /number https://shop.example/hook orders.offsets.json
// The server describes its methods itself (gRPC reflection).
import { forwardOrders } from './forward-orders.ts';

const [address = '', called = '', field = '', from = '', webhook = '', offsetFile = ''] =
  process.argv.slice(2);
const [host = '', port = ''] = address.split(':');
const [service = '', method = ''] = called.split('/');
const interrupted = new AbortController();
process.once('SIGTERM', () => interrupted.abort());
const { delivered } = await forwardOrders({
  feed: { host, port: Number(port), service, method, key: from, resume: { field, from } },
  webhook,
  offsetFile,
  signal: AbortSignal.any([interrupted.signal, AbortSignal.timeout(600_000)]),
});
console.log(`forwarded ${delivered} orders`);
