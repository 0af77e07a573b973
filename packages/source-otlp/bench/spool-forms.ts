// The whole receiver with either form of the spool, in turns: `node bench/spool-forms.ts [rounds] [seconds] [requests]`.

import { median } from './measure/median.ts';
import { plainTrial } from './otlp/bench-run.ts';
import { interleaved } from './otlp/trials.ts';

const rounds = Number(process.argv[2] ?? 9);
const seconds = Number(process.argv[3] ?? 1);
const requests = (process.argv[4] ?? 'span1,span100').split(',') as any[];
const variants = [
  ['files', ''],
  ['sqlite', '32768'],
] as const;
for (const transport of ['http', 'grpc'] as const)
  for (const request of requests) {
    const load = transport === 'http' ? { connections: 64, atOnce: 1 } : { connections: 8, atOnce: 8 };
    const trial = {
      ...plainTrial(transport),
      ...load,
      request,
      target: process.argv[5] ?? 'embedded',
      ackMode: 'spool' as const,
    };
    const res = await interleaved(
      variants.map(([spool, page]) => ({ ...trial, spool, page }) as any),
      { seconds, warmUp: 1.5, rounds },
    );
    const [files = []] = res;
    for (const [i, [name, page]] of variants.entries()) {
      const r = res[i] ?? [];
      const ratios = r.map((u, k) => (files[k]?.perSecond ?? 0) / u.perSecond);
      const cpu = r.map((u, k) => u.cpuMicros / (files[k]?.cpuMicros ?? 1));
      console.log(
        transport,
        request,
        name,
        page,
        'req/s',
        median(r.map((u) => u.perSecond)).toFixed(0),
        'cpu µs',
        median(r.map((u) => u.cpuMicros)).toFixed(0),
        'cores',
        median(r.map((u) => u.cores)).toFixed(2),
        'rss',
        Math.max(...r.map((u) => u.peakRssMb)).toFixed(0),
        'files/this req/s',
        median(ratios).toFixed(2),
        `[${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}]`,
        'cpu this/files',
        median(cpu).toFixed(2),
      );
    }
  }
