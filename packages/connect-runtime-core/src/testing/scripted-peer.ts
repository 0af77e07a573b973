import { ConnectorError } from '../diagnostics/connector-error.ts';

/** What a scripted source gives the peer for one connection. */
export interface PeerConnection {
  onMessage(text: string): void;
  /** The connection is over, from the peer's side. */
  onEnd(error: ConnectorError): void;
}

/** The other side of a scripted source: a server that a test plays. */
export interface ScriptedPeer {
  /** Sends to every open connection, and says how many those are. */
  send(...texts: readonly string[]): number;
  /** Ends every open connection. New ones are accepted. */
  drop(reason?: string): void;
  /** Ends every connection and refuses new ones, until {@link comeBack}. */
  goAway(error?: ConnectorError): void;
  comeBack(): void;
  /** Connections that are open now. */
  readonly connections: number;
  /** Connections that were asked for, refused ones included. */
  readonly attempts: number;
  /** For the source: opens a connection. The function returned closes it from the source's side. Throws when refused. */
  open(connection: PeerConnection): () => void;
}

/** A peer that accepts connections. */
export function createScriptedPeer(): ScriptedPeer {
  const open = new Set<PeerConnection>();
  let refusal: ConnectorError | undefined;
  let attempts = 0;
  const end = (error: ConnectorError): void => {
    for (const connection of open) {
      open.delete(connection);
      connection.onEnd(error);
    }
  };
  return {
    send: (...texts) => {
      for (const text of texts) for (const connection of open) connection.onMessage(text);
      return open.size;
    },
    drop: (reason = 'the peer closed the connection') => end(new ConnectorError('connection_lost', reason)),
    goAway: (error = new ConnectorError('connection_failed', 'the peer is away')) => {
      refusal = error;
      end(error);
    },
    comeBack: () => {
      refusal = undefined;
    },
    get connections() {
      return open.size;
    },
    get attempts() {
      return attempts;
    },
    open: (connection) => {
      attempts += 1;
      if (refusal !== undefined) throw refusal;
      open.add(connection);
      return () => open.delete(connection);
    },
  };
}
