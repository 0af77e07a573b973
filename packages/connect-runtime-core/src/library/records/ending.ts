/** When a stream ends early: after a number of items, or after the first that meets a condition. */
export type EndRule<T> =
  | { readonly kind: 'limit'; readonly count: number }
  | { readonly kind: 'until'; readonly condition: (item: T) => boolean };

/** Watches the items of a loop for the last one. */
export class Ending<T> {
  readonly #rules: readonly EndRule<T>[];
  #count = 0;
  #last: T | undefined;
  /** Number of items for which the rules were asked. */
  #asked = -1;
  #reached = false;

  constructor(rules: readonly EndRule<T>[]) {
    this.#rules = rules;
  }

  /** An item was given. */
  passed(item: T): void {
    this.#count += 1;
    this.#last = item;
  }

  /** Whether the item given last was the last one. Each rule is asked once for each item, after the loop was through with it. */
  get isReached(): boolean {
    if (!this.#reached && this.#asked !== this.#count) {
      this.#asked = this.#count;
      this.#reached = this.#rules.some((rule) => this.#holds(rule));
      this.#last = undefined;
    }
    return this.#reached;
  }

  #holds(rule: EndRule<T>): boolean {
    if (rule.kind === 'limit') return this.#count >= rule.count;
    return this.#count > 0 && rule.condition(this.#last as T);
  }
}
