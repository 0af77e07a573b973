/** What is known about a message that could not be converted. */
export interface ConversionFailure {
  /** The message's type, e.g. `shop.Orders`. */
  readonly messageType: string;
  /** Where in the message, e.g. `order.lines[3].price`; empty if it is the message itself. */
  readonly path: string;
  /** What is wrong, e.g. `truncated varint`. */
  readonly reason: string;
}

/** The bytes are not a valid message of the type, or hold a value that has no JSON form. The next message may be fine. */
export class ConversionError extends Error implements ConversionFailure {
  readonly messageType: string;
  readonly path: string;
  readonly reason: string;

  constructor({ messageType, path, reason }: ConversionFailure) {
    super(`cannot convert ${messageType}: ${path === '' ? '' : `${path}: `}${reason}`);
    this.name = 'ConversionError';
    this.messageType = messageType;
    this.path = path;
    this.reason = reason;
  }
}
