// node src/main.ts 127.0.0.1:50051 orders.v1.Orders/Watch after /number orders.ndjson
// The server describes its methods itself (gRPC reflection).
import { appendStream } from './append-stream.ts';

const [address = '', called = '', field = '', from = '', file = ''] = process.argv.slice(2);
const [host = '', port = ''] = address.split(':');
const [service = '', method = ''] = called.split('/');
const end = new AbortController();
process.once('SIGINT', () => end.abort());
await appendStream({ host, port: Number(port), service, method, resume: { field, from } }, file, end.signal);
