import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A real HTTP proxy on loopback that tunnels with CONNECT; every name leads to this machine. */
export interface ConnectProxy {
  readonly url: string;
  readonly port: number;
  /** Targets that were asked for, and `Proxy-Authorization`, in order. */
  readonly asked: readonly { readonly target: string; readonly authorization: string | undefined }[];
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** How a proxy behaves. */
export interface ConnectProxyOptions {
  readonly secure?: { readonly cert: Buffer; readonly key: Buffer };
  /** Answers in place of a tunnel; nothing at all when it writes nothing. */
  readonly answer?: (socket: Socket, request: IncomingMessage) => void;
}

/** Starts one on a port of its own. */
export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server: Server = options.secure === undefined ? createServer() : createSecureServer(options.secure);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const target = request.url ?? '';
    asked.push({ target, authorization: request.headers['proxy-authorization'] });
    socket.on('error', () => undefined);
    if (options.answer !== undefined) {
      options.answer(socket, request);
      return;
    }
    const upstream = connect(Number(/:(\d+)$/.exec(target)?.[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const close = async (): Promise<void> => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  };
  const scheme = options.secure === undefined ? 'http' : 'https';
  return { url: `${scheme}://127.0.0.1:${port}`, port, asked, cut, close };
}
