import type { ConnectionOptions } from '../client/connection.ts';
import { contextFile, isOpen } from '../client/context-file.ts';
import {
  type ConnectionAnswer,
  type ConnectorEntry,
  connectionText,
  firstLine,
} from '../client/worker-answers.ts';
import { connectToWorker, messageOf, type WorkerClient } from '../client/worker-client.ts';
import { isSecretText } from '../connectors/config-changes.ts';
import { shellWord } from '../connectors/outcomes.ts';
import { CommandError, CommandExit, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import { packageVersion } from '../output/package-files.ts';
import { render, visible } from '../output/render.ts';
import { plainMarks, showsUnicode } from '../output/style.ts';
import type { Terminal } from '../output/terminal.ts';
import { countersOf } from './counters.ts';

/** A connection without a message for this long is worth a look, in milliseconds: the threshold of the alert rules. */
const STALE_MS = 300_000;
/** A connection that is not read for so long waits for a log that is slow, or down, in milliseconds. */
const HELD_UP_MS = 10_000;

/** Options of `levada doctor`. */
export interface DoctorOptions extends ConnectionOptions {
  readonly output: OutputForm;
}

/** One thing that was looked at. */
interface Check {
  /** What was looked at: `worker`, or a connector by name. */
  readonly subject: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string | null;
}

/** `levada doctor`: looks for what commonly goes wrong, and says what to do about it. Ends with 1 when something is broken. */
export async function examine(options: DoctorOptions, terminal: Terminal): Promise<void> {
  const checks = [...(await fileChecks(terminal)), ...(await workerChecks(options, terminal))];
  const count = (level: Check['level']): number => checks.filter((check) => check.level === level).length;
  const value = { schema: 'levada.doctor/1', problems: count('problem'), warnings: count('warning'), checks };
  if (options.output === 'table') print(checks, terminal);
  else terminal.out(render(options.output, value, () => []));
  if (value.problems > 0) throw new CommandExit(exitCodes.problems);
}

const marks = { ok: '✓', warning: '!', problem: '✗' } as const;

function print(checks: readonly Check[], terminal: Terminal): void {
  const lines = checks.map(({ subject, level, message, remedy }) => {
    const text = `${marks[level]} ${visible(subject)}: ${visible(message)}\n`;
    return remedy === null ? text : `${text}    ${visible(remedy)}\n`;
  });
  const text = lines.join('');
  terminal.out(showsUnicode(terminal) ? text : plainMarks(text));
}

const ok = (subject: string, message: string): Check => ({ subject, level: 'ok', message, remedy: null });
const warning = (subject: string, message: string, remedy: string | null): Check => ({
  subject,
  level: 'warning',
  message,
  remedy,
});
const problem = (subject: string, message: string, remedy: string | null): Check => ({
  subject,
  level: 'problem',
  message,
  remedy,
});

async function fileChecks(terminal: Terminal): Promise<readonly Check[]> {
  const file = contextFile(terminal);
  return (await isOpen(file))
    ? [
        warning(
          'contexts',
          `other users can read ${file}, which may hold secrets`,
          `chmod 600 ${shellWord(file)}`,
        ),
      ]
    : [];
}

async function workerChecks(options: DoctorOptions, terminal: Terminal): Promise<readonly Check[]> {
  try {
    // What is busy now is itself a finding.
    const client = await connectToWorker(options, terminal, { busyMs: 0 });
    const identity = await identityChecks(client);
    return [...identity, ...(await healthChecks(client)), ...(await connectorChecks(client))];
  } catch (thrown) {
    if (!(thrown instanceof CommandError) || thrown.exitCode === exitCodes.usage) throw thrown;
    return [problem('worker', thrown.message, thrown.hint ?? null)];
  }
}

async function identityChecks(client: WorkerClient): Promise<readonly Check[]> {
  const { version = '', commit = '' } = (await client.get('/')) as {
    readonly version?: string;
    readonly commit?: string;
  };
  const [, own] = /^levada-(.+)$/.exec(commit) ?? [];
  const found =
    own === undefined ? `Kafka Connect ${version}` : `levada ${own}, Kafka Connect's interface ${version}`;
  const checks = [ok('worker', `${client.url} answers: ${found}`)];
  if (own !== undefined && own !== packageVersion()) {
    const message = `this command is of version ${packageVersion()}, the worker of ${own}`;
    checks.push(warning('worker', message, 'use the same version of both where something is missing'));
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 3 || (major === 3 && minor < 6)) {
    const message = `Kafka Connect ${version} does not offer all that commands need`;
    checks.push(
      warning(
        'worker',
        message,
        'stop needs 3.5, offsets alter and reset need 3.6, create --state needs 3.7',
      ),
    );
  }
  return checks;
}

async function healthChecks(client: WorkerClient): Promise<readonly Check[]> {
  const answer = await client.ask('GET', '/health?expand=group');
  const plugins = (await client.get('/connector-plugins')) as readonly unknown[];
  const remedy = 'its log says more: "levada logs", or the output of the process';
  const { group = [] } = (answer.body ?? {}) as { readonly group?: readonly { readonly text: string }[] };
  return [
    ...(answer.status === 200 ? [ok('worker', 'is healthy')] : []),
    ...group.map(({ text }) => groupCheck(text)),
    // Workers before Kafka Connect 3.9 have no such path.
    ...(answer.status !== 200 && answer.status !== 404 ? [problem('worker', messageOf(answer), remedy)] : []),
    plugins.length === 0
      ? problem('worker', 'has no connector plugins', 'check plugin.path of the worker')
      : ok('worker', `has ${plugins.length} connector plugins`),
  ];
}

async function connectorChecks(client: WorkerClient): Promise<readonly Check[]> {
  const all = (await client.get('/connectors?expand=status&expand=info&expand=connection')) as Readonly<
    Record<string, ConnectorEntry>
  >;
  const names = Object.keys(all).toSorted();
  if (names.length === 0) return [ok('connectors', 'there are none')];
  const counters = await countersOf(client, names);
  return names.flatMap((name) => {
    const entry = all[name] as ConnectorEntry;
    const found = [
      ...stateChecks(name, entry),
      ...(entry.connection ?? []).flatMap((one) => connectionChecks(name, one)),
      ...secretChecks(name, entry),
    ];
    const { dropped = null } = counters.get(name) ?? {};
    if (dropped !== null && dropped > 0) {
      const remedy = `the queue was full: "levada describe connector ${shellWord(name)}" shows by cause what was dropped`;
      found.push(warning(name, `has dropped ${dropped} messages since the worker started`, remedy));
    }
    return found.length === 0 ? [ok(name, entry.status?.connector?.state ?? 'no status')] : found;
  });
}

function stateChecks(name: string, { status }: ConnectorEntry): readonly Check[] {
  const tasks = status?.tasks ?? [];
  const state = status?.connector?.state;
  const word = shellWord(name);
  const failed = [status?.connector, ...tasks].filter((part) => part?.state === 'FAILED');
  if (failed.length > 0) {
    const what = state === 'FAILED' ? 'failed' : `${failed.length} of ${tasks.length} tasks failed`;
    const remedy = `after the cause is removed: "levada connector restart ${word}"; "levada describe connector ${word}" shows it all`;
    return [problem(name, `${what}: ${firstLine(failed[0]?.trace)}`, remedy)];
  }
  if (state === 'UNASSIGNED' || tasks.some((task) => task.state === 'UNASSIGNED')) {
    return [
      warning(
        name,
        'no worker runs it',
        'workers may be sharing connectors at the moment; look again in a minute',
      ),
    ];
  }
  if (state === 'RUNNING' && tasks.length === 0) {
    const remedy = `it has nothing to read, or its tasks could not be made: "levada connector restart ${word} --all"`;
    return [warning(name, 'runs without tasks, so it reads nothing', remedy)];
  }
  return [];
}

function connectionChecks(name: string, connection: ConnectionAnswer): readonly Check[] {
  const text = `task ${connection.task}: ${connectionText([connection])}`;
  const { last_message_age_ms: age, held_up_ms: heldUp, state, log } = connection;
  const isUp = state === 'connected' || state === 'listening';
  if (isUp && heldUp !== null && heldUp > HELD_UP_MS) {
    const remedy =
      log === 'throttled'
        ? 'a quota of the brokers limits what is written: raise it if the sender must not wait'
        : 'more arrives than the log takes: check the brokers, and the log of the worker';
    return [warning(name, text, remedy)];
  }
  if (isUp && age !== null && age > STALE_MS) {
    return [warning(name, text, 'check whether the other side still sends')];
  }
  if (isUp) return [];
  const { last_error: error } = connection;
  return error === null
    ? [warning(name, text, 'look again in a moment')]
    : [problem(name, text, remedyFor(error))];
}

function groupCheck(finding: string): Check {
  if (/ does not have the class /.test(finding)) {
    const remedy = 'install the plugin there; until then a Java leader may give it connectors that fail';
    return warning('group', finding, remedy);
  }
  if (/ is of version /.test(finding)) return warning('group', finding, 'finish the upgrade');
  const remedy =
    'check rest.advertised.host.name and rest.advertised.port, firewalls, and TLS between workers';
  return problem('group', finding, remedy);
}

/** Common mistakes, by what the error says. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens there: check host and port, and whether the server runs'],
  [/ENOTFOUND|EAI_AGAIN/, 'the name is not known: check its spelling and the DNS of the worker'],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|time.?out/i,
    'the network does not reach it: check firewalls and routes',
  ],
  [
    /certificate|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|tls|ssl/i,
    'check the TLS keys of its configuration, and whether the server speaks TLS',
  ],
  [/\b401\b|\b403\b|UNAUTHENTICATED|PERMISSION_DENIED/i, 'check its token, user or headers'],
  [/\b404\b|UNIMPLEMENTED|NOT_FOUND/, 'check the path, or the name of service and method'],
];

function remedyFor(error: string): string {
  const [, remedy] = remedies.find(([pattern]) => pattern.test(error)) ?? [];
  return remedy ?? 'the connector tries again by itself; "levada logs" shows each attempt';
}

function secretChecks(name: string, { info }: ConnectorEntry): readonly Check[] {
  const keys = Object.entries(info?.config ?? {})
    .filter(([key, value]) => isSecretText(key, value) && !/^(?:true|false|null|\d*)$/.test(value))
    .map(([key]) => key);
  if (keys.length === 0) return [];
  const remedy = 'keep it in a file of the worker, and write a reference of a config provider in its place';
  return [warning(name, `holds a secret itself: ${keys.join(', ')}`, remedy)];
}
