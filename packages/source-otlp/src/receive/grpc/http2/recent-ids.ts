/** The last of a growing row of numbers. */
export class RecentIds {
  readonly #max: number;
  readonly #ids = new Set<number>();

  /** `max`: how many are remembered. */
  constructor(max: number) {
    this.#max = max;
  }

  add(id: number): void {
    const [oldest] = this.#ids.size < this.#max ? [] : this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
    this.#ids.add(id);
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }
}
