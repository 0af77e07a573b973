import type { Clock, Secret } from '@levada/connect-runtime-core';
import { pointerValue } from '@levada/connect-runtime-core/source-kit';
import type { ReceivedMessage } from '../config/match-rule.ts';
import { type MessageTemplate, type Placeholder, placeholderText } from '../config/message-template.ts';

/** Values that only one message has, by placeholder. */
export type OwnValues = Readonly<Record<string, unknown>>;

/** Replies, secrets and numbers that messages of one connection are filled with. */
export interface MessageValuesOptions {
  readonly clock: Clock;
  /** Those in force. */
  readonly secrets: () => ReadonlyMap<string, Secret>;
}

/** Longest text of a reply that is masked in what a peer says later: replies may bring tokens. Shorter ones are words. */
const MIN_SECRET = 16;

/** Most of these that are remembered, the last ones. */
const MAX_HIDDEN = 32;

/** A message that cannot be filled, and the placeholder that has no value. */
export interface Unfilled {
  readonly missing: string;
}

/** What the messages of one connection are filled with. */
export class MessageValues {
  readonly #options: MessageValuesOptions;
  readonly #replies = new Map<string, unknown>();
  readonly #used = new Set<string>();
  #count = 0;

  constructor(options: MessageValuesOptions) {
    this.#options = options;
  }

  /** Keeps a reply for the messages after it; `number` is that of its message in the handshake. */
  keep(reply: ReceivedMessage, number?: number): void {
    this.#replies.set('reply', reply.json);
    if (number !== undefined) this.#replies.set(`reply.${number}`, reply.json);
  }

  /** The message as it is sent. */
  fill(template: MessageTemplate, own: OwnValues = {}): string | Unfilled {
    this.#count += 1;
    const filled = template.fill((placeholder) => this.#valueOf(placeholder, own));
    return typeof filled === 'string' ? filled : { missing: placeholderText(filled) };
  }

  /** Texts that must not be shown: secrets, and long texts of replies that were sent. */
  hidden(): readonly string[] {
    const secrets = [...this.#options.secrets().values()].map((secret) => secret.reveal());
    return [...secrets, ...this.#used];
  }

  #valueOf({ name, argument = '' }: Placeholder, own: OwnValues): unknown {
    const { clock, secrets } = this.#options;
    if (name === 'secret') return secrets().get(argument)?.reveal();
    if (name === 'time.ms') return clock.now();
    if (name === 'time.s') return Math.floor(clock.now() / 1000);
    if (name === 'count') return this.#count;
    if (name === 'message') return pointerValue(argument)(own[name]);
    if (!this.#replies.has(name)) return own[name];
    const value = pointerValue(argument)(this.#replies.get(name));
    if (typeof value === 'string' && value.length >= MIN_SECRET) this.#hide(value);
    return value;
  }

  #hide(text: string): void {
    const [first = ''] = this.#used;
    if (this.#used.size >= MAX_HIDDEN) this.#used.delete(first);
    this.#used.add(text);
  }
}
