import type { RawConfig } from '@levada/connect-runtime-core';
import { javaTrim } from '@levada/connect-runtime-core/config';
import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import { connectorClassOf } from '../config/connector-type.ts';
import { connectorName } from '../config/connector-validators.ts';
import { validateConfig } from '../config/validation.ts';
import type { ConfigValidation, ConnectorInfo, Herder } from '../port/herder.ts';
import { HerderError } from '../port/herder-error.ts';
import { textOf } from '../port/raw-config.ts';
import type { TargetState } from '../port/status.ts';
import { connectorInfo, requireTopicTracking } from './connector-reads.ts';
import { type HerderContext, requireConnector, requireLeader } from './herder-context.ts';

type Commands = Pick<
  Herder,
  'create' | 'putConfig' | 'patchConfig' | 'delete' | 'setTargetState' | 'resetActiveTopics'
>;

const notFound = (name: string): string => `Unknown connector ${name}`;

/** Lines of warnings that one configuration may put into the log. */
const MOST_WARNINGS = 20;

/** The herder's changes of connectors: written to the config topic, carried out when they are read back. */
export function connectorCommands(context: HerderContext): Commands {
  const { configs, statuses, options } = context;
  const gate = leadersGate(context);
  const writing = (name: string) => `writing a config for connector ${name} to the config topic`;
  return {
    create: (name, config, initialState) =>
      gate.run({
        name,
        stage: writing(name),
        run: () => create(context, { name, config, initialState }),
      }),
    putConfig: (name, config) =>
      gate.run({
        name,
        stage: writing(name),
        run: async () => {
          const created = configs.get(name) === undefined;
          return { created, info: await put(context, name, config) };
        },
      }),
    patchConfig: (name, patch) =>
      gate.run({ name, stage: writing(name), run: () => applyPatch(context, name, patch) }),
    delete: (name) =>
      gate.run({
        name,
        stage: `removing the config for connector ${name} from the config topic`,
        run: async () => {
          requireConnector(context, name);
          await configs.removeConnector(name);
        },
      }),
    setTargetState: (name, target) =>
      gate.run({
        name,
        stage: `writing the target state of connector ${name} to the config topic`,
        run: () => setTargetState(context, name, target),
      }),
    resetActiveTopics: async (name) => {
      requireTopicTracking(options.topicTrackingEnabled, 'Topic tracking is disabled.');
      requireTopicTracking(options.topicTrackingAllowReset, 'Topic tracking reset is disabled.');
      // What was not read yet could not be removed.
      await gate.read();
      statuses.removeTopics(name);
    },
  };
}

/** Runs commands on the leader only. */
function leadersGate(context: HerderContext): Pick<HerderContext['gate'], 'run' | 'read'> {
  const { gate } = context;
  return {
    read: () => gate.read(),
    run: ({ name, stage, run }) =>
      gate.run({
        name,
        stage,
        run: () => {
          requireLeader(context);
          return run();
        },
      }),
  };
}

async function create(
  context: HerderContext,
  given: { name: string; config: RawConfig; initialState: TargetState | undefined },
): Promise<ConnectorInfo> {
  const config = withName(given.name, given.config);
  await requireValid(context, config);
  if (context.configs.get(given.name) !== undefined) {
    throw new HerderError('already_exists', `Connector ${given.name} already exists`);
  }
  return await store(context, { name: given.name, config, initialState: given.initialState });
}

async function put(context: HerderContext, name: string, given: RawConfig): Promise<ConnectorInfo> {
  const stored = context.configs.get(name)?.config ?? {};
  const config = unmasked(context, withName(name, given), stored);
  await requireValid(context, config);
  return await store(context, { name, config, initialState: undefined });
}

async function applyPatch(context: HerderContext, name: string, patch: RawConfig): Promise<ConnectorInfo> {
  const stored = requireConnector(context, name).config;
  const merged = Object.entries({ ...stored, ...unmasked(context, patch, stored) });
  const config: RawConfig = Object.fromEntries(merged.filter(([, text]) => text !== null));
  // A name that the patch takes away is missing, as in Connect; one that it changes would be another connector's.
  if (Object.hasOwn(patch, 'name') && patch['name'] === null) await requireValid(context, config);
  return await put(context, name, config);
}

/** Sets the target state of a connector. */
export async function setTargetState(
  context: Pick<HerderContext, 'configs'>,
  name: string,
  target: TargetState,
): Promise<void> {
  const { configs } = context;
  const stored = requireConnector(context, name, notFound(name));
  await configs.putTarget(name, target);
  // Not before, as in Connect: a failure in between would leave a connector that runs without tasks.
  if (target === 'STOPPED' && stored.tasks?.length !== 0) await configs.putTasks(name, []);
  await configs.readToEnd();
}

async function store(
  context: HerderContext,
  given: { name: string; config: RawConfig; initialState: TargetState | undefined },
): Promise<ConnectorInfo> {
  const { name, config, initialState } = given;
  const created = context.configs.get(name) === undefined;
  await context.configs.putConnector(name, config, initialState);
  warnOfSecrets(context, name, config);
  const info = connectorInfo(context, requireConnector(context, name));
  // Its tasks are made later; whether they are there already is a matter of luck, and Connect's answer has none.
  return created ? { ...info, tasks: [] } : info;
}

/** The configuration with `name` in it, which must be the connector's. */
function withName(name: string, config: RawConfig): RawConfig {
  const configured = textOf(config, 'name');
  if (configured === undefined) return { ...config, name };
  if (configured === name) return config;
  throw new HerderError(
    'bad_request',
    `Connector name configuration (${configured}) doesn't match connector name in the URL (${name})`,
  );
}

function unmasked(context: HerderContext, config: RawConfig, stored: RawConfig): RawConfig {
  return context.maskFor(connectorOf(context, { ...stored, ...config }), stored).unmask(config, stored);
}

function connectorOf({ registry }: HerderContext, config: RawConfig): AnySourceConnector | undefined {
  return registry.findConnector(textOf(config, 'connector.class')?.trim() ?? '');
}

async function requireValid(context: HerderContext, config: RawConfig): Promise<void> {
  connectorClassOf(config);
  refuseHiddenControls(textOf(config, 'name') ?? '');
  const validation = await validateConfig(context.validation, config);
  const { warnings } = validation;
  const more = warnings.length - MOST_WARNINGS;
  const shown = more > 0 ? [...warnings.slice(0, MOST_WARNINGS), `and ${more} more`] : warnings;
  for (const warning of shown) context.log('config_warning', { connector: config['name'], warning });
  if (validation.errorCount > 0) throw new HerderError('bad_request', invalidMessage(validation));
}

/** Validation sees a trimmed value, so control characters around a name would pass, and show up in files and log lines. */
function refuseHiddenControls(name: string): void {
  const problem = connectorName.check(name);
  if (problem === undefined || connectorName.check(javaTrim(name)) !== undefined) return;
  throw new HerderError('bad_request', `Invalid value ${name} for configuration name: ${problem}`);
}

/** Kafka Connect's text, with the braces that it has in the path. */
function invalidMessage({ configs, errorCount }: ConfigValidation): string {
  const messages = configs.flatMap(({ value }) => value.errors);
  return [
    `Connector configuration is invalid and contains the following ${errorCount} error(s):`,
    ...messages,
    'You can also find the above list of errors at the endpoint `/connector-plugins/{connectorType}/config/validate`',
  ].join('\n');
}

function warnOfSecrets(context: HerderContext, name: string, config: RawConfig): void {
  const keys = context.maskFor(connectorOf(context, config), config).literalSecrets(config);
  if (keys.length > 0) context.log('literal_secret', { connector: name, keys: keys.join(', ') });
}
