const COLUMNS = 5;
const AT = 0;
const END = 1;
const NUMBER = 2;
const BODY = 3;
const ITEMS_BEFORE = 4;
const FIRST_ROOM = 64;

/** One message of a list. Positions are in the message that contains the list. */
export interface ListEntry {
  /** Position of its tag. */
  readonly at: number;
  readonly body: number;
  readonly end: number;
  readonly number: number;
}

/** The messages of a list, stored as numbers in one array: a request may have millions. */
export class ListEntries {
  #cells = new Int32Array(FIRST_ROOM * COLUMNS);
  #length = 0;
  #items = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds an entry with this number of items. */
  push({ at, body, end, number }: ListEntry, items: number): void {
    const cell = this.#length * COLUMNS;
    if (cell === this.#cells.length) this.#grow();
    this.#cells[cell + AT] = at;
    this.#cells[cell + END] = end;
    this.#cells[cell + NUMBER] = number;
    this.#cells[cell + BODY] = body;
    this.#cells[cell + ITEMS_BEFORE] = this.#items;
    this.#items += items;
    this.#length += 1;
  }

  entry(index: number): ListEntry {
    return {
      at: this.at(index),
      body: this.#cell(index, BODY),
      end: this.end(index),
      number: this.#cell(index, NUMBER),
    };
  }

  at(index: number): number {
    return this.#cell(index, AT);
  }

  end(index: number): number {
    return this.#cell(index, END);
  }

  /** Items in the entries from `from` to before `to`. */
  items(from: number, to: number): number {
    return this.#itemsBefore(to) - this.#itemsBefore(from);
  }

  /** The first entry between `from` and `to` that ends after `position`; `to` if there is none. */
  firstAfter(position: number, from: number, to: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.end(middle) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #itemsBefore(index: number): number {
    return index === this.#length ? this.#items : this.#cell(index, ITEMS_BEFORE);
  }

  #cell(index: number, column: number): number {
    return this.#cells[index * COLUMNS + column] as number;
  }

  #grow(): void {
    const larger = new Int32Array(this.#cells.length * 2);
    larger.set(this.#cells);
    this.#cells = larger;
  }
}
