import { expect, it } from 'vitest';
import { MassGenError } from '../../../../../src/core/errors';
import { listenForRedirect } from '../../../../../src/tools/mcp/sign-in/redirect-listener';
import { never } from '../../../workspace/temp-project';

const state = 'state-of-this-sign-in';

it('takes only what carries the state of this very sign-in', async () => {
  const listener = await listenForRedirect(state);
  const got = listener.redirect(never);
  const statusOf = async (query: string, method = 'GET'): Promise<number> =>
    (await fetch(`${listener.address}${query}`, { method })).status;
  expect(new URL(listener.address).hostname).toBe('127.0.0.1');
  expect(await statusOf('?code=evil&state=other')).toBe(404);
  expect(await statusOf('?code=evil')).toBe(404);
  expect(await statusOf(`/x?code=evil&state=${state}`)).toBe(404);
  expect(await statusOf(`?code=evil&state=${state}`, 'POST')).toBe(404);
  expect(await statusOf(`?code=good&state=${state}&iss=https://a.example`)).toBe(200);
  expect(await got).toEqual({ code: 'good', issuer: 'https://a.example' });
  listener.dispose();
  await expect(fetch(listener.address)).rejects.toThrow();
});

it('tells a refusal of the service in words of its own', async () => {
  const listener = await listenForRedirect(state);
  const refused = expect(listener.redirect(never)).rejects.toMatchObject({ code: 'tool/denied' });
  const page = await fetch(`${listener.address}?error=<script>&state=${state}`);
  expect(await page.text()).toBe('You are not signed in. You can close this page.\n');
  await refused;
  listener.dispose();
});

it('ends with its agent', async () => {
  const listener = await listenForRedirect(state);
  const stop = new AbortController();
  const got = listener.redirect(stop.signal);
  stop.abort(new MassGenError('cancelled/user', 'Stopped.'));
  await expect(got).rejects.toMatchObject({ code: 'cancelled/user' });
  listener.dispose();
});
