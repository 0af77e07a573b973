// node src/main.ts ws://feed.example/prices
import { startPriceService } from './price-service.ts';

const service = await startPriceService(process.argv[2] ?? 'ws://127.0.0.1:8765/', 3000);
console.log(`prices on ${service.url}/prices`);
process.once('SIGINT', () => void service.close());
