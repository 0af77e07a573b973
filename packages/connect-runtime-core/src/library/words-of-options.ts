import type { AnySourceConnector } from '../contract/source-connector.ts';
import type { SourceEvent } from '../contract/source-event.ts';
import type { SourceTask } from '../contract/source-task.ts';
import { ConnectorError, isConnectorError } from '../diagnostics/connector-error.ts';
import { inOptions, optionProblem } from './option-problems.ts';

type Config = AnySourceConnector['config'];

/** The task for somebody who gave options: what it says in errors, events and health names those, and not the keys of a configuration. */
export function speakingOfOptions(task: SourceTask, config: Config): SourceTask {
  const say = (text: string): string => inOptions(config.keys, text);
  const rethrow = (thrown: unknown): never => {
    throw errorInOptions(thrown, config);
  };
  const saidEvent = (event: SourceEvent): SourceEvent =>
    event.type === 'disconnected' ? { ...event, reason: say(event.reason) } : event;
  return {
    start: (values, context) =>
      task.start(values, { ...context, emit: (event) => context.emit(saidEvent(event)) }).catch(rethrow),
    poll: () => task.poll().catch(rethrow),
    stop: () => task.stop(),
    ...(task.completed && { completed: () => task.completed?.() ?? false }),
    ...(task.committed && { committed: (records, dropped) => task.committed?.(records, dropped) }),
    ...(task.reconfigure && { reconfigure: (values) => task.reconfigure?.(values) ?? Promise.resolve() }),
    ...(task.connection && {
      connection: () => {
        const snapshot = task.connection?.() ?? { state: 'disconnected' };
        return snapshot.lastError === undefined
          ? snapshot
          : { ...snapshot, lastError: say(snapshot.lastError) };
      },
    }),
  };
}

function errorInOptions(thrown: unknown, config: Config): unknown {
  if (!isConnectorError(thrown)) return thrown;
  const { code, message, retriable, retryAfterMs, stack } = thrown;
  const cause = errorInOptions(thrown.cause, config);
  const issues = thrown.issues.map((issue) => optionProblem(config, issue));
  // An error of the configuration is the list of its problems.
  const said =
    issues.length > 0 ? issues.map((issue) => issue.message).join('\n') : inOptions(config.keys, message);
  if (said === message && cause === thrown.cause) return thrown;
  const error = new ConnectorError(code, said, {
    cause,
    retriable,
    issues,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
  if (stack !== undefined) error.stack = stack.replace(message, said);
  return error;
}
