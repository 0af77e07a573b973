/** Words of a key that name a secret, with the word before them run together or not: `password`, `sslKeyPassword`, `api_key`. */
const secretWords =
  /(?:passwords?|passwd|pwd|passphrase|secrets?|token|credentials?|jaas|authorization|webhook|auth\.user\.info|(?:access|account|api|encryption|keystore|private|routing|storage)\.?key)(?:\.|$)|\bpass$/;

/** Last words of keys that say something about a secret rather than being one: `password.file`, `token.url`, `access.key.id`. */
const aboutSecrets: ReadonlySet<string> = new Set(
  [
    'type mode class provider source method algorithm format encoding strategy policy validation version',
    'url uri endpoint path file location id name alias scope audience property field fields column header prefix separator replacement',
    'enabled enable default required expiry expires lifetime validity ttl timeout interval ms seconds length size min max count',
  ].flatMap((line) => line.split(' ')),
);

/** Longer keys are looked at from the end. */
const MAX_LENGTH = 1024;

/**
 * Whether the value of a key of configuration is a secret, so that it must not be written in clear text and is never printed.
 * What a key says about a secret, such as `password.file`, is none.
 */
export function namesSecret(key: string): boolean {
  const words = key
    .slice(-MAX_LENGTH)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1.$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  if (!secretWords.test(words.join('.'))) return false;
  const last = words.at(-1) ?? '';
  // The address of a webhook is all that is needed to use it
  return !aboutSecrets.has(last) || (last === 'url' && words.at(-2) === 'webhook');
}
