import { printTable } from '../measure/print-table.ts';
import { type BenchRun, plainTrial } from './bench-run.ts';
import { unloaded } from './trials.ts';

const SECONDS = 5;

/** A receiver without traffic. */
export async function idle({ logs }: BenchRun): Promise<void> {
  const rows: string[][] = [];
  for (const { name, target } of logs) {
    const trial = { ...plainTrial('http'), target };
    const { cores, peakRssMb } = await unloaded(trial, SECONDS);
    rows.push([name, `${(cores * 100).toFixed(2)} %`, `${peakRssMb.toFixed(0)} MB`]);
  }
  printTable('Idle', ['log', 'of a core', 'peak RSS'], rows);
}
