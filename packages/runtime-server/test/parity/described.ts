import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApi } from '../../src/rest/handler.ts';
import {
  matchPattern,
  type PathSegment,
  pathPattern,
  pathSegments,
  splitTarget,
} from '../../src/rest/message/match-path.ts';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

interface Content {
  readonly schema: { readonly $ref?: string };
}

const ajv = new Ajv2020({ strict: false });
const document = openApi() as Described;
ajv.addSchema({ $id: 'rest', components: document.components });

/** Where an answer is not what the OpenAPI document says, in words; empty when it is, or when the document does not list the path. */
export function undescribed(call: string, status: number, body: string): readonly string[] {
  const [, method = '', target = ''] = /^(\S+) (.*)$/.exec(call) ?? [];
  const operation = operationOf(method === 'HEAD' ? 'GET' : method, target);
  if (operation === undefined) return [];
  const response = operation.responses[String(status)];
  if (response === undefined) return [`status ${status} is not in /openapi.json`];
  const content = response.content?.['application/json'];
  if (content === undefined) {
    return body === '' || response.content !== undefined ? [] : ['/openapi.json lists no body'];
  }
  if (body === '' || content.schema.$ref === undefined) return [];
  const matches = ajv.compile({ $ref: `rest${content.schema.$ref}` });
  return matches(JSON.parse(body))
    ? []
    : [`/openapi.json describes another body: ${ajv.errorsText(matches.errors)}`];
}

function operationOf(method: string, target: string): Operation | undefined {
  let segments: readonly PathSegment[] | undefined;
  try {
    segments = pathSegments(splitTarget(target).path);
  } catch {
    return undefined;
  }
  if (segments === undefined) return undefined;
  const found = segments;
  const path = Object.keys(document.paths).find(
    (pattern) => matchPattern(pathPattern(pattern), found) !== undefined,
  );
  return path === undefined ? undefined : document.paths[path]?.[method.toLowerCase()];
}
