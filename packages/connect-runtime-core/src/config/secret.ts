/** What is shown in place of a secret in validation answers, as Kafka Connect prints passwords. */
export const hiddenText = '[hidden]';

/** Marks the class in every installed copy of this package. */
const mark = Symbol.for('@levada/connect-runtime-core:Secret');

/**
 * A secret configuration value. It shows itself only to who asks: printing, inspecting and serialising give the mask. `instanceof`
 * is true for secrets of another installed copy of this package, too.
 */
export class Secret {
  readonly #value: string;

  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && mark in value;
  }

  constructor(value: string) {
    this.#value = value;
  }

  /** The text itself. Call it where the secret is used, and do not keep the result. */
  reveal(): string {
    return this.#value;
  }

  get [mark](): true {
    return true;
  }

  toString(): string {
    return hiddenText;
  }

  toJSON(): string {
    return hiddenText;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return hiddenText;
  }
}
