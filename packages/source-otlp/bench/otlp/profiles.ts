import { printTable } from '../measure/print-table.ts';
import { type BenchRun, figures, plainTrial } from './bench-run.ts';
import { costGroups } from './cost-groups.ts';
import { waitingLoad } from './modes.ts';
import { benchRequest } from './requests.ts';
import { measured, profiled, type Times, type Trial } from './trials.ts';

const MOST_FUNCTIONS = 25;

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
  const before = await measured(trial, times);
  const usage = await profiled(trial, times);
  const { selfTimes = [] } = usage;
  const rows = selfTimes.slice(0, MOST_FUNCTIONS).map(([share, name]) => [`${share.toFixed(1)} %`, name]);
  const { request, transport, format, ackMode } = trial;
  const title = `${request}, ${transport}, ${format}, ${ackMode}: ${figures(before)}, ${figures(usage)} while profiled`;
  printTable(title, ['self', 'function'], rows);
  const groups = costGroups(selfTimes, before.cpuMicros);
  printTable(
    'What an export costs, by what functions are for, as far as their names say',
    ['CPU µs', 'for'],
    groups.map(([name, micros]) => [micros.toFixed(1), name]),
  );
}
