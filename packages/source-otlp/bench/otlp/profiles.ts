import { printTable } from '../measure/print-table.ts';
import { type BenchRun, figures, plainTrial } from './bench-run.ts';
import { waitingLoad } from './modes.ts';
import { benchRequest } from './requests.ts';
import { profiled, type Times, type Trial } from './trials.ts';

/** Where our receiver's time goes, for each request, transport, output and mode, into the first log. */
export async function profiles({ options, logs }: BenchRun): Promise<void> {
  const target = logs[0]?.target ?? 'discard';
  for (const request of options.requests)
    for (const transport of options.transports)
      for (const format of options.formats)
        for (const ackMode of options.ackModes) {
          const { signal } = benchRequest(request);
          const load = ackMode === 'queued' ? {} : waitingLoad[transport];
          await profile(
            { ...plainTrial(transport), ...load, request, signal, format, ackMode, target },
            options,
          );
        }
}

async function profile(trial: Trial, times: Times): Promise<void> {
  const usage = await profiled(trial, times);
  const rows = (usage.selfTimes ?? []).map(([share, name]) => [`${share.toFixed(1)} %`, name]);
  const { request, transport, format, ackMode } = trial;
  const title = `${request}, ${transport}, ${format}, ${ackMode}: ${figures(usage)} while profiled`;
  printTable(title, ['self', 'function'], rows);
}
