import { printTable } from '../measure/print-table.ts';
import { type BenchRun, figures, plainTrial } from './bench-run.ts';
import { ratioOf } from './compare.ts';
import { interleaved } from './trials.ts';
import { medians, type Usage } from './usage.ts';

const goals = { produced: 0.5, spool: 0.4 } as const;
/** Enough clients that wait for the log: their number over the time of a commit bounds what can be reached. */
export const waitingLoad = {
  http: { connections: 64, atOnce: 1 },
  grpc: { connections: 8, atOnce: 64 },
} as const;

/** The three modes of acknowledgement, in turn, at full speed. */
export async function modes({ options, logs, goal }: BenchRun): Promise<void> {
  const rows: string[][] = [];
  const requests = options.requests.filter((name) => name === 'span100' || name === 'span1');
  for (const { name, target } of logs) {
    if (name === 'discard') continue;
    for (const request of requests)
      for (const transport of options.transports) {
        const trial = { ...plainTrial(transport), ...waitingLoad[transport], request, target };
        const rounds = await interleaved(
          (['queued', 'produced', 'spool'] as const).map((ackMode) => ({ ...trial, ackMode })),
          options,
        );
        const [inQueue = [], inLog = [], onDisk = []] = rounds;
        const rate = ({ perSecond }: Usage): number => perSecond;
        const ratios = { produced: ratioOf(inLog, inQueue, rate), spool: ratioOf(onDisk, inQueue, rate) };
        for (const mode of ['produced', 'spool'] as const) {
          const ratio = ratios[mode];
          const text = `${mode}, ${transport}, ${request} into ${name}: ${ratio.toFixed(2)} of queued, goal ${goals[mode]}`;
          goal(text, ratio >= goals[mode]);
        }
        rows.push([
          request,
          transport,
          name,
          ...rounds.map((usages) => figures(medians(usages))),
          ratios.produced.toFixed(2),
          ratios.spool.toFixed(2),
          rounds.map((usages) => medians(usages).dropped).join(' / '),
        ]);
      }
  }
  printTable(
    'Acknowledgement: req/s [CPU µs] at full speed, 64 connections (HTTP) or 8 x 64 calls (gRPC)',
    ['request', 'transport', 'log', 'queued', 'produced', 'spool', 'produced', 'spool', 'refused'],
    rows,
  );
}
