/** Java's names of the errors that a Jolokia agent answers with. */
export type JavaErrorName =
  | 'java.lang.IllegalArgumentException'
  | 'java.lang.SecurityException'
  | 'java.lang.Exception'
  | 'javax.management.AttributeNotFoundException'
  | 'javax.management.InstanceNotFoundException'
  | 'javax.management.MalformedObjectNameException';

/** Why a request of the Jolokia protocol cannot be answered. The status is part of the body; HTTP answers 200. */
export class JolokiaError extends Error {
  readonly status: number;
  readonly javaName: JavaErrorName;

  constructor(status: number, javaName: JavaErrorName, message: string) {
    super(message);
    this.name = 'JolokiaError';
    this.status = status;
    this.javaName = javaName;
  }
}

/** Any thrown value as the fields of an answer. */
export function errorFields(thrown: unknown): Readonly<Record<string, unknown>> {
  const known = thrown instanceof JolokiaError ? thrown : undefined;
  const type = known?.javaName ?? 'java.lang.Exception';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { error_type: type, error: `${type} : ${message}`, status: known?.status ?? 500 };
}
