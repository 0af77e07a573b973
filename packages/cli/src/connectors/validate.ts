import type { ConnectionOptions } from '../client/connection.ts';
import { type ValidationAnswer, withoutRepeats } from '../client/worker-answers.ts';
import { connectToWorker, messageOf, success, type WorkerClient } from '../client/worker-client.ts';
import { CommandExit, exitCodes } from '../output/command-error.ts';
import { render, visible } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Config } from './config-changes.ts';
import { connectorFiles, type FileOptions } from './connector-files.ts';
import { connectorShapes, type PrintOptions } from './outcomes.ts';

/** Options of `levada connector validate`. */
export interface ValidateOptions extends ConnectionOptions, FileOptions, PrintOptions {}

/** One mistake in a configuration. */
export interface ValidationError {
  readonly key: string;
  readonly message: string;
}

/** `levada connector validate -f`: lets the worker check configurations, and changes nothing. Ends with 1 when one is not valid. */
export async function validateConnectors(options: ValidateOptions, terminal: Terminal): Promise<void> {
  const definitions = await connectorFiles(options, terminal);
  const client = await connectToWorker(options, terminal);
  const connectors = [];
  for (const { name, config, file } of definitions) {
    const errors = await validationErrors(client, config);
    connectors.push({ name, file, valid: errors.length === 0, errors });
  }
  const valid = connectors.every((one) => one.valid);
  const value = { schema: connectorShapes.validation, valid, connectors };
  const rows = connectors.map(({ name, file, errors }) => ({
    name,
    file,
    result: errors.length === 0 ? 'valid' : `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`,
  }));
  terminal.out(render(options.output, value, () => rows));
  for (const { file, errors } of connectors) {
    for (const { key, message } of errors) terminal.err(`${file}: ${visible(key)}: ${visible(message)}\n`);
  }
  if (!valid) throw new CommandExit(exitCodes.problems);
}

/** The mistakes that a worker finds. A class that it does not have is one, too. */
export async function validationErrors(
  client: WorkerClient,
  config: Config,
): Promise<readonly ValidationError[]> {
  const plugin = encodeURIComponent(config['connector.class'] ?? '');
  const answer = await client.ask('PUT', `/connector-plugins/${plugin}/config/validate`, config);
  if (answer.status === 400 || answer.status === 404 || answer.status === 500) {
    return [
      { key: 'connector.class', message: messageOf(answer).split(', available connectors are')[0] ?? '' },
    ];
  }
  const { configs = [] } = success(answer, client.url).body as ValidationAnswer;
  return configs.flatMap(({ value }) =>
    withoutRepeats(value?.errors ?? []).map((message) => ({ key: value?.name ?? '', message })),
  );
}
