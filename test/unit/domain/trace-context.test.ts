import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatTraceparent, parseTraceparent, traceFieldsOf } from '../../../domain/trace-context.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';

describe('a place in a trace', () => {
  it('is written and read as W3C Trace Context has it', () => {
    for (const isSampled of [true, false]) {
      const context = { traceId: TRACE_ID, spanId: SPAN_ID, isSampled };
      assert.equal(formatTraceparent(context), `00-${TRACE_ID}-${SPAN_ID}-0${isSampled ? 1 : 0}`);
      assert.deepEqual(parseTraceparent(formatTraceparent(context)), context);
    }
  });

  it('is null where the text is anything else', () => {
    const texts = [
      '',
      TRACE_ID,
      `01-${TRACE_ID}-${SPAN_ID}-01`,
      `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
      `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
      `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
      `00-${TRACE_ID}-${SPAN_ID}-01 `,
    ];
    for (const text of texts) assert.equal(parseTraceparent(text), null, text);
  });

  it('is named in log lines as OpenTelemetry names it', () => {
    assert.deepEqual(traceFieldsOf({ traceId: TRACE_ID, spanId: SPAN_ID, isSampled: true }), {
      trace_id: TRACE_ID,
      span_id: SPAN_ID,
    });
    assert.deepEqual(traceFieldsOf(null), {});
  });
});
