import type { ApiOperation } from '../resources/api-operation.ts';
import { pascalCase } from './component-names.ts';
import type { Exchange } from './recorded-examples.ts';

/** As viewers of the document read it from `x-codeSamples`. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

type SampledOperation = Pick<ApiOperation, 'method' | 'path' | 'resource' | 'isList'>;

/**
 * A recorded request as a program would send it, signed with version 2. The programs read the address of the engine, the API
 * key and its secret salt from `BASE`, `KEY` and `SALT`.
 */
export function codeSamplesOf(operation: SampledOperation, { request }: Exchange): readonly CodeSample[] {
  const sent = { ...request, method: operation.method.toUpperCase() };
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(sent) },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScriptSample(operation, request) },
    { lang: 'Python', label: 'Python', source: pythonSample(sent) },
  ];
}

type SentRequest = Exchange['request'] & { readonly method: string };

function curlSample({ method, path, body }: SentRequest): string {
  const takesKey = method === 'POST';
  return lines(
    '# BASE, KEY and SALT: the address of the engine, and a key for version 2 (/docs/signature#version-2)',
    `method=${method} path=${quoted(path)}`,
    `body=${body === undefined ? "''" : quoted(JSON.stringify(body))}`,
    'now=$(date -u +%Y-%m-%dT%H:%M:%SZ) nonce=$(openssl rand -hex 16)',
    takesKey ? 'key=$(openssl rand -hex 16) # the same in each retry' : "key=''",
    "hash=$(printf '%s' \"$body\" | openssl dgst -sha256 | sed 's/^.*= *//')",
    'signature=$(printf \'v2\\n%s\\n%s\\n%s\\n%s\\n\\n%s\\n%s\' "$method" "$path" "$now" "$nonce" "$key" "$hash" |',
    '  openssl dgst -sha256 -hmac "$SALT" | sed \'s/^.*= *//\')',
    'curl -sS -X "$method" "$BASE$path" -H "Authorization: Bearer $KEY" -H "X-Timestamp: $now" \\',
    `  -H "X-Nonce: $nonce" -H "X-Signature: $signature"${takesKey ? ' -H "X-Idempotency-Key: $key"' : ''}`,
  ).concat(body === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' --data-binary "$body"`);
}

function pythonSample({ method, path, body }: SentRequest): string {
  const takesKey = method === 'POST';
  return lines(
    'import hashlib, hmac, json, os, secrets',
    'from datetime import datetime, timezone',
    'from urllib.request import Request, urlopen',
    '',
    '# The address of the engine, and a key for version 2 (/docs/signature#version-2)',
    'base, key, salt = os.environ["BASE"], os.environ["KEY"], os.environ["SALT"]',
    '',
    `method, path = ${JSON.stringify(method)}, ${JSON.stringify(path)}`,
    body === undefined ? 'body = b""' : `body = json.dumps(${literal(body, PYTHON)}).encode()`,
    'timestamp = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")',
    'nonce = secrets.token_hex(16)',
    takesKey ? 'idempotency_key = secrets.token_hex(16)  # the same in each retry' : 'idempotency_key = ""',
    'body_hash = hashlib.sha256(body).hexdigest()',
    'signed = "\\n".join(["v2", method, path, timestamp, nonce, "", idempotency_key, body_hash])',
    'headers = {',
    '    "Authorization": f"Bearer {key}",',
    '    "X-Timestamp": timestamp,',
    '    "X-Nonce": nonce,',
    '    "X-Signature": hmac.new(salt.encode(), signed.encode(), hashlib.sha256).hexdigest(),',
    ...(takesKey ? ['    "X-Idempotency-Key": idempotency_key,'] : []),
    ...(body === undefined ? [] : ['    "Content-Type": "application/json",']),
    '}',
    'with urlopen(Request(base + path, data=body or None, method=method, headers=headers)) as response:',
    '    print(json.dumps(json.load(response), indent=2))',
  );
}

function typeScriptSample(operation: SampledOperation, request: Exchange['request']): string {
  const values = [...pathValues(operation.path, request.path), queryOf(request.path), request.body];
  const given = values.filter((value) => value !== undefined && !isEmpty(value));
  return lines(
    "import { createClient } from '@payment-engine/server';",
    '',
    '// The address of the engine, and a key for version 2 (/docs/signature#version-2)',
    "const { BASE = '', KEY = '', SALT = '' } = process.env;",
    'const client = createClient({ baseUrl: BASE, apiKey: KEY, secretSalt: SALT, signatureVersion: 2 });',
    '',
    `const result = await client.${methodOfClient(operation)}(${given.map((value) => literal(value, TYPE_SCRIPT)).join(', ')});`,
    'console.log(result);',
  );
}

/** Names of resources in the server client that differ from those in paths. */
const RESOURCES_OF_CLIENT: Readonly<Record<string, string>> = { merchants: 'merchantAccounts' };
/** Its methods whose names differ from the end of their path. */
const METHODS_BY_END: Readonly<Record<string, string>> = {
  'payment-methods': 'createPaymentMethod',
  files: 'uploadFile',
  'bank-confirmation': 'confirm',
  '{kind}': 'deleteFile',
};
/** Resources that a PUT creates too, and not only replaces. */
const CREATED_BY_PUT: readonly string[] = ['channel-limits', 'routing-settings'];
const METHODS_OF_CLIENT = { post: 'create', patch: 'update', put: 'replace', delete: 'delete' } as const;

/** `paymentIntents.confirm` for POST /payment-intents/{id}/confirm. */
function methodOfClient({ method, path, isList }: SampledOperation): string {
  const [, resource = '', ...rest] = path.split('/');
  const last = rest.at(-1) ?? resource;
  const ofElement = method === 'get' ? (isList ? 'list' : 'get') : METHODS_OF_CLIENT[method];
  const isAction = last !== resource && (!last.startsWith('{') || last in METHODS_BY_END);
  const name = isAction
    ? (METHODS_BY_END[last] ?? camelCase(last))
    : method === 'put' && CREATED_BY_PUT.includes(resource)
      ? 'put'
      : ofElement;
  return `${RESOURCES_OF_CLIENT[resource] ?? camelCase(resource)}.${name}`;
}

function camelCase(words: string): string {
  const name = pascalCase(words);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The values of the variable parts of a path below /api/v1. */
function pathValues(template: string, path: string): readonly string[] {
  const parts = path
    .replace(/\?.*/, '')
    .split('/')
    .slice(-template.split('/').length + 1);
  const names = template.split('/').slice(1);
  return parts.filter((_part, index) => names[index]?.startsWith('{'));
}

function queryOf(path: string): Readonly<Record<string, string | number>> {
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  return Object.fromEntries([...query].map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

interface Syntax {
  readonly words: Readonly<Record<string, string>>;
  readonly text: (text: string) => string;
  readonly key: (name: string) => string;
  readonly indentation: string;
}

const PYTHON: Syntax = {
  words: { null: 'None', true: 'True', false: 'False' },
  text: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  indentation: '    ',
};
const TYPE_SCRIPT: Syntax = {
  words: {},
  text: (text) => (text.includes("'") ? JSON.stringify(text) : `'${JSON.stringify(text).slice(1, -1)}'`),
  key: (name) => (/^[a-zA-Z]\w*$/.test(name) ? name : `'${name}'`),
  indentation: '  ',
};

/** A JSON value as a program has it, an object with a member on each line. */
function literal(value: unknown, syntax: Syntax, depth = 0): string {
  if (typeof value === 'string') return syntax.text(value);
  if (Array.isArray(value)) return `[${value.map((element) => literal(element, syntax, depth)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return syntax.words[String(value)] ?? String(value);
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${syntax.indentation.repeat(depth + 1)}${syntax.key(name)}: ${literal(member, syntax, depth + 1)},\n`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join('')}${syntax.indentation.repeat(depth)}}`;
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function lines(...texts: readonly string[]): string {
  return texts.join('\n');
}
