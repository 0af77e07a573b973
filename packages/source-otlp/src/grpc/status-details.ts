import { RETRY_AFTER_SECONDS } from '../receiver/export-outcome.ts';
import { bytesField, stringField, varintField } from './encode-fields.ts';

const NANOS_PER_SECOND = 1e9;

/**
 * `grpc-status-details-bin` of a refusal that asks to be sent again: google.rpc.Status with google.rpc.RetryInfo of one second,
 * and of up to another one, so that not all clients come back at once. Base64 without padding, as the protocol wants it.
 */
export function retryDetails(code: number, message: string): string {
  const nanos = Math.floor(Math.random() * NANOS_PER_SECOND);
  const delay = Buffer.concat([varintField(1, RETRY_AFTER_SECONDS), varintField(2, nanos)]);
  const retryInfo = Buffer.concat([
    stringField(1, 'type.googleapis.com/google.rpc.RetryInfo'),
    bytesField(2, bytesField(1, delay)),
  ]);
  const status = Buffer.concat([varintField(1, code), stringField(2, message), bytesField(3, retryInfo)]);
  return status.toString('base64').replace(/=+$/, '');
}
