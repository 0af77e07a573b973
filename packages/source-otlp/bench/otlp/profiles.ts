import { printTable } from '../measure/print-table.ts';
import { type BenchRun, figures, plainTrial } from './bench-run.ts';
import { benchRequest } from './requests.ts';
import { profiled } from './trials.ts';

/** Where our receiver's time goes, for each request, transport and output, into the first log. */
export async function profiles({ options, logs }: BenchRun): Promise<void> {
  const target = logs[0]?.target ?? 'discard';
  for (const format of options.formats)
    for (const request of options.requests)
      for (const transport of options.transports) {
        const { signal } = benchRequest(request);
        const trial = { ...plainTrial(transport), request, signal, format, target };
        const usage = await profiled(trial, options);
        const rows = (usage.selfTimes ?? []).map(([share, name]) => [`${share.toFixed(1)} %`, name]);
        const title = `${request}, ${transport}, ${format}: ${figures(usage)} while profiled`;
        printTable(title, ['self', 'function'], rows);
      }
}
