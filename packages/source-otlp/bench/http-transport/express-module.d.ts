// What the comparison needs of express, whose types this package does not depend on.
declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Response extends ServerResponse {
    status(code: number): Response;
    type(contentType: string): Response;
    send(body: Buffer): Response;
  }
  type Handler = (request: IncomingMessage, response: Response) => void;
  interface Application {
    (request: IncomingMessage, response: ServerResponse): void;
    disable(setting: string): void;
    use(handler: Handler): void;
    post(path: string, handler: Handler): void;
  }
  function express(): Application;
  namespace express {
    function raw(options: { readonly type: string; readonly limit: string }): Handler;
  }
  export = express;
}
