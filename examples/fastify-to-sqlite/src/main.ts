// node src/main.ts 127.0.0.1:50051 shop.v1.Orders/Watch after /number orders.db
// The server describes its methods itself (gRPC reflection).
import { ordersApp } from './orders-app.ts';

const [address = '', called = '', field = '', from = '', file = ''] = process.argv.slice(2);
const [host = '', port = ''] = address.split(':');
const [service = '', method = ''] = called.split('/');
const app = ordersApp({ host, port: Number(port), service, method, resume: { field, from } }, file);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void app.close());
await app.listen({ port: 3000 });
