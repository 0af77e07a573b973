import type { UpdateAnswer } from '../client/worker-answers.ts';
import { connectorPath, success, type WorkerClient } from '../client/worker-client.ts';

/** What workers show in place of a secret. */
export const maskText = '********';

/** Longest value that is shown in a line. */
const MAX_SHOWN = 120;

const words =
  'password|passwd|passphrase|secret|token|api[._-]?key|credential|authorization|private[._-]?key|sasl\\.jaas\\.config';
const secretName = new RegExp(words, 'i');
const secretValue = /-----BEGIN [A-Z ]*PRIVATE KEY-----|^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*@/i;
const secretParameter = new RegExp(`[?&][^?=&]*(?:${words})[^?=&]*=`, 'i');
/** A value of a config provider, such as `${file:/etc/secrets.properties:token}`, also inside a longer text. */
const reference = /\$\{[^{}:]+:[^{}]*\}/;

export type Config = Readonly<Record<string, string>>;

/** One key that differs. Values are as they may be shown: secrets are masked. */
export interface KeyChange {
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** What the worker has; null when it has none. */
  readonly from: string | null;
  /** What it would have; null when none. */
  readonly to: string | null;
}

/** What storing a configuration would do. */
export interface ConfigChanges {
  readonly action: 'create' | 'update' | 'none';
  readonly changes: readonly KeyChange[];
  /** `restart`, `reconnect` or `live`, where the worker says so: those of Kafka Connect do not. */
  readonly effect: string | null;
}

/**
 * Compares a configuration with the one that a worker has. A worker masks secrets in its answers; whether they differ is asked of
 * the worker itself, which also knows names that mean the same.
 */
export async function configChanges(
  client: WorkerClient,
  name: string,
  wanted: Config,
): Promise<ConfigChanges> {
  const stored = (await client.find(`${connectorPath(name)}/config`)) as Config | undefined;
  if (stored === undefined) {
    const changes = Object.keys(wanted)
      .toSorted()
      .map((key) => keyChange(key, {}, wanted));
    return { action: 'create', changes, effect: null };
  }
  const keys = [...new Set([...Object.keys(stored), ...Object.keys(wanted)])].toSorted();
  const differing = keys.filter((key) => key !== 'name' && !isSame(stored[key], wanted[key]));
  const isMasked = keys.some((key) => stored[key]?.includes(maskText) === true);
  if (!isMasked && differing.length === 0) return { action: 'none', changes: [], effect: null };
  const update = await updateOf(client, name, wanted);
  const changed = update?.changed.map((one) => one.name).toSorted() ?? differing;
  return {
    action: changed.length === 0 ? 'none' : 'update',
    changes: changed.map((key) => keyChange(key, stored, wanted)),
    effect: update === undefined || changed.length === 0 ? null : update.effect,
  };
}

/** What the worker says that storing it would do; undefined for workers of Kafka Connect, and for what they cannot validate. */
async function updateOf(
  client: WorkerClient,
  name: string,
  wanted: Config,
): Promise<UpdateAnswer | undefined> {
  const plugin = encodeURIComponent(wanted['connector.class'] ?? '');
  const path = `/connector-plugins/${plugin}/config/validate?expand=update`;
  const { commit } = (await client.get('/')) as { readonly commit?: unknown };
  if (!String(commit).startsWith('levada-')) return undefined;
  const answer = await client.ask('PUT', path, { ...wanted, name });
  if (answer.status >= 400 && answer.status !== 401 && answer.status !== 403) return undefined;
  return (success(answer, client.url).body as { readonly update?: UpdateAnswer }).update;
}

function keyChange(key: string, stored: Config, wanted: Config): KeyChange {
  const from = stored[key];
  const to = wanted[key];
  const isSecret = isSecretText(key, from) || isSecretText(key, to);
  return {
    key,
    change: from === undefined ? 'added' : to === undefined ? 'removed' : 'changed',
    from: from === undefined ? null : shownValue(from, isSecret),
    to: to === undefined ? null : shownValue(to, isSecret),
  };
}

/** Equal, as far as an answer with masks in it can show. */
function isSame(stored: string | undefined, wanted: string | undefined): boolean {
  if (stored === undefined || wanted === undefined) return stored === wanted;
  if (stored === wanted) return true;
  if (!stored.includes(maskText)) return false;
  const parts = stored.split(maskText).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`, 's').test(wanted);
}

/**
 * Whether a value may hold a secret, by the rules with which workers mask: the name of its key, or what it looks like. Workers of
 * Kafka Connect mask nothing, and files are not masked either.
 */
export function isSecretText(key: string, text: string | undefined): boolean {
  // The names of secrets are none.
  if (text === undefined || key === 'secret.keys' || reference.test(text)) return false;
  return (
    secretName.test(key) || text.includes(maskText) || secretValue.test(text) || secretParameter.test(text)
  );
}

/** A value as it may be shown, short enough for a line. */
function shownValue(text: string, isSecret: boolean): string {
  if (isSecret && !reference.test(text)) return maskText;
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}... (${text.length} characters)` : text;
}
