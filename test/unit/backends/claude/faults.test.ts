import { afterEach, describe, expect, it } from 'vitest';
import { endOf, textOf } from '../../../contract/backend-kit';
import { answerOf, ask, closeAll, openClaude, serve } from './claude-fixture';

function body(type: string, message: string, details?: Readonly<Record<string, unknown>>): unknown {
  return { type: 'error', error: { type, message, ...(details === undefined ? {} : { details }) } };
}

describe('an error of the service', () => {
  afterEach(closeAll);

  it.each([
    'prompt is too long: 210000 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000',
  ])('about length is told from other wrong requests: %s', async (message) => {
    const end = endOf(
      await answerOf({ status: 400, body: body('invalid_request_error', message) }),
    );
    expect(end).toMatchObject({ error: { code: 'backend/context-overflow', retryable: false } });
  });

  it('with a code of its own is judged by that, not by its sentence', async () => {
    const coded = body('invalid_request_error', 'prompt is too long for this title', {
      error_code: 'title_too_long',
    });
    expect(endOf(await answerOf({ status: 400, body: coded }))).toMatchObject({
      error: { code: 'backend/bad-request' },
    });
  });

  it.each([
    [429, 'rate_limit_error', 'contract_spend_limit_reached'],
    [402, 'billing_error', undefined],
  ])('about money (%i %s) is not worth another try', async (status, type, code) => {
    const details = code === undefined ? {} : { error_code: code };
    const headers = { 'x-should-retry': 'true', 'retry-after': '5' };
    const end = endOf(await answerOf({ status, headers, body: body(type, 'No money.', details) }));
    expect(end).toMatchObject({ error: { code: 'backend/no-permission', retryable: false } });
  });

  it('about pictures that are too large for a long conversation can be answered by fewer', async () => {
    const details = { error_code: 'image_dimensions_too_large' };
    const large = body('invalid_request_error', 'messages.4.content.0: 2000 px at most', details);
    expect(endOf(await answerOf({ status: 400, body: large }))).toMatchObject({
      error: { code: 'backend/context-overflow' },
    });
  });

  it('about a slow start may be retried', async () => {
    const ramp = body('rate_limit_error', 'Slower.', { error_code: 'ramp_limit_exceeded' });
    expect(endOf(await answerOf({ status: 429, body: ramp }))).toMatchObject({
      error: { code: 'backend/rate-limited', retryable: true },
    });
  });

  it.each([
    ['overloaded_error', 'backend/overloaded', true],
    ['rate_limit_error', 'backend/rate-limited', true],
    ['api_error', 'backend/bad-response', true],
    ['permission_error', 'backend/no-permission', false],
    ['invalid_request_error', 'backend/bad-request', false],
    ['something_new', 'backend/bad-response', true],
  ])('inside a stream (%s) means what it means outside', async (type, code, retryable) => {
    const parts = await answerOf([
      { kind: 'text', text: 'Let me' },
      { kind: 'error', error: { type, message: 'Not today.' } },
    ]);
    const end = endOf(parts);
    expect(end).toMatchObject({ error: { code, retryable } });
    expect('error' in end ? end.error.message : '').toContain('Not today.');
  });

  it('about a setting is no reason to begin anew once words have come', async () => {
    const type = 'invalid_request_error';
    const service = await serve([
      {
        steps: [
          { kind: 'text', text: 'Let me' },
          { kind: 'error', error: { type, message: '`thinking` is not supported' } },
        ],
      },
      { steps: [{ kind: 'text', text: 'Let me see.' }] },
    ]);
    const parts = await ask(await openClaude(service));
    expect(textOf(parts)).toBe('Let me');
    expect(endOf(parts)).toMatchObject({ error: { code: 'backend/bad-request' } });
    expect(service.journal).toHaveLength(1);
  });

  it('that is a web page is told by its status', async () => {
    const page = '<html><body>Bad gateway</body></html>';
    expect(endOf(await answerOf({ status: 502, body: page }))).toMatchObject({
      error: { code: 'backend/bad-response', retryable: true },
    });
  });

  it('never repeats the key', async () => {
    const service = await serve([
      { status: 401, body: body('authentication_error', 'invalid key: key-secret-1') },
    ]);
    const end = endOf(await ask(await openClaude(service)));
    expect(end).toMatchObject({ error: { code: 'backend/auth' } });
    expect(JSON.stringify([end, 'error' in end ? end.error.message : ''])).not.toContain('secret');
  });

  it('is not taken for a setting when it names none', async () => {
    const message = 'messages.3.content.0: Something is wrong.';
    const service = await serve([{ status: 400, body: body('invalid_request_error', message) }]);
    expect(endOf(await ask(await openClaude(service)))).toMatchObject({
      error: { code: 'backend/bad-request' },
    });
    expect(service.journal).toHaveLength(1);
  });
});
