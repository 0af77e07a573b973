import type { Route } from './route.ts';
import { schemas } from './schemas.ts';

/** Of Kafka Connect's REST interface, whose paths and bodies these are. */
const API_VERSION = '3.9';

type Json = Readonly<Record<string, unknown>>;

const paramsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

const describedParams: Readonly<Record<string, string>> = {
  connector: 'Name of the connector, percent-encoded.',
  task: 'Number of the task, from 0.',
  plugin: 'Class of the plugin, with or without its package, and with or without `Connector` at its end.',
  logger: 'Name of the logger; `root` for all that have no level of their own.',
};

/** Statuses that any request may get, and why. */
const anywhere: Readonly<Record<number, string>> = {
  401: 'The caller is not known. With passwords the body is plain text, as in Kafka Connect.',
  403: 'The caller has not the role, a web page of another site has sent it, or what is asked for is disabled.',
  406: '`Accept` does not allow the type of the answer.',
  415: 'The body is not `application/json`, or a change without a body has another type.',
  500: 'The worker failed, or did not answer in time.',
  503: 'The worker is still starting, or has too many requests at once.',
};
const withBody: Readonly<Record<number, string>> = {
  400: 'The body or the path cannot be read, or what it asks for is not valid.',
  413: 'The body is larger than 1 MiB; 16 MiB in a request that another worker signed.',
};

/** The OpenAPI 3.1 document of a route table. */
export function openApiOf(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Connector worker',
      version: API_VERSION,
      summary: 'The REST interface of Kafka Connect, and what this worker adds',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The worker that answers' }],
    security: [{}, { password: [] }, { token: [] }],
    tags: tagNames.map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        password: { type: 'http', scheme: 'basic' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  };
}

const tags: Readonly<Record<string, string>> = {
  worker: 'The worker itself',
  connectors: 'Connectors and their tasks',
  plugins: 'Installed plugins, and validation of configurations',
  admin: 'Log levels and metrics; on the addresses of admin.listeners when there are any',
};
const tagNames = Object.keys(tags);

function tagOf(path: string): string {
  if (path.startsWith('/connectors')) return 'connectors';
  if (path.startsWith('/connector-plugins')) return 'plugins';
  return path.startsWith('/admin') ? 'admin' : 'worker';
}

function operation(route: Route): Json {
  const { doc, method, path } = route;
  const body = doc.body === undefined ? {} : { requestBody: { required: true, content: jsonOf(doc.body) } };
  const query = Object.entries(doc.query ?? {}).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
  const inPath = paramsOf(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: describedParams[name] ?? '',
    schema: { type: 'string' },
  }));
  const parameters = [...inPath, ...query];
  return {
    operationId: doc.id,
    summary: doc.summary,
    description: `Needs the role \`${route.role ?? (method === 'GET' ? 'read' : 'admin')}\`, where roles are used.`,
    tags: [tagOf(path)],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...body,
    responses: responsesOf(route),
  };
}

function responsesOf({ doc, path, status, produces }: Route): Json {
  const success = { [status]: doc.answer === undefined ? 'Done.' : 'The answer.', ...doc.also };
  const hasBody = doc.body !== undefined;
  const refused = {
    ...anywhere,
    // A path that holds a name can be written wrongly.
    ...(hasBody || path.includes('{') ? { 400: withBody[400] } : {}),
    ...(hasBody ? withBody : {}),
    ...doc.errors,
  };
  const answered = Object.entries(success).map(([code, description]) => {
    const empty = doc.answer === undefined || (doc.empty ?? []).includes(Number(code));
    const content = produces === undefined ? jsonOf(doc.answer ?? 'Message') : textOf(produces);
    return [code, empty ? { description } : { description, content }];
  });
  const failed = Object.entries(refused).map(([code, description]) => [
    code,
    {
      description,
      content: jsonOf(doc.failure?.includes(Number(code)) === true ? (doc.answer ?? 'Error') : 'Error'),
    },
  ]);
  return Object.fromEntries([...failed, ...answered]);
}

function jsonOf(name: keyof typeof schemas): Json {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
}

function textOf(types: readonly string[]): Json {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));
}
