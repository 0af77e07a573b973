/** What is shown in place of a secret in validation answers, as Kafka Connect prints passwords. */
export const hiddenText = '[hidden]';

/** A secret configuration value. It shows itself only to who asks: printing, inspecting and serialising give the mask. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The text itself. Call it where the secret is used, and do not keep the result. */
  reveal(): string {
    return this.#value;
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
