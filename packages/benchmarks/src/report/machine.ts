import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { defaultBrokerVersion } from '@levada/kafka-testkit';
import { placement } from '../measure/cores.ts';

/** What the figures depend on, as pairs of what and which. */
export function machine(): Readonly<Record<string, string>> {
  const [first] = cpus();
  return {
    Date: new Date().toISOString().slice(0, 10),
    Processor: `${first?.model.trim() ?? 'unknown'}, ${cpus().length} cores`,
    Memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    System: `${systemName()}, Linux ${release()}`,
    Placement: placement,
    'Load when it began': loadAverage(),
    'Node.js': process.version,
    Java: firstLine('java', ['-version']),
    Go: firstLine('go', ['version']),
    Kafka: `${defaultBrokerVersion}, one broker, topics of one partition`,
    Collector: `OpenTelemetry Collector ${collectorVersion()}, built with optimisation`,
    Revision: firstLine('git', ['rev-parse', '--short', 'HEAD']),
  };
}

/** Of the module that the program of the comparison is built from. */
function collectorVersion(): string {
  const text = readFileSync(new URL('../../collector/go.mod', import.meta.url), 'utf8');
  const [, version] = /^\s*go\.opentelemetry\.io\/collector\/otelcol v(\S+)$/m.exec(text) ?? [];
  if (version === undefined)
    throw new Error('collector/go.mod names no go.opentelemetry.io/collector/otelcol');
  return version;
}

function firstLine(command: string, args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined) return 'not found';
  return (stdout || stderr).split('\n')[0]?.trim() ?? '';
}

function systemName(): string {
  const text = readFileSync('/etc/os-release', 'utf8');
  return /^PRETTY_NAME="(.*)"$/m.exec(text)?.[1] ?? 'Linux';
}

/** Of the last minute: what others run on the machine spoils the figures. */
function loadAverage(): string {
  return readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? '';
}
