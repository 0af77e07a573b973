import type { ConfigKey, RawConfig } from '@levada/connect-runtime-core';
import { secretKeysKey } from './secret-keys.ts';

/** What answers show in place of a literal secret. Sent back, it keeps what is stored. */
export const maskText = '********';

const secretWords =
  'password|passwd|passphrase|secret|token|api[._-]?key|credential|authorization|private[._-]?key';
const secretName = new RegExp(`${secretWords}|sasl\\.jaas\\.config`, 'i');
const secretParameter = new RegExp(secretWords, 'i');
const urlUserInfo = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\s@]+(?:@[^/?#\s@]+)*)@/i;
/** A parameter of a URL. Its name holds no `?`, so that a text full of them takes linear time. */
const urlParameter = /([?&])([^?=&#]*)=([^&#]+)/g;
/** Between the URLs of a list. */
const urlSeparator = /(,\s*)(?=[a-z][a-z0-9+.-]*:\/\/)/i;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

export interface SecretMaskOptions {
  /** The row that defines a key, if any does. */
  readonly find: (name: string) => ConfigKey | undefined;
  /** Names of the worker's config providers: `${name:...}` is a reference to a secret, not one. */
  readonly providers: Iterable<string>;
  /** Keys that the configuration itself names as secret. Default: none. */
  readonly named?: ReadonlySet<string>;
}

/**
 * Hides literal secrets in what is answered: values of secret keys, of keys named like secrets or in `secret.keys`, user
 * info and secret parameters of URLs, private keys. References are shown as they are written.
 */
export class SecretMask {
  readonly #find: SecretMaskOptions['find'];
  readonly #references: readonly string[];
  readonly #named: ReadonlySet<string>;

  constructor(options: SecretMaskOptions) {
    this.#find = options.find;
    this.#named = new Set([...(options.named ?? [])].map((name) => this.#canonical(name)));
    this.#references = [...options.providers].map((provider) => `\${${provider}:`);
  }

  /** The text as it may be shown. */
  mask(name: string, text: string): string {
    if (text === '' || name === secretKeysKey) return text;
    const row = this.#find(name);
    const secret = row?.secret === true || row?.type === 'password' || secretName.test(name);
    if (secret || this.#named.has(this.#canonical(name)) || privateKey.test(text))
      return this.#isReference(text) ? text : maskText;
    return text
      .split(urlSeparator)
      .map((url) =>
        url.replace(urlUserInfo, (all: string, scheme: string, userInfo: string) =>
          this.#isReference(userInfo) ? all : `${scheme}${maskText}@`,
        ),
      )
      .join('')
      .replace(urlParameter, (all: string, sign: string, parameter: string, value: string) =>
        secretParameter.test(parameter) && !this.#isReference(value)
          ? `${sign}${parameter}=${maskText}`
          : all,
      );
  }

  /** A configuration as it may be shown. */
  maskAll(config: RawConfig): RawConfig {
    return mapTexts(config, (name, text) => this.mask(name, text));
  }

  /** A configuration that was sent, with what is stored in place of masks of it. */
  unmask(config: RawConfig, stored: RawConfig): RawConfig {
    return mapTexts(config, (name, text) => {
      const kept = Object.hasOwn(stored, name) ? stored[name] : undefined;
      return typeof kept === 'string' && this.mask(name, kept) === text ? kept : text;
    });
  }

  /** Keys whose text is a mask, not a secret. */
  stillMasked(config: RawConfig): readonly string[] {
    return Object.keys(config).filter((name) => config[name]?.includes(maskText) === true);
  }

  /** Keys that hold a secret in the configuration itself. */
  literalSecrets(config: RawConfig): readonly string[] {
    return Object.keys(config).filter((name) => {
      const text = config[name];
      return typeof text === 'string' && this.mask(name, text) !== text;
    });
  }

  /** The secrets themselves, for a scrubber: whole values, or of a URL the parts that are masked. */
  secretTexts(config: RawConfig): readonly string[] {
    return this.literalSecrets(config).flatMap((name) => {
      const text = config[name] ?? '';
      if (this.mask(name, text) === maskText) return [text];
      const users = text.split(urlSeparator).flatMap((url) => {
        const userInfo = urlUserInfo.exec(url)?.[2];
        return userInfo === undefined ? [] : [userInfo, ...userInfo.split(':').slice(1)];
      });
      const parameters = [...text.matchAll(urlParameter)].flatMap(([, , parameter = '', value = '']) =>
        secretParameter.test(parameter) ? [value] : [],
      );
      return [...users, ...parameters];
    });
  }

  /** The name that an alias stands for. */
  #canonical(name: string): string {
    const row = this.#find(name);
    return row === undefined || row.prefix === true ? name : row.name;
  }

  #isReference(text: string): boolean {
    return this.#references.some((reference) => text.includes(reference));
  }
}

function mapTexts(config: RawConfig, map: (name: string, text: string) => string): RawConfig {
  const entries = Object.entries(config).map(([name, text]) => [
    name,
    text === null ? null : map(name, text),
  ]);
  return Object.fromEntries(entries) as RawConfig;
}
