import { html, type Content, type Markup } from './html.ts';
import { codeBlock, errorLink, jsonBlock, renderText } from './markdown.ts';
import {
  type ApiDescription,
  nameOf,
  type NamedExample,
  type Operation,
  type Response,
  type Schema,
} from './openapi.ts';
import type { Page, PageLink, SearchEntry } from './page.ts';
import { renderMember, renderMembers } from './schema.ts';

/** A page for each tag of the document that has operations or webhooks. */
export function renderReference(api: ApiDescription): readonly Page[] {
  return api.tags.flatMap(({ name, description }) => {
    const operations = api.operations.filter(({ tags = [] }) => tags[0] === name);
    const options = { path: referencePath(name), title: titleOf(name), description, operations };
    return operations.length === 0 ? [] : [referencePage(api, options)];
  });
}

/** The address of an operation's description. */
export function operationPath({ id, tags = [] }: Operation): string {
  return `${referencePath(tags[0] ?? '')}#${id}`;
}

function referencePath(tag: string): string {
  return `/docs/reference/${tag}`;
}

function titleOf(tag: string): string {
  const words = tag.replaceAll('-', ' ').replace(/^api\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface ReferenceOptions {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

function referencePage(api: ApiDescription, options: ReferenceOptions): Page {
  const { path, title, description, operations } = options;
  const objects = objectsOf(api, operations);
  const links: PageLink[] = operations.map(({ id, summary = id }) => ({ href: `#${id}`, title: plain(summary) }));
  const objectLinks: PageLink[] = [...objects.keys()].map((name) => ({ href: `#${objectId(name)}`, title: name }));
  const entries: SearchEntry[] = [
    ...operations.map((operation) => ({
      href: `${path}#${operation.id}`,
      title: plain(operation.summary ?? operation.id),
      text: `${operation.id} ${operation.method} ${operation.path} ${operation.description ?? ''}`,
    })),
    ...[...objects].map(([name, schema]) => ({
      href: `${path}#${objectId(name)}`,
      title: name,
      text: Object.keys(schema.properties ?? {}).join(' '),
    })),
  ];
  return {
    path,
    title,
    group: 'Reference',
    description: plain(description),
    isWide: true,
    contents: [...links, ...objectLinks],
    entries,
    body: html`
      ${renderText(description)} ${operations.map((operation) => renderOperation(api, operation, objects))}
      ${objects.size > 0 && html`<h2 class="objects" id="objects">Objects</h2>`}
      ${[...objects].map(
        ([name, schema]) =>
          html`<section class="object" aria-labelledby="${objectId(name)}">
            <h3 id="${objectId(name)}">${name}</h3>
            ${schema.description !== undefined && renderText(schema.description)} ${renderMembers(api, schema)}
          </section>`,
      )}
    `,
  };
}

function objectId(name: string): string {
  return `object-${name}`;
}

/** What the operations return, by name. */
function objectsOf(api: ApiDescription, operations: readonly Operation[]): Map<string, Schema> {
  const named = operations.flatMap((operation) => {
    const ref = returnedRef(api, operation)?.ref;
    return ref === undefined ? [] : [[nameOf(ref), api.schemaOf({ $ref: ref })] as const];
  });
  return new Map(named);
}

/** The object within the envelope of the first successful response. */
function returnedRef(api: ApiDescription, operation: Operation): { ref: string; isList: boolean } | undefined {
  const success = successOf(api, operation)?.[1].content?.['application/json']?.schema;
  const data = success === undefined ? undefined : api.schemaOf(success).properties?.data;
  if (data?.$ref !== undefined) return { ref: data.$ref, isList: false };
  const ref = data?.items?.$ref;
  return ref === undefined ? undefined : { ref, isList: true };
}

function successOf(api: ApiDescription, operation: Operation): readonly [string, Response] | undefined {
  return api.responsesOf(operation).find(([status]) => status.startsWith('2'));
}

function renderOperation(api: ApiDescription, operation: Operation, objects: ReadonlyMap<string, Schema>): Markup {
  const { id, method, path, isWebhook, summary = id, description } = operation;
  return html`<section class="operation" aria-labelledby="${id}">
    <div class="text">
      <h2 id="${id}">${inline(summary)}</h2>
      <p class="endpoint">
        ${isWebhook ? '' : html`<span class="method ${method.toLowerCase()}">${method}</span> `}<code
          >${breakable(path)}</code
        >
      </p>
      ${description !== undefined && renderText(description)} ${renderParameters(api, operation)}
      ${renderBody(api, operation)} ${renderReturned(api, operation, objects)} ${renderErrors(api, operation)}
    </div>
    <div class="code">
      ${renderSamples(operation)} ${renderExamples(api, operation)} ${!isWebhook && renderTryIt(api, operation)}
    </div>
  </section>`;
}

/** A path that may be broken after its slashes. */
function breakable(path: string): Content {
  return path.split('/').map((part, index) => [index > 0 && html`/<wbr />`, part]);
}

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

function renderParameters(api: ApiDescription, operation: Operation): Content {
  const parameters = api.parametersOf(operation);
  return PLACES.map(([place, title]) => {
    const ofPlace = parameters.filter((parameter) => parameter.in === place);
    return (
      ofPlace.length > 0 &&
      html`<h3>${title}</h3>
        <ul class="members">
          ${ofPlace.map(({ name, required = false, description, schema = {} }) =>
            renderMember(api, schema, { name, isRequired: required, description }),
          )}
        </ul>`
    );
  });
}

function renderBody(api: ApiDescription, { requestBody }: Operation): Content {
  const schema = requestBody?.content['application/json']?.schema;
  const members = schema === undefined ? null : renderMembers(api, schema);
  return (
    members !== null &&
    html`<h3>Body</h3>
      ${members}`
  );
}

function renderReturned(api: ApiDescription, operation: Operation, objects: ReadonlyMap<string, Schema>): Content {
  const success = successOf(api, operation);
  if (success === undefined) return null;
  const [status, { description }] = success;
  const returned = returnedRef(api, operation);
  const name = returned === undefined ? '' : nameOf(returned.ref);
  return html`<h3>Response</h3>
    <p>
      <span class="status">${status}</span> ${inline(description)}
      ${
        objects.has(name) &&
        html` ${returned?.isList === true ? 'A list of' : 'Its data is a'}
          <a href="#${objectId(name)}"><code>${name}</code></a
          >.`
      }
    </p>`;
}

function renderErrors(api: ApiDescription, operation: Operation): Content {
  const failures = api.responsesOf(operation).filter(([status]) => !status.startsWith('2'));
  const rows = failures.map(([status, { description }]) => {
    const codes = codesIn(description);
    return html`<tr>
      <td><span class="status bad">${status}</span></td>
      <td>${codes.length === 0 ? inline(description) : codes.map((code) => [errorLink(code), ' '])}</td>
    </tr>`;
  });
  return (
    rows.length > 0 &&
    html`<details class="nested errors">
      <summary>Errors</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Codes</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </details>`
  );
}

/** The codes that the description of a response lists at its end. */
export function codesIn(description: string): readonly string[] {
  const [, list = ''] = /Codes: (.*)$/s.exec(description) ?? [];
  return [...list.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code);
}

/** The samples of an operation as tabs; radio buttons make them work without a script. */
function renderSamples({ id, 'x-codeSamples': samples = [] }: Operation): Content {
  if (samples.length === 0) return null;
  return html`<fieldset class="samples">
    <legend>Sample</legend>
    ${samples.map(
      ({ lang, label = lang }, index) =>
        html`<label
          ><input
            type="radio"
            name="sample-${id}"
            value="${index}"
            data-label="${label}"
            ${index === 0 && html` checked`}
          />${label}</label
        >`,
    )}
    ${samples.map(
      ({ lang, source }, index) =>
        html`<div class="panel" data-panel="${index}">${codeBlock(source, lang.toLowerCase())}</div>`,
    )}
  </fieldset>`;
}

function renderExamples(api: ApiDescription, operation: Operation): Content {
  const request = api.examplesOf(operation.requestBody?.content['application/json'])[0];
  const success = successOf(api, operation);
  const response = api.examplesOf(success?.[1].content?.['application/json'])[0];
  const hasSamples = operation['x-codeSamples'] !== undefined;
  return [
    request !== undefined && !hasSamples && exampleBlock(operation.isWebhook ? 'Event' : 'Request body', request),
    response !== undefined && exampleBlock(`Response ${success?.[0] ?? ''}`, response),
  ];
}

function exampleBlock(title: string, { title: summary, value }: NamedExample): Markup {
  return html`<div class="example">
    <p class="caption">${title}${summary !== '' && html`<span> ${summary}</span>`}</p>
    ${jsonBlock(value)}
  </div>`;
}

/** The form that sends a request, which the page's script signs. */
function renderTryIt(api: ApiDescription, operation: Operation): Markup {
  const { id, method, path, security = [], requestBody } = operation;
  const fields = api.parametersOf(operation).filter(({ in: place }) => place !== 'cookie');
  const examples = api.examplesOf(requestBody?.content['application/json']);
  const body = requestBody === undefined ? undefined : JSON.stringify(examples[0]?.value ?? {}, null, 2);
  const isSigned = security.some((scheme) => 'signature' in scheme);
  return html`<details class="try">
    <summary>Try it</summary>
    <form data-method="${method}" data-path="${path}" ${isSigned && html` data-signed`} novalidate>
      ${fields.map(({ name, in: place, required = false, style }) => {
        const fieldId = `try-${id}-${name}`;
        const isOfPairs = style === 'deepObject';
        return html`<div class="field">
          <label for="${fieldId}"
            ><code>${name}</code>${required && ' (required)'}${isOfPairs && ' (such as order=1042&channel=web)'}</label
          >
          <input
            id="${fieldId}"
            name="${name}"
            data-in="${place}"
            ${isOfPairs && html` data-pairs`}
            autocomplete="off"
            spellcheck="false"
            ${required && html` required`}
          />
        </div>`;
      })}
      ${
        examples.length > 1 &&
        html`<div class="field">
          <label for="try-${id}-example">Example</label>
          <select id="try-${id}-example" data-examples>
            ${examples.map(({ title, value }) => html`<option value="${JSON.stringify(value, null, 2)}">${title}</option>`)}
          </select>
        </div>`
      }
      ${
        body !== undefined &&
        html`<div class="field">
          <label for="try-${id}-body">Body</label>
          <textarea
            id="try-${id}-body"
            data-body
            rows="${Math.min(body.split('\n').length + 1, 16)}"
            spellcheck="false"
          >
${body}</textarea>
        </div>`
      }
      <button type="submit" class="primary">Send</button>
      <div class="result" role="status"></div>
    </form>
  </details>`;
}

/** Text in which only the code of Markdown is markup. */
function inline(text: string): Content {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

function plain(text: string): string {
  return text.replaceAll('`', '');
}
