import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves the built site on a port of this machine. Answers its address, and how to stop. */
export async function serveSite(folder) {
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request, response) => {
    const path = normalize(decodeURI(new URL(request.url, 'http://site').pathname));
    for (const file of [path, `${path}.html`, join(path, 'index.html')]) {
      // Not this one: the next is tried, and what no file answers gets a 404.
      const body = await readFile(join(folder, file)).catch(() => undefined);
      if (body === undefined) continue;
      response
        .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
        .end(body);
      return;
    }
    response.writeHead(404).end();
  };
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
