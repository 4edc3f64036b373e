import assert from 'node:assert/strict';
import type { Exchange, RecordedExamples } from '../../api/openapi/recorded-examples.ts';
import type { ErrorCode } from '../../domain/error-catalogue.ts';
import type { EventType } from '../../domain/events.ts';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { methodOf, OPERATIONS_OF_API, pathOf } from '../support/api-operations.ts';
import { type Answer, request } from '../support/signed-request.ts';

/** The variable parts of a request. */
interface RequestParts {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Section<Name extends string, Value> = Partial<Record<Name, Value>>;

/** Sends requests to the running engine, and keeps them with their answers. */
export class Recorder {
  private readonly operations: Record<string, Record<string, Exchange>> = {};
  private readonly errors: Section<ErrorCode, unknown> = {};
  private readonly webhooks: Section<EventType, unknown> = {};

  /**
   * Sends the request of an operation.
   * @param name names the example among those of the operation
   * @param expectedStatus fails on any other
   */
  async send(
    operationId: string,
    [name, summary, expectedStatus = 0]: readonly [name: string, summary: string, expectedStatus?: number],
    credentials: Credentials,
    { parameters = {}, query = {}, body, headers = {} }: RequestParts = {},
  ): Promise<Answer> {
    const operation = OPERATIONS_OF_API.find((each) => each.operationId === operationId);
    assert.ok(operation, operationId);
    const search = new URLSearchParams(query).toString();
    const path = `/api/v1${pathOf(operation, parameters)}${search === '' ? '' : `?${search}`}`;
    const sent = { method: methodOf(operation), path, headers, ...(body === undefined ? {} : { body }) };
    const answer = await request(sent, credentials);
    const status = expectedStatus === 0 ? operation.status : expectedStatus;
    assert.equal(answer.status, status, `${operationId} ${name}: ${JSON.stringify(answer.body)}`);
    this.keep(operationId, name, {
      summary,
      request: { path, ...(body === undefined ? {} : { body }) },
      response: { status, body: answer.body },
    });
    return answer;
  }

  /** Keeps an exchange that was sent in another way. */
  keep(operationId: string, name: string, exchange: Exchange): void {
    const ofOperation = (this.operations[operationId] ??= {});
    assert.ok(!Object.hasOwn(ofOperation, name), `two examples of ${operationId} are called ${name}`);
    ofOperation[name] = exchange;
  }

  keepError(code: ErrorCode, body: unknown): void {
    this.errors[code] = body;
  }

  /** Keeps the first event of each type. */
  keepEvent(type: EventType, event: unknown): void {
    this.webhooks[type] ??= event;
  }

  hasEvent(type: EventType): boolean {
    return this.webhooks[type] !== undefined;
  }

  /** Everything that was kept, sorted by name. */
  recorded(): RecordedExamples {
    const operations = Object.fromEntries(sorted(this.operations));
    return {
      operations,
      errors: Object.fromEntries(sorted(this.errors)),
      webhooks: Object.fromEntries(sorted(this.webhooks)),
    };
  }
}

function sorted<Value>(record: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));
}
