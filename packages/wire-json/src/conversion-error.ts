/** The bytes are not a valid message of their type, or hold a value that has no JSON form. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
  /** The message type, e.g. `shop.Order`. */
  readonly messageType: string;
  /** What is wrong, e.g. `truncated varint`. */
  readonly reason: string;

  constructor(messageType: string, reason: string, options?: ErrorOptions) {
    super(`cannot convert ${messageType}: ${reason}`, options);
    this.messageType = messageType;
    this.reason = reason;
  }
}
