import { writeFileSync } from 'node:fs';
import type { ConnectCall, ConnectClientName } from '@levada/test-peers/programs';
import { expect } from 'vitest';

/** A call, and the outcome that it has with Kafka Connect. */
export interface ClientStep extends ConnectCall {
  /** Done before the call. */
  readonly before?: () => void;
  /** What the library returns, at least. Without it and `refused` only success is expected. */
  readonly value?: unknown;
  /** The error that the library makes of the answer: status, and text of its message. */
  readonly refused?: readonly [status: number, message: string];
  /** The worker does this in its own time: the call is repeated until it has the outcome. */
  readonly eventually?: boolean;
  /** Libraries that have the call; default all. */
  readonly only?: readonly ConnectClientName[];
}

/** Where a story takes place. */
export interface StoryPlace {
  readonly client: ConnectClientName;
  /** A file with a few lines, in a folder of its own. */
  readonly file: string;
  /** Nothing else writes to it. */
  readonly topic: string;
}

const fileSource = 'org.apache.kafka.connect.file.FileStreamSourceConnector';

/** Names with as many special characters as each library can put into a path. */
const hardNames: Readonly<Record<ConnectClientName, string>> = {
  go: 'a b/c%2F+d?e=f&g#ü€',
  java: 'a b/c%2F+d?e=f&g#ü€',
  // It puts them there as they are; its HTTP library encodes only what no address can have.
  python: 'a b+d=f&gü€',
};

/** The life of a connector, from an empty worker to an empty worker. */
export function clientStory({ client, file, topic }: StoryPlace): readonly ClientStep[] {
  const name = `file-${client}`;
  const hard = hardNames[client];
  const config = { 'connector.class': fileSource, 'tasks.max': '1', file, topic };
  const { topic: _, ...incomplete } = config;
  const stored = { ...config, name };
  const none = [404, `Connector ${name} not found`] as const;
  const invalid = [
    400,
    'Connector configuration is invalid and contains the following 1 error(s):\nMissing required configuration "topic" which has no default value.',
  ] as const;
  return [
    ...emptyWorker(name),
    { call: 'validate', plugin: fileSource, config: stored, value: { name: fileSource, error_count: 0 } },
    {
      call: 'validate',
      plugin: fileSource,
      config: { ...incomplete, name },
      value: { error_count: 1 },
    },
    { call: 'create', name, config: incomplete, refused: invalid },
    { call: 'create', name, config, value: { name, config: stored, type: 'source' } },
    { call: 'create', name, config, refused: [409, `Connector ${name} already exists`] },
    { call: 'list', value: [name] },
    inState(name, 'RUNNING'),
    {
      call: 'expanded',
      value: {
        [name]: {
          info: { name, config: stored, tasks: [{ connector: name, task: 0 }], type: 'source' },
          status: { name, connector: { state: 'RUNNING' }, tasks: [{ id: 0, state: 'RUNNING' }] },
        },
      },
    },
    { call: 'connector', name, value: { name, config: stored, tasks: [{ connector: name, task: 0 }] } },
    { call: 'config', name, value: stored },
    ...tasks(name, { file, topic }),
    { call: 'topics', name, value: { [name]: { topics: [topic] } }, eventually: true },
    { call: 'resetTopics', name },
    { call: 'topics', name, value: { [name]: { topics: [] } }, eventually: true },
    ...states(name),
    { call: 'update', name, config: incomplete, refused: invalid },
    {
      call: 'update',
      name,
      config: { ...config, 'batch.size': '7' },
      value: { name, config: { ...stored, 'batch.size': '7' } },
    },
    { call: 'config', name, value: { ...stored, 'batch.size': '7' } },
    { call: 'update', name: hard, config, value: { name: hard, config: { ...config, name: hard } } },
    inState(hard, 'RUNNING'),
    { call: 'config', name: hard, value: { ...config, name: hard } },
    { call: 'restart', name: hard, includeTasks: true },
    { call: 'delete', name: hard },
    { call: 'connector', name: hard, refused: [404, `Connector ${hard} not found`] },
    ...failure(`failing-${client}`, config, `${file}.words`),
    { call: 'delete', name },
    { call: 'delete', name, refused: none },
    { call: 'list', value: [], eventually: true },
  ];
}

function emptyWorker(name: string): readonly ClientStep[] {
  const none = [404, `Connector ${name} not found`] as const;
  const id = expect.stringMatching(/^.+$/);
  return [
    { call: 'root', value: { version: '3.9.1', commit: id, kafka_cluster_id: id } },
    {
      call: 'plugins',
      value: expect.arrayContaining([expect.objectContaining({ class: fileSource, type: 'source' })]),
    },
    { call: 'list', value: [] },
    { call: 'connector', name, refused: none },
    { call: 'config', name, refused: none },
    { call: 'status', name, refused: [404, `No status found for connector ${name}`] },
    { call: 'pause', name, refused: [404, `Unknown connector ${name}`] },
    { call: 'restart', name, refused: [404, `Unknown connector: ${name}`] },
    { call: 'delete', name, refused: none },
  ];
}

function tasks(name: string, config: Readonly<Record<string, string>>): readonly ClientStep[] {
  const only = ['python', 'java'] as const;
  return [
    { call: 'tasks', name, value: [{ id: { connector: name, task: 0 }, config }], only },
    { call: 'taskStatus', name, task: 0, value: { id: 0, state: 'RUNNING' }, only },
    { call: 'taskStatus', name, task: 7, refused: [404, `No status found for task ${name}-7`], only },
    { call: 'restartTask', name, task: 0 },
    inState(name, 'RUNNING'),
    { call: 'restartTask', name, task: 7, refused: [404, `Unknown task: ${name}-7`] },
  ];
}

function states(name: string): readonly ClientStep[] {
  return [
    { call: 'pause', name },
    inState(name, 'PAUSED'),
    { call: 'resume', name },
    inState(name, 'RUNNING'),
    { call: 'restart', name },
    inState(name, 'RUNNING'),
    { call: 'restart', name, includeTasks: true, onlyFailed: true },
    { call: 'restart', name, includeTasks: true },
    inState(name, 'RUNNING'),
    { call: 'stop', name },
    {
      call: 'status',
      name,
      value: { connector: { state: 'STOPPED' }, tasks: [] },
      eventually: true,
    },
    { call: 'resume', name },
    inState(name, 'RUNNING'),
  ];
}

/** A task fails at words, and runs after its restart with numbers in their place. */
function failure(
  name: string,
  config: Readonly<Record<string, string>>,
  file: string,
): readonly ClientStep[] {
  const numbers = {
    ...config,
    file,
    transforms: 'number',
    'transforms.number.type': 'org.apache.kafka.connect.transforms.Cast$Value',
    'transforms.number.spec': 'int32',
  };
  const failed: ClientStep = {
    call: 'status',
    name,
    value: {
      connector: { state: 'RUNNING' },
      tasks: [
        {
          id: 0,
          state: 'FAILED',
          trace: expect.stringContaining('Value (one) was out of range for requested data type'),
        },
      ],
    },
    eventually: true,
  };
  return [
    { before: () => writeFileSync(file, 'one\n'), call: 'create', name, config: numbers, value: { name } },
    failed,
    { call: 'restart', name },
    failed,
    {
      before: () => writeFileSync(file, '1\n'),
      call: 'restart',
      name,
      includeTasks: true,
      onlyFailed: true,
    },
    inState(name, 'RUNNING'),
    { call: 'delete', name },
  ];
}

function inState(name: string, state: string): ClientStep {
  const value = { name, connector: { state }, tasks: [{ id: 0, state }] };
  return { call: 'status', name, value, eventually: true };
}
