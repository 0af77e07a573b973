// node src/main.ts wss://feed.example/prices
import { startDashboard } from './dashboard.ts';

const dashboard = await startDashboard(process.argv[2] ?? 'ws://127.0.0.1:8765/', 3000);
console.log(`prices on ${dashboard.url.href}`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void dashboard.close());
